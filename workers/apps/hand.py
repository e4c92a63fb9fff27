"""One process of a play worker at work: takes tickets and build orders, and reports."""

import signal
import time
from collections.abc import Callable
from typing import Protocol

import redis
import structlog

from service.blobs import open_blobs
from service.messages import (
    BuildOrder,
    BuildReport,
    FromWorker,
    Progress,
    Report,
    Started,
    Ticket,
    WorkerHeartbeat,
    WorkerHello,
    encode,
)
from service.queues import (
    SEND_TIMEOUT_S,
    TASK_REPORT,
    VISIBILITY_TIMEOUT_S,
    PublishError,
    Sender,
    current_attempt_key,
    taken_key,
)
from service.settings import Settings
from workers.apps.courier import HEARTBEAT_S, Courier
from workers.apps.host import StopSign
from workers.builder.build import build
from workers.bundles import BundleCache
from workers.places import Place
from workers.referee.clock import fixture_limit_s
from workers.referee.faults import InfraError
from workers.referee.fixture import play_fixture
from workers.sandbox import choose_sandbox

FROZEN_S = 30
"""A referee's loop that does not turn for this long is ended by the kernel, and its bots with it."""

STOP_GRACE_S = 2.0
"""A fixture may go on this long after the worker was told to stop; then it is abandoned as `infra`."""

REPORT_PATIENCE_S = 60.0
"""How long a report is tried again while the broker is away; after that the fixture is played again."""

REPORT_AGAIN_S = 0.5

log = structlog.get_logger(__name__)


class Messenger(Protocol):
    """What passes news on without waiting; `Courier` is one."""

    def hand_over(self, message: FromWorker) -> None:
        """Take a message."""


class Hand:
    """What one process needs to play and build; made in that process."""

    def __init__(
        self,
        settings: Settings,
        place: Place,
        index: int,
        hello: WorkerHello,
        courier: Courier,
        stopping: StopSign,
    ) -> None:
        self._worker = place.name
        self._slot = place.slots[index]
        self._hello = hello
        self._courier = courier
        self._stopping = stopping
        self._blobs = open_blobs(settings.resolved_blobs)
        self._bundles = BundleCache(self._blobs, place.bundles)
        self._sandbox = choose_sandbox(settings.sandbox)
        self._sender = Sender("malice-play", settings.broker_url)
        self._keys = redis.Redis.from_url(
            settings.broker_url, socket_timeout=SEND_TIMEOUT_S, socket_connect_timeout=SEND_TIMEOUT_S
        )

    def play(self, ticket: Ticket) -> None:
        """Play a fixture, unless it is somebody else's or out of date, and report."""
        if self._stopping.up_for_s() or not self._take(ticket):
            return
        watch = Watch(ticket, self._hello, self._courier, self._stopping)
        try:
            report = play_fixture(
                ticket,
                sandbox=self._sandbox,
                bundles=self._bundles,
                blobs=self._blobs,
                worker=self._worker,
                slot=self._slot,
                pulse=watch.pulse,
                progress=watch.progress,
            )
            self._publish(report, watch.beat)
        finally:
            signal.alarm(0)

    def build(self, order: BuildOrder) -> None:
        """Build a version and report."""
        report = build(
            order,
            sandbox=self._sandbox,
            bundles=self._bundles,
            blobs=self._blobs,
            worker=self._worker,
            slot=self._slot,
            pulse=self._go_on,
        )
        self._publish(report, lambda: None)

    def _go_on(self) -> None:
        """Raise InfraError when a build must be given up."""
        if self._stopping.up_for_s() > STOP_GRACE_S:
            raise InfraError("the worker is stopping")

    def _take(self, ticket: Ticket) -> bool:
        """Claim an attempt: whether it is the current one, nobody has it, and the service was told of the start.

        When the broker fails meanwhile the ticket is dropped: the service sends the fixture again.
        """
        try:
            current = self._keys.get(current_attempt_key(ticket.fixture))
            if current is not None and current != str(ticket.attempt).encode():
                log.info("stale ticket dropped", fixture=ticket.fixture, attempt=ticket.attempt)
                return False
            key = taken_key(ticket.fixture, ticket.attempt)
            if not self._keys.set(key, self._worker, nx=True, ex=VISIBILITY_TIMEOUT_S):
                log.info("repeated ticket dropped", fixture=ticket.fixture, attempt=ticket.attempt)
                return False
            self._sender.send(TASK_REPORT, encode(Started(ticket.fixture, ticket.attempt, self._worker)))
        except (redis.RedisError, PublishError) as error:
            log.warning("ticket dropped: broker away", fixture=ticket.fixture, error=str(error))
            return False
        return True

    def _publish(self, report: Report | BuildReport, beat: Callable[[], None]) -> None:
        """Publish a report, again and again while the broker is away, but not for ever."""
        until = time.monotonic() + REPORT_PATIENCE_S
        while True:
            try:
                self._sender.send(TASK_REPORT, encode(report))
                return
            except PublishError as error:
                if time.monotonic() > until or self._stopping.up_for_s() > STOP_GRACE_S:
                    log.error("report given up", report=type(report).__name__, error=str(error))
                    return
            beat()
            time.sleep(REPORT_AGAIN_S)


class Watch:
    """The pulse of one fixture: says that it is being played, and asks whether it may go on."""

    def __init__(self, ticket: Ticket, hello: WorkerHello, courier: Messenger, stopping: StopSign) -> None:
        self._courier = courier
        self._stopping = stopping
        self._heartbeat = WorkerHeartbeat(hello.worker, hello.slots, [(ticket.fixture, ticket.attempt)])
        self._next_beat = time.monotonic() + HEARTBEAT_S
        self._next_progress = 0.0
        self._limit_s = fixture_limit_s(ticket.clock, ticket.rules["players"], len(ticket.seats))
        self._until = time.monotonic() + self._limit_s

    def pulse(self) -> None:
        """Beat, and raise InfraError when the fixture must be abandoned."""
        self.beat()
        if self._stopping.up_for_s() > STOP_GRACE_S:
            raise InfraError("the worker is stopping")
        if time.monotonic() > self._until:
            raise InfraError(f"the fixture took longer than {self._limit_s} s, which its clocks do not allow")

    def beat(self) -> None:
        """Show that this loop turns: to the kernel, which ends it otherwise, and to the service."""
        signal.alarm(FROZEN_S)
        now = time.monotonic()
        if now >= self._next_beat:
            self._next_beat = now + HEARTBEAT_S
            self._courier.hand_over(self._heartbeat)

    def progress(self, progress: Progress) -> None:
        """Pass on where the match stands, at most once a second."""
        now = time.monotonic()
        if now >= self._next_progress:
            self._next_progress = now + 1
            self._courier.hand_over(progress)
