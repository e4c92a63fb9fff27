"""`make` says in one line what is missing, before pip or venv say it in fifty."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

TOO_OLD = """#!/bin/sh
case "$2" in
  *version_info*) exit 1 ;;
  *python_version*) echo 3.9.2 ;;
esac
"""
WITHOUT_VENV = """#!/bin/sh
case "$2" in
  *ensurepip*) echo "ModuleNotFoundError: No module named 'ensurepip'" >&2; exit 1 ;;
esac
"""
INSTALLED = """#!/bin/sh
echo "${MALICE_ENGINE:-as it is}: $*" >> calls
case "$1" in
  engine/loading.py) test -e compiled ;;
  setup.py) touch compiled ;;
esac
"""
"""Stands in for the Python of an installation whose engine is compiled once `setup.py` has run."""


def make(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run make on a copy of the Makefile with an environment of its own."""
    shutil.copy(ROOT / "Makefile", folder)
    for name in ("pyproject.toml", "requirements"):
        if not (folder / name).exists():
            (folder / name).symlink_to(ROOT / name)
    environment = {name: text for name, text in os.environ.items() if not name.startswith("MALICE_")}
    return subprocess.run(["make", *arguments], cwd=folder, env=environment, capture_output=True, text=True)


def python(folder: Path, script: str) -> str:
    program = folder / "python"
    program.write_text(script)
    program.chmod(0o755)
    return str(program)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (TOO_OLD, "is 3.9.2, Malice needs 3.11 or newer; name one: make PYTHON=/path/to/python3.11"),
        (WITHOUT_VENV, "this Python has no venv module; on Debian or Ubuntu: apt-get install python3-venv"),
    ],
)
def test_an_unsuitable_python_is_said_in_one_line_with_the_remedy(
    tmp_path: Path, script: str, words: str
) -> None:
    result = make(tmp_path, "install", f"PYTHON={python(tmp_path, script)}")
    assert result.returncode != 0
    ours = [line for line in result.stderr.splitlines() if not line.startswith("make")]
    assert len(ours) == 1
    assert words in ours[0]
    assert not (tmp_path / ".venv").exists()


def test_a_missing_python_is_said_in_one_line(tmp_path: Path) -> None:
    result = make(tmp_path, "install", "PYTHON=/nowhere/python3")
    assert "no /nowhere/python3 here; install Python 3.11 or newer" in result.stderr


def test_help_lists_what_a_newcomer_runs(tmp_path: Path) -> None:
    result = make(tmp_path)
    assert result.returncode == 0
    for target in ("up", "test", "check", "bench", "install", "lock", "clean"):
        assert f"make {target} " in result.stdout


def test_cleaning_never_touches_results(tmp_path: Path) -> None:
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "malice.db").write_text("results")
    make(tmp_path, "clean")
    assert (tmp_path / "var" / "malice.db").read_text() == "results"


def installed(folder: Path) -> None:
    """Lay out what an installation leaves behind, a stand-in for its Python included."""
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / "engine").mkdir()
    python(folder / ".venv" / "bin", INSTALLED)
    make(folder)
    for stamp in (".venv", ".run", ".test", ".bench"):
        (folder / ".venv" / stamp).touch()


def calls(folder: Path) -> list[str]:
    """What the stand-in was called with, options that matter little left out."""
    lines = (folder / "calls").read_text().splitlines()
    return [" ".join(line.split(" --dist")[0].split(" --build-temp")[0].split()) for line in lines]


def test_the_engine_is_compiled_when_it_is_not_and_only_then(tmp_path: Path) -> None:
    installed(tmp_path)
    assert make(tmp_path, "install").returncode == 0
    assert calls(tmp_path) == [
        "as it is: engine/loading.py",
        "as it is: setup.py --quiet build_ext --inplace",
    ]
    assert make(tmp_path, "install").returncode == 0
    assert calls(tmp_path)[2:] == ["as it is: engine/loading.py"]


def test_the_suite_runs_on_what_is_installed_and_the_engines_tests_on_its_source_too(tmp_path: Path) -> None:
    installed(tmp_path)
    assert make(tmp_path, "test").returncode == 0
    assert calls(tmp_path)[2:] == [
        "as it is: -m pytest -n 2",
        "as it is: engine/loading.py",
        "source: -m pytest -n 2",
    ]


def test_where_nothing_can_be_compiled_one_run_is_enough(tmp_path: Path) -> None:
    installed(tmp_path)
    python(tmp_path / ".venv" / "bin", INSTALLED.replace("touch compiled", "true"))
    assert make(tmp_path, "test").returncode == 0
    assert [call for call in calls(tmp_path) if "pytest" in call] == ["as it is: -m pytest -n 2"]


def test_cleaning_removes_compiled_modules_and_no_source(tmp_path: Path) -> None:
    folder = tmp_path / "engine" / "spite"
    folder.mkdir(parents=True)
    for name in ("deal.py", "deal.cpython-311-x86_64-linux-gnu.so", "compiled.cpython-311.so.sha256"):
        (folder / name).touch()
    make(tmp_path, "clean")
    assert [path.name for path in folder.iterdir()] == ["deal.py"]
