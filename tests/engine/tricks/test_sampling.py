"""Sampled deals look to the seat like the real one, and hold only what the plays have left possible."""

import hashlib
from collections import Counter

import msgspec
import pytest

from engine.spite.view import SpiteView
from engine.tricks.cards import CARD_OF, TEXTS
from engine.tricks.deal import TrickDeal
from engine.tricks.view import TrickView
from tests.engine.tricks import naive
from tests.engine.tricks.positions import dealt_hands, new_game
from tests.engine.tricks.test_properties import at_random, every_game, game_of, positions


def seed(number: int) -> bytes:
    return hashlib.sha256(f"sample {number}".encode()).digest()


def hand_texts(deal: TrickDeal, seat: int) -> list[str]:
    return [TEXTS[card] for card in deal.hands[seat]]


@every_game
def test_a_sample_looks_like_the_deal_to_the_seat_to_act(name: str) -> None:
    game = game_of(name)
    for number, deal in enumerate(positions(name, at_random(11), deals=6)):
        if deal.to_act is not None:
            # As it comes over the wire.
            view = msgspec.json.decode(msgspec.json.encode(deal.view(deal.to_act)), type=TrickView)
            sample = game.sample(view, deal.to_act, seed(number))
            assert sample.to_act == deal.to_act
            assert sample.view(deal.to_act) == view
            assert list(sample.legal()) == list(deal.legal())
            assert [len(hand) for hand in sample.hands] == [len(hand) for hand in deal.hands]
            assert sample.take_events(deal.to_act) == []
            while sample.result is None:
                sample.apply(sample.legal()[0])
            assert sum(sample.won) <= 5


@every_game
def test_nobody_is_given_what_he_would_have_had_to_play(name: str) -> None:
    game = game_of(name)
    order = "simple" if name.endswith("simple") else "traditional"
    for number, deal in enumerate(positions(name, at_random(12), deals=6)):
        if deal.to_act is not None and len(deal.cards) > 1:
            sample = game.sample(deal.view(deal.to_act), deal.to_act, seed(number))
            view = sample.view(deal.to_act)
            declared = view.robbed is not None or view.stood is not None or view.turn_up[:-1] == "A"
            later = {seat: hand_texts(sample, seat) for seat in range(game.players)}
            for trick in reversed([*view.played, view.trick]):
                for played in reversed(trick):
                    held = sorted([*later[played.seat], played.card], key=naive.DECK.index)
                    led = None if played is trick[0] else trick[0].card
                    assert played.card in naive.playable(held, led, view.trump, order, not declared)
                    later[played.seat] = held


def test_the_same_seed_gives_the_same_deal_and_others_give_others() -> None:
    game = new_game(players=5)
    deal = game.deal(seed(0), 0, 0)
    view = deal.view(1)
    twice = [game.sample(view, 1, seed(1)).hands for _ in range(2)]
    assert twice[0] == twice[1]
    assert len({str(game.sample(view, 1, seed(number)).hands) for number in range(20)}) == 20


def test_unseen_cards_are_equally_likely_to_be_anywhere() -> None:
    game = new_game(players=3)
    view = game.deal(seed(0), 0, 0).view(1)
    where: Counter[int] = Counter()
    for number in range(600):
        sample = game.sample(view, 1, seed(number))
        where.update(card for seat in (0, 2) for card in sample.hands[seat])
    # Each of 46 cards is in two hands of five with 10/46: 130 of 600, give or take ten.
    assert len(where) == 46
    assert 85 < min(where.values()) < max(where.values()) < 180


def test_who_robbed_holds_the_turn_up_and_the_ace_until_he_plays_them() -> None:
    game = new_game(players=3)
    deal = dealt_hands(["KD 2S 3S 4S 6S", "AD 2D 8C 9C 10C", "7C 6C 5C 4C 3C"], "9D", game, dealer=2)
    deal.apply("KD")
    deal.apply("rob 8C>2D")
    for number in range(20):
        sample = game.sample(deal.view(2), 2, seed(number))
        assert {"AD", "9D"} <= set(hand_texts(sample, 1))
        assert sample.view(1).laid is not None
    # The robber himself knows where the card is that he laid away.
    deal.apply("7C")
    deal.apply("2S")
    for number in range(20):
        sample = game.sample(deal.view(1), 1, seed(number))
        assert CARD_OF["8C"] not in sample.hands[0] + sample.hands[2]
        assert sample.view(1).laid == "8C"


def test_who_stood_holds_the_ace_and_the_turn_up_is_out_of_play() -> None:
    game = new_game(players=3)
    deal = dealt_hands(["KD 2S 3S 4S 6S", "AD 2D 8C 9C 10C", "7C 6C 5C 4C 3C"], "9D", game, dealer=2)
    deal.apply("KD")
    deal.apply("stand>2D")
    for number in range(20):
        sample = game.sample(deal.view(2), 2, seed(number))
        assert "AD" in hand_texts(sample, 1)
        assert not any(CARD_OF["9D"] in hand for hand in sample.hands)


def test_who_threw_another_suit_upon_a_trump_holds_only_trumps_he_might_keep() -> None:
    game = new_game(players=2)
    deal = dealt_hands(["6D 2S 3S 4S 7S", "5D 8C 9C 10C KC"], "9D", game, dealer=1)
    deal.apply("6D")
    deal.apply("8C")
    held = Counter(
        text for number in range(300) for text in hand_texts(game.sample(deal.view(0), 0, seed(number)), 1)
    )
    assert {text for text in held if text[-1] == "D" or text == "AH"} == {"5D", "JD", "AH"}
    assert len(held) == 3 + 39 - 1 - 4 - 1


def test_a_view_no_deal_has_is_refused() -> None:
    game = new_game(players=3)
    deal = game.deal(seed(0), 0, 0)
    view = deal.view(1)
    replaced = msgspec.structs.replace
    wrong = [
        (view, 2),
        (view, 5),
        (view, -2),
        (replaced(view, tricks_won=[7, 0, 0]), 1),
        (replaced(view, hand=["1D", *view.hand[1:]]), 1),
        (replaced(view, hand=view.hand[1:]), 1),
        (replaced(view, hand=[*view.hand[1:], view.hand[1]]), 1),
        (replaced(view, hand=[view.turn_up, *view.hand[1:]]), 1),
        (replaced(view, trump="X"), 1),
        (replaced(view, dealer=9), 1),
        (replaced(view, pool=3), 1),
        (replaced(view, jinker=1), 1),
        (replaced(view, robbed=7), 1),
    ]
    for shown, seat in wrong:
        with pytest.raises(ValueError, match="no deal looks like that"):
            game.sample(shown, seat, seed(1))


def test_a_deal_that_is_over_or_of_another_game_is_refused() -> None:
    game = new_game(players=2)
    deal = game.deal(seed(0), 0, 0)
    while deal.result is None:
        deal.apply(deal.legal()[0])
    with pytest.raises(ValueError, match="no deal looks like that"):
        game.sample(deal.view(0), 0, seed(1))
    spite = SpiteView([], [], (), (), [], 0, {}, {}, 1, 0)
    with pytest.raises(ValueError, match="a view of spoil-five is a TrickView, not a SpiteView"):
        game.sample(spite, 0, seed(1))
