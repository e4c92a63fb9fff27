"""What every house bot and the starter owe the protocol, whatever the cards."""

import ast
import random
from collections.abc import Iterator

import msgspec
import pytest

from engine.game import Game
from engine.games import game_from_document, game_from_profile, profiles
from engine.match import Match
from tests.bots.programs import FOLDER, NAMES, Bot, play_match, request, running
from workers.referee.protocol import Act, encode

OPTIONS = {
    "jokers_wild": 16,
    "first": "high_goal",
    "hands_dealt_upfront": True,
    "recycle": "immediate",
    "exhaustion": "play_on",
}
GAMES = {
    f"{name}-{players}": game_from_profile(name, players)
    for name, profile in profiles().items()
    for players in profile.players
} | {
    "every-option-changed": game_from_document(game_from_profile("classic").document() | {"options": OPTIONS})
}
CLASSIC = GAMES["classic-2"]
SEED = bytes(range(32))


def positions(game: Game, seed: int, count: int) -> Iterator[tuple[int, Act]]:
    """Requests out of a match in which every seat moves at random: (seat, request)."""
    match = Match(game, 50, SEED)
    chance = random.Random(seed)
    for number in range(count):
        seat = match.deal.to_act
        assert seat is not None
        asked = request(match, number)
        yield seat, asked
        match.apply(chance.choice(asked.legal))
        if match.over:
            return


@pytest.fixture(params=list(GAMES.values()), ids=list(GAMES))
def game(request: pytest.FixtureRequest) -> Game:
    """Each game in turn: every profile with every number of players, and one with other options."""
    chosen: Game = request.param
    return chosen


@pytest.fixture(params=NAMES)
def bot(request: pytest.FixtureRequest) -> Iterator[Bot]:
    """Each program in turn, running."""
    with running(request.param) as (program,):
        yield program


def test_every_answer_is_legal_in_any_position(bot: Bot, game: Game) -> None:
    for seat in range(game.players):
        bot.greet(game, seat)
        for to_act, asked in positions(game, seed=seat, count=300):
            if to_act == seat:
                bot.choose(asked)


@pytest.mark.parametrize("name", NAMES)
def test_a_table_of_equals_plays_a_match_to_its_end(name: str, game: Game) -> None:
    with running(*[name] * game.players) as seated:
        match = play_match(game, 5, SEED, seated)
        assert match.reason == "target"
        for program in seated:
            assert program.finish() == (0, b"")


def test_an_answer_depends_on_its_request_alone(bot: Bot) -> None:
    asked = [act for seat, act in positions(CLASSIC, seed=1, count=400) if seat == 0]
    bot.greet(CLASSIC, 0)
    in_order = {act.id: bot.choose(act) for act in asked}
    random.Random(2).shuffle(asked)
    with running(bot.name) as (fresh,):
        fresh.greet(CLASSIC, 0)
        assert {act.id: fresh.choose(act) for act in asked} == in_order


def test_unknown_fields_and_messages_change_nothing(bot: Bot) -> None:
    bot.greet(CLASSIC, 0)
    for seat, act in positions(CLASSIC, seed=3, count=60):
        if seat:
            continue
        plain = bot.choose(act)
        document = msgspec.json.decode(encode(act))
        document["view"]["later"] = {"x": [1, None]}
        document["later"] = "…"
        bot.tell(b'{"type":"later","text":"a kind of message to come"}\n')
        assert bot.ask(msgspec.json.encode({"new": 1} | document) + b"\n") in (
            {"act": plain},
            {"act": act.legal.index(plain)},
        )


def test_nothing_is_written_unasked_and_the_end_of_input_is_the_end(bot: Bot) -> None:
    bot.greet(CLASSIC, 0)
    bot.tell(b'{"type":"deal_over","deal":0,"points":[0,18],"scores":[0,18],"reason":"won"}\n')
    bot.tell(b'{"type":"over","scores":[0,18],"places":[2,1]}\n')
    assert bot.finish() == (0, b"")


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_is_one_small_file_that_imports_next_to_nothing(name: str) -> None:
    source = (FOLDER / f"{name}.py").read_text()
    imported = {
        alias.name
        for node in ast.walk(ast.parse(source))
        for alias in getattr(node, "names", [])
        if isinstance(node, ast.Import)
    }
    assert imported == {"json", "sys"}
    assert len(source.splitlines()) < 300
