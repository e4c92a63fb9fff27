"""What every house bot and the starter owe the protocol, whatever the cards."""

import random
from collections.abc import Iterator

import msgspec
import pytest

from engine.game import Game
from engine.games import game_from_profile, profiles
from engine.match import Match
from tests.bots.programs import FOLDER, HOUSE, LISTED, Bot, play_match, request, running
from workers.referee.protocol import Act, encode

OPTIONS = {
    "jokers_wild": 16,
    "first": "high_goal",
    "hands_dealt_upfront": True,
    "recycle": "immediate",
    "exhaustion": "play_on",
}
MIXED = {"misery": True, "cover_wild": True, "natural_low_pairs": True, "centre": "unlimited"}
GAMES = {
    f"{name}-{profile.players[0]}": game_from_profile(name, profile.players[0])
    for name, profile in profiles().items()
} | {
    "classic-4": game_from_profile("classic", 4),
    "every-option-changed": game_from_profile("classic", 2, OPTIONS),
    "options-mixed": game_from_profile("classic", 3, MIXED),
    "skip-bo-6": game_from_profile("skip-bo", 6),
    "skip-bo-partners": game_from_profile("skip-bo", 4, {"partners": True}),
    "starturn-going-on": game_from_profile("starturn", 2, {"continue_on_empty": True}),
    "parlett-with-memory": game_from_profile("parlett", 2, {"joker_memory": True}),
    "spoil-five-5": game_from_profile("spoil-five", 5),
    "spoil-five-10": game_from_profile("spoil-five", 10),
    "spoil-five-pool": game_from_profile("spoil-five", 3, {"scoring": "pool"}),
    "forty-five-4": game_from_profile("forty-five", 4),
    "forty-five-best-trump": game_from_profile("forty-five", 6, {"scoring": "best_trump"}),
}
CLASSIC = GAMES["classic-2"]
TABLES = [
    pytest.param(name, GAMES[table], id=f"{name}-{table}")
    for name, bot in LISTED.items()
    for table in GAMES
    if bot.plays(GAMES[table].name)
]
"""Every bot at every table whose game it plays."""
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


def home(name: str) -> Game:
    """A game the bot plays."""
    return next(game for game in GAMES.values() if LISTED[name].plays(game.name))


@pytest.fixture(params=LISTED)
def bot(request: pytest.FixtureRequest) -> Iterator[Bot]:
    """Each program in turn, running."""
    with running(request.param) as (program,):
        yield program


@pytest.mark.parametrize(("name", "game"), TABLES)
def test_every_answer_is_legal_in_any_position(name: str, game: Game) -> None:
    with running(name) as (bot,):
        for seat in range(0, game.players, 2):
            bot.greet(game, seat)
            asked = 0
            for to_act, position in positions(game, seed=seat, count=60 * game.players):
                if to_act == seat:
                    bot.choose(position)
                    asked += 1
            assert asked >= 10


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("greedy", "classic-2"),
        ("planner", "classic-4"),
        ("planner", "skip-bo-partners"),
        ("greedy", "starturn-2"),
        ("planner", "parlett-2"),
        ("spoiler-quick", "spoil-five-5"),
        ("spoiler-quick", "spoil-five-pool"),
        ("spoiler-quick", "forty-five-4"),
        ("uniform", "forty-five-2"),
    ],
)
def test_a_table_of_equals_plays_a_match_to_its_end(name: str, table: str) -> None:
    game = GAMES[table]
    with running(*[name] * game.players) as seated:
        match = play_match(game, 5, SEED, seated)
        assert match.reason == ("deals" if game.fixed_deals else "target")
        for program in seated:
            assert program.finish() == (0, b"")


def test_an_answer_depends_on_its_request_alone(bot: Bot) -> None:
    game = home(bot.name)
    asked = [act for seat, act in positions(game, seed=1, count=150) if seat == 0]
    bot.greet(game, 0)
    in_order = {act.id: bot.choose(act) for act in asked}
    random.Random(2).shuffle(asked)
    with running(bot.name) as (fresh,):
        fresh.greet(game, 0)
        assert {act.id: fresh.choose(act) for act in asked} == in_order


def test_unknown_fields_and_messages_change_nothing(bot: Bot) -> None:
    game = home(bot.name)
    bot.greet(game, 0)
    for seat, act in positions(game, seed=3, count=60):
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
    bot.greet(home(bot.name), 0)
    bot.tell(b'{"type":"deal_over","deal":0,"points":[0,18],"scores":[0,18],"reason":"won"}\n')
    bot.tell(b'{"type":"over","scores":[0,18],"places":[2,1]}\n')
    assert bot.finish() == (0, b"")


PROGRAMS = sorted(
    {stem for bot in HOUSE.values() for stem in (bot.program, *bot.modules)} | {"starter", "starter_tricks"}
)


@pytest.mark.parametrize("stem", PROGRAMS)
def test_a_program_can_be_read_in_one_sitting(stem: str) -> None:
    assert len((FOLDER / f"{stem}.py").read_text().splitlines()) < 400
