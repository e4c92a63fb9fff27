"""What the trick games pay: terms of a rule set, and the results of deals under them."""

from typing import Final

from engine.game import DealResult
from engine.tricks.cards import CARDS

HAND_CARDS: Final = 5
TRICKS: Final = 5
ENOUGH_TRICKS: Final = 3
STAKE: Final = 1
"""Chips each player puts into a new pool, and each opponent pays for five tricks (A-SF-04)."""
DEALS_PER_SEAT: Final = 5
"""Deals each seat deals in a match for the pool (A-SF-17)."""
TRICK_POINTS: Final = 5
"""Forty-five's unit: a trick, the best trump, or the greater part of the tricks."""

POINTS: Final = 0
POOL: Final = 1
SIDE: Final = 2
TRICK: Final = 3
BEST_TRUMP: Final = 4
SCORINGS: Final = ("points", "pool", "side", "trick", "best_trump")
"""The names of the scorings in rules documents, by number."""


class Terms:
    """A rule set as the hot path wants it. `scoring` is one of the numbers above; the first two are Spoil Five's."""

    def __init__(self, players: int, sides: int, simple: bool, scoring: int, five_wins: bool) -> None:
        if players * HAND_CARDS >= CARDS:
            raise ValueError(f"one pack does not deal {HAND_CARDS} cards to {players} players")
        self.players = players
        self.sides = sides
        self.simple = simple
        self.scoring = scoring
        self.five_wins = five_wins

    def is_spoil_five(self) -> bool:
        """Whether three tricks end the deal, or the first three may be jinked; else all five are played."""
        return self.scoring == POINTS or self.scoring == POOL

    def has_pool(self) -> bool:
        """Whether chips are played for."""
        return self.scoring == POOL


def pool_at_start(terms: Terms, carry: int) -> int:
    """Return the chips in the pool once the stakes are in: all have paid for a new one, else the dealer has added."""
    if carry == 0:
        return STAKE * terms.players
    return carry + STAKE


def spoil_five_result(
    terms: Terms, winner: int, reason: str, jinked: bool, dealer: int, carry: int
) -> DealResult:
    """Return how a deal of Spoil Five ends; `winner` is -1 where nobody is paid (spoiled, or a jink that failed).

    Points: three tricks are worth one from each opponent, five after a jink two. Pool: chips won less chips paid in this
    deal, stakes included; a pool not won is carried (A-SF-03).
    """
    players = terms.players
    if terms.scoring == POINTS:
        points = [0] * players
        if winner >= 0:
            points[winner] = (players - 1) * (2 if jinked else 1)
        return DealResult(tuple(points), reason)
    pool = pool_at_start(terms, carry)
    chips = [-STAKE if carry == 0 or seat == dealer else 0 for seat in range(players)]
    if winner < 0:
        return DealResult(tuple(chips), reason, pool)
    chips[winner] += pool
    if jinked:
        for seat in range(players):
            chips[seat] += STAKE * (players - 1) if seat == winner else -STAKE
    return DealResult(tuple(chips), reason)


def forty_five_result(terms: Terms, won: list[int], best_trump: int) -> DealResult:
    """Return how a deal of Forty-five ends: `won` tricks by seat, `best_trump` the seat that played it or -1.

    With `five_wins` all five tricks win the match (A-45-3).
    """
    sides = terms.sides
    tricks = [0] * sides
    for seat in range(terms.players):
        tricks[seat % sides] += won[seat]
    points = [0] * sides
    for side in range(sides):
        if terms.scoring != SIDE:
            points[side] = TRICK_POINTS * tricks[side]
        elif tricks[side] == TRICKS:
            points[side] = 2 * TRICK_POINTS
        elif tricks[side] >= ENOUGH_TRICKS:
            points[side] = TRICK_POINTS
    if terms.scoring == BEST_TRUMP and best_trump >= 0:
        points[best_trump % sides] += TRICK_POINTS
    swept = TRICKS in tricks
    shared = tuple([points[seat % sides] for seat in range(terms.players)])
    return DealResult(shared, "five" if swept else "won", 0, swept and terms.five_wins)
