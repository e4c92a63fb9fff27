"""A bot's life in the real sandbox: started, stopped, resumed, measured, ended."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import wait_until
from tests.workers.sandbox.conftest import MakeProgram
from tests.workers.sandbox.talking import PATIENCE_S, SPIN, end_of, output_of, read_line
from workers.programs import MIB, BotProcess, Exit, Limits, Program, Sandbox
from workers.sandbox import arrival

ECHO = """
import sys
print("ready", flush=True)
for line in sys.stdin:
    print(line, end="", flush=True)
"""


def fill(descriptor: int) -> None:
    """Write until the pipe takes no more."""
    while True:
        os.write(descriptor, bytes(65_536))


def parent_of(pid: int) -> int:
    """The process that started another."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


@pytest.fixture
def echo(sandbox: Sandbox, make_program: MakeProgram) -> Iterator[BotProcess]:
    """A running bot that answers what it is told."""
    process = sandbox.start(make_program(ECHO), Limits(), 0)
    assert read_line(process) == b"ready\n"
    yield process
    process.end()


def test_a_bot_answers_over_its_streams(echo: BotProcess) -> None:
    for number in range(3):
        os.write(echo.stdin, b"%d\n" % number)
        assert read_line(echo) == b"%d\n" % number


def test_the_hosts_ends_never_block(echo: BotProcess) -> None:
    for descriptor in (echo.stdout, echo.stderr):
        with pytest.raises(BlockingIOError):
            os.read(descriptor, 1)
    echo.stop()
    with pytest.raises(BlockingIOError):
        fill(echo.stdin)


def test_closing_its_stdin_lets_a_bot_end(echo: BotProcess) -> None:
    echo.close_stdin()
    echo.close_stdin()
    assert echo.wait(PATIENCE_S)
    assert echo.end() == Exit(code=0, signal=None, peak_bytes=0, killed_by_us=False)


def test_a_bot_imports_its_modules_and_the_standard_library_and_nothing_else(
    sandbox: Sandbox, make_program: MakeProgram
) -> None:
    program = make_program(
        "import json, math, random, hashlib, ssl, sqlite3, ctypes, bz2, lzma, zlib, decimal, threading\n"
        "import helper\nprint(helper.VALUE, __name__, __file__)\nimport msgspec\n",
        helper="VALUE = 41 + 1",
    )
    output = output_of(sandbox, program).decode()
    assert output.startswith("42 __main__ ")
    assert "No module named 'msgspec'" in output


def test_an_entry_in_a_folder_imports_from_the_bundles_root(
    sandbox: Sandbox, make_program: MakeProgram
) -> None:
    program = make_program("", helper="print('imported', flush=True)")
    (program.folder / "source").mkdir(mode=0o755)
    (program.folder / "source" / "bot.py").write_text("import helper")
    process = sandbox.start(Program("python", program.folder, "source/bot.py"), Limits(), 0)
    try:
        assert read_line(process) == b"imported\n"
    finally:
        process.end()


def test_hashes_are_the_same_in_every_run(sandbox: Sandbox, make_program: MakeProgram) -> None:
    program = make_program("import os\nprint(hash('malice'), os.environ['PYTHONHASHSEED'])")
    first = output_of(sandbox, program)
    assert first == output_of(sandbox, program)
    assert first.split()[1] == b"0"


def test_text_is_utf_8(sandbox: Sandbox, make_program: MakeProgram) -> None:
    assert output_of(sandbox, make_program("print('♠')")) == "♠\n".encode()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("pass", "exit status 0"),
        ("raise SystemExit(3)", "exit status 3"),
        ("1 / 0", "exit status 1"),
        ("import os; os._exit(139)", "exit status 139"),
        ("import ctypes; ctypes.string_at(0)", "killed by SIGSEGV (segmentation fault)"),
        ("import os; os.abort()", "killed by SIGABRT (aborted)"),
        ("import os; os.kill(os.getpid(), 9)", "killed by SIGKILL (killed)"),
        ("import signal; signal.raise_signal(signal.SIGTERM)", "killed by SIGTERM (terminated)"),
    ],
)
def test_an_exit_status_and_a_signal_are_told_apart(
    sandbox: Sandbox, make_program: MakeProgram, source: str, expected: str
) -> None:
    ended = end_of(sandbox, make_program(source))
    assert ended.words() == expected
    assert not ended.killed_by_us


@pytest.mark.parametrize(
    ("source", "expected"),
    [("raise SystemExit(3)", "exit status 3"), ("import os; os.abort()", "killed by SIGABRT (aborted)")],
)
def test_a_bot_that_ends_before_it_is_seen_is_not_taken_for_a_sandbox_that_failed(
    sandbox: Sandbox,
    make_program: MakeProgram,
    monkeypatch: pytest.MonkeyPatch,
    source: str,
    expected: str,
) -> None:
    monkeypatch.setattr(arrival, "LOOK_AGAIN_S", 0.3)
    process = sandbox.start(make_program(f"print('bye', flush=True)\n{source}"), Limits(), 0)
    process.stop()
    process.resume()
    assert (process.wait(0), process.cpu_us(), process.scheduler_wait_us()) == (True, 0, {})
    assert read_line(process) == b"bye\n"
    process.close_stdin()
    assert process.end().words() == expected


@pytest.mark.parametrize(
    ("source", "expected"), [("os._exit(3)", "exit status 3"), ("os.abort()", "killed by SIGABRT (aborted)")]
)
def test_an_end_that_only_bubblewrap_saw_is_the_bots_own(
    sandbox: Sandbox, make_program: MakeProgram, source: str, expected: str
) -> None:
    process = sandbox.start(make_program(f"import os\ninput()\n{source}"), Limits(), 0)
    # As it is when init has seen the bot's end before it was stopped.
    os.kill(parent_of(process.pid), signal.SIGCONT)
    os.write(process.stdin, b"\n")
    assert process.wait(PATIENCE_S)
    wait_until(lambda: not Path(f"/proc/{process.pid}").exists(), PATIENCE_S, "init reaps the bot")
    assert process.end().words() == expected


def test_a_bot_that_runs_on_is_killed_by_us(echo: BotProcess) -> None:
    ended = echo.end()
    assert (ended.code, ended.signal, ended.killed_by_us) == (None, signal.SIGKILL, True)
    assert ended.peak_bytes > MIB
    assert echo.end() is ended
    echo.stop()
    echo.resume()
    assert echo.wait(0)


def test_a_closed_stdout_is_seen_while_the_bot_lives_on(sandbox: Sandbox, make_program: MakeProgram) -> None:
    process = sandbox.start(make_program("import os, sys\nos.close(1)\nsys.stdin.read()"), Limits(), 0)
    try:
        assert read_line(process) == b""
        assert not process.wait(0)
    finally:
        process.end()


def test_writing_to_a_bot_that_has_ended_fails_at_once(sandbox: Sandbox, make_program: MakeProgram) -> None:
    process = sandbox.start(make_program("pass"), Limits(), 0)
    try:
        assert process.wait(PATIENCE_S)
        with pytest.raises(BrokenPipeError):
            os.write(process.stdin, b"hello\n")
        assert read_line(process) == b""
    finally:
        process.end()


def test_a_stopped_bot_uses_no_processor_time_and_a_resumed_one_does(
    sandbox: Sandbox, make_program: MakeProgram
) -> None:
    process = sandbox.start(make_program(SPIN), Limits(), 0)
    try:
        assert read_line(process) == b"ready\n"
        process.stop()
        wait_until(lambda: _state(process.pid) == "T", PATIENCE_S, "the bot is stopped")
        stopped = process.cpu_us()
        for _ in range(20):
            assert process.cpu_us() == stopped
        process.resume()
        wait_until(lambda: process.cpu_us() > stopped + 5_000, PATIENCE_S, "the bot runs again")
    finally:
        process.end()
    assert process.cpu_us() > stopped


def test_every_thread_is_stopped(sandbox: Sandbox, make_program: MakeProgram) -> None:
    source = (
        f"import threading\ndef spin():\n    while True: pass\nthreading.Thread(target=spin).start()\n{SPIN}"
    )
    process = sandbox.start(make_program(source), Limits(), 0)
    try:
        assert read_line(process) == b"ready\n"
        process.stop()
        threads = [path.name for path in Path(f"/proc/{process.pid}/task").iterdir()]
        assert len(threads) == 2
        wait_until(
            lambda: all(_state(process.pid, thread) == "T" for thread in threads),
            PATIENCE_S,
            "all are stopped",
        )
    finally:
        process.end()


def test_waiting_for_a_processor_is_told_per_thread(sandbox: Sandbox, make_program: MakeProgram) -> None:
    program = make_program(SPIN)
    core = min(os.sched_getaffinity(0))
    processes = [sandbox.start(program, Limits(), slot) for slot in (0, 1)]
    try:
        for process in processes:
            os.sched_setaffinity(process.pid, {core})

        def waits() -> list[int]:
            told = [process.scheduler_wait_us() for process in processes]
            return [(wait or {}).get(process.pid, 0) for process, wait in zip(processes, told, strict=True)]

        wait_until(lambda: min(waits()) > 5_000, PATIENCE_S, "two that share a core wait for each other")
    finally:
        for process in processes:
            process.end()


def test_a_thread_that_ends_is_no_longer_told_of(sandbox: Sandbox, make_program: MakeProgram) -> None:
    source = """
import sys, threading
gate = threading.Event()
threading.Thread(target=gate.wait).start()
print("two", flush=True)
sys.stdin.readline()
gate.set()
sys.stdin.readline()
"""
    process = sandbox.start(make_program(source), Limits(), 0)
    try:
        assert read_line(process) == b"two\n"
        assert len(process.scheduler_wait_us() or {}) == 2
        os.write(process.stdin, b"go\n")
        wait_until(lambda: len(process.scheduler_wait_us() or {}) == 1, PATIENCE_S, "one thread is left")
    finally:
        process.end()


def _state(pid: int, thread: int | str | None = None) -> str:
    text = Path(f"/proc/{pid}/task/{thread or pid}/stat").read_text()
    return text[text.rindex(")") + 2]
