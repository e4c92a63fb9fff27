"""The home folder: made, checked, and held by one `malice up` at a time."""

import errno
import fcntl
import hashlib
import os
import stat
import tempfile
from pathlib import Path

import msgspec

LONGEST_SOCKET_PATH = 107
"""Bytes; the kernel's `sun_path` holds 108 with the end mark."""
SOCKET_NAME = "broker.sock"


class HomeError(RuntimeError):
    """The home folder cannot be used; the message says why and what to do."""


class HomeBusyError(HomeError):
    """Another `malice up` runs on this home."""


class Holder(msgspec.Struct, frozen=True):
    """Who holds a home: written into the lock file, for whoever comes second."""

    pid: int
    address: str


class Home(msgspec.Struct, frozen=True):
    """The folders of one installation."""

    root: Path

    @property
    def logs(self) -> Path:
        """What the processes print, a file each."""
        return self.root / "logs"

    @property
    def run(self) -> Path:
        """The processes' signs of life."""
        return self.root / "run"

    @property
    def broker(self) -> Path:
        """The embedded broker's data."""
        return self.root / "broker"

    def sign_of_life(self, name: str) -> Path:
        """The file a process touches as long as its main loop turns."""
        return self.run / f"{name}.alive"


def open_home(root: Path) -> Home:
    """Make the home and its folders, for their owner only. Raises HomeError."""
    home = Home(root=root.absolute())
    try:
        home.root.mkdir(parents=True, exist_ok=True, mode=0o700)
        for folder in (home.logs, home.run, home.broker):
            folder.mkdir(exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=home.root) as probe:
            probe.write(b"x" * 4096)
    except OSError as error:
        raise HomeError(_words(home.root, error)) from None
    return home


def _words(root: Path, error: OSError) -> str:
    if error.errno == errno.ENOSPC:
        return f"the disk of {root} is full: free some space, or give another folder with --home"
    reason = os.strerror(error.errno).lower() if error.errno else str(error)
    return (
        f"cannot use {error.filename or root} as home ({reason}): give a folder you may write to with --home"
    )


class HomeLock:
    """Holds a home for this process; the kernel lets go of it when the process ends, however it ends."""

    def __init__(self, home: Home) -> None:
        """Take the lock. Raises HomeBusyError naming who holds it, or HomeError."""
        self._path = home.root / "up.lock"
        try:
            # Not inherited: a child that outlived us must not hold the home.
            self._file = os.fdopen(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), "r+b")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise HomeBusyError(self._held_by(home)) from None
        except OSError as error:
            raise HomeError(_words(self._path, error)) from None

    def announce(self, address: str) -> None:
        """Write who we are into the lock file."""
        self._file.seek(0)
        self._file.truncate()
        self._file.write(msgspec.json.encode(Holder(pid=os.getpid(), address=address)))
        self._file.flush()

    def release(self) -> None:
        """Let go of the home."""
        self._file.seek(0)
        self._file.truncate()
        self._file.close()

    def _held_by(self, home: Home) -> str:
        holder = read_holder(home)
        who = f"process {holder.pid} at {holder.address}" if holder else "a process that is just starting"
        stop = f"stop it (Ctrl-C there, or `kill {holder.pid}`)" if holder else "wait for it"
        return f"malice already runs on {home.root}: {who}; use that one, {stop}, or give another --home"


def read_holder(home: Home) -> Holder | None:
    """Return who runs on this home; None when nobody does, or has not yet said so."""
    try:
        with (home.root / "up.lock").open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return msgspec.json.decode(file.read(), type=Holder)
    except (OSError, msgspec.MsgspecError):
        pass
    return None


def socket_path(home: Home) -> Path:
    """Where the embedded broker's socket lies: in the home, or, where that path is too long, in a short private folder.

    Raises HomeError when that folder is somebody else's.
    """
    wanted = home.run / SOCKET_NAME
    if len(os.fsencode(wanted)) <= LONGEST_SOCKET_PATH:
        return wanted
    mark = hashlib.sha256(os.fsencode(home.root)).hexdigest()[:12]
    folder = Path("/tmp") / f"malice-{os.geteuid()}-{mark}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise HomeError(f"{folder} is not a private folder of yours: remove it, or give a shorter --home")
    return folder / SOCKET_NAME
