"""The family against the rule text said once more: in every position of many deals, under every option and mixture.

What holds for every game is tested in tests/engine/test_every_profile.py.
"""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import IllegalMoveError, RulesError
from engine.game import Deal, Game
from engine.games import game_from_document
from engine.spite.view import SpiteView
from tests.engine.policies import Policy, at_random
from tests.engine.spite.naive import Naive, rank_of
from tests.engine.spite.rules import RULES, any_options, called, fitting_options, made

COMPARED = 200
"""Decisions of a deal compared with the rule text; the rest of it is only played out."""
LIMIT = 20_000

every_game = pytest.mark.parametrize("rules", RULES, ids=called)


class Position(NamedTuple):
    """A deal at a decision: who decides, what that seat sees, what is listed for it."""

    deal: Deal
    seat: int
    view: SpiteView
    legal: list[str]


def positions(game: Game, policy: Policy, seed: int, decisions: int = COMPARED) -> Iterator[Position]:
    """Yield the first decisions of a deal, and play it to its end."""
    deal = game.deal(bytes([seed]) * 32, seed, seed % game.players)
    for number in range(LIMIT):
        seat = deal.to_act
        if seat is None:
            return
        if number < decisions:
            view = deal.view(seat)
            assert isinstance(view, SpiteView)
            yield Position(deal, seat, view, list(deal.legal()))
        deal.apply(policy(deal))
    raise AssertionError(f"the deal has not ended after {LIMIT} decisions")


@every_game
@pytest.mark.parametrize("plays", [0.0, 0.7])
def test_the_legal_list_is_what_the_rule_text_gives(
    rules: tuple[str, int, dict[str, Any]], plays: float
) -> None:
    game = made(rules)
    document = game.document()
    for seed in range(2):
        for at in positions(game, at_random(seed, plays), seed):
            assert at.legal == Naive(document, at.view, at.seat).legal()


@every_game
def test_every_form_of_a_legal_move_resolves_to_its_listed_form_and_nothing_else_does(
    rules: tuple[str, int, dict[str, Any]],
) -> None:
    game = made(rules)
    document, vocabulary = game.document(), game.moves()
    for at in positions(game, at_random(3, 0.6), 3, decisions=40):
        forms = Naive(document, at.view, at.seat).listed_forms()
        assert set(forms) <= set(vocabulary)
        for form, listed in forms.items():
            assert at.deal.resolve(form) == listed
        for move in vocabulary:
            slot = move.partition(">c")[2]
            if move not in forms and not (slot and int(slot) >= len(at.view.centre)):
                with pytest.raises(IllegalMoveError, match=r"\S: \S|\S is not a move of this game"):
                    at.deal.resolve(move)


@every_game
def test_events_tell_a_seat_its_whole_hand(rules: tuple[str, int, dict[str, Any]]) -> None:
    game = made(rules)
    hands = [Counter[str]() for _ in range(game.players)]
    for at in positions(game, at_random(4, 0.6), 4):
        for seat, hand in enumerate(hands):
            for event in at.deal.take_events(seat):
                if event.seat == seat and event.e == "draw":
                    hand.update(event.cards or [])
                elif event.seat == seat and (event.move or "").startswith("h"):
                    hand.subtract(event.cards or [])
            view = at.deal.view(seat)
            assert isinstance(view, SpiteView)
            assert +hand == Counter(view.hand)


@every_game
def test_a_hand_is_shown_by_rank_and_is_full_when_its_turn_begins_unless_no_card_is_left(
    rules: tuple[str, int, dict[str, Any]],
) -> None:
    game = made(rules)
    full = 6 if game.document()["options"].get("misery") else 5
    turn = 0
    for at in positions(game, at_random(5, 0.5), 5):
        assert [rank_of(card) for card in at.view.hand] == sorted(rank_of(card) for card in at.view.hand)
        if at.view.turn != turn and at.view.stock:
            assert len(at.view.hand) == full
        turn = at.view.turn


def _refusal(players: int, options: dict[str, Any]) -> str | None:
    try:
        made(("spite-and-malice", players, options))
    except RulesError as error:
        return str(error)
    return None


def _check_playable(players: int, options: dict[str, Any], seed: int) -> None:
    """Play a deal to its end; its first decisions are as the rule text has them."""
    game = made(("spite-and-malice", players, options))
    document = game.document()
    assert game_from_document(document).document() == document
    for at in positions(game, at_random(seed, random.Random(seed).random()), seed, decisions=60):
        assert at.legal == Naive(document, at.view, at.seat).legal()


mixtures = settings(
    max_examples=80, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)


@mixtures
@given(players=st.integers(2, 4), options=any_options(), seed=st.integers(0, 200))
def test_any_mixture_of_options_is_refused_with_a_reason_or_can_be_played(
    players: int, options: dict[str, Any], seed: int
) -> None:
    refusal = _refusal(players, options)
    if refusal is None:
        _check_playable(players, options, seed)
    else:
        assert len(refusal) > 20


@mixtures
@given(players=st.integers(2, 3), options=fitting_options(), seed=st.integers(0, 200))
def test_options_that_fit_each_other_can_all_be_played_together(
    players: int, options: dict[str, Any], seed: int
) -> None:
    _check_playable(players, options, seed)
