"""Starting a bot: from nothing to its first reply, in the sandbox and as a bare process."""

import os
import select
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import bots
from benchmarks.figures import Figure, alternate, one_core
from benchmarks.pipe import PYTHON
from benchmarks.play import Table, table
from benchmarks.samples import sample_hello
from service.messages import Clock
from workers.programs import Program
from workers.referee.clock import program_limits

STARTS = 10
PATIENCE_MS = 10_000
NAME = "greedy"


def sandboxed_ms(play: Table, program: Program) -> float:
    """Return the time to the first reply in a fresh sandbox, in milliseconds."""

    def once() -> None:
        process = play.sandbox.start(program, program_limits(Clock()), 0)
        try:
            _greet(process.stdin, process.stdout)
        finally:
            process.end()

    return _per_start_ms(once)


def bare_ms() -> float:
    """Return the time to the first reply of a bare process, in milliseconds."""
    program = Path(bots.__file__).parent / f"{NAME}.py"

    def once() -> None:
        process = subprocess.Popen([*PYTHON, str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            _greet(process.stdin.fileno(), process.stdout.fileno())
        finally:
            process.kill()
            process.communicate()

    return _per_start_ms(once)


def _greet(stdin: int, stdout: int) -> None:
    os.write(stdin, sample_hello())
    ready, _, _ = select.select([stdout], [], [], PATIENCE_MS / 1_000)
    if not ready or not os.read(stdout, 4_096):
        raise RuntimeError("the bot did not reply, nothing was measured")


def _per_start_ms(once: Callable[[], None]) -> float:
    with one_core():
        start = time.perf_counter()
        for _ in range(STARTS):
            once()
        return (time.perf_counter() - start) / STARTS * 1e3


def measure(repeats: int) -> Iterator[Figure]:
    """Start, first reply and end of a Python bot in the sandbox, beside a bare process."""
    with table() as play:
        program = play.bundles.program(play.seat(NAME))
        sandboxed, bare = alternate(repeats, lambda: sandboxed_ms(play, program), bare_ms)
    yield Figure(
        "start",
        "Python bot: start, first reply and end, in the sandbox",
        "ms",
        sandboxed,
        "bare process",
        bare,
    )
