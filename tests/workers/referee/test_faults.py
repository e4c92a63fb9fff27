"""How the end of a process is classed."""

import signal
from pathlib import Path

import pytest

from workers.programs import MIB, Exit, Limits
from workers.referee.faults import InfraError, classify_end, host_oom_kills

LIMITS = Limits(memory_bytes=100 * MIB, cpu_s=7)
TRACEBACK = (
    b'Traceback (most recent call last):\n  File "/bot/main.py", line 12, in <module>\n    main()\n'
    b'  File "/bot/plan.py", line 7, in main\n    [][0]\n    ~~^^^\nIndexError: no\n'
)
SEGV, KILL, XCPU = signal.SIGSEGV.value, signal.SIGKILL.value, signal.SIGXCPU.value


@pytest.mark.parametrize(
    ("code", "ended_by", "peak", "stderr", "kind", "evidence"),
    [
        (0, None, 10, b"", "crash", "exit status 0 before the match was over; nothing on stderr"),
        (1, None, 10, b"Traceback\nValueError: no\n", "crash", "exit status 1 before the match was over; last on stderr: 'ValueError: no'"),
        (1, None, 10, TRACEBACK, "crash", "exit status 1 before the match was over; last on stderr: 'IndexError: no' (plan.py, line 7)"),
        (1, None, 10, b"Traceback\nMemoryError\n", "memory", "exit status 1; peak 10 MiB of 100 MiB"),
        (0, None, 10, b"MemoryError\n", "crash", "exit status 0 before the match was over; last on stderr: 'MemoryError'"),
        (0, None, 95, b"", "crash", "exit status 0 before the match was over; nothing on stderr"),
        (1, None, 90, b"", "memory", "exit status 1; peak 90 MiB of 100 MiB"),
        (1, None, 89, b"", "crash", "exit status 1 before the match was over; nothing on stderr"),
        (None, SEGV, 95, b"", "memory", "killed by SIGSEGV (segmentation fault); peak 95 MiB of 100 MiB"),
        (None, SEGV, 10, b"", "crash", "killed by SIGSEGV (segmentation fault) before the match was over; nothing on stderr"),
        (None, KILL, 10, b"", "crash", "killed by SIGKILL (killed) before the match was over; nothing on stderr"),
        (None, KILL, 99, b"", "memory", "killed by SIGKILL (killed); peak 99 MiB of 100 MiB"),
        (None, XCPU, 10, b"", "timeout", "killed by SIGXCPU (cpu time limit exceeded): used up its 7 s of processor time"),
    ],
)  # fmt: skip
def test_an_end_is_classed_by_its_evidence(
    code: int | None, ended_by: int | None, peak: int, stderr: bytes, kind: str, evidence: str
) -> None:
    end = Exit(code, ended_by, peak * MIB, killed_by_us=False)
    fault = classify_end(end, runtime="python", limits=LIMITS, stderr_tail=stderr, host_out_of_memory=False)
    assert (fault.kind, fault.evidence) == (kind, evidence)


def test_a_kill_while_the_host_ran_out_of_memory_is_nobodys_fault() -> None:
    end = Exit(None, KILL, 10 * MIB, killed_by_us=False)
    with pytest.raises(InfraError):
        classify_end(end, runtime="python", limits=LIMITS, stderr_tail=b"", host_out_of_memory=True)


def test_a_bot_near_its_own_limit_cannot_blame_the_host() -> None:
    end = Exit(None, KILL, 95 * MIB, killed_by_us=False)
    fault = classify_end(end, runtime="python", limits=LIMITS, stderr_tail=b"", host_out_of_memory=True)
    assert fault.kind == "memory"


def test_an_exit_while_the_host_ran_out_of_memory_is_still_the_bots() -> None:
    end = Exit(1, None, 10 * MIB, killed_by_us=False)
    fault = classify_end(end, runtime="python", limits=LIMITS, stderr_tail=b"", host_out_of_memory=True)
    assert fault.kind == "crash"


def test_the_kernels_count_is_read(tmp_path: Path) -> None:
    vmstat = tmp_path / "vmstat"
    vmstat.write_text("nr_free_pages 5\noom_kill 42\nother 3\n")
    assert host_oom_kills(vmstat) == 42
    vmstat.write_text("nr_free_pages 5\n")
    assert host_oom_kills(vmstat) == 0
    assert host_oom_kills(tmp_path / "not there") == 0
