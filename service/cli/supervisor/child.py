"""One supervised process: how to start it, how to tell that it lives, and its way through deaths and restarts."""

import ctypes
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from service.cli.supervisor.checks import Check

FIRST_BACKOFF_S = 0.5
LONGEST_BACKOFF_S = 30.0
SETTLED_S = 60.0
"""A child that lived this long is started again without waiting, whatever happened before."""
PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class ChildSpec:
    """What to run and how to look after it. Times in seconds."""

    name: str
    argv: Sequence[str]
    environ: Mapping[str, str]
    log: Path | None
    """Where its output goes; None: where ours goes."""
    check: Check
    stage: int
    """Stages are stopped in rising order, each before the next."""
    start_within_s: float = 60.0
    """How long it may take until its first sign of life."""
    frozen_after_s: float = 20.0
    """How long it may be silent after that."""
    stop_within_s: float = 15.0
    """How long it may take to stop when asked."""
    needs: str | None = None
    """A child without which it cannot give signs of life: its silence is excused while that one is away."""
    pass_fds: Sequence[int] = ()
    sign: Path | None = None
    """The file its check looks at, if it is one: removed before a start, or a predecessor's would pass for its own."""
    last_resort: Callable[[], str] | None = None
    """Tried when it has failed to start several times in a row; returns what it did, in words."""


@dataclass
class Child:
    """A child's state; `now` is the monotonic clock throughout."""

    spec: ChildSpec
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    start_at: float = 0.0
    """When to start it, while it does not run."""
    healthy: bool = False
    """The last check found a sign of life."""
    silent_until: float = 0.0
    """When its silence counts as freezing."""
    backoff_s: float = 0.0
    lived: bool = False
    """It has given a sign of life since it was started."""
    failed_starts: int = 0
    """How often in a row it ended without one."""

    def start(self, now: float) -> None:
        """Start it in a session of its own, tied to this process's life, its output going to its log.

        Raises OSError when it cannot be started at all.
        """
        if self.spec.sign:
            self.spec.sign.unlink(missing_ok=True)
        die_with_us = death_pact()
        with self.spec.log.open("ab") if self.spec.log else nullcontext() as log:
            self.process = subprocess.Popen(
                list(self.spec.argv),
                env=dict(self.spec.environ),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT if log else None,
                start_new_session=True,  # Ctrl-C is for the supervisor, which stops them in order
                pass_fds=tuple(self.spec.pass_fds),
                preexec_fn=die_with_us,
            )
        self.started = now
        self.healthy = self.lived = False
        self.silent_until = now + self.spec.start_within_s

    def look(self, now: float) -> None:
        """Check for a sign of life."""
        self.healthy = self.spec.check()
        if self.healthy:
            self.lived = True
            self.failed_starts = 0
            self.silent_until = now + self.spec.frozen_after_s

    def excuse(self, now: float) -> None:
        """Count its silence from now at the earliest: it is not its fault."""
        self.silent_until = max(self.silent_until, now + self.spec.frozen_after_s)

    def frozen(self, now: float) -> bool:
        """Whether it has been silent for too long."""
        return self.process is not None and now > self.silent_until

    def reap(self, now: float) -> int | None:
        """If it has ended: end what is left of its session, plan its restart and return its status (as Popen's)."""
        if self.process is None:
            return None
        pid = self.process.pid
        if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            return None
        # Before it is reaped its number cannot be anybody else's.
        kill_session(pid)
        status = self.process.wait()
        self.process = None
        self.healthy = False
        self.failed_starts += not self.lived
        self.back_off(now)
        return status

    def back_off(self, now: float) -> None:
        """Plan the next start: soon after a long life, ever later after short ones."""
        if now - self.started >= SETTLED_S:
            self.backoff_s = 0.0
        self.backoff_s = min(LONGEST_BACKOFF_S, max(FIRST_BACKOFF_S, 2 * self.backoff_s))
        self.start_at = now + self.backoff_s

    def ask_to_stop(self) -> None:
        """Ask it to end; one that is stopped (SIGSTOP) must be able to hear it."""
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            self.process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """End it and all of its session at once."""
        if self.process is not None:
            kill_session(self.process.pid)


def kill_session(pid: int) -> None:
    """Kill the process group a session leader leads; harmless when it is empty."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def death_pact() -> Callable[[], None]:
    """Return what a fresh child calls so that the kernel kills it when this process ends, however that happens."""
    prctl = ctypes.CDLL(None).prctl
    parent = os.getpid()

    def sign() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it ended before the kernel was told
            os._exit(1)

    return sign


def ending(status: int) -> str:
    """Return a Popen status in words, such as `exit status 1` or `killed by SIGKILL`."""
    return f"exit status {status}" if status >= 0 else f"killed by {signal.Signals(-status).name}"
