"""Waiting for a sandboxed bot to be there, by what bubblewrap reports and by what the kernel shows."""

import os
import select
import signal
import subprocess
import time
from typing import NamedTuple

import msgspec

from workers.programs import SandboxError
from workers.sandbox.handles import child_has_ended, send
from workers.sandbox.proc import children, is_sleeping

LOOK_AGAIN_S = 0.0002
READ_SIZE = 4_096


class Arrived(NamedTuple):
    """The bot is there; init has closed what it inherited and is stopped. The handles are the receiver's to close."""

    init_handle: int
    bot_handle: int
    bot: int
    """Its process id as the host sees it."""


class Gone(NamedTuple):
    """The bot was there and has ended before we saw it: on a busy host it may."""

    code: int
    """Its exit status, as bubblewrap reports it."""


class Status(msgspec.Struct, rename="kebab"):
    """A line bubblewrap writes to its status descriptor: the first names init, the last how the program ended.

    The last is written only if the program was started: without it, bubblewrap itself failed.
    """

    child_pid: int | None = None
    exit_code: int | None = None


class StatusReader:
    """Reads status lines, which arrive in pieces."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._poller = select.poll()
        self._poller.register(descriptor, select.POLLIN)
        self._text = b""

    def next(self, deadline: float) -> Status | None:
        """Return the next line, or None when there are no more. Raises SandboxError at the deadline (monotonic)."""
        while b"\n" not in self._text:
            if not self._poller.poll(max(0.0, deadline - time.monotonic()) * 1_000):
                raise SandboxError("bubblewrap gives no sign of life")
            piece = os.read(self._descriptor, READ_SIZE)
            if not piece:
                return None
            self._text += piece
        line, _, self._text = self._text.partition(b"\n")
        return msgspec.json.decode(line, type=Status)


def await_bot(monitor: subprocess.Popen[bytes], status: int, timeout_s: float) -> Arrived | Gone:
    """Wait until a bot is there. `status` is the end of bubblewrap's status pipe to read.

    Raises SandboxError when bubblewrap ends without having started it, or takes too long.
    """
    deadline = time.monotonic() + timeout_s
    reader = StatusReader(status)
    first = reader.next(deadline)
    if first is None or first.child_pid is None:
        raise SandboxError("bubblewrap ended at once")
    while (arrived := _take_hold(first.child_pid)) is None:
        if child_has_ended(monitor):
            return _ended(reader, deadline)
        if time.monotonic() > deadline:
            raise SandboxError(f"bubblewrap took more than {timeout_s:g} s to start a program")
        time.sleep(LOOK_AGAIN_S)
    return arrived


def _take_hold(init: int) -> Arrived | None:
    """Stop init once it has nothing left to do but to wait for the bot; None when that is not so yet, or no more."""
    bots = children(init)
    if not bots or not is_sleeping(init):
        return None
    try:
        init_handle = os.pidfd_open(init)
    except ProcessLookupError:
        return None
    try:
        bot_handle = os.pidfd_open(bots[0])
    except ProcessLookupError:
        os.close(init_handle)
        return None
    send(init_handle, signal.SIGSTOP)
    return Arrived(init_handle, bot_handle, bots[0])


def _ended(reader: StatusReader, deadline: float) -> Gone:
    last = reader.next(deadline)
    if last is None or last.exit_code is None:
        raise SandboxError("bubblewrap ended before it had started a program")
    return Gone(last.exit_code)
