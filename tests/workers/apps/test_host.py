"""What a play worker proves and holds on its host before it takes work."""

import os
import signal
from pathlib import Path

import pytest

from service.messages import Clock, FromWorker, Ticket, TicketSeat, WorkerHeartbeat, WorkerHello
from service.settings import Settings
from tests.workers.playing import Table, bot
from workers.apps import canary
from workers.apps.canary import CanaryError, fly_canary, measure_speed
from workers.apps.hand import FROZEN_S, STOP_GRACE_S, Watch
from workers.apps.host import StopSign, slots
from workers.places import NoPlaceError, take_place
from workers.programs import FIXTURE_MEMORY_BYTES
from workers.referee.faults import InfraError

HELLO = WorkerHello("host-0", 2, "S3", {"python": "3"}, 1.0)
SEATS = [TicketSeat("a", "", "python", "main.py"), TicketSeat("b", "", "python", "main.py")]
TICKET = Ticket("f", 3, {"players": 2}, "", 50, Clock(), SEATS)


class Ears:
    """A courier that keeps what it is handed."""

    def __init__(self) -> None:
        self.heard: list[FromWorker] = []

    def hand_over(self, message: FromWorker) -> None:
        """Keep it."""
        self.heard.append(message)


def fly(table: Table) -> None:
    """Play the canary at a table."""
    fly_canary(sandbox=table.sandbox, bundles=table.bundles, blobs=table.blobs, worker="w", slot=table.slot)


def test_a_sound_worker_passes_the_canary(table: Table) -> None:
    fly(table)


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (
            bot(act='say({"act": len(message["legal"]) - 1})'),
            r"played to .*, where \(\[0, 7\], 236\) is right",
        ),
        (bot(act="sys.exit(1)"), "crash: exit status 1"),
    ],
)
def test_a_worker_that_plays_otherwise_fails_it(
    table: Table, monkeypatch: pytest.MonkeyPatch, program: bytes, why: str
) -> None:
    monkeypatch.setattr(canary, "BOT", program)
    with pytest.raises(CanaryError, match=why):
        fly(table)


def test_a_blob_store_that_cannot_be_written_fails_it(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(kind: str, data: bytes) -> str:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(table.blobs, "put", full)
    with pytest.raises(CanaryError, match=r"the blob store cannot be written: .*Read-only file system"):
        fly(table)


def test_speed_is_measured_in_thousands_of_loops() -> None:
    assert 10 < measure_speed() < 100_000


@pytest.mark.parametrize(("memory_mib", "expected"), [(1_024, 1), (8_192, 2), (1 << 20, 4)])
def test_bots_at_their_limits_leave_a_part_of_the_hosts_memory(
    monkeypatch: pytest.MonkeyPatch, memory_mib: int, expected: int
) -> None:
    sizes = {"SC_PAGE_SIZE": 4_096, "SC_PHYS_PAGES": memory_mib * 256}
    monkeypatch.setattr("workers.apps.host.os.sysconf", sizes.__getitem__)
    assert slots(Settings(cores=4)) == expected
    assert expected == 1 or expected * FIXTURE_MEMORY_BYTES <= 0.7 * memory_mib * 2**20


def test_places_on_a_host_are_never_shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.places.staging_folder", lambda: tmp_path)
    monkeypatch.setattr("workers.places.MOST_SLOTS", 20)
    open_before = len(os.listdir("/proc/self/fd"))
    first, second = take_place("worker", 2), take_place("worker", 3)
    visitor = take_place("local", 1)
    assert (first.slots, second.slots, visitor.slots) == ((0, 1), (2, 3, 4), (5,))
    assert len({first.name, second.name, visitor.name}) == 3
    first.release()
    again = take_place("worker", 1)
    assert (again.name, again.slots) == (first.name, (0,))
    with pytest.raises(NoPlaceError, match="stop a worker or a `malice play` first"):
        take_place("local", 20)
    last = take_place("local", 1)
    assert last.slots == (1,)
    for place in (second, visitor, again, last):
        place.release()
    assert len(os.listdir("/proc/self/fd")) == open_before


def test_a_stop_sign_is_seen_and_says_since_when() -> None:
    sign = StopSign()
    assert sign.up_for_s() == 0
    sign.put_up()
    first = sign.up_for_s()
    sign.put_up()
    assert 0 < first <= sign.up_for_s()


def test_a_loop_that_stops_turning_is_ended_by_the_kernel() -> None:
    watch = Watch(TICKET, HELLO, Ears(), StopSign())
    try:
        watch.pulse()
        assert FROZEN_S - 2 < signal.alarm(0) <= FROZEN_S
        assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    finally:
        signal.alarm(0)


def test_a_fixture_is_given_up_when_its_clocks_cannot_explain_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ears = Ears()
    now = [1_000.0]
    monkeypatch.setattr("workers.apps.hand.time.monotonic", lambda: now[0])
    watch = Watch(TICKET, HELLO, ears, StopSign())
    try:
        watch.pulse()
        assert ears.heard == []
        now[0] += 3.5
        watch.pulse()
        assert ears.heard == [WorkerHeartbeat("host-0", 2, [("f", 3)])]
        now[0] += 100_000
        with pytest.raises(InfraError, match="the fixture took longer than"):
            watch.pulse()
    finally:
        signal.alarm(0)


def test_a_fixture_goes_on_for_a_moment_after_the_worker_was_told_to_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sign = StopSign()
    watch = Watch(TICKET, HELLO, Ears(), sign)
    try:
        sign.put_up()
        watch.pulse()
        monkeypatch.setattr(sign, "up_for_s", lambda: STOP_GRACE_S + 0.1)
        with pytest.raises(InfraError, match="the worker is stopping"):
            watch.pulse()
    finally:
        signal.alarm(0)
