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
    """Per thread, the time a process has been ready to run while others ran. Read often, so it keeps files open."""

    def __init__(self, pid: int) -> None:
        self._folder = f"/proc/{pid}/task"
        self._handle: int | None = None
        self._files: dict[int, int] = {}

    def read_us(self) -> dict[int, int]:
        """Return microseconds by thread id; threads that have ended are left out."""
        # A folder has two links and, this one, one more for each thread. While there are as many as we know, and each
        # file can still be read, they are the same threads, and need no listing.
        if self._handle is not None and os.fstat(self._handle).st_nlink == len(self._files) + 2:
            try:
                return {thread: _wait_us(file) for thread, file in self._files.items()}
            except OSError:
                return self._read_all()
        return self._read_all()

    def close(self) -> None:
        """Close the files."""
        for descriptor in (*self._files.values(), *(() if self._handle is None else (self._handle,))):
            os.close(descriptor)
        self._files.clear()
        self._handle = None

    def _read_all(self) -> dict[int, int]:
        """Look for threads anew."""
        self.close()
        waits: dict[int, int] = {}
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            self._handle = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            for thread in map(int, os.listdir(self._handle)):
                with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                    file = os.open(f"{self._folder}/{thread}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
                    self._files[thread] = file
                    waits[thread] = _wait_us(file)
        return waits


def _wait_us(schedstat: int) -> int:
    """Read the second of the three numbers of a `schedstat`, which is in nanoseconds."""
    return int(os.pread(schedstat, 128, 0).split()[1]) // 1_000


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


def is_stopped(pid: int) -> bool:
    """Whether a process was stopped by a signal."""
    try:
        return _stat_fields(pid)[0] == b"T"
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
