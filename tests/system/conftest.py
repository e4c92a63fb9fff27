"""A real `malice up` in a home of its own, and what the tests ask about it."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.cli.supervisor.home import Home, read_holder
from tests.servers import wait_until

UP_S = 90
"""On a machine that runs other tests at the same time."""


class Installation:
    """A running `malice up`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = Home(root=folder / "home")
        self.output = folder / "up.out"
        self.address = ""

    def start(self) -> None:
        """Start it and wait until everything in it says that it is ready."""
        with self.output.open("ab") as output:
            self.process = subprocess.Popen(
                self.malice("up", "--home", str(self.home.root), "--port", "0"),
                stdout=output,
                stderr=subprocess.STDOUT,
                env=self.environment(),
                cwd=self.folder,
            )
        wait_until(self._is_up, UP_S, "malice up serves and is ready")

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        """Ask it to stop, as Ctrl-C does, and return its exit code."""
        self.process.send_signal(number)
        return self.process.wait(UP_S)

    def malice(self, *arguments: str) -> list[str]:
        """The command line of this checkout's `malice`."""
        return [sys.executable, "-P", "-m", "service.cli", *arguments]

    def run(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run a command of `malice` to its end."""
        return subprocess.run(
            self.malice(*arguments), capture_output=True, text=True, env=self.environment(), cwd=self.folder
        )

    def environment(self) -> dict[str, str]:
        """A newcomer's environment: no settings."""
        clean = {name: text for name, text in os.environ.items() if not name.startswith("MALICE_")}
        return clean | {"XDG_CONFIG_HOME": str(self.folder / "config")}

    def get(self, path: str) -> Any:
        """GET a JSON document."""
        with urllib.request.urlopen(self.address + path, timeout=30) as response:
            return json.load(response)

    def standings(self) -> list[dict[str, Any]]:
        """The first page of classic-50."""
        items = self.get("/api/v1/ladders/classic-50/standings")["items"]
        assert isinstance(items, list)
        return items

    def pid(self, *words: str) -> int:
        """The process id of the child of the supervisor whose command line ends so."""
        (pid,) = [
            pid for pid in children(self.process.pid) if command_line(pid)[-len(words) :] == list(words)
        ]
        return pid

    def broker_pid(self) -> int:
        """The process id of the embedded broker."""
        (pid,) = [pid for pid in children(self.process.pid) if "valkey-server" in command_line(pid)[0]]
        return pid

    def _is_up(self) -> bool:
        assert self.process.poll() is None, self.output.read_text()
        holder = read_holder(self.home)
        if holder is None or holder.pid != self.process.pid:
            return False
        self.address = holder.address
        try:
            return bool(self.get("/readyz")["ready"])
        except OSError:
            return False


def children(pid: int) -> list[int]:
    """The process ids of a process's children."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(entry.parent.name))
    return found


def descendants(pid: int) -> list[int]:
    """The process ids of all that a process started, and what those started."""
    below = children(pid)
    return below + [deeper for child in below for deeper in descendants(child)]


def command_line(pid: int) -> list[str]:
    """A process's command line; one empty word for one that has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().rstrip("\0").split("\0")
    except OSError:
        return [""]


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """One installation for the module's tests, in the order they are written."""
    installation = Installation(tmp_path_factory.mktemp("malice"))
    installation.start()
    yield installation
    if installation.process.poll() is None:
        installation.stop()
