"""The engine alone: view, legal moves, resolving the answer and making the move, without any process."""

import time
from collections.abc import Iterator

from benchmarks.figures import Figure, alternate, one_core
from benchmarks.pipe import round_trip_us
from benchmarks.samples import DECISIONS, sample_match, sample_moves
from engine.match import Match


def decision_us() -> float:
    """Return the engine's time for one decision in microseconds, over a match between two `greedy`."""
    moves = sample_moves()
    match = sample_match()
    with one_core():
        start = time.perf_counter()
        for move in moves:
            _decide(match, move)
        return (time.perf_counter() - start) / DECISIONS * 1e6


def _decide(match: Match, move: str) -> None:
    deal = match.deal
    seat = deal.to_act
    assert seat is not None
    deal.view(seat)
    deal.legal()
    deal.take_events(seat)
    match.apply(deal.resolve(move))


def measure(repeats: int) -> Iterator[Figure]:
    """The engine's share of a decision, beside the pipe's."""
    engine, pipe = alternate(repeats, decision_us, round_trip_us)
    yield Figure(
        "engine",
        "engine per decision: view, legal, resolve, apply",
        "us",
        engine,
        "bare pipe round trip",
        pipe,
    )
