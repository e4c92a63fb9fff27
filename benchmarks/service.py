"""The whole service on this machine: how soon the table moves after `malice up`, and the memory it takes when idle."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from benchmarks.figures import Figure, Requirement, sample

LADDER = "classic-50"
START_LIMIT_S = 120.0
STOP_LIMIT_S = 60.0
POLL_S = 0.05
SETTLE_S = 5.0
"""After the last process has shown that it lives, before memory is read."""
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
                table = msgspec.json.decode(answer.read(), type=Standings)
        except (OSError, msgspec.DecodeError, urllib.error.URLError):
            return 0
        return sum(row.fixtures for row in table.items)

    def signs_of_life(self) -> int:
        """Return how many of its processes have shown that they live."""
        return len(list((self.home / "run").glob("*.alive")))

    def wait_until(self, condition: Callable[[], bool], what: str) -> float:
        """Wait and return the monotonic time; RuntimeError when it takes too long or the service ends."""
        deadline = time.monotonic() + START_LIMIT_S
        while not condition():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"malice up did not get as far as {what}; see {self.home / 'logs'}")
            time.sleep(POLL_S)
        return time.monotonic()


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


def idle_mb(home: Path, processes: int) -> float:
    """Return the memory of a service with nothing to do, in MB: proportional set size over its process tree."""
    for sign in (home / "run").glob("*.alive"):
        sign.unlink()
    with running(home, NOTHING_NEW_IS_PLAYED) as service:
        service.wait_until(lambda: service.signs_of_life() >= processes, "all its processes")
        time.sleep(SETTLE_S)
        return sum(pss_bytes(pid) for pid in process_tree(service.process.pid)) / 1e6


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
    """First movement on a new home and after a restart, and idle memory."""
    fresh, again, memory = [], [], []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            home = Path(folder) / "home"
            fresh.append(movement_s(home))
            signs = len(list((home / "run").glob("*.alive")))
            again.append(movement_s(home))
            memory.append(idle_mb(home, signs))
    movement = Requirement(MOVEMENT_REQUIRED_S)
    yield Figure(
        "up", "malice up on a new home: first movement of the table", "s", sample(fresh), "", None, movement
    )
    yield Figure("up", "malice up on a home in use: first movement", "s", sample(again), "", None, movement)
    yield Figure(
        "up",
        "idle memory, all processes (PSS)",
        "MB",
        sample(memory),
        "",
        None,
        Requirement(MEMORY_REQUIRED_MB),
    )
