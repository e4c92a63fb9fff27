"""The clock: what a decision is charged, when a flag falls, and the limits that follow from these figures.

The charge of a decision is the larger of the processor time the bot used and the wall time less what was not its
own doing: the time its threads, and the referee's own, stood ready and waited for a processor. So a busy host
costs a bot nothing, and a bot gains nothing by sleeping or by thinking in many threads.
"""

import os
import time
from collections.abc import Callable
from typing import Protocol

from service.messages import Clock
from workers.programs import FIXTURE_MEMORY_BYTES, BotProcess, Limits
from workers.referee.faults import BotFault, InfraError

WALL_GUARD_MS = 30_000
"""Wall time beyond the bank after which a bot is ended whatever it was charged."""

BANK_CAP = 2
"""Never more than this many times the starting bank is saved up."""

PULSE_NS = 1_000_000_000
"""How often the referee's loop shows that it lives."""

CPU_MARGIN_S = 5
"""Processor time beyond all the clock allows: starting up, shutting down."""

OVERHEAD_S_PER_SEAT = 15
"""Wall time of a leg beyond its bots' own, per seat: sandboxes starting and ending, 20,000 decisions refereed."""

Pulse = Callable[[], None]
"""Called by the referee's loop at least about once a second; may raise InfraError to abandon the fixture."""


def program_limits(clock: Clock, seats: int = 2) -> Limits:
    """Return a bot's limits at a table of so many seats, each of them a process.

    The kernel ends a process only well after the referee would have. Of memory each has its full limit, but where the
    seats are so many that their limits together would be more than a fixture's.
    """
    memory = min(Limits().memory_bytes, FIXTURE_MEMORY_BYTES // seats)
    return Limits(memory_bytes=memory, cpu_s=-(-(clock.start_ms + clock.leg_ms) // 1_000) + CPU_MARGIN_S)


def fixture_limit_s(clock: Clock, players: int, sides: int) -> int:
    """Return the longest a fixture on a healthy host can take, in seconds: the task's time limit.

    Every leg (there is one per side) at worst uses up every seat's time; the wall guard comes on top once per leg,
    as the bot it ends is out.
    """
    per_seat_ms = clock.start_ms + clock.leg_ms
    per_leg_ms = players * (per_seat_ms + OVERHEAD_S_PER_SEAT * 1_000) + WALL_GUARD_MS
    return -(-sides * per_leg_ms // 1_000)


class Bank:
    """A seat's time in one leg, in microseconds."""

    def __init__(self, clock: Clock) -> None:
        self._increment_us = clock.increment_ms * 1_000
        self._cap_us = BANK_CAP * clock.bank_ms * 1_000
        self._leg_us = clock.leg_ms * 1_000
        self._bank_us = clock.bank_ms * 1_000
        self.used_us = 0
        """Charged so far in this leg."""

    @property
    def left_ms(self) -> int:
        """What the next decision may take: the bank, or less when the seat's time for the leg runs out."""
        return min(self._bank_us, self._leg_us - self.used_us) // 1_000

    def spend(self, charge_us: int) -> None:
        """Take the charge of a decision off, and add the increment."""
        self.used_us += charge_us
        self._bank_us = max(0, min(self._cap_us, self._bank_us - charge_us + self._increment_us))


class Wait(Protocol):
    """How long the referee itself has waited for a processor."""

    def read_us(self) -> int:
        """Return the time so far in microseconds."""


class SchedulerWait:
    """How long this very thread, the referee's, has waited for a processor."""

    def __init__(self) -> None:
        try:
            self._descriptor = os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._descriptor = -1

    def read_us(self) -> int:
        """Return the time so far in microseconds; 0 for ever where the kernel does not say."""
        if self._descriptor < 0:
            return 0
        return int(os.pread(self._descriptor, 64, 0).split()[1]) // 1_000

    def close(self) -> None:
        """Let go of the kernel's file; harmless when repeated."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class Heart:
    """Lets the pulse through about once a second, however often the loop turns."""

    def __init__(self, pulse: Pulse, now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._pulse = pulse
        self._now_ns = now_ns
        self.next_ns = 0
        """Monotonic time of the next pulse."""

    def beat(self) -> None:
        """Pulse if it is time. Whatever the pulse raises passes through."""
        now = self._now_ns()
        if now >= self.next_ns:
            self.next_ns = now + PULSE_NS
            self._pulse()


class Meter:
    """Charges one bot's decisions and watches its deadline. Used by the channel's loop while the bot thinks."""

    def __init__(
        self, process: BotProcess, own_wait: Wait, heart: Heart, now_ns: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self._process = process
        self._own_wait = own_wait
        self._heart = heart
        self._now_ns = now_ns
        # From one answer to the next, so that what runs on until a stop takes effect is paid for, too.
        self._cpu_us = process.cpu_us()
        self._answers = 0
        self._used_us = 0

    def start(self, limit_ms: int) -> None:
        """Begin a decision that may be charged `limit_ms`; call while the bot is stopped or waiting."""
        self._limit_us = limit_ms * 1_000
        self._waits = self._process.scheduler_wait_us()
        self._own_us = self._own_wait.read_us()
        self._wall = now = self._now_ns()
        self._look = now + limit_ms * 1_000_000
        self._guard = self._look + WALL_GUARD_MS * 1_000_000

    def timeout_ms(self) -> int:
        """Return how long the loop may sleep until it must call again.

        Raises BotFault `timeout` when the flag has fallen, InfraError when only the wall guard has: the host is
        starved. Whatever the pulse raises passes through.
        """
        now = self._now_ns()
        if now >= self._heart.next_ns:
            self._heart.beat()
        if now >= self._look:
            self._check(now)
        return (min(self._look, self._heart.next_ns) - now) // 1_000_000 + 1

    def stop(self) -> int:
        """End the decision and return its charge in microseconds. Raises BotFault `timeout` when it is too much."""
        charge = self._charge_us(self._now_ns())
        if charge > self._limit_us:
            raise self._flag(charge)
        self._cpu_us = self._cpu_now
        self._answers += 1
        self._used_us += charge
        return charge

    def _check(self, now: int) -> None:
        charge = self._charge_us(now)
        if charge > self._limit_us:
            raise self._flag(charge)
        if now >= self._guard:
            if self._waits is None:
                raise BotFault("timeout", f"no answer within {(now - self._wall) / 1e9:.1f} s of wall time")
            raise InfraError(
                f"no answer within {(now - self._wall) / 1e9:.1f} s, but only {charge / 1e6:.1f} s of them were the "
                "bot's: this host has too little processor time"
            )
        self._look = min(self._guard, now + max(1_000, self._limit_us - charge) * 1_000)

    def _charge_us(self, now: int) -> int:
        self._cpu_now = self._process.cpu_us()
        cpu = self._cpu_now - self._cpu_us
        if self._waits is None:
            return cpu
        wall = (now - self._wall) // 1_000
        if wall <= cpu:
            return cpu
        wall -= self._own_wait.read_us() - self._own_us
        # The bot's threads cost more to ask than all else here, and mostly cannot change the answer any more.
        return cpu if wall <= cpu else max(cpu, wall - self._waited_us())

    def _waited_us(self) -> int:
        """Largest growth of scheduler wait among the bot's threads; a new thread's growth counts from nothing."""
        before = self._waits or {}
        longest = 0
        for thread, wait in (self._process.scheduler_wait_us() or {}).items():
            growth = wait - before.get(thread, 0)
            if growth > longest:
                longest = growth
        return longest

    def _flag(self, charge: int) -> BotFault:
        limit_ms = self._limit_us // 1_000
        # Who has answered before knows how to; then it is the time already used that explains the little left.
        cause = (
            f"; its {self._answers} answers before took {self._used_us / 1e3:,.0f} ms"
            if self._answers > 1
            else "; no whole line came (does it flush its stdout?)"
        )
        return BotFault(
            "timeout", f"charged {charge / 1e3:.1f} ms for a decision with {limit_ms} ms left{cause}"
        )
