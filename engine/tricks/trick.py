"""The trick in progress, and the best trump of the deal."""

from typing import Final

from engine.tricks.cards import TRUMP, Ranking

NOBODY: Final = -1
"""Stands for no seat and for no card."""


class Trick:
    """What counts of the cards in a trick: the one led, and the best one so far with its seat; NOBODY before the lead.

    `best_trump` and `best_trump_seat` are those of the whole deal.
    """

    def __init__(self) -> None:
        self.led = NOBODY
        self.best = NOBODY
        self.best_seat = NOBODY
        self.best_trump = NOBODY
        self.best_trump_seat = NOBODY

    def add(self, seat: int, card: int, order: Ranking) -> None:
        """Take in a card; `order` is how cards rank from now on."""
        if self.led < 0:
            self.led = card
        if self.best < 0 or order.beats(card, self.best):
            self.best = card
            self.best_seat = seat
        if order.suits[card] == TRUMP and (self.best_trump < 0 or order.beats(card, self.best_trump)):
            self.best_trump = card
            self.best_trump_seat = seat

    def clear(self) -> None:
        """Make room for the next trick."""
        self.led = NOBODY
        self.best = NOBODY
        self.best_seat = NOBODY

    def copy(self) -> "Trick":
        """Return an independent trick of the same cards."""
        twin = Trick()
        twin.led = self.led
        twin.best = self.best
        twin.best_seat = self.best_seat
        twin.best_trump = self.best_trump
        twin.best_trump_seat = self.best_trump_seat
        return twin
