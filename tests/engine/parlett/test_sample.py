"""Deals sampled from a view: what is known stays, what is not is dealt at random."""

import hashlib
import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from engine.parlett.deal import ParlettDeal
from engine.parlett.options import Options
from engine.parlett.rules import ParlettGame
from engine.parlett.view import ParlettView
from engine.spite.view import GoalPile, SpiteView
from tests.engine.parlett.positions import after, all_cards, new_deal, played_out, position
from tests.engine.parlett.test_properties import PLAYERS, every_option, positions
from tests.engine.policies import at_random


def seed_of(number: int) -> bytes:
    return hashlib.sha256(b"sample %d" % number).digest()


def sampled(deal: ParlettDeal, number: int = 0, options: Options | None = None) -> ParlettDeal:
    """Return a sample of what the seat to act sees."""
    assert deal.to_act is not None
    return ParlettGame(options or Options()).sample(deal.view(deal.to_act), deal.to_act, seed_of(number))


@every_option
@pytest.mark.parametrize("player", ["random", "generous", "eager"])
def test_a_sample_shows_the_seat_what_it_saw_and_lists_the_same_moves(options: Options, player: str) -> None:
    source = random.Random(1)
    for deal in positions(options, PLAYERS[player], 1):
        if deal.to_act is not None and source.random() < 0.1:
            sample = sampled(deal, source.randrange(1_000), options)
            assert sample.to_act == deal.to_act
            assert sample.view(deal.to_act) == deal.view(deal.to_act)
            assert sample.legal() == deal.legal()
            assert sorted(all_cards(sample)) == sorted(all_cards(deal))
            ranks = sample.table.deck.ranks
            assert [len(pile) for pile in sample.table.centre] == sample.table.heights
            for pile in sample.table.centre:
                assert all(ranks[card] in (place, 14) for place, card in enumerate(pile, 1))


def test_personal_packs_hold_no_joker_and_no_more_than_four_of_a_rank() -> None:
    for deal in positions(Options(), at_random(2, 0.7), 2):
        if deal.to_act is not None and deal.turn % 7 == 0:
            table = sampled(deal).table
            held = Counter(table.deck.names[card] for pile in table.goals for card in pile)
            assert all(name.startswith("0/") and "*" not in name for name in held)


def test_before_any_personal_card_is_played_it_is_known_which_are_face_down() -> None:
    deal = new_deal()
    table = sampled(deal).table
    faces = Counter(card[2:] for card in (table.deck.names[c] for pile in table.goals for c in pile))
    assert len(faces) == 52
    assert set(faces.values()) == {1}


@every_option
def test_the_same_seed_gives_the_same_sample_to_its_very_end_and_another_another(options: Options) -> None:
    deal = new_deal(3, options)
    policy = at_random(3, 0.7)
    for _ in range(60):
        deal.apply(policy(deal))
    first, again, other = sampled(deal, 1, options), sampled(deal, 1, options), sampled(deal, 2, options)
    assert first.table.goals == again.table.goals
    assert first.table.stock.cards() != other.table.stock.cards()
    assert played_out(first, at_random(4)) == played_out(again, at_random(4))
    assert first.table.stock.cards() == again.table.stock.cards()
    assert deal.result is None


def test_a_sample_has_its_cards_where_starting_cards_says() -> None:
    sample = sampled(new_deal())
    start = sample.starting_cards()
    assert [len(pile) for pile in start["goals"]] == [26, 26]
    assert len(start["stock"]) == 46


def test_hidden_cards_are_dealt_evenly() -> None:
    deal = new_deal(5)
    seat, samples = deal.to_act, 600
    assert seat is not None
    held, below = Counter[str](), Counter[str]()
    for number in range(samples):
        table = sampled(deal, number).table
        held.update(table.deck.printed[card] for card in table.hands[1 - seat])
        below[table.deck.printed[table.goals[0][-2]]] += 1
    unseen = deal.view(seat).unseen
    in_pack = Counter(table.deck.printed[card] for pile in table.goals for card in pile[:-1])
    # Five of 51 cards are in the other hand, each of 50 is as likely below the top: within five standard deviations.
    for rank, count in unseen.items():
        expected = samples * 5 * (count - in_pack[rank]) / 51
        assert abs(held[rank] - expected) < 5 * (expected**0.5 + 1)
        expected = samples * in_pack[rank] / 50
        assert abs(below[rank] - expected) < 5 * (expected**0.5 + 1)


def test_jokers_of_the_centre_stand_where_natural_cards_are_missing() -> None:
    deal = after(position(hand="* * 9", goal="10", centre=(3, 3, 1)), "h*>c0", "h*>c3")
    placed = Counter(
        tuple(
            place
            for place, pile in enumerate(sampled(deal, number).table.centre)
            if any(deal.table.deck.ranks[card] == 14 for card in pile)
        )
        for number in range(60)
    )
    # One four is missing at c0; one of four aces, anywhere.
    assert {place for places in placed for place in places} == {0, 1, 2, 3}
    assert all(0 in places for places in placed)


def changed(**changes: Any) -> ParlettView:
    """Return a sound view with changes."""
    deal = after(position(hand="A 9 8", goal="10", sides=["7 *"], other_hand="4 5 6", centre=(3,)), "hA>c1")
    return msgspec.structs.replace(deal.view(0), **changes)


HIDDEN = changed().unseen


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hand": ["8"]}, "do not make a hand of 3"),
        ({"hand": ["8"] * 9}, "not so many cards 8"),
        ({"stock": 1}, "and a stock of 1"),
        ({"hand_sizes": [2, 9]}, "hand of 9"),
        ({"centre": [3, 2, 0]}, "do not fit the cards spent"),
        ({"centre": [3, 1]}, "do not fit the cards spent"),
        ({"centre": [2, 2, 0]}, "more cards 3 are spent"),
        ({"unseen": {**HIDDEN, "K": 1}}, "1 cards K cannot be unseen"),
        ({"discards": ((("7", "9"), (), (), ()), ((), (), (), ()))}, "a 9 cannot lie there"),
        ({"discards": ((("A",), (), (), ()), ((), (), (), ()))}, "a A cannot lie there"),
        ({"goals": ((GoalPile(None, 0),), (GoalPile("9", 10),))}, "the deal is over"),
        ({"goals": ((GoalPile("*", 10),), (GoalPile("9", 10),))}, r"shows \*, which it cannot hold"),
        ({"goals": ((GoalPile("10", 27),), (GoalPile("9", 27),))}, "not 52 cards"),
        ({"goals": ((GoalPile("zz", 10),), (GoalPile("9", 10),))}, "has not: 'zz'"),
        ({"hand": ["A", "8", "0"]}, "has not: '0'"),
        ({"discards": (((), (), (), ()),)}, "a card or a list that this game has not"),
        ({"hand_sizes": [2]}, "a card or a list that this game has not"),
        ({"spent": {}}, "has not: 'A'"),
        ({"hand_sizes": [1, 3]}, "contradict each other"),
        ({"must": "forced"}, "contradict each other"),
        ({"idle": 2}, "contradict each other"),
        ({"stands_for": ((), ())}, "contradict each other"),
    ],
)
def test_a_view_of_no_deal_is_refused(changes: dict[str, Any], message: str) -> None:
    assert ParlettGame(Options()).sample(changed(), 0, seed_of(0)).legal()
    with pytest.raises(ValueError, match=message):
        ParlettGame(Options()).sample(changed(**changes), 0, seed_of(0))


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_seat_that_is_not_there_is_refused(seat: int) -> None:
    with pytest.raises(ValueError, match=f"there is no seat {seat}"):
        ParlettGame(Options()).sample(changed(), seat, seed_of(0))


def test_jokers_that_no_pile_has_room_for_are_refused() -> None:
    spent = {**changed().spent, "*": 1, "A": 1}
    deal = ParlettGame(Options()).sample(
        changed(spent=spent, unseen={**HIDDEN, "A": 7, "*": 2}), 0, seed_of(0)
    )
    assert deal.view(0).spent == spent
    with pytest.raises(ValueError, match="the jokers spent do not fit"):
        ParlettGame(Options()).sample(changed(spent={**changed().spent, "*": 1, "K": -1}), 0, seed_of(0))


@pytest.mark.parametrize(
    ("stands_for", "message"),
    [
        (None, "a view says what cards on side piles stand for"),
        (
            ((((("7",), ("6", "8"))), (), (), ()), ((), (), (), ())),
            "side pile 0 of seat 0 cannot stand for that",
        ),
        (((((("7",), ())), (), (), ()), ((), (), (), ())), "side pile 0 of seat 0 cannot stand for that"),
        (((((("7",),)), (), (), ()), ((), (), (), ())), "side pile 0 of seat 0 cannot stand for that"),
    ],
)
def test_with_joker_memory_the_view_must_say_what_jokers_stand_for(stands_for: Any, message: str) -> None:
    game = ParlettGame(Options(joker_memory=True))
    sound = changed(stands_for=((((("7",), ("6",))), (), (), ()), ((), (), (), ())))
    assert "h8>d0" not in game.sample(sound, 0, seed_of(0)).legal()
    with pytest.raises(ValueError, match=message):
        game.sample(changed(stands_for=stands_for), 0, seed_of(0))


def test_another_game_s_view_is_refused() -> None:
    view = new_deal().view(0)
    fields = {name: getattr(view, name) for name in SpiteView.__struct_fields__}
    with pytest.raises(ValueError, match="a ParlettView is wanted, not a SpiteView"):
        ParlettGame(Options()).sample(SpiteView(**fields), 0, seed_of(0))
