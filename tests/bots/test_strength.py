"""The order of strength, over fixed decks: nothing here is left to chance, so nothing can flake."""

import pytest

from engine.chance import fixture_seed
from engine.fixture import FixtureResult, aggregate
from engine.game import Game
from engine.games import game_from_profile
from tests.bots.programs import LISTED, play_fixture, play_match, running


def deck(number: int) -> bytes:
    """The seed of one of the fixed decks."""
    return fixture_seed(b"strength", "tests", "2026-01-01", number)


def deals_won(game: Game, stronger: str, weaker: str, decks: int) -> float:
    """Play single deals, each deck from every side, one `stronger` bot against as many weaker ones as there are sides.

    Return the share of deals with points in which it has the most.
    """
    names = [stronger] + [weaker] * (game.sides - 1)
    won = played = 0.0
    for leg in range(game.sides):
        seats = [names[(seat + leg) % game.sides] for seat in range(game.players)]
        own = seats.index(stronger)
        with running(*seats) as seated:
            for number in range(decks):
                scores = play_match(game, 1, deck(number), seated).scores
                if any(scores):
                    played += 1
                    won += scores[own] == max(scores)
    return won / played


@pytest.mark.parametrize(
    ("profile", "stronger", "weaker", "decks", "share"),
    [
        ("classic", "planner", "greedy", 8, 0.8),
        ("classic", "greedy", "uniform", 5, 0.9),
        ("classic", "planner", "uniform", 5, 0.9),
        ("classic", "starter", "uniform", 5, 0.9),
        ("classic", "planner", "starter", 5, 0.9),
        ("short", "planner", "greedy", 5, 0.7),
        ("unlimited-centre", "planner", "greedy", 3, 0.8),
        ("forced-low", "planner", "greedy", 3, 0.8),
        ("misery", "planner", "greedy", 5, 0.7),
        ("king-high", "planner", "greedy", 3, 0.8),
        ("cover-wild", "planner", "greedy", 3, 0.8),
        ("natural-pairs", "planner", "greedy", 3, 0.8),
        ("skip-bo", "planner", "greedy", 3, 0.8),
        ("starturn", "planner", "greedy", 10, 0.6),
        ("parlett", "planner", "greedy", 3, 0.8),
        ("misery", "greedy", "uniform", 3, 0.9),
        ("skip-bo", "greedy", "uniform", 3, 0.9),
        ("starturn", "greedy", "uniform", 5, 0.7),
        ("parlett", "greedy", "uniform", 3, 0.9),
    ],
)
def test_the_stronger_bot_wins_most_deals(
    profile: str, stronger: str, weaker: str, decks: int, share: float
) -> None:
    assert deals_won(game_from_profile(profile, 2), stronger, weaker, decks) >= share


@pytest.mark.parametrize(
    ("profile", "players", "stronger", "weaker", "target"),
    [
        ("short", 3, "planner", "greedy", 25),
        ("spoil-five", 5, "spoiler-quick", "uniform", 30),
        ("spoil-five", 5, "spoiler", "spoiler-quick", 15),
        ("forty-five", 2, "spoiler", "uniform", 45),
        ("forty-five", 4, "spoiler", "starter_tricks", 45),
    ],
)
def test_the_stronger_bot_wins_a_fixture_of_many(
    profile: str, players: int, stronger: str, weaker: str, target: int
) -> None:
    game = game_from_profile(profile, players)
    legs = play_fixture(game, target, deck(2), [weaker, stronger] + [weaker] * (game.sides - 2))
    result = aggregate(legs)
    assert result.places[1] == 1
    assert result.places.count(1) == 1


@pytest.mark.parametrize(
    ("profile", "players", "target", "decks"),
    [("spoil-five", 2, 30, 4), ("spoil-five", 5, 30, 2), ("forty-five", 2, 45, 6), ("forty-five", 4, 45, 5)],
)
def test_the_starter_for_trick_games_beats_uniform_at_every_usual_table(
    profile: str, players: int, target: int, decks: int
) -> None:
    game = game_from_profile(profile, players)
    names = ["starter_tricks"] + ["uniform"] * (game.sides - 1)
    results = [aggregate(play_fixture(game, target, deck(number), names)) for number in range(decks)]
    won = [result for result in results if result.places[0] == 1 and result.places.count(1) == 1]
    assert len(won) >= 0.75 * decks
    ahead = sum(result.points[0] - max(result.points[1:]) for result in results)
    assert ahead / decks >= target / 6


@pytest.mark.parametrize("name", LISTED)
def test_copies_of_one_bot_draw_every_fixture(name: str) -> None:
    plays_tricks = LISTED[name].plays("spoil-five")
    game = game_from_profile("spoil-five", 3) if plays_tricks else game_from_profile("short", 3)
    legs = play_fixture(game, 6, deck(1), [name] * game.sides)
    result: FixtureResult = aggregate(legs)
    assert len(set(result.points)) == 1
    assert result.places == (1,) * game.sides
