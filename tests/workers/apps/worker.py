"""A real `malice worker play` in a process of its own, and what it sends."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from kombu.connection import Connection

from service.blobs import FolderBlobs
from service.messages import FromWorker, WorkerHello, decode_from_worker
from service.queues import REPORTS, celery_url
from tests.servers import Valkey, wait_until

START_TIMEOUT_S = 60
STOP_TIMEOUT_S = 30

Kind = TypeVar("Kind", bound=FromWorker)


class Inbox:
    """All that workers have sent so far, read from the reports queue as its consumer would."""

    def __init__(self, broker_url: str) -> None:
        self._url = celery_url(broker_url)
        self._messages: list[FromWorker] = []

    def of(self, kind: type[Kind]) -> list[Kind]:
        """Take what is in the queue and return everything of one kind taken so far, oldest first."""
        with Connection(self._url) as connection:  # type: ignore[no-untyped-call]
            queue = connection.SimpleQueue(REPORTS)
            while True:
                try:
                    message = queue.get_nowait()
                except queue.Empty:
                    break
                (text,), _, _ = message.payload
                self._messages.append(decode_from_worker(text))
                message.ack()
        return [message for message in self._messages if isinstance(message, kind)]


class Worker:
    """A running play worker with one slot."""

    def __init__(self, process: "subprocess.Popen[bytes]", inbox: Inbox, blobs: FolderBlobs) -> None:
        self.process = process
        self.inbox = inbox
        self.blobs = blobs

    def descendants(self) -> list[int]:
        """Return the process ids below it, bots included."""
        return _descendants(self.process.pid)

    def stop(self) -> int:
        """Stop it as a supervisor would and return its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(STOP_TIMEOUT_S)


@contextmanager
def running_worker(valkey: Valkey, home: Path, **environment: str) -> Iterator[Worker]:
    """Start a play worker and wait until it has said hello; kill what is left of it in the end."""
    process = start_worker(valkey.url, home, **environment)
    worker = Worker(process, Inbox(valkey.url), FolderBlobs(home / "blobs"))
    try:
        wait_until(
            lambda: process.poll() is not None or bool(worker.inbox.of(WorkerHello)),
            START_TIMEOUT_S,
            "the play worker says hello",
        )
        yield worker
    finally:
        for pid in [process.pid, *worker.descendants()]:
            kill(pid)
        process.wait()


def start_worker(broker_url: str, home: Path, **environment: str) -> "subprocess.Popen[bytes]":
    """Start `malice worker play`."""
    return subprocess.Popen(
        [sys.executable, "-m", "service.cli", "worker", "play"],
        env={
            **os.environ,
            "MALICE_BROKER_URL": broker_url,
            "MALICE_HOME": str(home),
            "MALICE_CORES": "1",
            **environment,
        },
        stderr=subprocess.PIPE if environment else None,
    )


def kill(pid: int) -> None:
    """Kill a process if it is still there."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def gone(pids: list[int]) -> bool:
    """Whether none of these processes runs any more."""
    return not any(Path(f"/proc/{pid}/exe").exists() for pid in pids)


def _descendants(pid: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            for child in task.read_text().split():
                found += [int(child), *_descendants(int(child))]
        except OSError:
            continue
    return found
