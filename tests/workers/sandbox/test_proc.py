"""What is read from the kernel about other processes."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.servers import wait_until
from workers.sandbox.proc import (
    ProcessorClock,
    SchedulerWaits,
    children,
    children_by_search,
    is_sleeping,
    peak_bytes,
    says_scheduler_waits,
    wait_status,
)

PATIENCE_S = 10.0


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    """A process that waits for its input."""
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


@pytest.fixture
def gone(sleeper: subprocess.Popen[bytes]) -> int:
    """The id of a process that has ended and was waited for."""
    sleeper.kill()
    sleeper.wait()
    return sleeper.pid


def test_children_are_found_with_and_without_the_kernels_list(sleeper: subprocess.Popen[bytes]) -> None:
    assert sleeper.pid in children(os.getpid())
    assert children_by_search(os.getpid()) == sorted(children(os.getpid()))
    assert children_by_search(sleeper.pid) == children(sleeper.pid) == []


def test_a_process_that_waits_sleeps_and_one_that_works_does_not(sleeper: subprocess.Popen[bytes]) -> None:
    wait_until(lambda: is_sleeping(sleeper.pid), PATIENCE_S, "it waits for input")
    assert not is_sleeping(os.getpid())


@pytest.mark.parametrize("end", ["import os; os._exit(139)", "import os; os.abort()"])
def test_the_end_of_a_process_can_be_read_before_anybody_waits_for_it(end: str) -> None:
    process = subprocess.Popen([sys.executable, "-S", "-c", end])
    wait_until(lambda: wait_status(process.pid) is not None, PATIENCE_S, "it has ended")
    seen = wait_status(process.pid)
    assert seen is not None
    assert os.waitstatus_to_exitcode(seen) == process.wait()


def test_a_running_process_has_not_ended(sleeper: subprocess.Popen[bytes]) -> None:
    assert wait_status(sleeper.pid) is None
    assert 0 < peak_bytes(sleeper.pid) < 64 << 20


def test_nothing_is_said_of_a_process_that_is_gone(gone: int) -> None:
    assert (children(gone), is_sleeping(gone), peak_bytes(gone)) == ([], False, 0)
    assert ProcessorClock(gone).read_us() == 0
    assert SchedulerWaits(gone).read_us() == {}
    with pytest.raises(ProcessLookupError):
        wait_status(gone)


def test_a_clock_keeps_its_last_reading(sleeper: subprocess.Popen[bytes]) -> None:
    clock = ProcessorClock(sleeper.pid)
    wait_until(lambda: clock.read_us() > 0, PATIENCE_S, "it has used some time")
    sleeper.kill()
    sleeper.wait()
    last = clock.read_us()
    assert last > 0
    assert clock.read_us() == last


def test_waits_close_what_they_opened(sleeper: subprocess.Popen[bytes]) -> None:
    if not says_scheduler_waits():
        pytest.skip("this kernel does not say")
    before = len(os.listdir("/proc/self/fd"))
    waits = SchedulerWaits(sleeper.pid)
    assert waits.read_us().keys() == {sleeper.pid}
    assert waits.read_us().keys() == {sleeper.pid}
    assert len(os.listdir("/proc/self/fd")) == before + 2
    waits.close()
    assert len(os.listdir("/proc/self/fd")) == before
