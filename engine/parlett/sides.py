"""Side piles: which ranks a card on one may stand for, and what may be laid on it (A-PAR-06).

A set of ranks is an integer, bit r standing for rank r. A natural card stands for its own rank; a joker that opens a
pile for any but the ace; a joker on a card of the set S for any s or s - 1 with s in S, but never an ace. A pile takes
a natural card of rank r when r or r + 1 is in the set of its top, and always a joker.
"""

from typing import Final

from engine.spite.cards import JOKER, KING, TWO

SIDE_PILES: Final = 4

OPEN: Final = (1 << KING + 1) - (1 << TWO)
"""The set of a joker that opens a pile, and what an empty pile takes: two to king."""


def taken_on(top: int) -> int:
    """Return the natural ranks a pile takes whose top stands for the set `top`; a joker laid there stands for the same."""
    return (top | top >> 1) & OPEN


def narrow(sets: list[int]) -> None:
    """Let the card on top of a pile say what jokers below it must have been; `sets` runs bottom to top.

    Each card is of the rank of the one below it or one lower, so the one below is of its rank or one higher.
    """
    for place in range(len(sets) - 2, -1, -1):
        above = sets[place + 1]
        narrowed = sets[place] & (above | above << 1)
        if narrowed == sets[place]:
            return
        sets[place] = narrowed


def _spread(ranks: int) -> int:
    """Return a set with bit 4r for each of its ranks r, and for the joker."""
    spread = 1 << 4 * JOKER
    for rank in range(TWO, KING + 1):
        if ranks >> rank & 1:
            spread |= 1 << 4 * rank
    return spread


def _spreads() -> dict[int, int]:
    """Return what a pile takes, spread, by the set of its top. Such a set is always an interval of ranks."""
    spreads: dict[int, int] = {}
    for low in range(TWO, KING + 1):
        for high in range(low, KING + 1):
            top = (1 << high + 1) - (1 << low)
            spreads[top] = _spread(taken_on(top))
    return spreads


_SPREADS: Final[dict[int, int]] = _spreads()
_EMPTY_SPREAD: Final[int] = _spread(OPEN)


def is_narrowed(ranks: int, allowed: int) -> bool:
    """Whether a set can be what is left of another: ranks without a gap, all of them in the other."""
    return ranks in _SPREADS and ranks & ~allowed == 0


def fits_of(piles: list[list[int]]) -> int:
    """Return what a seat's side piles take: bit 4r + i where pile i takes a card of rank r.

    `piles` holds, for each pile, the sets of its cards. Of several empty piles only the lowest counts (A-STD-19).
    """
    fits = 0
    empty = False
    for pile in range(SIDE_PILES):
        sets = piles[pile]
        if sets:
            fits |= _SPREADS[sets[-1]] << pile
        elif not empty:
            empty = True
            fits |= _EMPTY_SPREAD << pile
    return fits
