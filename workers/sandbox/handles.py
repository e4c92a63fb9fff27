"""What both kinds of bot process are made of: pipes, process handles, ends.

A process handle (pidfd_open(2)) names one process for good: a signal sent by it cannot hit another process that was
given the same id later.
"""

import os
import resource
import select
import signal
import subprocess

from workers.programs import Exit


class Pipes:
    """The host's ends of a bot's three streams, non-blocking; and the bot's ends until they are handed over."""

    def __init__(self) -> None:
        bot_stdin, self.stdin = os.pipe()
        self.stdout, bot_stdout = os.pipe()
        self.stderr, bot_stderr = os.pipe()
        self.bot_ends = (bot_stdin, bot_stdout, bot_stderr)
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)
        self._open = {self.stdin, self.stdout, self.stderr, *self.bot_ends}

    def hand_over(self) -> None:
        """Close the bot's ends: it holds them itself now."""
        for descriptor in self.bot_ends:
            self.close_one(descriptor)

    def keep(self, descriptor: int) -> None:
        """Take over a descriptor that must stay open as long as the streams."""
        self._open.add(descriptor)

    def close_one(self, descriptor: int) -> None:
        """Close one end; harmless when closed."""
        if descriptor in self._open:
            self._open.remove(descriptor)
            os.close(descriptor)

    def close(self) -> None:
        """Close what is still open."""
        for descriptor in tuple(self._open):
            self.close_one(descriptor)


def send(handle: int, number: signal.Signals) -> None:
    """Send a signal; harmless when the process has ended."""
    try:
        signal.pidfd_send_signal(handle, number)
    except ProcessLookupError:
        return


def has_ended(handle: int, timeout_s: float) -> bool:
    """Wait at most `timeout_s` for a process to end; whether it has."""
    poller = select.poll()
    poller.register(handle, select.POLLIN)
    return bool(poller.poll(timeout_s * 1_000))


def child_has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether a child of ours has ended; it stays to be reaped."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def reap(process: subprocess.Popen[bytes], timeout_s: float) -> tuple[int, resource.struct_rusage]:
    """Wait for a child that is ending and return its wait status and use; after `timeout_s` kill it."""
    handle = os.pidfd_open(process.pid)
    try:
        if not has_ended(handle, timeout_s):
            send(handle, signal.SIGKILL)
    finally:
        os.close(handle)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return status, usage


def exit_from(status: int, peak: int, killed_by_us: bool) -> Exit:
    """Put a wait status and a memory peak (bytes) into the words of the border."""
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        return Exit(code=None, signal=-code, peak_bytes=peak, killed_by_us=killed_by_us)
    return Exit(code=code, signal=None, peak_bytes=peak, killed_by_us=killed_by_us)
