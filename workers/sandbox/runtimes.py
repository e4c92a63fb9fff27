"""Runtime trees: the few files an interpreter needs, laid out as the whole file system a bot sees.

A tree holds the interpreter, the shared libraries it and its extension modules load, the standard library without
tests and graphics, and the two tools that prepare its start. All bots of a host read the same tree, so it is kept small
and resident: how long a read takes must not tell one bot what another has read.
"""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import msgspec

from workers.programs import SandboxError
from workers.sandbox.staging import FILE_MODE, FOLDER_MODE, PROGRAM_MODE, discard, stage

PYTHON = "/usr/bin/python3"
"""The interpreter's path inside."""
PRLIMIT = "/usr/bin/prlimit"
"""The limit setter's path inside."""
SHELL = "/usr/bin/sh"
"""The shell's path inside."""
BOT_FOLDER = "/bot"
DEVICES = ("null", "zero", "random", "urandom")

TOOL_PATH = "/usr/bin:/bin:/usr/local/bin"
DESCRIBE_TIMEOUT_S = 60
COMPILE_TIMEOUT_S = 300
MANIFEST = "manifest.json"

LEFT_OUT = {
    *(
        "__pycache__",
        "site-packages",
        "dist-packages",
        "venv",
        "ensurepip",
        "lib2to3",
        "pydoc_data",
        "msilib",
    ),
    *("test", "tests", "idlelib", "tkinter", "turtledemo", "turtle.py", "curses"),
}
LEFT_OUT_PREFIXES = ("config-", "_tkinter.", "_curses", "_test", "_ctypes_test", "_xxtestfuzz", "xxlimited")

# Everything ends in one folder, reached under every name a C library's loader may look for it.
LIBRARIES = Path("usr/lib")
ALIASES = {"lib": "usr/lib", "lib64": "usr/lib", "bin": "usr/bin", "usr/lib64": "lib"}

DESCRIBE = Path(__file__).parent / "describe_python.py"


class Description(msgspec.Struct, frozen=True):
    """What an interpreter says about itself."""

    version: str
    executable: str
    stdlib: str
    dynload: str
    """Folder of the compiled modules; mostly below `stdlib`."""
    home: str
    """Where below its prefix it looks for `stdlib`."""
    libraries: list[str]
    """Shared libraries by the paths they are loaded from, the loader among them."""


class Runtime(msgspec.Struct, frozen=True):
    """An interpreter staged for sandboxes."""

    name: str
    version: str
    root: Path
    """The tree that becomes `/` inside."""


class Entry(msgspec.Struct, frozen=True):
    """One file of a tree: size in bytes and SHA-256."""

    size: int
    sha256: str


def stage_python(interpreter: Path, folder: Path) -> Runtime:
    """Stage the runtime of a Python interpreter and bring it into memory. Raises SandboxError.

    A tree that is no longer whole (temporary folders get tidied) is built anew.
    """
    python = _describe(interpreter)
    try:
        plan = _plan(python)
        name = f"python-{python.version}-{_digest(plan)[:16]}"
        for _ in range(2):
            staged = stage(folder, name, lambda fresh: _fill(fresh, interpreter, plan))
            if _whole(staged):
                return Runtime("python", python.version, staged / "root")
            discard(staged)
    except (OSError, subprocess.SubprocessError) as error:
        raise SandboxError(f"{interpreter} cannot be staged in {folder}: {error}") from None
    raise SandboxError(f"the runtime tree {folder / name} does not stay as it is written")


def _describe(interpreter: Path) -> Description:
    command = [str(interpreter), "-I", "-S", str(DESCRIBE)]
    try:
        done = subprocess.run(
            command, capture_output=True, check=True, env=_environment(), timeout=DESCRIBE_TIMEOUT_S
        )
        return msgspec.json.decode(done.stdout, type=Description)
    except subprocess.CalledProcessError as error:
        raise SandboxError(
            f"{interpreter} cannot be asked what it needs: {error.stderr.decode(errors='replace')}"
        ) from None
    except (OSError, subprocess.TimeoutExpired, msgspec.DecodeError) as error:
        raise SandboxError(f"{interpreter} cannot be asked what it needs: {error}") from None


def _environment() -> dict[str, str]:
    """Nothing but where the loader looks for libraries, which some installations of Python need."""
    return {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}


def _plan(python: Description) -> dict[str, Path]:
    """Which file goes where: path below the tree's root to the file it is copied from."""
    loaders = [path for path in python.libraries if Path(path).name.startswith("ld")]
    if not loaders:
        raise SandboxError(
            f"{python.executable} names no loader; only dynamically linked interpreters can be staged"
        )
    programs = {PYTHON: Path(python.executable), PRLIMIT: _tool("prlimit"), SHELL: _tool("sh")}
    plan = {path.lstrip("/"): source for path, source in programs.items()}
    libraries = [
        *python.libraries,
        *_libraries_of(programs[PRLIMIT], loaders[0]),
        *_libraries_of(programs[SHELL], loaders[0]),
    ]
    for library in libraries:
        plan.setdefault(str(LIBRARIES / Path(library).name), Path(library).resolve())
    home = Path("usr") / python.home
    plan |= {str(home / path): Path(python.stdlib, path) for path in _modules(Path(python.stdlib))}
    if not Path(python.dynload).is_relative_to(python.stdlib):
        plan |= {
            str(home / "lib-dynload" / path): Path(python.dynload, path)
            for path in _modules(Path(python.dynload))
        }
    return plan


def _tool(name: str) -> Path:
    found = shutil.which(name, path=TOOL_PATH)
    if found is None:
        raise SandboxError(f"no {name} in {TOOL_PATH}; install util-linux and a shell")
    return Path(found).resolve()


def _libraries_of(program: Path, loader: str) -> list[str]:
    listing = subprocess.run(
        [loader, "--list", str(program)], capture_output=True, text=True, check=True
    ).stdout
    return [line.split("=>")[1].split()[0] for line in listing.splitlines() if "=> /" in line]


def _modules(folder: Path) -> Iterator[Path]:
    """Yield the files of a standard library that bots get, relative to its folder, in a fixed order."""
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _is_left_out(name))
        for name in sorted(files):
            if not _is_left_out(name) and Path(parent, name).suffix in (".py", ".so", ".json", ".txt"):
                yield Path(parent, name).relative_to(folder)


def _is_left_out(name: str) -> bool:
    return name in LEFT_OUT or name.startswith(LEFT_OUT_PREFIXES)


def _digest(plan: dict[str, Path]) -> str:
    whole = hashlib.sha256()
    for target, source in sorted(plan.items()):
        content = hashlib.sha256(source.read_bytes()).hexdigest()
        whole.update(f"{target}\0{content}\n".encode())
    return whole.hexdigest()


def _fill(fresh: Path, interpreter: Path, plan: dict[str, Path]) -> None:
    root = fresh / "root"
    for folder in ("usr/bin", "usr/lib", "dev", BOT_FOLDER.lstrip("/")):
        (root / folder).mkdir(parents=True)
    for alias, target in ALIASES.items():
        (root / alias).symlink_to(target)
    for name in {path.parent.name for path in plan.values() if path.parent.name.endswith("-linux-gnu")}:
        (root / LIBRARIES / name).symlink_to(".")
    for device in DEVICES:
        (root / "dev" / device).touch()
    for target, source in plan.items():
        (root / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, root / target)
    _compile(interpreter, root)
    _open_to_all(root)
    entries = {str(path.relative_to(root)): _entry(path) for path in _files(root)}
    (fresh / MANIFEST).write_bytes(msgspec.json.encode(entries))


def _compile(interpreter: Path, root: Path) -> None:
    """Compile all modules: bots have nowhere to write, so each would compile at each start what came without."""
    options = ["-q", "-s", str(root), "-p", "/", "--invalidation-mode", "unchecked-hash"]
    subprocess.run(
        [str(interpreter), "-I", "-S", "-m", "compileall", *options, str(root / LIBRARIES)],
        env=_environment(),
        check=True,
        stdout=subprocess.DEVNULL,
        timeout=COMPILE_TIMEOUT_S,
    )


def _open_to_all(root: Path) -> None:
    """Let every user read, and nobody write."""
    for parent, _, files in os.walk(root):
        os.chmod(parent, FOLDER_MODE)
        for name in files:
            is_program = parent.endswith("/bin") or ".so" in name
            os.chmod(Path(parent, name), PROGRAM_MODE if is_program else FILE_MODE)


def _files(root: Path) -> Iterator[Path]:
    for parent, _, files in os.walk(root):
        yield from (Path(parent, name) for name in files)


def _entry(path: Path) -> Entry:
    content = path.read_bytes()
    return Entry(len(content), hashlib.sha256(content).hexdigest())


def _whole(staged: Path) -> bool:
    """Whether the tree is as it was written. Reading every file also brings it into memory."""
    root = staged / "root"
    try:
        manifest = msgspec.json.decode((staged / MANIFEST).read_bytes(), type=dict[str, Entry])
        return all(_entry(root / path) == entry for path, entry in manifest.items())
    except (OSError, msgspec.DecodeError):
        return False
