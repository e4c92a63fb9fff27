"""One full decision, as a play worker spends it: request, answer, engine, deadline, log, sandbox; on one core."""

from collections.abc import Iterator

from benchmarks.figures import Figure, Requirement, alternate
from benchmarks.pipe import round_trip_us
from benchmarks.play import Table, table

SHORT, LONG = 1, 150
"""Targets in points. What starting and ending costs is the same in both, so it drops out of their difference."""

NAME = "greedy"
REQUIRED_US = 90


def decision_us(play: Table) -> float:
    """Return the time per decision in microseconds of a fixture between two copies of a bot that decides at once."""
    short = play.play([NAME, NAME], SHORT, number=1)
    long = play.play([NAME, NAME], LONG, number=1)
    return (long.seconds - short.seconds) / (long.decisions - short.decisions) * 1e6


def measure(repeats: int) -> Iterator[Figure]:
    """A full decision beside the bare pipe."""
    with table() as play:
        decision, pipe = alternate(repeats, lambda: decision_us(play), round_trip_us)
    what = f"full decision in the sandbox, {NAME} v {NAME}"
    yield Figure("decision", what, "us", decision, "bare pipe round trip", pipe, Requirement(REQUIRED_US))
