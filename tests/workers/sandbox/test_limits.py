"""What a bot may use, and how commands are run to their end."""

from tests.workers.sandbox.conftest import MakeProgram
from tests.workers.sandbox.talking import PATIENCE_S, SPIN, end_of, output_of, read_line
from workers.programs import MIB, Limits, Sandbox
from workers.sandbox.command import OUTPUT_CAP


def test_memory_ends_with_an_error_near_the_limit(sandbox: Sandbox, make_program: MakeProgram) -> None:
    # Far above what a process that runs tests may itself have used: a dead bot's peak shows only above its parent's.
    limits = Limits(memory_bytes=1024 * MIB)
    ended = end_of(sandbox, make_program("hoard = [bytearray(MIB) for MIB in [1 << 20] * 2000]"), limits)
    assert ended.words() == "exit status 1"
    assert 0.7 * limits.memory_bytes < ended.peak_bytes <= limits.memory_bytes
    output = output_of(sandbox, make_program("bytearray(1100 << 20)"), limits)
    assert output.endswith(b"MemoryError\n")


def test_the_peak_of_a_bot_that_lives_is_its_own(sandbox: Sandbox, make_program: MakeProgram) -> None:
    process = sandbox.start(make_program("hoard = bytearray(b'1') * (200 << 20)\n" + SPIN), Limits(), 0)
    assert read_line(process) == b"ready\n"
    assert 200 * MIB < process.end().peak_bytes < 300 * MIB


def test_processor_time_ends_with_its_signal(sandbox: Sandbox, make_program: MakeProgram) -> None:
    ended = end_of(sandbox, make_program("while True: pass"), Limits(cpu_s=1))
    assert ended.words() == "killed by SIGXCPU (cpu time limit exceeded)"


def test_a_file_it_could_write_has_a_limit_and_so_have_descriptors(
    sandbox: Sandbox, make_program: MakeProgram
) -> None:
    source = """
import os, resource
for name in ("FSIZE", "NOFILE", "AS", "STACK", "MEMLOCK", "MSGQUEUE"):
    print(name, *resource.getrlimit(getattr(resource, "RLIMIT_" + name)))
try:
    while True: os.pipe()
except OSError as error: print(error.strerror)
"""
    lines = output_of(sandbox, make_program(source)).decode().splitlines()
    assert lines == [
        "FSIZE 1048576 1048576",
        "NOFILE 64 64",
        "AS 536870912 536870912",
        "STACK 16777216 16777216",
        "MEMLOCK 0 0",
        "MSGQUEUE 0 0",
        "Too many open files",
    ]


def test_threads_that_use_memory_come_near_their_limit(sandbox: Sandbox, make_program: MakeProgram) -> None:
    source = """
import threading
gate = threading.Event()
threading.stack_size(1 << 20)
def work():
    hoard = [bytes(1000) for _ in range(1000)]
    gate.wait()
for _ in range(30): threading.Thread(target=work, daemon=True).start()
print(threading.active_count())
"""
    assert output_of(sandbox, make_program(source)) == b"31\n"


def test_a_gigabyte_on_stderr_fills_nothing(sandbox: Sandbox, make_program: MakeProgram) -> None:
    source = "import os\nblock = b'x' * (1 << 20)\nfor _ in range(1024): os.write(2, block)"
    result = sandbox.run(make_program(source), ["main.py"], Limits(), 0, 60)
    assert result.exit.code == 0
    assert result.output == b"x" * OUTPUT_CAP


def test_a_command_that_does_not_end_is_ended(sandbox: Sandbox, make_program: MakeProgram) -> None:
    program = make_program("print('working', flush=True)\nwhile True: pass")
    result = sandbox.run(program, ["main.py"], Limits(), 0, 0.3)
    assert (result.output, result.timed_out, result.exit.killed_by_us) == (b"working\n", True, True)


def test_a_command_may_close_its_stdout_and_go_on(sandbox: Sandbox, make_program: MakeProgram) -> None:
    source = "import os\nos.close(1)\nfor _ in range(300): os.write(2, b'x' * 1024)\nos._exit(7)"
    result = sandbox.run(make_program(source), ["main.py"], Limits(), 0, PATIENCE_S)
    assert (result.exit.code, len(result.output)) == (7, OUTPUT_CAP)
