"""95 % intervals for ranks, from what is believed of each entry's skill.

Skills are taken as independent normal numbers. Given that its own skill is x, an entry's rank is one more than the
number of others above x: a sum of independent indicators, a Poisson binomial number. Its distribution follows closely
from the sum's first three moments (the refined normal approximation of Volkova, 1996; see Hong, "On computing the
distribution function for the Poisson binomial distribution", 2013) and is averaged over x. As functions of x the
moments are the same for all entries but for the entry's own term, so they are worked out once, on a grid: the whole
takes time in proportion to the entries, not to their square or to a number of simulated leagues.

Plain Python on purpose: numpy alone would take a tenth of the whole product's memory.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from service.ratings.update import Rating, below, density

TAIL_CHANCE = 0.025
"""Left out on either side."""
REACH = 4.0
"""Standard deviations around a mean beyond which nothing is looked at: 6 parts in 100,000."""
NODES_PER_SIGMA = 4
"""How finely an entry's own skill is looked at."""
GRID_PER_SIGMA = 5
"""Grid points within the smallest standard deviation, so that straight lines between them will do."""
LARGEST_GRID = 2_000
"""Over a very wide field a very small standard deviation is taken to be two grid points, which errs towards doubt."""

_HALF = round(REACH * NODES_PER_SIGMA)
_NODES = [node / NODES_PER_SIGMA for node in range(-_HALF, _HALF + 1)]
_TOTAL = sum(density(node) for node in _NODES)
_WEIGHTS = [density(node) / _TOTAL for node in _NODES]


@dataclass(frozen=True, slots=True)
class RankInterval:
    """The best and the worst rank that remain likely; 1 is first."""

    low: int
    high: int


class _Count(NamedTuple):
    """The distribution of the number of others above one node, by its moments."""

    weight: float
    mean: float
    deviation: float
    skewness: float

    def at_most(self, number: int) -> float:
        """The chance of `number` or fewer."""
        if self.deviation == 0:
            return float(number + 0.5 > self.mean)
        x = (number + 0.5 - self.mean) / self.deviation
        if abs(x) > 6:
            return float(x > 0)
        refined = below(x) + self.skewness * (1 - x * x) * density(x) / 6
        return min(max(refined, 0.0), 1.0)


def rank_intervals(ratings: Sequence[Rating]) -> list[RankInterval]:
    """Return the interval of each entry's rank, in the order given."""
    if not ratings:
        return []
    field = _Field(ratings)
    return [_interval(field.counts(rating), len(ratings)) for rating in field.ratings]


def _interval(counts: Sequence[_Count], entries: int) -> RankInterval:
    def at_most(rank: int) -> float:
        return sum(count.weight * count.at_most(rank - 1) for count in counts)

    mean = sum(count.weight * count.mean for count in counts)
    square = sum(count.weight * (count.deviation**2 + (count.mean - mean) ** 2) for count in counts)
    spread = 2 * math.sqrt(square)
    low = _first(lambda rank: at_most(rank) > TAIL_CHANCE, round(1 + mean - spread), entries)
    high = _first(lambda rank: at_most(rank) >= 1 - TAIL_CHANCE, round(1 + mean + spread), entries)
    return RankInterval(low, high)


def _first(holds: Callable[[int], bool], guess: int, entries: int) -> int:
    """Return the first rank for which a monotone condition holds (the last rank if for none), looking near `guess`."""
    low, high = 1, entries
    step, rank = 1, min(max(guess, low), high)
    while low < high:
        if holds(rank):
            high = rank
            rank = rank - step
        else:
            low = rank + 1
            rank = rank + step
        step *= 2
        if not low <= rank < high:
            rank = (low + high) // 2
    return low


class _Field:
    """All entries at once: moments of the number of entries above x, on a grid of x."""

    def __init__(self, ratings: Sequence[Rating]) -> None:
        self.start = min(rating.mu - REACH * rating.sigma for rating in ratings)
        end = max(rating.mu + REACH * rating.sigma for rating in ratings)
        finest = min(rating.sigma for rating in ratings) / GRID_PER_SIGMA
        self.size = min(LARGEST_GRID, math.ceil((end - self.start) / finest)) + 1
        self.step = (end - self.start) / (self.size - 1)
        self.ratings = [Rating(rating.mu, max(rating.sigma, 2 * self.step)) for rating in ratings]
        self.mean = [0.0] * self.size
        self.variance = [0.0] * self.size
        self.third = [0.0] * self.size
        begun = [0] * self.size
        for rating in self.ratings:
            begun[self._add(rating)] += 1
        # An entry lies wholly above every point to the left of its window.
        self.mean = [
            mean + len(ratings) - number for mean, number in zip(self.mean, accumulate(begun), strict=True)
        ]

    def _add(self, rating: Rating) -> int:
        """Add an entry's moments where they are not trivial; return the first grid point where that is so."""
        first = max(0, math.ceil((rating.mu - REACH * rating.sigma - self.start) / self.step))
        last = min(self.size - 1, math.floor((rating.mu + REACH * rating.sigma - self.start) / self.step))
        for point in range(first, last + 1):
            chance = below((rating.mu - self.start - point * self.step) / rating.sigma)
            self.mean[point] += chance
            self.variance[point] += chance * (1 - chance)
            self.third[point] += chance * (1 - chance) * (1 - 2 * chance)
        return first

    def counts(self, rating: Rating) -> list[_Count]:
        """The number of others above each node of this entry's own skill."""
        return [
            self._count(weight, rating.mu + node * rating.sigma, below(-node))
            for node, weight in zip(_NODES, _WEIGHTS, strict=True)
        ]

    def _count(self, weight: float, x: float, own: float) -> _Count:
        position = min(max((x - self.start) / self.step, 0.0), self.size - 1.0)
        point = min(int(position), self.size - 2)
        share = position - point

        def between(values: list[float]) -> float:
            return values[point] + share * (values[point + 1] - values[point])

        variance = between(self.variance) - own * (1 - own)
        if variance < 1e-6:
            return _Count(weight, between(self.mean) - own, 0.0, 0.0)
        third = between(self.third) - own * (1 - own) * (1 - 2 * own)
        return _Count(weight, between(self.mean) - own, math.sqrt(variance), third / variance**1.5)
