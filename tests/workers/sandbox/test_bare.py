"""Layer S0: no walls, but the same life: limits, stopping, an end that leaves nothing."""

import gc
import os
import signal
from pathlib import Path

import pytest

from tests.servers import wait_until
from tests.workers.sandbox.conftest import MakeProgram
from tests.workers.sandbox.talking import PATIENCE_S, read_line
from workers.programs import MIB, Limits, Program, Sandbox, SandboxError
from workers.sandbox import choose_sandbox
from workers.sandbox.bare import RunningClock


@pytest.fixture
def bare() -> Sandbox:
    return choose_sandbox("S0")


def test_a_bot_answers_and_ends(bare: Sandbox, make_program: MakeProgram) -> None:
    process = bare.start(make_program("import helper\nprint(input())", helper=""), Limits(), 0)
    os.write(process.stdin, b"hello\n")
    assert read_line(process) == b"hello\n"
    assert process.wait(PATIENCE_S)
    ended = process.end()
    assert (ended.code, ended.signal, ended.killed_by_us) == (0, None, False)
    assert process.end() is ended


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import os; os._exit(139)", "exit status 139"),
        ("import os; os.abort()", "killed by SIGABRT (aborted)"),
    ],
)
def test_an_exit_status_and_a_signal_are_told_apart(
    bare: Sandbox, make_program: MakeProgram, source: str, expected: str
) -> None:
    assert bare.run(make_program(source), ["main.py"], Limits(), 0, PATIENCE_S).exit.words() == expected


def test_memory_is_limited(bare: Sandbox, make_program: MakeProgram) -> None:
    limits = Limits(memory_bytes=128 * MIB)
    result = bare.run(make_program("bytearray(256 << 20)"), ["main.py"], limits, 0, PATIENCE_S)
    assert result.output.endswith(b"MemoryError\n")


def test_the_environment_is_as_clean_as_in_the_sandbox(
    bare: Sandbox, sandbox: Sandbox, make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MALICE_SECRET_KEY", "hush")
    program = make_program("import os; print(sorted(os.environ.keys() - {'PWD', 'LC_CTYPE'}))")
    names = [layer.run(program, ["main.py"], Limits(), 0, PATIENCE_S).output for layer in (bare, sandbox)]
    assert names[0] == names[1]
    assert b"MALICE" not in names[0]


def test_a_stopped_bot_uses_no_processor_time_and_a_resumed_one_does(
    bare: Sandbox, make_program: MakeProgram
) -> None:
    process = bare.start(make_program("print('ready', flush=True)\nwhile True: pass"), Limits(), 0)
    try:
        read_line(process)
        process.stop()
        stat = Path(f"/proc/{process.pid}/stat")
        wait_until(lambda: ") T " in stat.read_text(), PATIENCE_S, "the bot is stopped")
        stopped = process.cpu_us()
        assert process.cpu_us() == stopped
        assert process.scheduler_wait_us() is not None
        process.resume()
        wait_until(lambda: process.cpu_us() > stopped + 5_000, PATIENCE_S, "the bot runs again")
    finally:
        ended = process.end()
    assert (ended.signal, ended.killed_by_us) == (signal.SIGKILL, True)
    process.stop()
    process.resume()


def test_its_children_end_with_it(bare: Sandbox, make_program: MakeProgram) -> None:
    source = "import os, time\nprint(os.fork() or os.getpid(), flush=True)\ntime.sleep(600)"
    process = bare.start(make_program(source), Limits(), 0)
    child = int(read_line(process).split()[0])
    process.end()
    gone = Path(f"/proc/{child}/stat")
    wait_until(lambda: not gone.exists() or ") Z " in gone.read_text(), PATIENCE_S, "the child is gone")


def test_what_cannot_start_is_refused_and_leaves_no_descriptors(
    bare: Sandbox, make_program: MakeProgram
) -> None:
    gc.collect()
    before = sorted(os.listdir("/proc/self/fd"))
    with pytest.raises(SandboxError, match="no runtime 'cobol' here; there is python"):
        bare.start(Program("cobol", make_program("").folder, "main.cob"), Limits(), 0)
    with pytest.raises(SandboxError, match=r"does not start: .*/nowhere"):
        bare.start(Program("python", Path("/nowhere"), "main.py"), Limits(), 0)
    assert sorted(os.listdir("/proc/self/fd")) == before


def test_where_processor_time_cannot_be_read_the_time_not_stopped_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0]
    monkeypatch.setattr("time.monotonic_ns", lambda: now[0])
    clock = RunningClock()
    now[0] = 5_000_000
    assert clock.read_us() == 5_000
    clock.stop()
    clock.stop()
    now[0] = 90_000_000
    assert clock.read_us() == 5_000
    clock.resume()
    clock.resume()
    now[0] = 91_000_000
    assert clock.read_us() == 6_000
