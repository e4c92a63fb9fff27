"""The engine alone: what a decision costs, random play beside OpenSpiel's, rollouts; without any bot."""

import time
from collections.abc import Iterator
from functools import partial

import engine
from benchmarks.figures import Figure, Requirement, alternate, one_core
from benchmarks.pipe import round_trip_us
from benchmarks.random_play import FAST, IDIOMATIC, OPEN_SPIEL, OURS, ROLLOUTS, moves_per_second
from benchmarks.samples import DECISIONS, sample_match, sample_moves
from engine.match import Match

LOOK_US = 15
COMPILED_RATIO, PLAIN_RATIO = 2.5, 0.8
PEER = "OpenSpiel crazy_eights"


def decision_us() -> float:
    """Return the engine's time for one decision in microseconds, over a match between two `greedy`."""
    moves = sample_moves()
    match = sample_match()
    with one_core():
        start = time.perf_counter()
        for move in moves:
            _decide(match, move)
        return (time.perf_counter() - start) / DECISIONS * 1e6


def look_us() -> float:
    """Return the processor time of `view` and `legal` alone for one decision, in microseconds, over the same match."""
    moves = sample_moves()
    match = sample_match()
    clock = time.thread_time
    spent = 0.0
    with one_core():
        for move in moves:
            deal = match.deal
            seat = deal.to_act
            assert seat is not None
            start = clock()
            deal.view(seat)
            deal.legal()
            spent += clock() - start
            match.apply(move)
    return spent / DECISIONS * 1e6


def _decide(match: Match, move: str) -> None:
    deal = match.deal
    seat = deal.to_act
    assert seat is not None
    deal.view(seat)
    deal.legal()
    deal.take_events(seat)
    match.apply(deal.resolve(move))


def measure(repeats: int) -> Iterator[Figure]:
    """The engine's share of a decision beside the pipe's, then random play and rollouts beside OpenSpiel."""
    whole, look, pipe = alternate(repeats, decision_us, look_us, round_trip_us)
    floor = "bare pipe round trip"
    what = "engine per decision"
    yield Figure("engine", f"{what}: view, legal, resolve, apply", "us", whole, floor, pipe)
    yield Figure("engine", f"{what}: view and legal", "us", look, floor, pipe, Requirement(LOOK_US))
    yield from random_play(repeats)


def random_play(repeats: int) -> Iterator[Figure]:
    """Random play in moves a second. Everything is measured in turn, in processes of its own."""
    with one_core():
        peer, peer_fast, plain, ours, ours_fast, rolled = alternate(
            repeats,
            partial(moves_per_second, OPEN_SPIEL, IDIOMATIC),
            partial(moves_per_second, OPEN_SPIEL, FAST),
            partial(moves_per_second, OURS, IDIOMATIC, plain=True),
            partial(moves_per_second, OURS, IDIOMATIC),
            partial(moves_per_second, OURS, FAST),
            partial(moves_per_second, ROLLOUTS, FAST),
        )
    unit = "moves/s"
    if engine.compiled():
        wanted = Requirement(COMPILED_RATIO, at_most=False)
        yield Figure("engine", "random play, compiled", unit, ours, PEER, peer, required_ratio=wanted)
    wanted = Requirement(PLAIN_RATIO, at_most=False)
    yield Figure("engine", "random play, plain source", unit, plain, PEER, peer, required_ratio=wanted)
    kind = engine.LOADED.split(":")[0]
    yield Figure("engine", f"random play by index, {kind}", unit, ours_fast, f"{PEER} by index", peer_fast)
    yield Figure("engine", f"rollouts, {kind}", unit, rolled, f"{PEER} by index", peer_fast)
