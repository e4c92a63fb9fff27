"""Layer S0: no isolation, only limits. For one's own bots on one's own machine, and only when asked for by name.

Works wherever Python does; where there is no Linux, processor time is taken to be the time a bot was not stopped.
"""

import contextlib
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from workers.programs import CommandResult, Exit, Layer, Limits, Program, SandboxError
from workers.sandbox.command import run_to_end
from workers.sandbox.handles import Pipes, exit_from
from workers.sandbox.limits import limit_pairs
from workers.sandbox.proc import KIB, ProcessorClock, SchedulerWaits, peak_bytes, says_scheduler_waits

LOOK_AGAIN_S = 0.001
PEAK_UNIT = KIB if sys.platform == "linux" else 1
"""What `ru_maxrss` counts in."""


class BareSandbox:
    """`workers.programs.Sandbox` in layer S0."""

    layer: Layer = "S0"

    def __init__(self, interpreter: Path) -> None:
        self._interpreter = interpreter

    @property
    def runtimes(self) -> dict[str, str]:
        """The interpreter that runs us."""
        return {"python": ".".join(str(part) for part in sys.version_info[:3])}

    def start(self, program: Program, limits: Limits, slot: int) -> "BareProcess":
        """Start a program; `slot` makes no difference. Raises SandboxError."""
        return self._start(program, [str(program.folder / program.entry)], limits)

    def run(
        self, program: Program, arguments: Sequence[str], limits: Limits, slot: int, timeout_s: float
    ) -> CommandResult:
        """Run the interpreter with arguments to its end; raises SandboxError."""
        return run_to_end(self._start(program, arguments, limits), timeout_s)

    def _start(self, program: Program, arguments: Sequence[str], limits: Limits) -> "BareProcess":
        if program.runtime not in self.runtimes:
            raise SandboxError(f"no runtime {program.runtime!r} here; there is {', '.join(self.runtimes)}")
        pipes = Pipes()
        stdin, stdout, stderr = pipes.bot_ends
        try:
            process = subprocess.Popen(
                [str(self._interpreter), "-s", "-S", "-B", *arguments],
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                env=_environment(program.folder),
                cwd=program.folder,
                close_fds=True,
                start_new_session=True,
                preexec_fn=lambda: _limit(limits),
            )
        except (OSError, subprocess.SubprocessError) as error:
            pipes.close()
            raise SandboxError(f"{self._interpreter} does not start: {error}") from None
        pipes.hand_over()
        return BareProcess(process, pipes)


class BareProcess:
    """A running bot: `workers.programs.BotProcess` over a child of ours."""

    def __init__(self, process: subprocess.Popen[bytes], pipes: Pipes) -> None:
        self._process = process
        self._pipes = pipes
        self._clock = ProcessorClock(process.pid) if sys.platform == "linux" else RunningClock()
        self._waits = SchedulerWaits(process.pid) if says_scheduler_waits() else None
        self._reaped: tuple[int, resource.struct_rusage] | None = None
        self._exit: Exit | None = None
        self.pid = process.pid
        self.stdin, self.stdout, self.stderr = pipes.stdin, pipes.stdout, pipes.stderr

    def stop(self) -> None:
        """Stop all its threads."""
        self._send(signal.SIGSTOP)
        if isinstance(self._clock, RunningClock):
            self._clock.stop()

    def resume(self) -> None:
        """Let it run again."""
        self._send(signal.SIGCONT)
        if isinstance(self._clock, RunningClock):
            self._clock.resume()

    def cpu_us(self) -> int:
        """Return the processor time used so far, in microseconds."""
        return self._clock.read_us()

    def scheduler_wait_us(self) -> dict[int, int] | None:
        """Return per thread how long it waited for a processor, in microseconds; None if the kernel does not say."""
        return self._waits.read_us() if self._waits else None

    def wait(self, timeout_s: float) -> bool:
        """Wait at most `timeout_s` for it to end by itself; whether it has."""
        deadline = time.monotonic() + timeout_s
        while not self._look():
            if time.monotonic() >= deadline:
                return False
            time.sleep(LOOK_AGAIN_S)
        return True

    def close_stdin(self) -> None:
        """Close the host's end of its stdin."""
        self._pipes.close_one(self.stdin)

    def end(self) -> Exit:
        """Read how it ended, or kill it and its children; then wait for it."""
        if self._exit is None:
            has_ended_itself = self.wait(0)
            peak = 0 if has_ended_itself else peak_bytes(self.pid)
            self._clock.read_us()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
            status, usage = self._reaped or self._reap(0)
            peak = max(peak, usage.ru_maxrss * PEAK_UNIT)
            self._exit = exit_from(status, peak, killed_by_us=not has_ended_itself)
            if self._waits:
                self._waits.close()
            self._pipes.close()
        return self._exit

    def _look(self) -> bool:
        """Whether it has ended; if so it is reaped, and its id may be another's."""
        if self._reaped is None:
            self._reap(os.WNOHANG)
        return self._reaped is not None

    def _reap(self, options: int) -> tuple[int, resource.struct_rusage]:
        pid, status, usage = os.wait4(self.pid, options)
        if pid:
            self._reaped = (status, usage)
            self._process.returncode = os.waitstatus_to_exitcode(status)
        return status, usage

    def _send(self, number: signal.Signals) -> None:
        if not self._look():
            os.kill(self.pid, number)


class RunningClock:
    """Time a process has spent not stopped: what is charged where its processor time cannot be read."""

    def __init__(self) -> None:
        self._used_ns = 0
        self._since_ns: int | None = time.monotonic_ns()

    def stop(self) -> None:
        """The process has been stopped."""
        if self._since_ns is not None:
            self._used_ns += time.monotonic_ns() - self._since_ns
            self._since_ns = None

    def resume(self) -> None:
        """The process runs again."""
        if self._since_ns is None:
            self._since_ns = time.monotonic_ns()

    def read_us(self) -> int:
        """Return microseconds."""
        running_ns = 0 if self._since_ns is None else time.monotonic_ns() - self._since_ns
        return (self._used_ns + running_ns) // 1_000


def _environment(folder: Path) -> dict[str, str]:
    return {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": str(folder),
        "MALLOC_ARENA_MAX": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": str(folder),
    }


def _limit(limits: Limits) -> None:
    """Runs in the child. A limit this system does not have, or that is lower already, stays as it is."""
    for which, soft, hard in limit_pairs(limits):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(which, (soft, hard))
