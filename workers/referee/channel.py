"""One bot's three pipes, from the host's end: a single poll loop that writes, reads and keeps the deadline.

Nothing a bot does or leaves undone blocks the loop: descriptors are non-blocking, a request that does not fit the
pipe is written as the bot reads, stderr is drained whatever happens, and every turn of the loop looks at the clock.
"""

import os
import select
import time
from typing import Protocol

from workers.programs import BotProcess
from workers.referee.faults import BotFault, HungUpError, shown
from workers.referee.protocol import LINE_CAP

STDERR_HEAD = 60 * 1_024
STDERR_TAIL = 4 * 1_024
"""Of what a bot writes to stderr the first 60 KiB are kept, and the last 4, where a traceback is."""

READ_SIZE = 1 << 16


class Deadline(Protocol):
    """What the loop asks each time before it sleeps; `workers.referee.clock.Meter` is one."""

    def timeout_ms(self) -> int:
        """Return how long to sleep at most, or raise what ends the wait."""


class Stderr:
    """A bot's own log: head and tail kept, the middle dropped and counted."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self._dropped = 0

    def add(self, data: bytes) -> None:
        """Take in what was read."""
        room = STDERR_HEAD - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if not data:
            return
        self._tail += data
        surplus = len(self._tail) - STDERR_TAIL
        if surplus > 0:
            del self._tail[:surplus]
            self._dropped += surplus

    def tail(self) -> bytes:
        """Return the last that was written, at least 4 KiB of it if there was as much."""
        return bytes(self._head[-STDERR_TAIL:] + self._tail)

    def kept(self) -> bytes:
        """Return what is stored for the bot's owner."""
        gap = b"\n[%d bytes dropped]\n" % self._dropped if self._dropped else b""
        return bytes(self._head) + gap + bytes(self._tail)


class Channel:
    """Lines to and from one bot."""

    def __init__(self, process: BotProcess) -> None:
        self._stdin = process.stdin
        self._stdout = process.stdout
        self._stderr_descriptor: int | None = process.stderr
        self._poller = select.poll()
        self._poller.register(process.stdout, select.POLLIN)
        self._poller.register(process.stderr, select.POLLIN)
        self._unsent = memoryview(b"")
        self.stderr = Stderr()

    def refuse_unasked(self) -> None:
        """Look at what came since the last answer, without waiting.

        Raises BotFault `protocol` when the bot wrote unasked, HungUpError when it closed its stdout.
        """
        for descriptor, _ in self._poller.poll(0):
            if descriptor != self._stdout:
                self._read_stderr()
            else:
                raise BotFault("protocol", f"wrote {shown(self._read_stdout())} when nothing was asked")

    def send(self, data: bytes) -> None:
        """Write as much as the pipe takes; `receive` writes the rest. Raises HungUpError."""
        try:
            written = os.write(self._stdin, data)
        except BlockingIOError:
            written = 0
        except BrokenPipeError:
            raise HungUpError("stdin") from None
        if written < len(data):
            self._unsent = memoryview(data)[written:]
            self._poller.register(self._stdin, select.POLLOUT)

    def receive(self, deadline: Deadline) -> bytes:
        """Return the one line the bot answers with, without its newline.

        Raises BotFault `protocol` for anything but one line, HungUpError, and whatever `deadline` raises.
        """
        answer = b""
        while True:
            for descriptor, _ in self._poller.poll(deadline.timeout_ms()):
                if descriptor == self._stdout:
                    answer += self._read_stdout()
                    end = answer.find(b"\n")
                    if end == len(answer) - 1 <= LINE_CAP and not self._unsent:
                        return answer[:-1]
                    self._check_partial(answer, end)
                elif descriptor == self._stdin:
                    self._write()
                    if not self._unsent:
                        self._poller.unregister(self._stdin)
                else:
                    self._read_stderr()

    def linger(self, until: float) -> None:
        """Let the bot go on until it closes its stdout or `until` (monotonic seconds): keep stderr, drop the rest.

        What lies in the pipes is read in any case.
        """
        while True:
            left = until - time.monotonic()
            for descriptor, _ in self._poller.poll(max(0.0, left * 1_000)):
                if descriptor == self._stdin:
                    self._poller.unregister(self._stdin)
                elif descriptor != self._stdout:
                    self._read_stderr()
                elif not os.read(self._stdout, READ_SIZE):
                    self._read_stderr()
                    return
            if left <= 0:
                return

    def _write(self) -> None:
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._stdin, self._unsent) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            raise HungUpError("stdin") from None

    def _read_stdout(self) -> bytes:
        data = os.read(self._stdout, READ_SIZE)
        if not data:
            raise HungUpError("stdout")
        return data

    def _read_stderr(self) -> None:
        if self._stderr_descriptor is None:
            return
        try:
            data = os.read(self._stderr_descriptor, READ_SIZE)
        except BlockingIOError:
            return
        if data:
            self.stderr.add(data)
        else:
            self._poller.unregister(self._stderr_descriptor)
            self._stderr_descriptor = None

    def _check_partial(self, answer: bytes, end: int) -> None:
        """Raise BotFault `protocol` when what has come of an answer can no longer become one line."""
        if len(answer) > LINE_CAP and not 0 <= end <= LINE_CAP:
            raise BotFault("protocol", f"wrote a line longer than {LINE_CAP:,} bytes: {shown(answer)}")
        if 0 <= end < len(answer) - 1:
            raise BotFault("protocol", f"wrote more than one line: {shown(answer)}")
        if end >= 0:
            raise BotFault("protocol", f"answered before it had read all of the request: {shown(answer)}")
