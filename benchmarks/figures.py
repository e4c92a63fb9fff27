"""What a measurement is, how it is repeated, and how the machine is kept quiet around it."""

import os
import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec


class Sample(msgspec.Struct, frozen=True):
    """One figure measured several times: its median and extremes."""

    median: float
    low: float
    high: float


class Requirement(msgspec.Struct, frozen=True):
    """What the figure has to be."""

    bound: float
    at_most: bool = True

    def met_by(self, value: float) -> bool:
        """Whether a figure satisfies it."""
        return value <= self.bound if self.at_most else value >= self.bound

    def words(self) -> str:
        """Return it in words, such as `at most 90`."""
        return f"at {'most' if self.at_most else 'least'} {self.bound:g}"


class Figure(msgspec.Struct, frozen=True):
    """One line of the table."""

    area: str
    what: str
    unit: str
    sample: Sample
    floor: str = ""
    """What it is compared with, measured in the same run; empty where there is nothing to compare."""
    floor_sample: Sample | None = None
    requirement: Requirement | None = None
    """Of the figure itself."""
    required_ratio: Requirement | None = None
    """Of its ratio to what it is compared with."""

    @property
    def ratio(self) -> float | None:
        """The figure's median in terms of its floor's."""
        return self.sample.median / self.floor_sample.median if self.floor_sample else None

    @property
    def met(self) -> bool | None:
        """Whether all that is required is met; None where nothing is."""
        met = []
        if self.requirement:
            met.append(self.requirement.met_by(self.sample.median))
        if self.required_ratio and self.ratio is not None:
            met.append(self.required_ratio.met_by(self.ratio))
        return all(met) if met else None


def sample(values: list[float]) -> Sample:
    """Sum up repeated measurements."""
    return Sample(statistics.median(values), min(values), max(values))


def alternate(repeats: int, *measures: Callable[[], float]) -> list[Sample]:
    """Measure several things in turn, so that a busy spell of the machine meets all of them alike."""
    columns: list[list[float]] = [[] for _ in measures]
    for _ in range(repeats):
        for column, measure in zip(columns, measures, strict=True):
            column.append(measure())
    return [sample(column) for column in columns]


@contextmanager
def one_core() -> Iterator[None]:
    """Pin this process, and what it starts, to one core, as a play worker does with each of its slots."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
