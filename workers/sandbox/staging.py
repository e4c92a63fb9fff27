"""Where runtimes, bundles and tools are laid out for sandboxes, and how: whole or not at all, never changed after.

The folder lies outside any home, because bots run under another user id when we are root, and homes are often closed
to others. Names carry a digest of the content, so that many processes can share and none overwrites.
"""

import fcntl
import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from workers.programs import SandboxError

SYSTEM_FOLDER = Path("/var/lib/malice")
FOLDER_MODE = 0o755
PRIVATE_MODE = 0o700
FILE_MODE = 0o644
PROGRAM_MODE = 0o755

NOEXEC = getattr(os, "ST_NOEXEC", 0)
"""The mount flag, where the system has it."""


def staging_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder to stage in, made if need be: the first candidate that will do.

    As root `/var/lib/malice`, else `$XDG_RUNTIME_DIR/malice`; failing these, a folder of our own under the temporary
    one. Raises SandboxError saying what is wrong with each.
    """
    reasons = []
    for folder in _candidates(environ):
        reason = _make(folder)
        if reason is None:
            return folder
        reasons.append(f"{folder}: {reason}")
    raise SandboxError("no folder to stage bots and runtimes in; " + "; ".join(reasons))


def stage(folder: Path, name: str, fill: Callable[[Path], None]) -> Path:
    """Return `folder / name`, filled by `fill` unless it is there already.

    `fill` gets an empty folder to fill; it becomes visible under its name at once and whole.
    """
    target = folder / name
    if target.is_dir():
        return target
    fresh = Path(tempfile.mkdtemp(dir=folder, prefix=".new-"))
    try:
        fresh.chmod(FOLDER_MODE)
        fill(fresh)
        _move(fresh, target)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return target


def discard(folder: Path) -> None:
    """Remove a staged folder: out of sight at once, then piece by piece."""
    grave = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".old-"))
    try:
        folder.rename(grave / folder.name)
    except FileNotFoundError:
        pass
    finally:
        shutil.rmtree(grave, ignore_errors=True)


def digest_of_files(files: Iterable[Path]) -> str:
    """Return one digest over the content of files, in the order given, for naming what is made of them."""
    whole = hashlib.sha256()
    for file in files:
        whole.update(hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()


def hold(folder: Path) -> int:
    """Keep tidying services off a folder for as long as the returned descriptor is open.

    systemd-tmpfiles and its like leave alone what is locked (systemd.io/TEMPORARY_DIRECTORIES).
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    return descriptor


def _candidates(environ: Mapping[str, str]) -> list[Path]:
    own = Path(tempfile.gettempdir()) / f"malice-{os.geteuid()}"
    if os.geteuid() == 0:
        return [SYSTEM_FOLDER, own]
    runtime = environ.get("XDG_RUNTIME_DIR")
    return [Path(runtime) / "malice", own] if runtime else [own]


def _make(folder: Path) -> str | None:
    """Make the folder; return what is wrong with it, or None."""
    try:
        folder.mkdir(mode=FOLDER_MODE if os.geteuid() == 0 else PRIVATE_MODE, parents=True, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        return error.strerror
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        return "is not a folder of ours"
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "others may write there"
    if not os.access(folder, os.W_OK):
        return "is read-only"
    if os.statvfs(folder).f_flag & NOEXEC:
        return "is mounted noexec"
    if os.geteuid() == 0 and not all(
        path.stat().st_mode & stat.S_IXOTH for path in (folder, *folder.parents)
    ):
        return "others cannot enter it"
    return None


def _move(fresh: Path, target: Path) -> None:
    try:
        fresh.rename(target)
    except OSError:
        # Somebody else was faster; what they staged under this name is the same.
        if not target.is_dir():
            raise
