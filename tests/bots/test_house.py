"""The list of house bots says what is there, and a wrong one is refused with what is wrong."""

import json

import pytest

from bots.house import HouseBot, HouseFileError, house_bots, read_list
from engine.games import profiles

GAMES = {profile.game for profile in profiles().values()}


def test_every_bot_of_the_list_plays_games_there_are() -> None:
    for bot in house_bots():
        assert bot.games == ("*",) or set(bot.games) <= GAMES, bot.name


def test_a_bundle_holds_the_program_its_modules_and_its_style() -> None:
    bot = HouseBot("x", "greedy", ("*",), ("planner",), {"b": 2, "a": 0.5})
    files = bot.files()
    assert list(files) == ["main.py", "planner.py", "style.json"]
    assert files["main.py"].startswith(b'"""House bot `greedy`')
    assert json.loads(files["style.json"]) == {"a": 0.5, "b": 2}
    assert list(HouseBot("x", "greedy", ("*",)).files()) == ["main.py"]


def test_a_bot_plays_the_games_it_names_or_all() -> None:
    assert HouseBot("x", "uniform", ("*",)).plays("anything")
    assert HouseBot("x", "greedy", ("a", "b")).plays("b")
    assert not HouseBot("x", "greedy", ("a", "b")).plays("c")


GOOD = 'name = "mine"\nprogram = "greedy"\ngames = ["*"]\n'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "missing required field `bot`"),
        ("[[bot]]\n" + GOOD.replace("greedy", "nobody"), "'mine' needs nobody.py, which is not there"),
        ("[[bot]]\n" + GOOD + 'modules = ["nothing"]', "'mine' needs nothing.py, which is not there"),
        ("[[bot]]\n" + GOOD + "[[bot]]\n" + GOOD, "there are two bots 'mine'"),
        ("[[bot]]\n" + GOOD.replace('"*"', '"*", "parlett"'), "'mine' plays '*' and single games"),
        ("[[bot]]\n" + GOOD.replace('["*"]', "[]"), "length >= 1"),
        ("[[bot]]\n" + GOOD.replace('"mine"', '"My bot"'), "matching regex"),
        ("[[bot]]\n" + GOOD + "colour = 1", "unknown field `colour`"),
        ("[[bot]]\n" + GOOD + "style = {x = [1]}", "style"),
        ("bot = 3", "Expected `array`"),
        ("][", "house.toml"),
    ],
)
def test_a_list_that_cannot_be_used_is_refused(text: str, reason: str) -> None:
    with pytest.raises(HouseFileError) as refusal:
        read_list(text.encode())
    assert reason in str(refusal.value)
