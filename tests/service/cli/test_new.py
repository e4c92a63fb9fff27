"""`malice new`: programs to start from, and that they do start."""

from pathlib import Path

import pytest

from engine.games import profiles
from tests.service.cli.conftest import Malice

GAMES = {profile.game: profile for profile in profiles().values()}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("game", GAMES)
def test_what_it_writes_plays_the_game_at_once(malice: Malice, here: Path, game: str) -> None:
    result = malice("new", "my_bot", "--game", game)
    assert result.exit_code == 0, result.output
    assert result.stdout == f"my_bot.py plays {game}.\n"
    profile = next(profile for profile in profiles().values() if profile.game == game)
    rules = ("--rules", profile.name, "--target", "1", "--fixtures", "1")
    played = malice("play", "./my_bot.py", "uniform", *rules)
    assert played.exit_code == 0, played.output
    assert "my-bot" in played.stdout
    assert "fault" not in played.stdout.replace("faults", "")


def test_it_writes_over_nothing(malice: Malice, here: Path) -> None:
    (here / "mine.py").write_text("precious")
    result = malice("new", "mine")
    assert result.exit_code == 1
    assert "mine.py is there already: give another name" in result.output
    assert (here / "mine.py").read_text() == "precious"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["../mine"], "is no name for a bot"),
        ([""], "is no name for a bot"),
        (["mine", "--game", "spoilfive"], "no game 'spoilfive' (did you mean 'spoil-five'?); there are spite-and-malice"),
    ],
)  # fmt: skip
def test_a_name_or_game_that_cannot_be_is_wrong_usage(
    malice: Malice, here: Path, arguments: list[str], why: str
) -> None:
    result = malice("new", *arguments)
    assert result.exit_code == 2
    assert why in result.output
    assert list(here.iterdir()) == []
