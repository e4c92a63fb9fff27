"""What the kernel says about a process: processor time, waiting for a processor, memory, how it ended.

References: proc(5); clock_getcpuclockid(3) for the clock of another process.
"""

import contextlib
import os
import time
from pathlib import Path

KIB = 1_024
_CPU_CLOCK_SCHED = 2
_EXIT_CODE = 52
_STATE = 3
_PARENT = 4


class ProcessorClock:
    """The processor time a process and its threads have used. Keeps its last reading once the process is gone."""

    def __init__(self, pid: int) -> None:
        self._clock = (~pid << 3) | _CPU_CLOCK_SCHED
        self._last_ns = 0

    def read_us(self) -> int:
        """Return microseconds."""
        try:
            self._last_ns = time.clock_gettime_ns(self._clock)
        except OSError:
            return self._last_ns // 1_000
        return self._last_ns // 1_000


class SchedulerWaits:
    """Per thread, the time a process has been ready to run while others ran. Keeps files open: it is read often."""

    def __init__(self, pid: int) -> None:
        self._folder = f"/proc/{pid}/task"
        self._files: dict[int, int] = {}

    def read_us(self) -> dict[int, int]:
        """Return microseconds by thread id; threads that have ended are left out."""
        waits: dict[int, int] = {}
        for thread in self._threads():
            try:
                descriptor = self._files.get(thread)
                if descriptor is None:
                    path = f"{self._folder}/{thread}/schedstat"
                    descriptor = self._files[thread] = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
                waits[thread] = int(os.pread(descriptor, 128, 0).split()[1]) // 1_000
            except (OSError, IndexError):
                self._forget(thread)
        for thread in self._files.keys() - waits.keys():
            self._forget(thread)
        return waits

    def close(self) -> None:
        """Close the files."""
        for thread in tuple(self._files):
            self._forget(thread)

    def _threads(self) -> list[int]:
        try:
            return [int(name) for name in os.listdir(self._folder)]
        except OSError:
            return []

    def _forget(self, thread: int) -> None:
        descriptor = self._files.pop(thread, None)
        if descriptor is not None:
            os.close(descriptor)


def says_scheduler_waits() -> bool:
    """Whether this kernel counts them: it says all zeros where it does not."""
    try:
        return Path("/proc/self/schedstat").read_bytes().split()[0] != b"0"
    except (OSError, IndexError):
        return False


def children(pid: int) -> list[int]:
    """Return the children of a single-threaded process; none when it is gone."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_bytes().split()]
    except FileNotFoundError:
        # A process that is gone, or a kernel built without that file.
        return children_by_search(pid)


def children_by_search(pid: int) -> list[int]:
    """The same, asking every process for its parent."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(ProcessLookupError):
                if int(_stat_fields(int(name))[_PARENT - _STATE]) == pid:
                    found.append(int(name))
    return sorted(found)


def is_sleeping(pid: int) -> bool:
    """Whether a process waits for something to happen."""
    try:
        return _stat_fields(pid)[0] == b"S"
    except ProcessLookupError:
        return False


def wait_status(pid: int) -> int | None:
    """Return how a process ended, as waitpid(2) would say it, or None while it runs.

    Works on any process that nobody has waited for yet. Raises ProcessLookupError when there is none.
    """
    fields = _stat_fields(pid)
    if fields[0] not in (b"Z", b"X"):
        return None
    return int(fields[_EXIT_CODE - _STATE])


def peak_bytes(pid: int) -> int:
    """Return the largest address space or resident memory a running process has had; 0 when it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_bytes().splitlines()
    except OSError:
        return 0
    peaks = [int(line.split()[1]) * KIB for line in lines if line.startswith((b"VmPeak:", b"VmHWM:"))]
    return max(peaks, default=0)


def _stat_fields(pid: int) -> list[bytes]:
    """Return the fields of `/proc/<pid>/stat` from the third on, the state."""
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        raise ProcessLookupError(pid) from None
    # The second field, a name in parentheses, may hold anything: count from its end.
    return text[text.rindex(b")") + 2 :].split()
