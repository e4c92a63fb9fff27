"""A bot in a bubblewrap sandbox, seen from the host.

Three processes: bubblewrap's monitor, which is our child; its init, process 1 inside; and the bot, process 2 inside.
Init is kept stopped: it would reap the bot and blur how it ended (a signal and an exit status above 128 look alike to
it). So the bot stays a zombie until `end`, its process id cannot be given to another process meanwhile, and its exit
can be read. Killing init kills everything inside.
"""

import os
import resource
import signal
import subprocess

from workers.programs import Exit
from workers.sandbox.arrival import Arrived
from workers.sandbox.handles import Pipes, exit_from, has_ended, reap, send
from workers.sandbox.keeper import Keeper
from workers.sandbox.proc import KIB, ProcessorClock, SchedulerWaits, peak_bytes, wait_status

MONITOR_TIMEOUT_S = 5.0
"""How long bubblewrap may take to follow its init; then it is killed as well."""
SIGNAL_STATUS = 128
"""Bubblewrap reports a death by signal as this plus the signal's number."""


class SandboxedProcess:
    """A running bot: `workers.programs.BotProcess` over bubblewrap."""

    def __init__(
        self,
        monitor: subprocess.Popen[bytes],
        arrived: Arrived,
        pipes: Pipes,
        says_waits: bool,
        keeper: Keeper,
    ) -> None:
        # The keeper ends what is left when nobody holds it any more: so each bot does.
        self._keeper = keeper
        self._monitor = monitor
        self._pipes = pipes
        self._init_handle = arrived.init_handle
        self._bot_handle = arrived.bot_handle
        self._clock = ProcessorClock(arrived.bot)
        self._waits = SchedulerWaits(arrived.bot) if says_waits else None
        self._exit: Exit | None = None
        self.pid = arrived.bot
        self.stdin, self.stdout, self.stderr = pipes.stdin, pipes.stdout, pipes.stderr

    def stop(self) -> None:
        """Stop all its threads."""
        if self._exit is None:
            send(self._bot_handle, signal.SIGSTOP)

    def resume(self) -> None:
        """Let it run again."""
        if self._exit is None:
            send(self._bot_handle, signal.SIGCONT)

    def cpu_us(self) -> int:
        """Return the processor time used so far, in microseconds."""
        return self._clock.read_us()

    def scheduler_wait_us(self) -> dict[int, int] | None:
        """Return per thread how long it waited for a processor, in microseconds; None if the kernel does not say."""
        return self._waits.read_us() if self._waits else None

    def wait(self, timeout_s: float) -> bool:
        """Wait at most `timeout_s` for it to end by itself; whether it has."""
        return self._exit is not None or has_ended(self._bot_handle, timeout_s)

    def close_stdin(self) -> None:
        """Close the host's end of its stdin."""
        self._pipes.close_one(self.stdin)

    def end(self) -> Exit:
        """Read how it ended, or kill it; then wait until nothing is left of it."""
        if self._exit is None:
            self._exit = self._end()
        return self._exit

    def _end(self) -> Exit:
        has_ended_itself = self.wait(0)
        status = self._witnessed() if has_ended_itself else None
        self._clock.read_us()
        peak = 0 if has_ended_itself else peak_bytes(self.pid)
        # If init was quicker than its stop, it has reaped the bot and must be let report it.
        must_report = has_ended_itself and status is None
        send(self._init_handle, signal.SIGCONT if must_report else signal.SIGKILL)
        reported, resident = _reap(self._monitor)
        peak = max(peak, resident)
        self._close()
        if not has_ended_itself:
            return exit_from(signal.SIGKILL, peak, killed_by_us=True)
        return exit_from(_as_reported(reported) if status is None else status, peak, killed_by_us=False)

    def _witnessed(self) -> int | None:
        try:
            return wait_status(self.pid)
        except ProcessLookupError:
            return None

    def _close(self) -> None:
        if self._waits:
            self._waits.close()
        self._pipes.close()
        os.close(self._bot_handle)
        os.close(self._init_handle)


class EndedProcess:
    """A bot that ended before we saw it: nothing to stop or to measure, only its streams and its end."""

    def __init__(self, monitor: subprocess.Popen[bytes], code: int, pipes: Pipes) -> None:
        self._monitor = monitor
        self._code = code
        self._pipes = pipes
        self._exit: Exit | None = None
        self.pid = monitor.pid
        self.stdin, self.stdout, self.stderr = pipes.stdin, pipes.stdout, pipes.stderr

    def stop(self) -> None:
        """It has ended."""

    def resume(self) -> None:
        """It has ended."""

    def cpu_us(self) -> int:
        """Return none: nobody could look."""
        return 0

    def scheduler_wait_us(self) -> dict[int, int] | None:
        """Return none: there are no threads."""
        return {}

    def wait(self, timeout_s: float) -> bool:
        """It has ended."""
        return True

    def close_stdin(self) -> None:
        """Close the host's end of its stdin."""
        self._pipes.close_one(self.stdin)

    def end(self) -> Exit:
        """Return how it ended."""
        if self._exit is None:
            _, peak = _reap(self._monitor)
            self._exit = exit_from(_as_reported(self._code << 8), peak, killed_by_us=False)
            self._pipes.close()
        return self._exit


def _reap(monitor: subprocess.Popen[bytes]) -> tuple[int, int]:
    """Wait for bubblewrap's end; return its wait status, and the largest resident memory of what ran below it.

    Between fork and exec the monitor was a copy of us, which its own peak includes: only more than ours is the bot's,
    and less is reported as 0 bytes.
    """
    own_peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    status, usage = reap(monitor, MONITOR_TIMEOUT_S)
    return status, usage.ru_maxrss * KIB if usage.ru_maxrss > own_peak else 0


def _as_reported(status: int) -> int:
    """Undo what bubblewrap does to a death by signal: the best there is when nobody else saw the end."""
    code = os.waitstatus_to_exitcode(status)
    return code - SIGNAL_STATUS if code > SIGNAL_STATUS else status
