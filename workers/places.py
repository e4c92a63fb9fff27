"""Who plays on this host: each worker, and each `malice play`, holds a place, and with it sandboxes of its own.

As root every sandbox has a user id by its number, so two that run at once must never share one.
"""

import fcntl
import os
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from workers.programs import SandboxError
from workers.sandbox.staging import staging_folder

WORKERS = range(8)
"""The places of play workers."""

VISITORS = range(8, 16)
"""The places of `malice play`."""

SLOTS_PER_PLACE = 64
"""Fixtures that can be played at once in one place."""


class NoPlaceError(RuntimeError):
    """There is no room on this host; the message says why."""


@dataclass(frozen=True)
class Place:
    """A place on this host, held until the last process that has `lock` ends or closes it."""

    name: str
    """Host and number: a worker that is started again gets the same."""
    first_slot: int
    """Number of its first slot on this host."""
    bundles: Path
    """Where bundles are unpacked, for all of this host."""
    lock: int
    """Descriptor of the lock that holds the place."""


def take_place(numbers: Iterable[int]) -> Place:
    """Take the first of these places that nobody holds. Raises NoPlaceError."""
    try:
        folder = staging_folder()
        for number in numbers:
            lock = os.open(folder / f"place-{number}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                continue
            name = f"{socket.gethostname()[:48]}-{number}"
            return Place(name, number * SLOTS_PER_PLACE, folder / "bundles", lock)
    except (OSError, SandboxError) as error:
        raise NoPlaceError(f"no folder to stage bots in: {error}") from None
    raise NoPlaceError("as many play on this host already as it has places for; stop one of them first")
