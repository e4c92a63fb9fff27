"""How the supervisor tells whether a child's main loop still turns."""

import http.client
import os
import time
from collections.abc import Callable
from pathlib import Path

Check = Callable[[], bool]

SIGN_EVERY_S = 1.0
"""How often a process touches its sign of life."""
SIGN_STALE_S = 5.0
"""A sign older than this is none."""
HTTP_TIMEOUT_S = 2.0


def fresh_sign(path: Path) -> bool:
    """Whether the file was touched lately, by the wall clock, which is what file times are in."""
    try:
        return abs(time.time() - path.stat().st_mtime) < SIGN_STALE_S
    except OSError:
        return False


def give_sign(path: Path) -> None:
    """Touch the sign of life; a full disk must not end a process that otherwise works."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return
    try:
        os.utime(descriptor)
    finally:
        os.close(descriptor)


def http_alive(host: str, port: int) -> bool:
    """Whether the web server's liveness answers 200 in time."""
    connection = http.client.HTTPConnection(host, port, timeout=HTTP_TIMEOUT_S)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
