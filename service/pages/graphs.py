"""Geometry of the small graphs, drawn as SVG by the templates. Lengths are in the graph's own units."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from service.bots.records import RatingPoint


@dataclass(frozen=True, slots=True)
class RankBar:
    """Where a rank and its interval lie on a line from the first rank to the last."""

    width: int
    start: float
    length: float
    rank: float


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled line across the graph."""

    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """One version's part of the history: its rating as a line, its doubt (one sigma) as a band."""

    version: int
    x: float
    line: str
    band: str


@dataclass(frozen=True, slots=True)
class RatingGraph:
    """A bot's rating over its fixtures."""

    width: int
    height: int
    left: int
    """Room for labels."""
    ticks: Sequence[Tick]
    stretches: Sequence[Stretch]


def rank_bar(low: int, high: int, rank: int, entries: int, width: int = 120) -> RankBar:
    """Place a rank interval among so many ranked entries."""
    entries = max(entries, high)
    step = width / entries
    return RankBar(
        width, round((low - 1) * step, 2), round((high - low + 1) * step, 2), round((rank - 0.5) * step, 2)
    )


def rating_graph(history: Sequence[RatingPoint], width: int = 640, height: int = 220) -> RatingGraph | None:
    """Draw a rating history, oldest first; None where there is nothing to draw."""
    if not history:
        return None
    left, pad = 36, 10
    low = min(point.mu - point.sigma for point in history)
    high = max(point.mu + point.sigma for point in history)
    across = (width - left - pad) / max(1, len(history) - 1)

    def x(place: int) -> float:
        return round(left + place * across, 1)

    def y(value: float) -> float:
        return round(pad + (high - value) / (high - low) * (height - 2 * pad), 1)

    stretches = []
    for version, group in groupby(enumerate(history), key=lambda item: item[1].version):
        part = list(group)
        upper = [f"{x(place)},{y(point.mu + point.sigma)}" for place, point in part]
        lower = [f"{x(place)},{y(point.mu - point.sigma)}" for place, point in reversed(part)]
        line = [f"{x(place)},{y(point.mu)}" for place, point in part]
        stretches.append(Stretch(version, x(part[0][0]), " ".join(line), " ".join(upper + lower)))
    ticks = [Tick(y(value), f"{value:g}") for value in _round_values(low, high)]
    return RatingGraph(width, height, left, ticks, stretches)


def _round_values(low: float, high: float) -> list[float]:
    """A few round numbers within the range, evenly apart."""
    rough = (high - low) / 4
    unit = 10 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    first = math.ceil(low / step)
    return [round(number * step, 6) for number in range(first, math.floor(high / step) + 1)]
