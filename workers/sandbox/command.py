"""Running a sandboxed program to its end and keeping what it prints."""

import contextlib
import os
import select
import time

from workers.programs import BotProcess, CommandResult

OUTPUT_CAP = 64 * 1_024
"""Bytes kept of what a command prints; the rest is read and dropped."""
READ_SIZE = 65_536
SLICE_S = 0.01
"""How often stderr is drained once stdout is closed."""


def run_to_end(process: BotProcess, timeout_s: float) -> CommandResult:
    """Collect the output of a process until it ends, or end it after `timeout_s`."""
    process.close_stdin()
    deadline = time.monotonic() + timeout_s
    output = _Output()
    try:
        _collect(process, output, deadline)
        while not (has_ended := process.wait(SLICE_S)) and time.monotonic() < deadline:
            output.take(process.stderr)
        output.take(process.stderr)
    finally:
        ended = process.end()
    return CommandResult(exit=ended, output=bytes(output.kept), timed_out=not has_ended)


class _Output:
    """What has been read, up to the cap."""

    def __init__(self) -> None:
        self.kept = bytearray()

    def take(self, descriptor: int) -> bool:
        """Read what lies in a non-blocking pipe; return whether more may come."""
        with contextlib.suppress(BlockingIOError):
            while data := os.read(descriptor, READ_SIZE):
                self.kept += data[: OUTPUT_CAP - len(self.kept)]
            return False
        return True


def _collect(process: BotProcess, output: _Output, deadline: float) -> None:
    """Read both streams until stdout is closed: the sandbox itself keeps stderr open as long as it lives."""
    poller = select.poll()
    poller.register(process.stdout, select.POLLIN)
    poller.register(process.stderr, select.POLLIN)
    while (left := deadline - time.monotonic()) > 0:
        for descriptor, _ in poller.poll(left * 1_000):
            if not output.take(descriptor) and descriptor == process.stdout:
                return
