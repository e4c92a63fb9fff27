"""What several areas need: house bots in sandboxes, and fixtures played as a play worker plays them."""

import gc
import hashlib
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

import bots
from benchmarks.figures import one_core
from benchmarks.samples import PROFILE
from engine.games import game_from_profile
from service.blobs import BlobStore, open_blobs
from service.bots.archive import canonical_zip
from service.messages import Clock, Report, Ticket, TicketSeat
from workers.bundles import BundleCache
from workers.programs import Sandbox
from workers.referee.fixture import play_fixture
from workers.sandbox import choose_sandbox
from workers.sandbox.staging import staging_folder

ENTRY = "main.py"


class Played(msgspec.Struct, frozen=True):
    """A fixture as played: how long it took, and how many decisions and legs it had."""

    seconds: float
    processor_s: float
    """Processor time of the referee, and what the bots were charged: waiting for a busy machine is left out."""
    decisions: int
    legs: int


class Table:
    """A play worker's means, in a temporary folder: sandbox, bundles, blob store."""

    def __init__(self, blobs: BlobStore, bundles: BundleCache, sandbox: Sandbox) -> None:
        self.blobs = blobs
        self.bundles = bundles
        self.sandbox = sandbox

    def seat(self, name: str) -> TicketSeat:
        """Store a house bot's bundle and return the seat it plays from."""
        source = (Path(bots.__file__).parent / f"{name}.py").read_bytes()
        bundle = self.blobs.put("bundle", canonical_zip({ENTRY: source}))
        return TicketSeat(version=name, bundle=bundle, runtime="python", entry=ENTRY)

    def play(self, names: list[str], target: int, number: int) -> Played:
        """Play a fixture of `classic` pinned to one core; `number` picks the decks."""
        ticket = Ticket(
            fixture=f"bench-{number}",
            attempt=1,
            rules=game_from_profile(PROFILE, len(names)).document(),
            seed=hashlib.sha256(f"benchmark/{number}".encode()).hexdigest(),
            target=target,
            clock=Clock(),
            seats=[self.seat(name) for name in names],
        )
        with one_core():
            start, processor_start = time.perf_counter(), time.process_time()
            report = play_fixture(
                ticket,
                sandbox=self.sandbox,
                bundles=self.bundles,
                blobs=self.blobs,
                worker="bench",
                slot=0,
                pulse=lambda: None,
            )
            seconds, processor_s = time.perf_counter() - start, time.process_time() - processor_start
        charged_s = sum(used for leg in report.legs for used in leg.used_us) / 1e6
        return Played(seconds, processor_s + charged_s, self._decisions(report), len(report.legs))

    def _decisions(self, report: Report) -> int:
        if report.faults:
            raise RuntimeError(f"a house bot faulted, nothing was measured: {report.faults[0].evidence}")
        return sum(self.blobs.get("log", leg.log).count(b'"act"') for leg in report.legs)


@contextmanager
def table() -> Iterator[Table]:
    """Set up a table on this host's own sandbox. Raises SandboxUnavailableError with the reason."""
    sandbox = choose_sandbox("auto")
    with (
        tempfile.TemporaryDirectory(prefix="bench-") as blobs_folder,
        tempfile.TemporaryDirectory(prefix="bench-", dir=staging_folder()) as bundles_folder,
    ):
        blobs = open_blobs(blobs_folder)
        # As the play worker does before it forks: what is loaded is none of the collector's business.
        gc.collect()
        gc.freeze()
        yield Table(blobs, BundleCache(blobs, Path(bundles_folder)), sandbox)
