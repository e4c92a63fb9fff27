"""Who plays on this host: workers, and people who run `malice play`, hold slots that are theirs alone.

As root every sandbox has a user id by its number, so two that run at once must never share one. A slot is held by
the lock of a file, which the kernel lets go when the last process that has it open ends, however it ends.
"""

import fcntl
import os
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from workers.programs import SandboxError
from workers.sandbox.staging import staging_folder

MOST_SLOTS = 1_000
"""On one host; the sandbox has user ids for about as many."""

MOST_NAMES = 100

Kind = Literal["worker", "local"]


class NoPlaceError(RuntimeError):
    """There is no room on this host; the message says why."""


@dataclass(frozen=True)
class Place:
    """A place on this host, held until `release`, or until the last process that has the locks ends."""

    name: str
    """Host and number: a worker that is started again gets the same unless somebody took it meanwhile."""
    slots: tuple[int, ...]
    """Numbers of the slots that are its own, one for each fixture it plays at once."""
    bundles: Path
    """Where bundles are unpacked, for all of this host."""
    locks: tuple[int, ...]
    """Descriptors of the locks that hold the place."""

    def release(self) -> None:
        """Let others have the place."""
        for lock in self.locks:
            os.close(lock)


def take_place(kind: Kind, slots: int) -> Place:
    """Take a name and as many slots as asked for, the lowest nobody holds. Raises NoPlaceError."""
    locks: list[int] = []
    try:
        folder = staging_folder()
        (number, *_) = _take(folder, kind, 1, MOST_NAMES, locks)
        numbers = _take(folder, "slot", slots, MOST_SLOTS, locks)
    except (OSError, SandboxError, NoPlaceError) as error:
        for lock in locks:
            os.close(lock)
        if isinstance(error, NoPlaceError):
            raise
        raise NoPlaceError(f"no folder to stage bots in: {error}") from None
    suffix = str(number) if kind == "worker" else f"{kind}-{number}"
    name = f"{socket.gethostname()[:48]}-{suffix}"
    return Place(name, tuple(numbers), folder / "bundles", tuple(locks))


def _take(folder: Path, kind: str, wanted: int, most: int, locks: list[int]) -> list[int]:
    """Lock the first free numbers of a kind and return them; their locks' descriptors are added to `locks`."""
    numbers: list[int] = []
    for number in range(most):
        lock = os.open(folder / f"{kind}-{number}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            continue
        numbers.append(number)
        locks.append(lock)
        if len(numbers) == wanted:
            return numbers
    raise NoPlaceError(
        f"this host has no {wanted} free places of kind {kind}; stop a worker or a `malice play` first"
    )
