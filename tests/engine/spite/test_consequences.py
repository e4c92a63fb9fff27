"""Every consequence of every move, compared with the rule text played out by a second, naive program."""

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.game import Game
from engine.spite.deal import SpiteDeal
from engine.spite.plan import DROUGHT_HANDS, DROUGHT_TURNS
from engine.spite.view import SpiteView
from tests.engine.policies import POLICIES, Policy, at_random
from tests.engine.spite.naive_deal import NaiveDeal, shown_by
from tests.engine.spite.rules import RULES, called, fitting_options, made

DEALS = 2


def check_against_naive(game: Game, policy: Policy, seed: bytes, number: int) -> None:
    """Play a deal to its end beside the naive program; whatever anybody sees must be the same after every move."""
    deal = game.deal(seed, number, number % game.players)
    assert isinstance(deal, SpiteDeal)
    naive = NaiveDeal(game.document(), deal.starting_cards(), deal.table.deck.names, seed, number)
    first = deal.to_act
    assert first is not None
    naive.begin(first, len(deal.view(0).centre))
    while deal.to_act is not None:
        assert deal.to_act == naive.seat
        assert shown_by(_views(deal, game.players)) == naive.shown()
        move = policy(deal)
        deal.apply(move)
        naive.make(move)
    assert deal.result is not None
    assert (deal.result.reason, deal.result.points) == (naive.reason, naive.points)
    assert shown_by(_views(deal, game.players))["goals"] == naive.shown()["goals"]


@pytest.mark.parametrize("rules", RULES, ids=called)
@pytest.mark.parametrize("player", ["random", "lively", "refusing", "burying"])
def test_draws_turns_ends_and_points_are_what_the_rule_text_gives(
    rules: tuple[str, int, dict[str, Any]], player: str
) -> None:
    for number in range(DEALS):
        policy = POLICIES.get(player) or at_random(number, 0.7 if player == "lively" else 0.0)
        check_against_naive(made(rules), policy, random.Random(number).randbytes(32), number)


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(players=st.integers(2, 3), options=fitting_options(), number=st.integers(0, 200))
def test_so_they_are_under_options_mixed_at_random(
    players: int, options: dict[str, Any], number: int
) -> None:
    game = made(("spite-and-malice", players, options))
    check_against_naive(game, at_random(number, number / 200), bytes([number]) * 32, number)


def _views(deal: SpiteDeal, players: int) -> list[SpiteView]:
    return [deal.view(seat) for seat in range(players)]


@pytest.mark.parametrize("number", [1, 3])
def test_a_std_15_a_hand_that_is_played_out_and_drawn_again_for_ever_draws_the_deal(number: int) -> None:
    deal = made(("skip-bo", 2, {})).deal(bytes([number]) * 32, 0, 0)
    turns = []
    while deal.to_act is not None:
        view = deal.view(0)
        assert isinstance(view, SpiteView)
        turns.append(view.turn)
        deal.apply(POLICIES["refusing"](deal))
    assert deal.result is not None
    assert deal.result.reason == "drought"
    assert len(set(turns)) < DROUGHT_TURNS
    assert turns.count(turns[-1]) > 4 * DROUGHT_HANDS
