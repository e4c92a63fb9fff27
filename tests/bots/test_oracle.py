"""The futures `oracle` plays out are futures of the game, and it moves as the planner does where it does not search."""

import random

import msgspec
import pytest

from bots import playout
from bots.playout import HAND, QUEEN, WILD
from engine.games import game_from_profile
from tests.bots.programs import running
from tests.bots.test_protocol import positions

CLASSIC = game_from_profile("classic", 2)


@pytest.mark.parametrize(
    ("height", "goal", "ranks"),
    [
        (3, 6, [4, 5]),
        (5, 6, []),
        (0, 1, []),
        (10, 2, [11, 12, 1]),
        (6, 6, [7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5]),
        (4, WILD, []),
        (0, WILD, [1]),
    ],
)
def test_what_is_missing_below_a_goal_card(height: int, goal: int, ranks: list[int]) -> None:
    assert playout.missing(height, goal) == ranks


def test_the_way_to_the_goal_card_spends_discards_first_and_kings_last() -> None:
    dangers = [0.0] * QUEEN
    assert playout.way([3, 0, 0, 0], [5, WILD, WILD], [[9, 4], [], [], []], 7, dangers) == [0, -1, 5, WILD]
    assert playout.way([3, 0, 0, 0], [5, 5, 9], [[], [], [], []], 7, dangers) == []
    assert playout.way([0, 0, 0, 0], [WILD, 2, 3], [[], [], [], []], 3, dangers) == [], "a king opens no pile"


@pytest.mark.parametrize("seed", range(20))
def test_a_turn_moves_cards_and_makes_or_loses_none(seed: int) -> None:
    chance = random.Random(seed)
    heights = [chance.randrange(QUEEN) for _ in range(4)]
    hand, draw, goal = ([chance.choice(playout.RANKS) for _ in range(count)] for count in (2, 40, 6))
    piles = [[chance.choice(playout.RANKS) for _ in range(chance.randrange(4))] for _ in range(4)]
    everything = len(hand) + len(draw) + len(goal) + sum(map(len, piles))
    centre = sum(heights)
    scored = playout.turn(heights, hand, piles, goal, draw, chance.choice(playout.RANKS))
    assert scored == 6 - len(goal)
    assert len(hand) <= HAND
    played = everything - len(hand) - len(draw) - len(goal) - sum(map(len, piles))
    assert played >= scored
    assert (sum(heights) - centre - played) % QUEEN == 0


def test_oracle_moves_as_the_planner_does_when_time_is_short_and_thinks_for_itself_when_it_is_not() -> None:
    asked = [act for seat, act in positions(CLASSIC, seed=5, count=120) if seat == 0]
    hurried = [msgspec.structs.replace(act, bank_ms=1000) for act in asked]
    with running("oracle", "planner") as (oracle, planner):
        for bot in (oracle, planner):
            bot.greet(CLASSIC, 0)
        plain = [planner.choose(act) for act in asked]
        assert [oracle.choose(act) for act in hurried] == plain
        assert [oracle.choose(act) for act in asked] != plain


def test_oracle_is_the_planner_in_games_whose_futures_it_does_not_know() -> None:
    game = game_from_profile("misery", 2)
    asked = [act for seat, act in positions(game, seed=5, count=120) if seat == 0]
    with running("oracle", "planner") as (oracle, planner):
        for bot in (oracle, planner):
            bot.greet(game, 0)
        assert [oracle.choose(act) for act in asked] == [planner.choose(act) for act in asked]
