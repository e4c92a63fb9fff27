"""The clock: what a decision is charged, when the flag falls, how the bank runs, what limits follow."""

from dataclasses import dataclass, field

import pytest

from service.messages import Clock
from service.queues import VISIBILITY_TIMEOUT_S
from workers.programs import FIXTURE_MEMORY_BYTES, MIB, Exit, Limits
from workers.referee.clock import (
    WALL_GUARD_MS,
    Bank,
    Heart,
    Meter,
    SchedulerWait,
    fixture_limit_s,
    program_limits,
)
from workers.referee.faults import BotFault, InfraError
from workers.referee.fixture import MOST_SEATS

CLOCK = Clock(start_ms=5_000, bank_ms=10_000, increment_ms=20, leg_ms=60_000)


@dataclass
class World:
    """Readings of the counters, in microseconds, set by the test."""

    now_us: int = 1_000_000
    cpu: int = 0
    waits: dict[int, int] | None = field(default_factory=lambda: {1: 0})
    own: int = 0
    pulses: int = 0

    stdin = stdout = stderr = pid = -1

    def now_ns(self) -> int:
        """Monotonic time."""
        return self.now_us * 1_000

    def cpu_us(self) -> int:
        """As a bot process says."""
        return self.cpu

    def scheduler_wait_us(self) -> dict[int, int] | None:
        """As a bot process says."""
        return None if self.waits is None else dict(self.waits)

    def read_us(self) -> int:
        """As the referee's own wait says."""
        return self.own

    def pulse(self) -> None:
        """Count."""
        self.pulses += 1

    def stop(self) -> None:
        """Nothing to stop."""

    def resume(self) -> None:
        """Nothing to resume."""

    def wait(self, timeout_s: float) -> bool:
        """It never ends."""
        return False

    def close_stdin(self) -> None:
        """Nothing to close."""

    def end(self) -> Exit:
        """Nothing to end."""
        return Exit(0, None, 0, False)

    def meter(self) -> Meter:
        """A meter that reads this world."""
        return Meter(self, self, Heart(self.pulse, self.now_ns), self.now_ns)


@pytest.mark.parametrize(
    ("wall", "cpu", "waits", "own", "charge"),
    [
        pytest.param(1_000, 1_000, {1: 0}, 0, 1_000, id="busy all the time"),
        pytest.param(1_000, 10, {1: 0}, 0, 1_000, id="asleep: wall time counts"),
        pytest.param(1_000, 10, {1: 700}, 0, 300, id="its wait for a processor is not its own"),
        pytest.param(1_000, 10, {1: 0}, 600, 400, id="nor is the referee's"),
        pytest.param(1_000, 10, {1: 500}, 400, 100, id="nor are both"),
        pytest.param(1_000, 10, {1: 900}, 300, 10, id="processor time is the least"),
        pytest.param(1_000, 3_500, {1: 0}, 0, 3_500, id="four threads on four cores"),
        pytest.param(
            1_000, 10, {1: 200, 2: 300, 3: 100}, 0, 700, id="the thread that waited longest, not the sum"
        ),
        pytest.param(1_000, 10, {7: 250}, 0, 750, id="a new thread's wait counts from nothing"),
        pytest.param(1_000, 10, {}, 0, 1_000, id="all threads gone"),
    ],
)
def test_a_decision_is_charged_by_the_formula(
    wall: int, cpu: int, waits: dict[int, int], own: int, charge: int
) -> None:
    world = World(cpu=5_000, waits={1: 40_000, 2: 50_000}, own=60_000)
    meter = world.meter()
    meter.start(100)
    world.now_us += wall
    world.cpu += cpu
    world.waits = {thread: {1: 40_000, 2: 50_000}.get(thread, 0) + wait for thread, wait in waits.items()}
    world.own += own
    assert meter.stop() == charge


def test_without_scheduler_waits_processor_time_is_charged() -> None:
    world = World(waits=None)
    meter = world.meter()
    meter.start(100)
    world.now_us += 90_000
    world.cpu += 123
    assert meter.stop() == 123


def test_what_runs_on_until_a_stop_takes_effect_is_charged_to_the_next_decision() -> None:
    world = World()
    meter = world.meter()
    meter.start(100)
    world.now_us, world.cpu = world.now_us + 1_000, 1_000
    assert meter.stop() == 1_000
    world.cpu += 7_000
    world.now_us += 500_000
    meter.start(100)
    world.now_us += 200
    world.cpu += 200
    assert meter.stop() == 7_200


@pytest.mark.parametrize(("charge", "falls"), [(99_999, False), (100_000, False), (100_001, True)])
def test_the_flag_falls_when_the_charge_exceeds_the_bank_as_sent(charge: int, falls: bool) -> None:
    world = World()
    meter = world.meter()
    meter.start(100)
    world.now_us += charge
    if not falls:
        assert meter.stop() == charge
        return
    with pytest.raises(BotFault, match=r"timeout: charged 100\.0 ms for a decision with 100 ms left"):
        meter.stop()


def test_a_flag_that_falls_late_says_what_used_the_time_up() -> None:
    world = World()
    meter = world.meter()
    for _ in range(3):
        meter.start(1_000)
        world.now_us += 400_000
        meter.stop()
    meter.start(88)
    world.now_us += 88_500
    with pytest.raises(BotFault, match=r"88 ms left; its 3 answers before took 1,200 ms$"):
        meter.stop()


def test_a_bot_that_never_answers_is_flagged_as_soon_as_its_bank_is_spent() -> None:
    world = World()
    meter = world.meter()
    meter.start(100)
    assert meter.timeout_ms() <= 101
    world.now_us += 101_000
    with pytest.raises(BotFault, match=r"timeout: charged 101\.0 ms .*does it flush its stdout"):
        meter.timeout_ms()


def test_on_a_busy_host_the_flag_waits_for_the_bot_to_get_its_time() -> None:
    world = World(waits={1: 0})
    meter = world.meter()
    meter.start(100)
    for _ in range(4):
        world.now_us += 101_000
        world.waits = {1: (world.waits or {})[1] + 90_000}
        assert 1 <= meter.timeout_ms() <= 101
    world.now_us += 101_000
    with pytest.raises(BotFault, match="timeout"):
        meter.timeout_ms()


def test_a_starved_host_is_nobodys_fault() -> None:
    world = World(waits={1: 0})
    meter = world.meter()
    meter.start(100)
    world.now_us += (100 + WALL_GUARD_MS) * 1_000
    world.waits = {1: WALL_GUARD_MS * 1_000 + 50_000}
    with pytest.raises(InfraError, match=r"no answer within 30\.1 s, but only 0\.1 s of them were the bot's"):
        meter.timeout_ms()


def test_where_the_kernel_says_no_waits_the_wall_guard_is_a_timeout() -> None:
    world = World(waits=None)
    meter = world.meter()
    meter.start(100)
    world.now_us += 200_000
    meter.timeout_ms()
    world.now_us += WALL_GUARD_MS * 1_000
    with pytest.raises(BotFault, match=r"timeout: no answer within 30\.2 s of wall time"):
        meter.timeout_ms()


def test_the_loop_pulses_about_once_a_second_however_often_it_turns() -> None:
    world = World()
    meter = world.meter()
    meter.start(60_000)
    for _ in range(500):
        assert meter.timeout_ms() <= 1_001
        world.now_us += 10_000
    assert world.pulses == 5


@pytest.mark.parametrize(
    ("charges", "left_ms"),
    [
        ([], 10_000),
        ([0], 10_020),
        ([20_000], 10_000),
        ([5_000_000], 5_020),
        ([999], 10_019),
        ([0] * 600, 20_000),
        ([10_000_000], 20),
        ([9_000_000, 1_000_000, 20_000], 40),
        ([9_000_000] + [20_000] * 2_549, 20),
    ],
    ids=["untouched", "increment", "even", "spent", "floor", "cap", "all", "two", "leg nearly used up"],
)
def test_a_bank_gives_and_takes(charges: list[int], left_ms: int) -> None:
    bank = Bank(CLOCK)
    for charge in charges:
        bank.spend(charge)
    assert bank.left_ms == left_ms
    assert bank.used_us == sum(charges)


def test_the_limits_follow_from_the_clock() -> None:
    limits = program_limits(CLOCK)
    assert (CLOCK.start_ms + CLOCK.leg_ms) / 1_000 < limits.cpu_s < 2 * CLOCK.leg_ms / 1_000
    for players, sides in ((2, 2), (4, 2), (4, 4), (6, 2), (10, 10)):
        whole = players * sides * (CLOCK.start_ms + CLOCK.leg_ms) / 1_000
        assert whole < fixture_limit_s(CLOCK, players, sides) < VISIBILITY_TIMEOUT_S


def test_the_bots_of_a_fixture_never_have_more_memory_than_was_planned_for() -> None:
    shares = [program_limits(CLOCK, seats).memory_bytes for seats in range(2, MOST_SEATS + 1)]
    assert shares[:3] == [Limits().memory_bytes] * 3
    assert all(seats * share <= FIXTURE_MEMORY_BYTES for seats, share in enumerate(shares, 2))
    assert shares[-1] >= 200 * MIB


def test_the_referees_own_wait_never_runs_backwards() -> None:
    wait = SchedulerWait()
    first = wait.read_us()
    assert wait.read_us() >= first >= 0
    wait.close()
    wait.close()
