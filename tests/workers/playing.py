"""Playing fixtures in tests: bots from a few lines, the real sandbox, and every log replayed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import bots
from engine.chance import bot_seed
from engine.games import game_from_profile
from engine.replay import Replayed, replay
from service.blobs import FolderBlobs
from service.bots.archive import canonical_zip
from service.messages import Clock, Report, Ticket, TicketSeat
from workers.bundles import BundleCache
from workers.programs import Sandbox
from workers.referee.fixture import play_fixture

SEED = bytes(range(32))

QUICK = Clock(start_ms=5_000, bank_ms=2_000, increment_ms=20, leg_ms=20_000)

_PROGRAM = """\
import json, os, signal, socket, sys, threading, time

def say(message, end="\\n"):
    sys.stdout.write(json.dumps(message) + end)
    sys.stdout.flush()

{before}

for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "hello":
        {hello}
    elif kind == "act":
        {act}
    else:
        {news}
"""


def bot(
    *,
    before: str = "",
    hello: str = 'say({"type": "ready"})',
    act: str = 'say({"act": 0})',
    news: str = "pass",
) -> bytes:
    """Return a program: what it does at first, at `hello`, at each `act` and at any other line.

    Left alone it makes the first legal move. Each part is one line of statements about `message`.
    """
    return _PROGRAM.format(before=before, hello=hello, act=act, news=news).encode()


FIRST_MOVE = bot()
"""Always makes the first legal move."""


def house(name: str) -> bytes:
    """Return the source of a house bot."""
    return (Path(bots.__file__).parent / f"{name}.py").read_bytes()


@dataclass(frozen=True)
class Played:
    """A fixture as it was played."""

    report: Report
    replays: list[Replayed]
    """Every leg's log, replayed."""
    blobs: FolderBlobs

    def log(self, leg: int) -> bytes:
        """Return a leg's log."""
        return self.blobs.get("log", self.report.legs[leg].log)

    def stderr(self, leg: int, seat: int) -> str:
        """Return what a seat left on stderr."""
        digest = self.report.legs[leg].stderr[seat]
        return self.blobs.get("text", digest).decode() if digest else ""


class Table:
    """Where tests have bots play."""

    def __init__(self, sandbox: Sandbox, folder: Path, bundles: Path, slot: int) -> None:
        self.sandbox = sandbox
        self.slot = slot
        self.blobs = FolderBlobs(folder)
        self.bundles = BundleCache(self.blobs, bundles)

    def seat(self, source: bytes, version: str) -> TicketSeat:
        """Store a program as a bundle and return a seat for it."""
        bundle = self.blobs.put("bundle", canonical_zip({"main.py": source}))
        return TicketSeat(version, bundle, "python", "main.py")

    def ticket(
        self,
        sources: Sequence[bytes],
        *,
        clock: Clock = QUICK,
        profile: str = "short",
        players: int | None = None,
        target: int = 1,
        seed: bytes = SEED,
    ) -> Ticket:
        """Return a ticket for programs, one a side; equal ones are the same version."""
        seats = [self.seat(source, f"v{sources.index(source)}") for source in sources]
        rules = game_from_profile(profile, players or len(sources)).document()
        return Ticket("fixture-1", 1, rules, seed.hex(), target, clock, seats)

    def play(self, ticket: Ticket, *, pulse: Callable[[], None] = lambda: None) -> Played:
        """Play a fixture; every log must replay, and prove what the report says."""
        report = play_fixture(
            ticket,
            sandbox=self.sandbox,
            bundles=self.bundles,
            blobs=self.blobs,
            worker="test",
            slot=self.slot,
            pulse=pulse,
        )
        return Played(
            report, [self._replayed(ticket, report, leg) for leg in range(len(report.legs))], self.blobs
        )

    def _replayed(self, ticket: Ticket, report: Report, number: int) -> Replayed:
        leg = report.legs[number]
        proof = replay(self.blobs.get("log", leg.log))
        assert list(proof.points) == leg.points
        assert list(proof.places) == leg.places
        assert (proof.deals, proof.reason) == (leg.deals, leg.reason)
        assert list(proof.charges) == leg.used_us
        claimed = [(fault.seat, fault.kind, fault.evidence) for fault in report.faults if fault.leg == number]
        assert [(fault.seat, fault.kind, fault.evidence) for fault in proof.faults] == claimed
        seed = bytes.fromhex(ticket.seed)
        assert [seat.bot_seed for seat in proof.header.seats] == [
            bot_seed(seed, seat.version) for seat in proof.header.seats
        ]
        return proof
