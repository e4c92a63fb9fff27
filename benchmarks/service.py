"""The whole service on this machine: how soon the table moves after `malice up`, and the memory it takes when idle."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from benchmarks.figures import Figure, Requirement, sample
from benchmarks.play import table

LADDER = "classic-50"
FIRST_PAIR = ["greedy", "planner"]
TARGET = 50
START_LIMIT_S = 120.0
STOP_LIMIT_S = 60.0
POLL_S = 0.05
SETTLE_S = 5.0
"""After the last process has shown that it lives, before memory is read."""
LOG_LINES = 5
MOVEMENT_REQUIRED_S = 10
MEMORY_REQUIRED_MB = 400
NOTHING_NEW_IS_PLAYED = {"MALICE_DISK_RESERVE_MB": "1000000000"}
"""With less free disk than this the service plays nothing: it idles, whatever its ladders would ask for."""


class Standing(msgspec.Struct):
    """Of a row of the table, what shows that it moved."""

    fixtures: int


class Standings(msgspec.Struct):
    """Of the table, its rows."""

    items: list[Standing]


class Address(msgspec.Struct):
    """Of the lock file, where the service is."""

    address: str


class Service:
    """A running `malice up` on a home of its own."""

    def __init__(self, home: Path, process: subprocess.Popen[bytes]) -> None:
        self.home = home
        self.process = process

    def fixtures(self) -> int:
        """Return how many rated results the table shows, counted once per entry; 0 while there is no table."""
        try:
            lock = msgspec.json.decode((self.home / "up.lock").read_bytes(), type=Address)
            url = f"{lock.address}/api/v1/ladders/{LADDER}/standings"
            with urllib.request.urlopen(url, timeout=10) as answer:
                standings = msgspec.json.decode(answer.read(), type=Standings)
        except (OSError, msgspec.DecodeError):
            return 0
        return sum(row.fixtures for row in standings.items)

    def wait_until(self, condition: Callable[[], bool], what: str) -> float:
        """Wait and return the monotonic time; RuntimeError when it takes too long or the service ends."""
        deadline = time.monotonic() + START_LIMIT_S
        while not condition():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(
                    f"malice up did not get as far as {what}; its logs end:\n{self._log_ends()}"
                )
            time.sleep(POLL_S)
        return time.monotonic()

    def _log_ends(self) -> str:
        """Return the last lines of every log: the home goes when the measurement does."""
        logs = sorted((self.home / "logs").glob("*.log"))
        return "\n".join("\n".join([log.name, *log.read_text().splitlines()[-LOG_LINES:]]) for log in logs)


@contextmanager
def running(home: Path, environ: dict[str, str]) -> Iterator[Service]:
    """Start `malice up` on a home and stop it as Ctrl-C does."""
    command = [sys.executable, "-m", "service.cli", "up", "--home", str(home), "--port", "0"]
    process = subprocess.Popen(
        command, env=os.environ | environ, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL
    )
    try:
        yield Service(home, process)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def movement_s(home: Path) -> float:
    """Return the seconds from starting the service until its table shows more rated fixtures than before."""
    start = time.monotonic()
    with running(home, {}) as service:
        before = 0
        if (home / "malice.db").exists():
            service.wait_until(lambda: service.fixtures() > 0, "a table")
            before = service.fixtures()
        return service.wait_until(lambda: service.fixtures() > before, "a first result") - start


def idle_mb(home: Path) -> tuple[float, int]:
    """Return the memory of a service with nothing to do, in MB, and how many processes it has.

    Memory is proportional set size, summed over the process tree: what is shared is counted once. `home` must have
    been used before, by which every process is known that shows signs of life.
    """
    signs = list((home / "run").glob("*.alive"))
    for sign in signs:
        sign.unlink()
    with running(home, NOTHING_NEW_IS_PLAYED) as service:
        service.wait_until(lambda: all(sign.exists() for sign in signs), "all its processes")
        time.sleep(SETTLE_S)
        tree = process_tree(service.process.pid)
        return sum(pss_bytes(pid) for pid in tree) / 1e6, len(tree)


def bare_mb(count: int) -> float:
    """Return the memory of as many Python processes that do nothing, in MB."""
    command = [sys.executable, "-c", "print(flush=True); input()"]
    idlers = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(count)]
    try:
        for idler in idlers:
            assert idler.stdout is not None
            idler.stdout.readline()
        return sum(pss_bytes(idler.pid) for idler in idlers) / 1e6
    finally:
        for idler in idlers:
            idler.communicate(b"\n")


def process_tree(root: int) -> set[int]:
    """Return a process and all that descend from it."""
    parents = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue  # it has ended meanwhile
    tree = {root}
    while found := {pid for pid, parent in parents.items() if parent in tree} - tree:
        tree |= found
    return tree


def pss_bytes(pid: int) -> int:
    """Return a process's proportional set size: its own memory and its share of what it shares; 0 once it has ended."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return next(int(line.split()[1]) * 1_024 for line in rollup.splitlines() if line.startswith("Pss:"))


def measure(repeats: int) -> Iterator[Figure]:
    """First movement on a new home and on one in use, beside the fixture that makes it; idle memory."""
    fresh, again, fixture, memory, bare = [], [], [], [], []
    with table() as play:
        for number in range(repeats):
            fixture.append(play.play(FIRST_PAIR, TARGET, number).seconds)
            with tempfile.TemporaryDirectory(prefix="bench-") as folder:
                home = Path(folder) / "home"
                fresh.append(movement_s(home))
                again.append(movement_s(home))
                idle, processes = idle_mb(home)
            memory.append(idle)
            bare.append(bare_mb(processes))
    floor = f"the fixture alone, {' v '.join(FIRST_PAIR)}"
    for what, seconds in (("a new home", fresh), ("a home in use", again)):
        yield Figure(
            area="up",
            what=f"malice up on {what}: first movement of the table",
            unit="s",
            sample=sample(seconds),
            floor=floor,
            floor_sample=sample(fixture),
            requirement=Requirement(MOVEMENT_REQUIRED_S),
        )
    yield Figure(
        area="up",
        what="malice up with nothing to do: memory of all processes",
        unit="MB",
        sample=sample(memory),
        floor="as many bare Python processes",
        floor_sample=sample(bare),
        requirement=Requirement(MEMORY_REQUIRED_MB),
    )
