"""The engine's legal moves and trick winners against the naive ones, for every card, every hand of a few cards, every suit."""

import itertools

import pytest

from engine.tricks.cards import CARD_OF, TEXTS, plain_upwards, ranking, trumps_upwards
from engine.tricks.moves import ace_moves, card_moves
from tests.engine.tricks import naive

SUITS = "CDHS"
SMALL_RANKS = ("A", "2", "5", "10", "J", "K")
SMALL = [rank + suit for suit in SUITS for rank in SMALL_RANKS]
"""A deck in which every kind of card occurs."""

every_ranking = pytest.mark.parametrize(
    ("trump", "order", "fallen"), list(itertools.product(SUITS, ("traditional", "simple"), (False, True)))
)


@every_ranking
def test_the_tables_are_those_of_the_rules(trump: str, order: str, fallen: bool) -> None:
    simple = order == "simple"
    upwards = [TEXTS[card] for card in trumps_upwards(SUITS.index(trump), simple, fallen)]
    assert upwards[::-1] == naive.trumps_best_first(trump, order, fallen)
    assert len(upwards) == (13 if trump == "H" else 14)
    for suit in SUITS:
        plain = [TEXTS[card] for card in plain_upwards(SUITS.index(suit), simple)]
        assert plain[::-1] == naive.plain_best_first(suit, order)


@every_ranking
def test_the_better_of_any_two_cards_wins(trump: str, order: str, fallen: bool) -> None:
    table = ranking(SUITS.index(trump), order == "simple", fallen)
    for led, other in itertools.permutations(naive.DECK, 2):
        wins = table.beats(CARD_OF[other], CARD_OF[led])
        assert (other if wins else led) == naive.winning_card([led, other], trump, order, fallen)


@every_ranking
def test_the_best_of_any_three_cards_wins(trump: str, order: str, fallen: bool) -> None:
    table = ranking(SUITS.index(trump), order == "simple", fallen)
    for cards in itertools.permutations(SMALL, 3):
        best = cards[0]
        for card in cards[1:]:
            if table.beats(CARD_OF[card], CARD_OF[best]):
                best = card
        assert best == naive.winning_card(list(cards), trump, order, fallen)


@every_ranking
def test_any_two_cards_of_the_pack_follow_any_lead_as_the_rules_say(
    trump: str, order: str, fallen: bool
) -> None:
    check(itertools.combinations(naive.DECK, 2), naive.DECK, trump, order, fallen)


@every_ranking
def test_any_small_hand_follows_any_lead_as_the_rules_say(trump: str, order: str, fallen: bool) -> None:
    check(itertools.combinations(SMALL, 3), SMALL, trump, order, fallen)


@pytest.mark.parametrize("order", ["traditional", "simple"])
@pytest.mark.parametrize("trump", SUITS)
def test_the_ace_s_holder_has_the_moves_the_rules_give_him(trump: str, order: str) -> None:
    suit = SUITS.index(trump)
    ace, turn_up = "A" + trump, "Q" + trump
    high = ranking(suit, order == "simple", False)
    low = ranking(suit, order == "simple", True)
    for pair in itertools.combinations([card for card in SMALL if card != ace], 2):
        hand = sorted([*pair, ace], key=naive.DECK.index)
        cards = [CARD_OF[card] for card in hand]
        for led in [None, *SMALL]:
            if led not in hand:
                number = -1 if led is None else CARD_OF[led]
                moves = ace_moves(cards, number, CARD_OF[ace], CARD_OF[turn_up], high, low)
                assert moves == naive.first_moves(hand, led, trump, turn_up, order)
                assert len(set(moves)) == len(moves)


def check(
    hands: "itertools.combinations[tuple[str, ...]]", leads: list[str], trump: str, order: str, fallen: bool
) -> None:
    table = ranking(SUITS.index(trump), order == "simple", fallen)
    for hand in hands:
        cards = [CARD_OF[card] for card in hand]
        assert card_moves(cards, -1, table) == list(hand)
        for led in leads:
            if led not in hand:
                found = card_moves(cards, CARD_OF[led], table)
                assert found == naive.playable(list(hand), led, trump, order, fallen)
