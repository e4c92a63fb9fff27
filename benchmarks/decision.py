"""One full decision, as a play worker spends it: request, answer, engine, deadline, log, sandbox; on one core."""

from collections.abc import Iterator

from benchmarks.figures import Figure, Requirement, sample
from benchmarks.pipe import round_trip_us
from benchmarks.play import Table, table

SHORT, LONG = 1, 150
"""Targets in points. What starting and ending costs is the same in both, so it drops out of their difference."""

NAME = "greedy"
REQUIRED_US = 90


def decision_us(play: Table) -> tuple[float, float]:
    """Return wall and processor time per decision, in microseconds, between two copies of a bot that decides at once."""
    short = play.play([NAME, NAME], SHORT, number=1)
    long = play.play([NAME, NAME], LONG, number=1)
    per_decision = 1e6 / (long.decisions - short.decisions)
    return (
        (long.seconds - short.seconds) * per_decision,
        (long.processor_s - short.processor_s) * per_decision,
    )


def measure(repeats: int) -> Iterator[Figure]:
    """A full decision beside the bare pipe: as it takes, and without the waiting that a busy machine adds."""
    walls, processors, pipes = [], [], []
    with table() as play:
        for _ in range(repeats):
            wall, processor = decision_us(play)
            walls.append(wall)
            processors.append(processor)
            pipes.append(round_trip_us())
    what = f"full decision in the sandbox, {NAME} v {NAME}"
    floor, pipe = "bare pipe round trip", sample(pipes)
    yield Figure("decision", what, "us", sample(walls), floor, pipe, Requirement(REQUIRED_US))
    yield Figure("decision", f"{what}: processor time", "us", sample(processors), floor, pipe)
