"""What a worker proves before it takes work: a fixture whose result is known, and how fast this host is."""

import hashlib
import io
import time
import zipfile

from engine.errors import EngineError
from engine.games import game_from_profile
from engine.match import Match
from engine.replay import replay
from service.blobs import BlobStore
from service.messages import Clock, Ticket, TicketSeat
from workers.bundles import BundleCache
from workers.programs import Sandbox
from workers.referee.fixture import play_fixture

BOT = b"""\
import sys
for line in sys.stdin:
    if line.startswith('{"type":"hello"'):
        print('{"type":"ready"}', flush=True)
    elif line.startswith('{"type":"act"'):
        print('{"act":0}', flush=True)
"""
"""Always makes the first legal move."""

SEED = hashlib.sha256(b"canary").digest()
TARGET = 1
CLOCK = Clock(start_ms=30_000, bank_ms=60_000, increment_ms=20, leg_ms=120_000)
"""Generous: the canary is about right results; speed is measured apart."""

SPEED_LOOPS = 20_000
SPEED_TRIES = 3


class CanaryError(RuntimeError):
    """This worker does not play as it should; the message says where it went wrong."""


def fly_canary(*, sandbox: Sandbox, bundles: BundleCache, blobs: BlobStore, worker: str, slot: int) -> None:
    """Play the canary fixture and compare it with what the engine alone gives.

    Raises CanaryError, also where the blob store cannot be written or read.
    """
    try:
        bundle = blobs.put("bundle", _bundle())
    except OSError as error:
        raise CanaryError(f"the blob store cannot be written: {error}") from None
    seats = [TicketSeat(f"canary-{seat}", bundle, "python", "main.py") for seat in range(2)]
    game = game_from_profile("short")
    ticket = Ticket("canary", 0, game.document(), SEED.hex(), TARGET, CLOCK, seats)
    report = play_fixture(
        ticket, sandbox=sandbox, bundles=bundles, blobs=blobs, worker=worker, slot=slot, pulse=lambda: None
    )
    if report.faults:
        raise CanaryError("; ".join(f"{fault.kind}: {fault.evidence}" for fault in report.faults))
    expected = _expected()
    for leg in report.legs:
        try:
            replayed = replay(blobs.get("log", leg.log))
        except EngineError as error:
            raise CanaryError(f"the log does not replay: {error}") from None
        found = (list(replayed.points), replayed.decisions)
        if found != expected:
            raise CanaryError(f"played to {found}, where {expected} is right")


def measure_speed() -> float:
    """Return thousands of reference loops (SHA-256 of 32 bytes and a step of arithmetic) per second."""
    best = 0.0
    for _ in range(SPEED_TRIES):
        digest, total = SEED, 0
        started = time.perf_counter()
        for _ in range(SPEED_LOOPS):
            digest = hashlib.sha256(digest).digest()
            total = (total * 31 + digest[0]) % 65_521
        best = max(best, SPEED_LOOPS / (time.perf_counter() - started) / 1_000)
    return best


def _bundle() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(zipfile.ZipInfo("main.py"), BOT)
    return buffer.getvalue()


def _expected() -> tuple[list[int], int]:
    """Scores and number of decisions when everybody makes the first legal move."""
    match = Match(game_from_profile("short"), TARGET, SEED)
    while not match.over:
        match.apply(match.deal.legal()[0])
    return list(match.scores), match.decisions
