"""Parlett's rules of moving said once more, slowly and from the rule text alone, to check the tables against."""

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
JOKER = "*"

Naming = tuple[int, ...]
"""A rank for each card of a side pile, bottom to top."""


@dataclass(frozen=True)
class Position:
    """What decides about the moves of the seat to act; cards as printed, heights by centre slot."""

    goal: str
    hand: tuple[str, ...]
    sides: tuple[tuple[str, ...], ...]
    centre: tuple[int, ...]
    frozen: bool = False
    namings: tuple[frozenset[Naming], ...] | None = None
    """By side pile, what its cards may have been named; None: no naming is remembered."""


def rank(card: str) -> int:
    """Return the rank of a natural card."""
    return RANKS.index(card) + 1


def may_be(card: str) -> set[int]:
    """Return the ranks a card on a side pile can stand for, whatever lies around it."""
    return set(range(2, 14)) if card == JOKER else {rank(card)}


def in_order(naming: Naming) -> bool:
    """Whether each card is of the rank of the one it lies on or one lower."""
    return all(above in (below, below - 1) for below, above in pairwise(naming))


@cache
def namings_of(pile: tuple[str, ...]) -> frozenset[Naming]:
    """Return all that the cards of a pile can have been named, by trying everything."""
    return with_card(namings_of(pile[:-1]), pile[-1]) if pile else frozenset({()})


def with_card(namings: frozenset[Naming], card: str) -> frozenset[Naming]:
    """Return what the cards can have been named once another lies on them."""
    return frozenset(
        (*naming, named) for naming in namings for named in may_be(card) if in_order((*naming, named))
    )


def without_top(namings: frozenset[Naming]) -> frozenset[Naming]:
    """Return what the cards can have been named once the top one is gone."""
    return frozenset(naming[:-1] for naming in namings)


def takes(position: Position, pile: int, card: str) -> bool:
    """Whether a card of the hand may be discarded on a side pile."""
    if card == "A":
        return False
    if position.namings is not None:
        return bool(with_card(position.namings[pile], card))
    # All that counts of the pile is what lies above and at its highest natural card.
    cards = position.sides[pile]
    naturals = [place for place, other in enumerate(cards) if other != JOKER]
    return bool(namings_of((*cards[naturals[-1] if naturals else 0 :], card)))


def fits_centre(card: str, height: int) -> bool:
    """Whether a card may go on a centre pile of a height."""
    return height < 13 if card == JOKER else rank(card) == height + 1


def expected_legal(position: Position) -> list[str]:
    """Return the legal moves: one form of each, lowest slot first, in the order the rules name."""
    plays, discards = _plays(position), _discards(position)
    compelled = [play for play in plays if _satisfies(position, *play)]
    if compelled:
        return [_text(play) for play in compelled]
    if position.frozen:
        low = [play for play in plays if _card(position, play[0]) in ("A", "2")]
        return [_text(play) for play in low] or ["end"]
    return [_text(play) for play in plays] + discards + ["end"]


Play = tuple[str, int]
"""Where a card comes from, as moves name it, and the slot it goes to."""


def _text(play: Play) -> str:
    return f"{play[0]}>c{play[1]}"


def _plays(position: Position) -> list[Play]:
    sources = ["g"]
    sources += [f"h{card}" for card in (*RANKS, JOKER) if card in position.hand]
    sources += [f"d{pile}" for pile, cards in enumerate(position.sides) if cards]
    slots = [slot for slot, height in enumerate(position.centre) if position.centre.index(height) == slot]
    return [
        (source, slot)
        for source in sources
        for slot in slots
        if fits_centre(_card(position, source), position.centre[slot])
    ]


def _discards(position: Position) -> list[str]:
    moves = []
    for card in (*RANKS, JOKER):
        if card in position.hand:
            for pile, cards in enumerate(position.sides):
                is_first_empty = not cards and () in position.sides and position.sides.index(()) == pile
                if (cards or is_first_empty) and takes(position, pile, card):
                    moves.append(f"h{card}>d{pile}")
    return moves


def _card(position: Position, source: str) -> str:
    if source == "g":
        return position.goal
    return source[1:] if source[0] == "h" else position.sides[int(source[1:])][-1]


def _satisfies(position: Position, source: str, slot: int) -> bool:
    """Whether a play satisfies a compulsion that exists."""
    card = _card(position, source)
    if source == "g" and card == "A":
        return True
    if card != "2" or position.centre[slot] != 1:
        return False
    two_on_a_side_pile = any(cards and cards[-1] == "2" for cards in position.sides)
    return source == "g" or two_on_a_side_pile
