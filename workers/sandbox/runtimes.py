"""Runtime trees: the few files an interpreter needs, laid out as the whole file system a bot sees.

A tree holds the interpreter, the shared libraries it and its extension modules load, the standard library without
tests and graphics, and the two tools that prepare its start. All bots of a host read the same tree, so it is kept small and
resident: how long a read takes must not tell one bot what another has read.
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
PROBE_TIMEOUT_S = 60
COMPILE_TIMEOUT_S = 300
MANIFEST = "manifest.json"

LEFT_OUT = {
    *(
        "__pycache__",
        "test",
        "tests",
        "idlelib",
        "tkinter",
        "turtledemo",
        "turtle.py",
        "lib2to3",
        "ensurepip",
    ),
    *("pydoc_data", "site-packages", "dist-packages", "venv", "msilib", "curses"),
}
LEFT_OUT_PREFIXES = ("config-", "_tkinter.", "_curses", "_test", "_ctypes_test", "_xxtestfuzz", "xxlimited")

# Everything ends in one folder, reached under every name a C library's loader may look for it.
LIBRARIES = Path("usr/lib")
ALIASES = {"lib": "usr/lib", "lib64": "usr/lib", "bin": "usr/bin", "usr/lib64": "lib"}

# Runs in the interpreter to be probed, without site-packages; prints one JSON object. Loading the extension modules
# shows which libraries they bring with them, under the names they are asked for by.
PROBE = """
import ctypes, json, os, platform, sys, sysconfig
stdlib = sysconfig.get_path("stdlib")
dynload = sysconfig.get_config_var("DESTSHARED") or os.path.join(stdlib, "lib-dynload")
for name in ["libgcc_s.so.1", *(os.path.join(dynload, n) for n in sorted(os.listdir(dynload)) if n.endswith(".so"))]:
    if not os.path.basename(name).startswith(("_tkinter", "_curses", "_test", "_ctypes_test", "xx", "_xx")):
        try: ctypes.CDLL(name)
        except OSError: pass
class Info(ctypes.Structure): _fields_ = [("address", ctypes.c_void_p), ("name", ctypes.c_char_p)]
libraries = []
@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Info), ctypes.c_size_t, ctypes.c_void_p)
def visit(info, size, data):
    name = os.fsdecode(info.contents.name or b"")
    if name.startswith("/") and not name.startswith(dynload): libraries.append(name)
    return 0
ctypes.CDLL(None).dl_iterate_phdr(visit, None)
print(json.dumps({"version": platform.python_version(), "executable": os.path.realpath(sys.executable),
    "stdlib": stdlib, "dynload": dynload, "home": f"{sys.platlibdir}/python{sys.version_info[0]}.{sys.version_info[1]}",
    "libraries": libraries}))
"""


class Probe(msgspec.Struct, frozen=True):
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
    probe = _probe(interpreter)
    plan = _plan(probe)
    name = f"python-{probe.version}-{_digest(plan)[:16]}"
    for _ in range(2):
        staged = stage(folder, name, lambda fresh: _fill(fresh, interpreter, plan))
        if _whole(staged):
            return Runtime("python", probe.version, staged / "root")
        discard(staged)
    raise SandboxError(f"the runtime tree {folder / name} does not stay as it is written")


def _probe(interpreter: Path) -> Probe:
    command = [str(interpreter), "-I", "-S", "-c", PROBE]
    try:
        done = subprocess.run(command, capture_output=True, check=True, env={}, timeout=PROBE_TIMEOUT_S)
        return msgspec.json.decode(done.stdout, type=Probe)
    except subprocess.CalledProcessError as error:
        raise SandboxError(
            f"{interpreter} cannot be probed: {error.stderr.decode(errors='replace')}"
        ) from None
    except (OSError, subprocess.TimeoutExpired, msgspec.DecodeError) as error:
        raise SandboxError(f"{interpreter} cannot be probed: {error}") from None


def _plan(probe: Probe) -> dict[str, Path]:
    """Which file goes where: path below the tree's root to the file it is copied from."""
    loaders = [path for path in probe.libraries if Path(path).name.startswith("ld")]
    if not loaders:
        raise SandboxError(
            f"{probe.executable} names no loader; only dynamically linked interpreters can be staged"
        )
    programs = {PYTHON: Path(probe.executable), PRLIMIT: _tool("prlimit"), SHELL: _tool("sh")}
    plan = {path.lstrip("/"): source for path, source in programs.items()}
    libraries = [
        *probe.libraries,
        *_libraries_of(programs[PRLIMIT], loaders[0]),
        *_libraries_of(programs[SHELL], loaders[0]),
    ]
    for library in libraries:
        plan.setdefault(str(LIBRARIES / Path(library).name), Path(library).resolve())
    home = Path("usr") / probe.home
    plan |= {str(home / path): Path(probe.stdlib, path) for path in _modules(Path(probe.stdlib))}
    if not Path(probe.dynload).is_relative_to(probe.stdlib):
        plan |= {
            str(home / "lib-dynload" / path): Path(probe.dynload, path)
            for path in _modules(Path(probe.dynload))
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
    options = [
        "-q",
        "-s",
        str(root),
        "-p",
        "/",
        "--invalidation-mode",
        "unchecked-hash",
        str(root / LIBRARIES),
    ]
    subprocess.run(
        [str(interpreter), "-I", "-S", "-m", "compileall", *options],
        env={},
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
