"""A runtime tree holds what bots need, nothing else, unchanged, and in memory."""

import ctypes
import mmap
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from workers.programs import SandboxError
from workers.sandbox import runtimes
from workers.sandbox.runtimes import Runtime, stage_python

INTERPRETER = Path(getattr(sys, "_base_executable", sys.executable))
SCRIPT_THAT_FAILS = "#!/bin/sh\necho no such luck >&2\nexit 1\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A staging folder of these tests' own."""
    return tmp_path_factory.mktemp("staging")


@pytest.fixture
def runtime(folder: Path) -> Runtime:
    """The staged interpreter; whole again after a test that damaged it."""
    return stage_python(INTERPRETER, folder)


def files(root: Path) -> Iterator[Path]:
    return (path for path in root.rglob("*") if path.is_file() and not path.is_symlink())


def test_a_tree_names_its_version_and_its_content(runtime: Runtime) -> None:
    assert runtime.version == ".".join(str(part) for part in sys.version_info[:3])
    name, version, digest = runtime.root.parent.name.split("-")
    assert (name, version) == ("python", runtime.version)
    assert len(digest) == 16


def test_tests_graphics_and_installed_packages_stay_out(runtime: Runtime) -> None:
    names = {path.name for path in runtime.root.rglob("*")}
    assert {"json", "ssl.py", "decimal.py", "python3", "prlimit", "sh"} <= names
    assert not names & {"test", "tests", "idlelib", "tkinter", "site-packages", "dist-packages", "ensurepip"}
    assert sum(path.stat().st_size for path in files(runtime.root)) < 120 << 20


def test_everybody_may_read_a_tree_and_nobody_write(runtime: Runtime) -> None:
    for path in runtime.root.rglob("*"):
        mode = path.lstat().st_mode
        assert path.is_symlink() or (mode & 0o444 == 0o444 and not mode & 0o022), path
        assert path.is_symlink() or not path.is_dir() or mode & 0o111 == 0o111, path


def test_every_module_is_compiled_under_its_name_inside(runtime: Runtime) -> None:
    compiled = list(runtime.root.rglob("*.pyc"))
    sources = [path for path in runtime.root.rglob("*.py") if "__pycache__" not in path.parts]
    assert len(compiled) == len(sources) > 300
    assert b"/usr/lib/" in next(path for path in compiled if path.name.startswith("bisect.")).read_bytes()
    assert [path for path in compiled if os.fsencode(runtime.root) in path.read_bytes()] == []


def test_a_damaged_tree_is_built_anew(folder: Path, runtime: Runtime) -> None:
    victim = next(runtime.root.rglob("json/decoder.py"))
    content = victim.read_bytes()
    victim.write_bytes(b"#" + content[1:])
    assert stage_python(INTERPRETER, folder).root == runtime.root
    assert victim.read_bytes() == content


def test_a_whole_tree_is_left_as_it_is(folder: Path, runtime: Runtime) -> None:
    before = runtime.root.stat().st_ino
    stage_python(INTERPRETER, folder)
    assert runtime.root.stat().st_ino == before


def test_a_tree_is_in_memory_before_the_first_bot_reads_it(folder: Path, runtime: Runtime) -> None:
    large = sorted(files(runtime.root), key=lambda path: path.stat().st_size)[-20:]
    left_out: list[Path] = []
    # A kernel that is short of memory, or is set to reclaim early, may take a page back before we look; not every time.
    for _ in range(10):
        for path in large:
            evict(path)
        if all(resident(path) for path in large):
            pytest.skip("this file system keeps everything in memory")
        stage_python(INTERPRETER, folder)
        left_out = [path for path in files(runtime.root) if not resident(path)]
        if not left_out:
            break
    assert left_out == []


def test_an_interpreter_that_does_not_run_is_refused_in_its_own_words(tmp_path: Path) -> None:
    broken = tmp_path / "python3"
    broken.write_text(SCRIPT_THAT_FAILS)
    broken.chmod(0o755)
    with pytest.raises(SandboxError, match="python3 cannot be asked what it needs: no such luck"):
        stage_python(broken, tmp_path)
    with pytest.raises(SandboxError, match="cannot be asked what it needs"):
        stage_python(tmp_path / "missing", tmp_path)


def test_a_host_without_the_limit_setter_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtimes, "TOOL_PATH", str(tmp_path))
    with pytest.raises(SandboxError, match=f"no prlimit in {tmp_path}; install util-linux"):
        stage_python(INTERPRETER, tmp_path)


def evict(path: Path) -> None:
    """Ask the kernel to drop a file from memory."""
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def resident(path: Path) -> bool:
    """Whether all of a file is in memory."""
    size = path.stat().st_size
    if size == 0:
        return True
    with path.open("rb") as file, mmap.mmap(file.fileno(), size, mmap.MAP_PRIVATE) as mapping:
        address = ctypes.addressof(ctypes.c_char.from_buffer(mapping))
        pages = (ctypes.c_ubyte * -(-size // mmap.PAGESIZE))()
        assert ctypes.CDLL(None).mincore(ctypes.c_void_p(address), ctypes.c_size_t(size), pages) == 0
        return all(page & 1 for page in pages)
