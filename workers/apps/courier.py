"""The play worker's signs of life, sent by its parent process: no broker, however slow, can hold up a match.

A referee's loop hands its heartbeats over by a datagram that costs a microsecond and never blocks; a thread of the
parent sends them on. A loop that is frozen hands nothing over, so its fixture's lease runs out.
"""

import select
import socket
import threading
import time

import structlog

from service.messages import FromWorker, WorkerBye, WorkerHeartbeat, WorkerHello, encode
from service.queues import TASK_REPORT, PublishError, Sender

HEARTBEAT_S = 3.0
"""How often workers and the fixtures they hold are heard of."""

LARGEST = 1 << 16
STOP_PATIENCE_S = 3.0
"""How long stopping may take when the broker does not answer."""

log = structlog.get_logger(__name__)


class Courier:
    """Takes messages from all processes of a worker and sends them on. Make it before the processes fork."""

    def __init__(self, broker_url: str) -> None:
        self._broker_url = broker_url
        self._inbox, self._outbox = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._outbox.setblocking(False)
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def hand_over(self, message: FromWorker) -> None:
        """Have a message sent, from any process, without waiting; it is lost when the courier lags far behind."""
        try:
            self._outbox.send(encode(message).encode())
        except OSError as error:
            log.warning("message dropped", message=type(message).__name__, error=str(error))

    def start(self, hello: WorkerHello) -> None:
        """Say hello, and from now on that the worker lives."""
        self._thread = threading.Thread(target=self._run, args=(hello,), name="courier", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Send what is left and say goodbye."""
        if self._thread is not None:
            self._stopping.set()
            self._outbox.send(b"")
            self._thread.join(STOP_PATIENCE_S)

    def _run(self, hello: WorkerHello) -> None:
        sender = Sender("malice-courier", self._broker_url)
        alive = encode(WorkerHeartbeat(hello.worker, hello.slots, []))
        greeted = False
        next_beat = time.monotonic()
        while not self._stopping.is_set():
            wait = max(0.0, next_beat - time.monotonic())
            if select.select([self._inbox], [], [], wait)[0]:
                text = self._inbox.recv(LARGEST).decode()
                if text:
                    _send(sender, text)
                continue
            # Hello is repeated until the broker has taken it; after that the heartbeats suffice.
            greeted = _send(sender, alive if greeted else encode(hello)) or greeted
            next_beat = time.monotonic() + HEARTBEAT_S
        _send(sender, encode(WorkerBye(hello.worker)))
        sender.close()


def _send(sender: Sender, text: str) -> bool:
    try:
        sender.send(TASK_REPORT, text)
    except PublishError as error:
        log.warning("broker away", error=str(error))
        return False
    return True
