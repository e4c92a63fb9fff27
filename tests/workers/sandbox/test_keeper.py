"""A worker that is killed leaves no sandbox behind, at whatever moment of a start it is hit."""

import subprocess
import sys

import pytest

from tests.servers import wait_until
from tests.workers.sandbox.conftest import MakeProgram
from workers.places import Place
from workers.referee.fixture import MOST_SEATS
from workers.sandbox.keeper import Keeper, kill_marked, marked

STARTER = """
import sys
from pathlib import Path
from workers.programs import Limits, Program
from workers.sandbox import choose_sandbox
sandbox = choose_sandbox("S3")
print(sandbox._keeper.new_mark().rsplit("-", 1)[0], flush=True)
program = Program("python", Path(sys.argv[1]), "main.py")
while True:
    sandbox.start(program, Limits(), int(sys.argv[2])).end()
"""
STUBBORN = (
    "while True:\n    try:\n        __import__('time').sleep(60)\n    except BaseException:\n        pass\n"
)

MARKED_SLEEPER = ["/bin/sh", "-c", "sleep 600; :"]


@pytest.mark.parametrize("attempt", range(2))
@pytest.mark.parametrize("processes", [1, 2])
def test_a_kill_in_the_middle_of_a_start_leaves_nothing(
    make_program: MakeProgram, place: Place, processes: int, attempt: int
) -> None:
    """`processes`: how far the start has come, in processes that carry the mark."""
    worker = subprocess.Popen(
        [sys.executable, "-c", STARTER, str(make_program(STUBBORN).folder), str(place.slots[0] * MOST_SEATS)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert worker.stdout is not None
    mark = worker.stdout.readline().strip()
    wait_until(lambda: len(marked(mark)) >= processes, 20, "a sandbox is starting")
    worker.kill()
    worker.communicate()
    wait_until(lambda: marked(mark) == [], 5, "nothing is left")


def test_marks_tell_sandboxes_apart() -> None:
    keeper = Keeper()
    first, second = keeper.new_mark(), keeper.new_mark()
    sleepers = [subprocess.Popen([*MARKED_SLEEPER, mark]) for mark in (first, second)]
    wait_until(lambda: len(marked(second)) == 1, 5, "the second shows its mark")
    kill_marked(first)
    assert sleepers[0].wait(5) == -9
    assert sleepers[1].poll() is None
    del keeper
    assert sleepers[1].wait(5) == -9
