"""The inner loop of rollouts: deals played to their end by policies that need no thought. Compiled where it can be."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Final

from engine.errors import EngineError
from engine.game import Deal

UNIFORM: Final = "uniform"
GREEDY: Final = "greedy"

_WORD: Final = 0xFFFFFFFF


class Source:
    """A small, fast generator of chance (sfc32, Doty-Humphrey 2010), keyed: the same key, the same numbers anywhere.

    For searches and learners. Cards are never drawn from it (`engine.chance`).
    """

    def __init__(self, key: bytes) -> None:
        digest = hashlib.sha256(key).digest()
        self._a = int.from_bytes(digest[0:4], "little")
        self._b = int.from_bytes(digest[4:8], "little")
        self._c = int.from_bytes(digest[8:12], "little")
        self._counter = int.from_bytes(digest[12:16], "little")

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` - 1, each as likely but for one part in 2^30 / `bound`."""
        b = self._b
        c = self._c
        word = (self._a + b + self._counter) & _WORD
        self._counter = (self._counter + 1) & _WORD
        self._a = b ^ (b >> 9)
        self._b = (c + (c << 3)) & _WORD
        self._c = ((((c << 21) & _WORD) | (c >> 11)) + word) & _WORD
        # Two bits less: a product of 30 bits and a small number is one machine word when compiled.
        return ((word >> 2) * bound) >> 30


Policy = Callable[[Deal, Source], str]
"""Names a legal move of the seat to act; whatever chance it needs comes from the source."""


def play_out(deal: Deal, policy: str | Policy, source: Source) -> int:
    """Play a deal to its end in every seat; return the number of decisions that took. Raises EngineError."""
    if policy == UNIFORM:
        return _uniform(deal, source)
    if policy == GREEDY:
        return _greedy(deal, source)
    if isinstance(policy, str):
        raise EngineError(f"no policy {policy!r}; there are {UNIFORM}, {GREEDY} and your own function")
    decisions = 0
    while deal.to_act is not None:
        deal.apply(policy(deal, source))
        decisions += 1
    return decisions


def _uniform(deal: Deal, source: Source) -> int:
    decisions = 0
    while deal.to_act is not None:
        legal = deal.legal()
        deal.apply(legal[source.below(len(legal))])
        decisions += 1
    return decisions


def _greedy(deal: Deal, source: Source) -> int:
    decisions = 0
    while deal.to_act is not None:
        legal = deal.legal()
        count = _most_forward(legal)
        deal.apply(legal[source.below(count)])
        decisions += 1
    return decisions


def _most_forward(legal: Sequence[str]) -> int:
    """Count the moves at the head of a legal list that `greedy` chooses from.

    Lists begin with plays from goal piles, other plays to the centre follow. Where there is neither, as in trick
    games, it is any move.
    """
    goals = 0
    for move in legal:
        if not move.startswith(("g", "pg")):
            break
        goals += 1
    if goals:
        return goals
    plays = 0
    for move in legal:
        if ">c" not in move:
            break
        plays += 1
    return plays or len(legal)
