"""Rollouts: many ways a deal may go on, played quickly, and what they come to. For bots that search.

A rollout plays a copy of a deal to its end. A deal holds every card where it lies, so a bot that may not know where
they lie calls `rollout_view`, which deals what its seat cannot see anew for each rollout.
"""

import hashlib

import msgspec

from engine.errors import EngineError
from engine.game import Deal, Game
from engine.playout import GREEDY, UNIFORM, Policy, Source, play_out

__all__ = ["GREEDY", "UNIFORM", "Policy", "Rollouts", "Source", "rollout", "rollout_view"]


class Rollouts(msgspec.Struct, frozen=True):
    """What rollouts came to."""

    deals: int
    """Deals played to their end."""
    decisions: int
    """Decisions made in all of them together."""
    mean: tuple[float, ...]
    """Points of each seat, on average."""
    variance: tuple[float, ...]
    """Of the points of one deal, by seat; estimated from these deals, 0 from a single one."""

    @property
    def error(self) -> tuple[float, ...]:
        """The standard error of each mean."""
        return tuple((value / self.deals) ** 0.5 for value in self.variance)


def rollout(state: Deal, policy: str | Policy, n: int, seed: bytes) -> Rollouts:
    """Play `n` copies of a deal to their end, every seat by `policy`; the deal itself stays as it is.

    `policy` is `uniform` (any legal move), `greedy` (a goal card if one goes, else any other play to the centre, else
    any move) or a function. What hidden cards there are lie as they lie in `state`: only chance in the policy, keyed
    by `seed`, makes the copies differ. Raises EngineError when `n` is less than 1 or there is no such policy.
    """
    tally = _Tally(n)
    for number in range(n):
        deal = state.copy()
        tally.add(deal, play_out(deal, policy, Source(_key(seed, number))))
    return tally.sum_up()


def rollout_view(
    game: Game, view: msgspec.Struct, seat: int, policy: str | Policy, n: int, seed: bytes
) -> Rollouts:
    """Play `n` deals that `seat` might be in to their end, each with the cards it cannot see dealt anew.

    `view` is what the seat sees when it is to act (`Game.sample`). Raises as `rollout` and `Game.sample` do.
    """
    tally = _Tally(n)
    for number in range(n):
        key = _key(seed, number)
        deal = game.sample(view, seat, key)
        tally.add(deal, play_out(deal, policy, Source(key)))
    return tally.sum_up()


def _key(seed: bytes, number: int) -> bytes:
    """Return the 32 bytes all chance of one rollout is keyed by."""
    return hashlib.sha256(seed + number.to_bytes(4, "big")).digest()


class _Tally:
    """Sums points, which are integers, so that the order of rollouts changes nothing."""

    def __init__(self, n: int) -> None:
        if n < 1:
            raise EngineError(f"at least one rollout is needed, not {n}")
        self._deals = n
        self._decisions = 0
        self._sums: list[int] = []
        self._squares: list[int] = []

    def add(self, deal: Deal, decisions: int) -> None:
        """Count a deal that has ended."""
        assert deal.result is not None
        self._decisions += decisions
        points = deal.result.points
        self._sums = self._sums or [0] * len(points)
        self._squares = self._squares or [0] * len(points)
        for seat, won in enumerate(points):
            self._sums[seat] += won
            self._squares[seat] += won * won

    def sum_up(self) -> Rollouts:
        """Return mean and variance of the deals counted."""
        n = self._deals
        variances = [
            (square - total * total / n) / (n - 1) if n > 1 else 0.0
            for total, square in zip(self._sums, self._squares, strict=True)
        ]
        return Rollouts(n, self._decisions, tuple(total / n for total in self._sums), tuple(variances))
