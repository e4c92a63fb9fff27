"""`make` says in one line what is missing, before pip or venv say it in fifty."""

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


def make(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run make on a copy of the Makefile with an environment of its own."""
    shutil.copy(ROOT / "Makefile", folder)
    for name in ("pyproject.toml", "requirements"):
        (folder / name).symlink_to(ROOT / name)
    return subprocess.run(["make", *arguments], cwd=folder, capture_output=True, text=True)


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
