"""A match that stands for all, played without any process: its moves, and the requests seat 0 gets in it."""

import hashlib
from functools import cache

import msgspec

from bots import greedy
from engine.games import game_from_profile
from engine.match import Match
from service.messages import Clock
from workers.referee.protocol import PROTOCOL, Act, Hello, encode

PROFILE = "classic"
DECISIONS = 4_000
USUAL_REQUEST = 100
"""The request whose size stands for all: by then hands, piles and history have their usual size."""
BANK_MS = 10_000


def sample_match() -> Match:
    """Return the match at its beginning."""
    return Match(game_from_profile(PROFILE), 1_000, hashlib.sha256(b"benchmark/sample").digest())


@cache
def sample_moves() -> tuple[str, ...]:
    """Return the moves of both seats, both being `greedy`."""
    return tuple(move for move, _ in _sample())


@cache
def sample_requests() -> tuple[bytes, ...]:
    """Return the requests to seat 0, as sent."""
    return tuple(line for _, line in _sample() if line)


def sample_hello() -> bytes:
    """Return the line that opens the match for seat 0, as sent."""
    game = game_from_profile(PROFILE)
    return encode(Hello(PROTOCOL, game.name, game.document(), 0, game.players, 1_000, 1, Clock()))


@cache
def _sample() -> tuple[tuple[str, bytes], ...]:
    """Play the match; return each move, with the request it answers if that went to seat 0."""
    match = sample_match()
    steps = []
    asked = 0
    for _ in range(DECISIONS):
        deal = match.deal
        seat = deal.to_act
        assert seat is not None
        view, legal = deal.view(seat), deal.legal()
        line = b""
        if seat == 0:
            events = deal.take_events(seat)
            line = encode(Act(asked, match.number, match.scores, view, legal, events, BANK_MS))
            asked += 1
        move = greedy.choose(seat, list(legal), msgspec.to_builtins(view)["discards"])
        steps.append((move, line))
        match.apply(move)
    return tuple(steps)
