"""The floor under everything: bare pipes between Python processes on one core, without engine, clock or sandbox."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import bots
from benchmarks.figures import Figure, alternate, one_core
from benchmarks.samples import USUAL_REQUEST, sample_hello, sample_requests

ROUNDS = 5_000
ECHO = (
    "import sys\n"
    "for line in sys.stdin.buffer:\n"
    "    sys.stdout.buffer.write(b'{\"act\":0}\\n')\n"
    "    sys.stdout.buffer.flush()\n"
)
PYTHON = (sys.executable, "-s", "-S", "-B")
HOUSE_BOT = "greedy"


def round_trip_us() -> float:
    """Return the time of a round trip in microseconds when nothing is parsed or decided at either end."""
    request = sample_requests()[USUAL_REQUEST]
    return _per_request_us(["-c", ECHO], [request] * ROUNDS)


def house_bot_us() -> float:
    """Return the time per decision in microseconds of a house bot that is sent recorded requests."""
    return _per_request_us([str(Path(bots.__file__).parent / f"{HOUSE_BOT}.py")], sample_requests())


def _per_request_us(program: list[str], requests: Sequence[bytes]) -> float:
    with one_core(), _process(program) as (out, back):
        _ask(out, back, sample_hello())
        start = time.perf_counter()
        for request in requests:
            _ask(out, back, request)
        return (time.perf_counter() - start) / len(requests) * 1e6


def _ask(out: int, back: int, request: bytes) -> None:
    os.write(out, request)
    os.read(back, 4_096)


@contextmanager
def _process(program: list[str]) -> Iterator[tuple[int, int]]:
    bot = subprocess.Popen([*PYTHON, *program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert bot.stdin is not None
    assert bot.stdout is not None
    try:
        yield bot.stdin.fileno(), bot.stdout.fileno()
    finally:
        bot.kill()
        bot.communicate()


def measure(repeats: int) -> Iterator[Figure]:
    """The bare round trip, and a house bot at the other end of it."""
    trip, house_bot = alternate(repeats, round_trip_us, house_bot_us)
    size = len(sample_requests()[USUAL_REQUEST])
    what = f"bare pipe round trip, Python to Python, request of {size:,} bytes"
    yield Figure("pipe", what, "us", trip)
    what = f"{HOUSE_BOT} on a bare pipe: request read, decided, answered"
    yield Figure("pipe", what, "us", house_bot, "bare pipe round trip", trip)
