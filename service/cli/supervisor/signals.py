"""Signals as something a loop can wait for."""

import os
import select
import signal
from types import FrameType, TracebackType
from typing import Self

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Signals:
    """While entered: stop signals are counted instead of obeyed, and they and SIGCHLD end a `wait`."""

    def __init__(self) -> None:
        self.stops = 0
        """How often somebody asked to stop: once is a request, twice is an order."""

    def __enter__(self) -> Self:
        self._read, self._write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._wakeup = signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        self._handlers = {number: signal.signal(number, self._stop) for number in STOP_SIGNALS}
        self._handlers[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, _only_wake)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._wakeup)
        os.close(self._read)
        os.close(self._write)

    def wait(self, timeout_s: float) -> None:
        """Wait for a signal, or for the time to pass."""
        if select.select([self._read], [], [], max(0.0, timeout_s))[0]:
            os.read(self._read, 512)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.stops += 1


def _only_wake(number: int, frame: FrameType | None) -> None:
    """Nothing to do: the byte in the wake-up pipe is what matters."""
