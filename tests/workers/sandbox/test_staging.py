"""Folders are staged whole or not at all, where everybody who must can read them and nobody else can write."""

import fcntl
import os
import tempfile
from pathlib import Path

import pytest

from workers.programs import SandboxError
from workers.sandbox import staging
from workers.sandbox.staging import digest_of_files, discard, hold, stage, staging_folder


@pytest.fixture
def elsewhere(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine of the test's own: nothing outside this folder is looked at."""
    monkeypatch.setattr(staging, "SYSTEM_FOLDER", open_folder / "lib" / "malice")
    monkeypatch.setattr(tempfile, "tempdir", str(open_folder))
    return open_folder


def preferred(folder: Path) -> tuple[dict[str, str], Path]:
    """Return the environment and the folder that is the first choice in it."""
    if os.geteuid() == 0:
        return {}, folder / "lib" / "malice"
    (folder / "run").mkdir()
    return {"XDG_RUNTIME_DIR": str(folder / "run")}, folder / "run" / "malice"


def fill(folder: Path) -> None:
    (folder / "file").write_text("content")


def test_the_first_choice_is_made_and_taken(elsewhere: Path) -> None:
    environ, first = preferred(elsewhere)
    assert staging_folder(environ) == first
    assert first.stat().st_mode & 0o777 == (0o755 if os.geteuid() == 0 else 0o700)
    assert staging_folder(environ) == first


def test_a_folder_others_can_write_to_is_passed_over(elsewhere: Path) -> None:
    environ, first = preferred(elsewhere)
    first.mkdir(parents=True)
    first.chmod(0o777)
    assert staging_folder(environ) == elsewhere / f"malice-{os.geteuid()}"


def test_a_link_laid_in_the_way_is_not_followed(elsewhere: Path) -> None:
    environ, first = preferred(elsewhere)
    (elsewhere / "trap").mkdir()
    first.parent.mkdir(exist_ok=True)
    first.symlink_to(elsewhere / "trap")
    (elsewhere / f"malice-{os.geteuid()}").symlink_to(elsewhere / "trap")
    with pytest.raises(
        SandboxError, match=r"no folder to stage .* is not a folder of ours; .* is not a folder of ours"
    ):
        staging_folder(environ)


def test_a_folder_bots_users_cannot_enter_is_no_good_to_root(elsewhere: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("an ordinary user's bots are the user's")
    first = elsewhere / "lib" / "malice"
    first.parent.mkdir(mode=0o700)
    assert staging_folder({}) == elsewhere / "malice-0"
    elsewhere.chmod(0o700)
    with pytest.raises(SandboxError, match="others cannot enter it"):
        staging_folder({})


def test_what_is_staged_once_is_not_filled_again(tmp_path: Path) -> None:
    staged = stage(tmp_path, "name", fill)
    assert (staged / "file").read_text() == "content"

    def never(folder: Path) -> None:
        raise AssertionError

    assert stage(tmp_path, "name", never) == staged


def test_a_filling_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        fill(folder)
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        stage(tmp_path, "name", fail)
    assert list(tmp_path.iterdir()) == []


def test_the_slower_of_two_takes_what_the_faster_staged(tmp_path: Path) -> None:
    def overtaken(folder: Path) -> None:
        stage(tmp_path, "name", fill)

    assert (stage(tmp_path, "name", overtaken) / "file").read_text() == "content"
    assert [path.name for path in tmp_path.iterdir()] == ["name"]


def test_what_is_discarded_is_gone_and_may_be_gone_already(tmp_path: Path) -> None:
    staged = stage(tmp_path, "name", fill)
    discard(staged)
    discard(staged)
    assert list(tmp_path.iterdir()) == []


def test_a_held_folder_is_locked_as_tidying_services_respect(tmp_path: Path) -> None:
    descriptor = hold(tmp_path)
    tidier = os.open(tmp_path, os.O_RDONLY)
    try:
        with pytest.raises(BlockingIOError):
            fcntl.flock(tidier, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(hold(tmp_path))
        os.close(descriptor)
        fcntl.flock(tidier, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(tidier)


def test_a_digest_tells_contents_and_their_bounds_apart(tmp_path: Path) -> None:
    for name, text in {"a": "xy", "b": "z", "c": "x", "d": "yz"}.items():
        (tmp_path / name).write_text(text)
    first = digest_of_files([tmp_path / "a", tmp_path / "b"])
    assert first == digest_of_files([tmp_path / "a", tmp_path / "b"])
    assert first != digest_of_files([tmp_path / "c", tmp_path / "d"])
