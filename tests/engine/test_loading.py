"""Compiled modules are used only when they were made from the sources that are there; else the sources are."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine import loading

ROOT = Path(__file__).parents[2]
SCRIPT = """
import json, engine, engine.chance
print(json.dumps([engine.LOADED, engine.compiled(), engine.chance.__file__, engine.chance.shuffled("abc", bytes(32), 0, 0)]))
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A project of the engine's smallest part, so that compiling it takes seconds."""
    folder = tmp_path / "tree"
    folder.mkdir()
    modules = ("__init__.py", "loading.py", "chance.py", "digests.py", "digests.c")
    for name in ("setup.py", *(f"engine/{module}" for module in modules)):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    for package in loading.COMPILED_PACKAGES:
        (folder / "engine" / package).mkdir()
        (folder / "engine" / package / "__init__.py").touch()
    return folder


def build(folder: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Compile in place, as `make install` does."""
    return subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name != loading.VARIABLE} | environment,
        capture_output=True,
        text=True,
    )


def loaded(folder: Path, **environment: str) -> tuple[str, bool, str, list[str]]:
    """Import the engine of a tree; return how it was loaded, where a hot module came from, and what that computes."""
    run = subprocess.run(
        [sys.executable, "-S", "-c", SCRIPT],
        cwd=folder,
        env={"PATH": os.environ["PATH"]} | environment,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    how, compiled, file, cards = json.loads(run.stdout)
    return how, compiled, Path(file).name, cards


def can_compile(folder: Path) -> bool:
    return build(folder).stderr == "malice: compiling the engine (about a minute)\n"


def test_compiled_modules_are_used_until_a_source_changes(tree: Path) -> None:
    plain = loaded(tree)
    assert plain[:3] == (loading.NONE, False, "chance.py")
    if not can_compile(tree):
        pytest.skip("no C compiler or no headers of Python here")

    library = f"chance{loading.SUFFIX}"
    assert loaded(tree) == (loading.IN_USE, True, library, plain[3])
    assert loaded(tree, MALICE_ENGINE="source") == (loading.ASKED, False, "chance.py", plain[3])

    # Not even a source that stays plain may change: its constants are part of the compiled code.
    other = tree / "engine" / "spite" / "__init__.py"
    other.write_text("LIMIT = 3\n")
    assert loaded(tree) == (loading.CHANGED, False, "chance.py", plain[3])
    other.write_text("")
    assert loaded(tree) == (loading.IN_USE, True, library, plain[3])

    # Modules that a damaged build left behind do not stop anything.
    (tree / "engine" / f"{loading.LIBRARY}{loading.SUFFIX}").write_bytes(b"not a library")
    how, compiled, file, cards = loaded(tree)
    assert how.startswith("plain: the compiled modules do not load: ")
    assert (compiled, file, cards) == (False, "chance.py", plain[3])


@pytest.mark.parametrize("compiler", ["/nowhere/gcc", "false"])
def test_what_cannot_be_compiled_runs_from_its_source_and_one_line_says_so(tree: Path, compiler: str) -> None:
    result = build(tree, CC=compiler)
    assert result.returncode == 0
    *_, last = result.stderr.splitlines()
    assert last.startswith("malice: ")
    assert "the engine" in last
    assert "runs from its source, several times slower" in last
    assert sum("slower" in line for line in result.stderr.splitlines()) == 1
    how, compiled, file, _ = loaded(tree)
    assert (how, compiled, file) == (loading.NONE, False, "chance.py")


def test_a_word_that_means_nothing_is_refused(tree: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", "import engine"],
        cwd=tree,
        env={loading.VARIABLE: "fast"},
        capture_output=True,
        text=True,
    )
    assert "MALICE_ENGINE='fast' means nothing; the one value is 'source'" in run.stderr


def test_the_engine_says_how_it_was_loaded_as_a_program_too() -> None:
    run = subprocess.run([sys.executable, ROOT / "engine" / "loading.py"], capture_output=True, text=True)
    found = loading.state(str(ROOT / "engine"), None)
    assert run.stdout == f"{found}\n"
    assert run.returncode == (0 if found == loading.IN_USE else 1)


def test_every_module_listed_to_be_compiled_is_there() -> None:
    found = loading.sources(str(ROOT / "engine"))
    assert {"chance.py", "match.py", "spite/deal.py"} <= set(found)
    assert not any("view" in name or "__init__" in name for name in found)
