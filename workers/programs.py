"""What the sandbox starts and what the referee talks to: the border between the two.

The sandbox implements `Sandbox`; the referee, the builder and the command line use it through this interface.
"""

import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Protocol

import msgspec

MIB = 1 << 20

FIXTURE_MEMORY_BYTES = 2_048 * MIB
"""What all bots of a fixture may use together: what a host's memory is shared out by."""

Layer = Literal["S3", "S3r", "S2", "S0"]
"""Strength of isolation, strongest first; docs/sandbox.md says what each holds."""


class SandboxError(RuntimeError):
    """A sandbox that would not start: our fault, never the bot's (an `infra` fault)."""


class SandboxUnavailableError(SandboxError):
    """This host cannot isolate programs as asked; the message says why and what to do about it."""


class Program(msgspec.Struct, frozen=True):
    """A built bundle, staged on this host and ready to run."""

    runtime: str
    """What runs it, such as `python`."""
    folder: Path
    """Holds the bundle's files; read-only, outside any home, readable by every user."""
    entry: str
    """The file to run, relative to `folder`."""


class Limits(msgspec.Struct, frozen=True):
    """What one bot process may use."""

    memory_bytes: int = 512 * MIB
    threads: int = 32
    descriptors: int = 64
    stack_bytes: int = 16 * MIB
    file_bytes: int = MIB
    """Largest file it could write, were there a place to write one."""
    cpu_s: int = 120
    """Processor seconds before the kernel ends it; derived from the clock (`workers.referee.clock`)."""


class Exit(msgspec.Struct, frozen=True):
    """How a bot process ended, as far as the host can tell."""

    code: int | None
    """Exit status, or None when a signal ended it."""
    signal: int | None
    """The signal that ended it, or None."""
    peak_bytes: int
    """Largest resident or address space measured, for the `memory` fault."""
    killed_by_us: bool
    """We ended it; `code` and `signal` then say nothing about the bot."""

    def words(self) -> str:
        """Return the end in words, such as `exit status 1` or `killed by SIGSEGV (segmentation fault)`."""
        if self.signal is not None:
            name = signal.Signals(self.signal).name
            return f"killed by {name} ({(signal.strsignal(self.signal) or 'signal').lower()})"
        return f"exit status {self.code}"


class BotProcess(Protocol):
    """A running bot. The three descriptors are the host's ends, non-blocking, closed by `end`.

    It runs when started; the referee stops it off turn and resumes it on turn.
    """

    @property
    def stdin(self) -> int:
        """Descriptor to write requests to."""

    @property
    def stdout(self) -> int:
        """Descriptor to read answers from."""

    @property
    def stderr(self) -> int:
        """Descriptor to drain the bot's own log from."""

    @property
    def pid(self) -> int:
        """The bot's process id as the host sees it."""

    def stop(self) -> None:
        """Stop all its threads (SIGSTOP). Harmless when it has ended."""

    def resume(self) -> None:
        """Let it run again (SIGCONT). Harmless when it has ended."""

    def cpu_us(self) -> int:
        """Processor time used so far by all its threads, in microseconds."""

    def scheduler_wait_us(self) -> dict[int, int] | None:
        """Per thread id, time spent runnable but waiting for a processor; None where the kernel does not say."""

    def wait(self, timeout_s: float) -> bool:
        """Wait at most `timeout_s` for it to end by itself; whether it has.

        A closed stdout comes before the end of a process: this tells a bot that crashed from one that hung up.
        """

    def close_stdin(self) -> None:
        """Close the host's end of its stdin; harmless when closed."""

    def end(self) -> Exit:
        """Kill everything in the sandbox, wait for it, close the descriptors. Harmless when called again."""


class CommandResult(msgspec.Struct, frozen=True):
    """What came of a command run to its end in a sandbox."""

    exit: Exit
    output: bytes
    """stdout and stderr as written, capped."""
    timed_out: bool


class Sandbox(Protocol):
    """A way of running strangers' programs on this host. One per process; safe to use from its main thread only."""

    @property
    def layer(self) -> Layer:
        """Which layer it is."""

    @property
    def runtimes(self) -> dict[str, str]:
        """Runtimes programs can use here, name to version, such as `{"python": "3.11.7"}`."""

    def start(self, program: Program, limits: Limits, slot: int) -> BotProcess:
        """Start a program in a fresh sandbox of its own; raises SandboxError.

        `slot` numbers the concurrent sandboxes of this host from 0: as root each gets a user id of its own.
        """

    def run(
        self, program: Program, arguments: Sequence[str], limits: Limits, slot: int, timeout_s: float
    ) -> CommandResult:
        """Run the program's runtime with `arguments` to its end (build steps); raises SandboxError."""
