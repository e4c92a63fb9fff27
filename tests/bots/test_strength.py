"""The order of strength, over fixed decks: nothing here is left to chance, so nothing can flake."""

import pytest

from engine.chance import fixture_seed
from engine.fixture import FixtureResult, LegResult, aggregate
from engine.games import game_from_profile
from engine.match import Match
from tests.bots.programs import NAMES, Bot, play_fixture, play_match, running


def deck(number: int) -> bytes:
    """The seed of one of the fixed decks."""
    return fixture_seed(b"strength", "tests", "2026-01-01", number)


def deals_won(stronger: Bot, weaker: Bot, decks: int) -> float:
    """Play single deals of `classic`, each deck from both seats; return the share the first one wins."""
    game = game_from_profile("classic", 2)
    won = 0.0
    for number in range(decks):
        for seated in ((stronger, weaker), (weaker, stronger)):
            match: Match = play_match(game, 1, deck(number), seated)
            own, other = (match.scores[seated.index(bot)] for bot in (stronger, weaker))
            won += 1 if own > other else 0.5 if own == other else 0
    return won / (2 * decks)


@pytest.mark.parametrize(
    ("stronger", "weaker", "decks", "share"),
    [
        ("planner", "greedy", 8, 0.8),
        ("greedy", "uniform", 5, 0.9),
        ("planner", "uniform", 5, 0.9),
        ("starter", "uniform", 5, 0.9),
        ("planner", "starter", 5, 0.9),
    ],
)
def test_the_stronger_bot_wins_most_deals(stronger: str, weaker: str, decks: int, share: float) -> None:
    with running(stronger, weaker) as (first, second):
        assert deals_won(first, second, decks) >= share


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("players", [2, 3])
def test_copies_of_one_bot_draw_every_fixture(name: str, players: int) -> None:
    game = game_from_profile("short", players)
    legs = play_fixture(game, 10, deck(1), [name] * players)
    result: FixtureResult = aggregate(legs)
    assert len(set(result.points)) == 1
    assert result.places == (1,) * players


def test_planner_wins_a_fixture_of_three() -> None:
    game = game_from_profile("short", 3)
    legs: list[LegResult] = play_fixture(game, 25, deck(2), ["uniform", "planner", "greedy"])
    assert aggregate(legs).places[1] == 1
    assert aggregate(legs).places.count(1) == 1
