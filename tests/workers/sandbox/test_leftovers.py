"""Whatever happens, nothing is left: no process, no descriptor, no file."""

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import wait_until
from tests.workers.sandbox.conftest import MakeProgram
from tests.workers.sandbox.talking import SPIN
from workers.programs import Limits, Program, Sandbox, SandboxError
from workers.sandbox import arrival

ROOT = Path(__file__).parents[3]


def test_nothing_is_left_of_a_hundred_bots(sandbox: Sandbox, make_program: MakeProgram) -> None:
    program = make_program("import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + SPIN)
    sandbox.start(program, Limits(), 0).end()
    descriptors, staged = _descriptors(), sorted(program.folder.rglob("*"))
    pids = []
    for _ in range(100):
        process = sandbox.start(program, Limits(), 0)
        pids.append(process.pid)
        process.end()
    assert [pid for pid in pids if Path(f"/proc/{pid}").exists()] == []
    assert _descriptors() == descriptors
    assert _children() == []
    assert sorted(program.folder.rglob("*")) == staged


def test_bots_end_with_a_worker_killed_without_warning(make_program: MakeProgram) -> None:
    program = make_program(SPIN)
    worker = """
import sys, os
from pathlib import Path
from workers.programs import Limits, Program
from workers.sandbox import choose_sandbox
process = choose_sandbox("S3").start(Program("python", Path(sys.argv[1]), "main.py"), Limits(), 0)
print(process.pid, flush=True)
input()
"""
    command = [sys.executable, "-c", worker, str(program.folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as running:
        assert running.stdout is not None
        bot = Path(f"/proc/{int(running.stdout.readline())}")
        assert bot.exists()
        running.kill()
        wait_until(lambda: not bot.exists(), 2.0, "the bot is gone")


def test_an_unknown_runtime_is_refused_by_name(sandbox: Sandbox, make_program: MakeProgram) -> None:
    program = Program("cobol", make_program("").folder, "main.cob")
    with pytest.raises(SandboxError, match="no runtime 'cobol' here; there is python"):
        sandbox.start(program, Limits(), 0)


def test_a_folder_that_is_not_there_is_the_sandboxs_fault(sandbox: Sandbox) -> None:
    descriptors = _descriptors()
    with pytest.raises(SandboxError, match="Can't find source path /nowhere"):
        sandbox.start(Program("python", Path("/nowhere"), "main.py"), Limits(), 0)
    assert _descriptors() == descriptors
    assert _children() == []


def test_a_start_that_is_interrupted_leaves_nothing(
    sandbox: Sandbox, make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = make_program(SPIN)
    descriptors = _descriptors()

    def interrupt(init: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(arrival, "_take_hold", interrupt)
    with pytest.raises(KeyboardInterrupt):
        sandbox.start(program, Limits(), 0)
    assert _descriptors() == descriptors
    assert _children() == []


def _descriptors() -> list[str]:
    """What we have open, once what earlier tests left for the collector is closed."""
    gc.collect()
    return sorted(os.listdir("/proc/self/fd"))


def _children() -> list[str]:
    """Our children that have ended and were not waited for, or still run bubblewrap."""
    found = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return [pid for pid in found if Path(f"/proc/{pid}/comm").read_text().strip() in ("bwrap", "sh")]
