"""What a play worker is on its host: its name, its share of the host, and the proof that it may take work."""

import mmap
import os
import struct
import time

from service.blobs import open_blobs
from service.messages import WorkerHello
from service.settings import Settings
from workers.apps.canary import CanaryError, fly_canary, measure_speed
from workers.bundles import BundleCache
from workers.places import Place
from workers.programs import FIXTURE_MEMORY_BYTES, SandboxError
from workers.referee.fixture import MOST_SEATS
from workers.sandbox import choose_sandbox
from workers.sandbox.selftest import run_selftest

MEMORY_SHARE = 0.7
"""Of the host's memory bots may use at most this, all at their limit at once: none can reach the host's."""


class UnfitError(RuntimeError):
    """This host must take no work; the message says why and what to do about it."""


def slots(settings: Settings) -> int:
    """Return how many fixtures are played here at once: as many as set, fewer where memory is short."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    affordable = int(memory * MEMORY_SHARE / FIXTURE_MEMORY_BYTES)
    return max(1, min(settings.play_slots, affordable))


class StopSign:
    """Says to all processes of a worker that it is stopping, and since when. Make it before they fork."""

    def __init__(self) -> None:
        self._shared = mmap.mmap(-1, 8)

    def put_up(self) -> None:
        """Say it; may be called from a signal handler."""
        if not self.up_for_s():
            self._shared[:8] = struct.pack("d", time.monotonic())

    def up_for_s(self) -> float:
        """Return for how many seconds the worker has been stopping; 0 when it is not."""
        (since,) = struct.unpack("d", self._shared[:8])
        return max(time.monotonic() - since, 1e-9) if since else 0.0


def prove_fit(place: Place, settings: Settings) -> WorkerHello:
    """Choose the sandbox, try to break out of it, play the canary, measure the speed; return what to say of it.

    Raises UnfitError when any of it fails: such a worker takes no work.
    """
    try:
        sandbox = choose_sandbox(settings.sandbox)
        guards = run_selftest(sandbox, place.slots[0] * MOST_SEATS)
        broken = [guard for guard in guards if not guard.held]
    except SandboxError as error:
        raise UnfitError(f"this host cannot isolate strangers' programs: {error}") from None
    if broken:
        names = "; ".join(f"{guard.name}: {guard.detail} ({guard.remedy})" for guard in broken)
        raise UnfitError(f"the sandbox does not hold: {names}")
    blobs = open_blobs(settings.resolved_blobs)
    bundles = BundleCache(blobs, place.bundles)
    try:
        fly_canary(sandbox=sandbox, bundles=bundles, blobs=blobs, worker=place.name, slot=place.slots[0])
    except CanaryError as error:
        raise UnfitError(f"the canary fixture was not played as it should be: {error}") from None
    return WorkerHello(place.name, len(place.slots), sandbox.layer, sandbox.runtimes, measure_speed())
