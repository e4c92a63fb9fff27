"""All positions of small decks: the legal lists against the rules said once more.

The environment variable MALICE_EXHAUSTIVE=1 takes hands of three cards, three centre piles and more rows of side
piles, some minutes long.
"""

import os
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product

import pytest

from engine.parlett.cards import Packs
from engine.parlett.moves import legal_moves
from engine.parlett.table import Table, first_slots
from engine.spite.cards import PRINTED, RANK_OF
from tests.engine.parlett.naive import Naming, Position, expected_legal, with_card

FULL = os.environ.get("MALICE_EXHAUSTIVE") == "1"
HAND = 3 if FULL else 2
PILES = 3 if FULL else 2

RANKS = list(range(len(PRINTED)))
"""A hand here is a list of ranks, so that a card is its own rank."""

Sides = tuple[tuple[str, ...], ...]


def hands(cards: Sequence[str], most: int) -> Iterator[tuple[str, ...]]:
    """Yield all hands of so many cards or fewer."""
    for size in range(most + 1):
        yield from combinations_with_replacement(cards, size)


def table_with(sides: Sides, memory: bool = False) -> Table:
    """Return a table with seat 0's side piles as printed, bottom to top."""
    packs = Packs(4)
    deck = packs.deck
    table = Table(packs, memory)
    left = [[card for card, rank in enumerate(deck.ranks) if rank == wanted] for wanted in RANKS]
    for pile, cards in enumerate(sides):
        for card in cards:
            table.discard(0, left[RANK_OF[card]].pop(), pile)
    return table


def listed(position: Position, table: Table) -> list[str]:
    """Return what the engine lists for a position."""
    return legal_moves(
        RANK_OF[position.goal],
        [RANK_OF[card] for card in position.hand],
        RANKS,
        table.tops[0],
        table.fits[0],
        list(position.centre),
        first_slots(list(position.centre)),
        position.frozen,
    )


LOW_PILES: tuple[tuple[str, ...], ...] = ((), ("2",), ("3",), ("3", "2"), ("2", "*"), ("*",))
HIGH_PILES: tuple[tuple[str, ...], ...] = ((), ("Q",), ("K", "*"), ("*", "J"))


@pytest.mark.parametrize(
    ("goals", "hand_cards", "piles", "heights"),
    [
        (("A", "2", "3"), ("A", "2", "3", "*"), LOW_PILES, (0, 1, 2)),
        (("J", "Q", "K"), ("J", "Q", "K", "*"), HIGH_PILES, (0, 10, 11, 12)),
    ],
    ids=["aces to threes", "jacks to kings"],
)
def test_all_small_positions(
    goals: Sequence[str], hand_cards: Sequence[str], piles: Sequence[tuple[str, ...]], heights: Sequence[int]
) -> None:
    compared = 0
    for low, high in product(piles, piles):
        with_room: Sides = (low, high, (), ())
        without: Sides = (low, ("9",), high, ("9", "8"))
        for sides in (with_room, without) if FULL or low == high else (with_room,):
            table = table_with(sides)
            for goal, hand, built, frozen in product(
                goals, hands(hand_cards, HAND), product(heights, repeat=PILES), (False, True)
            ):
                position = Position(goal, hand, sides, (*built, 0), frozen)
                assert listed(position, table) == expected_legal(position)
                compared += 1
    assert compared > 20_000


def all_piles(cards: Sequence[str], most: int) -> Iterator[tuple[str, ...]]:
    """Yield all side piles of so many cards or fewer that the rules allow, with at most four jokers."""
    table: list[tuple[str, ...]] = [()]
    for pile in table:
        yield pile
        if len(pile) < most:
            fits = expected_legal(Position("9", tuple(cards), (pile, ("9",), ("9",), ("9",)), (0,)))
            taken = [move[1:].split(">")[0] for move in fits if move.endswith(">d0")]
            table += [(*pile, card) for card in taken if card != "*" or pile.count("*") < 4]


@pytest.mark.parametrize("cards", [("2", "3", "4", "*"), ("J", "Q", "K", "*")], ids=["low", "high"])
def test_all_side_piles_take_what_the_rule_text_says(cards: Sequence[str]) -> None:
    every_card = tuple(text for text in PRINTED if text)
    compared = 0
    for pile in all_piles(cards, 6 if FULL else 5):
        sides: Sides = (pile, (), ("7",), ("7",))
        position = Position("10", every_card, sides, (0,))
        assert listed(position, table_with(sides)) == expected_legal(position)
        compared += 1
    assert compared > 100


@pytest.mark.parametrize("cards", [("2", "3", "4", "*"), ("J", "Q", "K", "*")], ids=["low", "high"])
def test_all_side_piles_remember_what_all_namings_leave(cards: Sequence[str]) -> None:
    every_card = tuple(text for text in PRINTED if text)
    empty: frozenset[Naming] = frozenset({()})
    seven = with_card(empty, "7")
    compared = 0
    for pile in all_piles(cards, 5):
        namings = empty
        for card in pile:
            namings = with_card(namings, card)
        table = table_with((pile,), memory=True)
        # Taken off card by card, each pile is what the cards once on it made it.
        for size in range(len(pile), 0, -1):
            sides: Sides = (pile[:size], ("7",), ("7",), ("7",))
            position = Position("10", every_card, sides, (0,), namings=(namings, seven, seven, seven))
            expected = [move for move in expected_legal(position) if move.endswith(">d0")]
            assert [move for move in _with_sevens(table, position) if move.endswith(">d0")] == expected
            possible = [sorted({naming[place] for naming in namings}) for place in range(size)]
            assert [[r for r in RANKS if s >> r & 1] for s in table.sets[0][0]] == possible
            namings = frozenset(naming[:-1] for naming in namings)
            table.from_side(0, 0)
            compared += 1
    assert compared > 300


def _with_sevens(table: Table, position: Position) -> list[str]:
    twin = table.copy()
    sevens = [card for card, rank in enumerate(table.deck.ranks) if rank == 7]
    for pile in (1, 2, 3):
        twin.discard(0, sevens[pile], pile)
    return listed(position, twin)
