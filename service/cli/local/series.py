"""A series of fixtures between the same bots, one after the other, in this process."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from engine.chance import fixture_seed, seat_order
from engine.game import Game
from service.blobs import BlobStore
from service.cli.local.roster import Contender
from service.cli.local.tally import Tally
from service.messages import Clock, Report, Ticket
from workers.bundles import BundleCache
from workers.programs import Sandbox
from workers.referee.fixture import play_fixture

STREAM = "local"


class SeriesError(Exception):
    """A fixture that could not be played for a reason that is no bot's."""


@dataclass(frozen=True)
class Setting:
    """What is played, and where logs are kept."""

    game: Game
    target: int
    secret: bytes
    """All fixtures' seeds follow from it."""
    log_dir: Path | None


class Series:
    """Plays fixtures and counts."""

    def __init__(
        self,
        setting: Setting,
        contenders: list[Contender],
        *,
        sandbox: Sandbox,
        bundles: BundleCache,
        blobs: BlobStore,
        slot: int,
    ) -> None:
        self._setting = setting
        self._contenders = contenders
        self._sandbox = sandbox
        self._bundles = bundles
        self._blobs = blobs
        self._slot = slot
        self.tally = Tally.of(contenders)

    def play(self, number: int, pulse: Callable[[], None]) -> None:
        """Play fixture `number`, from 1, and count it: wholly, or not at all when `pulse` raises.

        `pulse` is called about once a second. Raises SeriesError, or OSError when a log cannot be kept.
        """
        setting = self._setting
        seed = fixture_seed(setting.secret, STREAM, "", number)
        order = seat_order(seed, len(self._contenders))
        ticket = Ticket(
            fixture=f"{STREAM}-{number}",
            attempt=1,
            rules=setting.game.document(),
            seed=seed.hex(),
            target=setting.target,
            clock=Clock(),
            seats=[self._contenders[who].seat for who in order],
        )
        report = play_fixture(
            ticket,
            sandbox=self._sandbox,
            bundles=self._bundles,
            blobs=self._blobs,
            worker=STREAM,
            slot=self._slot,
            pulse=pulse,
        )
        for fault in report.faults:
            if fault.kind == "infra":
                raise SeriesError(f"fixture {number} could not be played: {fault.evidence}")
        self.tally.add(number, order, report)
        if setting.log_dir is not None:
            self._keep(number, report, setting.log_dir)

    def _keep(self, number: int, report: Report, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for leg_number, leg in enumerate(report.legs):
            name = f"fixture-{number:04}-leg-{leg_number}"
            (folder / f"{name}.ndjson").write_bytes(self._blobs.get("log", leg.log))
            for seat, digest in enumerate(leg.stderr):
                if digest is not None:
                    (folder / f"{name}-seat-{seat}.stderr").write_bytes(self._blobs.get("text", digest))


@contextmanager
def interruptible() -> Iterator[Callable[[], None]]:
    """Let Ctrl-C wait for a moment when nothing is half done; yields what raises KeyboardInterrupt then.

    A second Ctrl-C waits for nothing.
    """
    pressed = False

    def press(*_: object) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, before)

    def check() -> None:
        if pressed:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, press)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def on_one_core() -> Iterator[None]:
    """Keep this process and the bots it starts on one core: a pipe between two costs ten times as much."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)
