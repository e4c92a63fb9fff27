"""A match: deals until a side reaches the points target, a fault ends it, or its deals or a cap run out."""

from typing import Literal

import msgspec

from engine.errors import EngineError
from engine.game import DealResult, Game

MAX_DEALS = 60
MAX_DECISIONS = 20_000

Reason = Literal["target", "fault", "deals", "decisions"]


class Match:
    """One match in progress: one leg of a fixture.

    Seat 0 deals first; the deal moves on by one seat. `deal` is the deal in progress, or the last one when the match
    is over; `number` its index from 0; `scores` the points of each seat; `decisions` the moves made so far. Seat s is on
    side s mod `game.sides`; partners have equal scores and places.
    A match ends when a side has reached the target and no other is level with it at the top (A-45-2). A game with
    `fixed_deals` knows no target: its match ends after as many deals. Any match ends as it stands after MAX_DEALS deals or
    MAX_DECISIONS decisions (A-STD-17); a deal cut short scores nothing.
    """

    def __init__(self, game: Game, target: int, seed: bytes) -> None:
        if target < 1:
            raise EngineError(f"a match is played to at least 1 point, not {target}")
        self.game = game
        self.target = target
        self.seed = seed
        self.number = 0
        self.scores = [0] * game.players
        self.decisions = 0
        self.forfeited = [False] * game.players
        self.reason: Reason | None = None
        self.deal = game.deal(seed, 0, 0)

    @property
    def over(self) -> bool:
        """Whether the match has ended; `reason` then says why."""
        return self.reason is not None

    @property
    def dealer(self) -> int:
        """The seat that deals the current deal."""
        return self.number % self.game.players

    @property
    def deals(self) -> int:
        """Deals begun, the current one included."""
        return self.number + 1

    def apply(self, move: str) -> DealResult | None:
        """Make a listed move for the seat to act; return the deal's result when that ends it.

        A deal that wins the match counts as many points as lift its winners to the target: the result returned says so,
        so that scores are always the sum of points. The next deal is then already dealt, unless the match is over.
        Raises IllegalMoveError, or EngineError when the match is over.
        """
        if self.reason is not None:
            raise EngineError("the match is over")
        deal = self.deal
        deal.apply(move)
        self.decisions += 1
        result = deal.result
        if result is not None:
            if result.wins_match:
                result = self._lifted(result)
            self._score(result)
        elif self.decisions >= MAX_DECISIONS:
            self.reason = "decisions"
        return result

    def forfeit(self, seat: int) -> None:
        """Charge a fault to a seat: its side will be placed last.

        With two sides the match ends. With more it is played on, the passive policy standing in for the seat, and ends
        only when every side has a seat that has forfeited. Two faults before the same decision may both be charged.
        Raises EngineError when the match has ended otherwise or the seat has forfeited already.
        """
        if self.reason not in (None, "fault") or self.forfeited[seat]:
            raise EngineError(f"seat {seat} has nothing left to forfeit")
        self.forfeited[seat] = True
        if self.game.sides == 2 or all(self._forfeited_sides()):
            self.reason = "fault"

    def places(self) -> tuple[int, ...]:
        """Return each seat's place as things stand: 1 is first, equal places are ties, who forfeited is last.

        Sides are placed, so that of two sides of two the losers are both second.
        """
        sides = self.game.sides
        standing = [
            (0, 0) if forfeited else (1, score)
            for forfeited, score in zip(self._forfeited_sides(), self.scores[:sides], strict=True)
        ]
        places = [1 + sum(other > own for other in standing) for own in standing]
        return tuple(places[seat % sides] for seat in range(self.game.players))

    def _forfeited_sides(self) -> list[bool]:
        sides = self.game.sides
        return [any(self.forfeited[side::sides]) for side in range(sides)]

    def _lifted(self, result: DealResult) -> DealResult:
        """Return the result with its winners lifted to the target, or above whoever has got there before them."""
        points = result.points
        most = max(points)
        others = [self.scores[seat] + won for seat, won in enumerate(points) if won < most]
        wanted = max([self.target, *(score + 1 for score in others)])
        lifted = tuple(
            max(won, wanted - self.scores[seat]) if won == most else won for seat, won in enumerate(points)
        )
        return msgspec.structs.replace(result, points=lifted)

    def _score(self, result: DealResult) -> None:
        for seat, points in enumerate(result.points):
            self.scores[seat] += points
        fixed = self.game.fixed_deals
        if fixed is None and self._is_decided():
            self.reason = "target"
        elif self.deals >= (MAX_DEALS if fixed is None else min(fixed, MAX_DEALS)):
            self.reason = "deals"
        elif self.decisions >= MAX_DECISIONS:
            self.reason = "decisions"
        else:
            self.number += 1
            self.deal = self.game.deal(self.seed, self.number, self.dealer, result.carry)

    def _is_decided(self) -> bool:
        """Whether one side alone is at the top and has reached the target."""
        sides = self.scores[: self.game.sides]
        most = max(sides)
        return most >= self.target and sides.count(most) == 1
