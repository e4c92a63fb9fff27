"""`malice new`: programs to start from, and that they do start."""

import ast
import re
from pathlib import Path

import pytest

import service
from engine.games import profiles
from service.cli.local.rulebook import choose_game, find_profile
from service.ladders.defaults import load_ladders
from service.narration.games import words_for
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
    header = ast.get_docstring(ast.parse((here / "my_bot.py").read_text())) or ""
    page = f"{words_for(game).document}.md"
    assert words_for(game).title in header.splitlines()[0]
    assert page in header
    assert (Path(service.__file__).parent / "documents" / page).is_file()
    assert "starter" not in header
    assert ("pd1>c0" in header) == (game == "skip-bo")
    for hint in re.findall("malice (?:play|submit) .*", header):
        assert hint in result.stderr
    profile = next(profile for profile in profiles().values() if profile.game == game)
    rules = ("--rules", profile.name, "--target", "1", "--fixtures", "1")
    played = malice("play", "./my_bot.py", "uniform", *rules)
    assert played.exit_code == 0, played.output
    assert "my-bot" in played.stdout
    assert "fault" not in played.stdout.replace("faults", "")


@pytest.mark.parametrize("game", GAMES)
def test_the_ladder_and_the_line_it_suggests_are_of_the_game(malice: Malice, here: Path, game: str) -> None:
    said = malice("new", "my_bot", "--game", game).stderr
    submit = re.search(r"malice submit my_bot\.py --ladder (\S+)", said)
    assert submit is not None
    ladder = next(spec for spec in load_ladders() if spec.slug == submit[1])
    assert ladder.game().name == game
    play = re.search(r"malice play (.*)", said)
    assert play is not None
    words = play[1].split()
    bots = words[: words.index("--rules")] if "--rules" in words else words
    rules = words[words.index("--rules") + 1] if "--rules" in words else "classic"
    assert choose_game(find_profile(rules), len(bots), None, {}).document() == ladder.game().document()


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
