"""What workers say, and what each message changes. Nothing in here trusts a worker further than it can be checked."""

from collections.abc import Callable

import msgspec
import structlog

from service.blobs import BlobStore
from service.ledger import builds, states, workers
from service.ledger.recorder import Outcome, record
from service.messages import (
    BuildReport,
    FromWorker,
    Progress,
    Report,
    Started,
    WorkerBye,
    WorkerHeartbeat,
    WorkerHello,
    decode_from_worker,
)
from service.models import Fixture, Worker
from service.publishing import Publisher, PublishError
from service.storage.database import Database


class Inbox:
    """Receives the messages of the `reports` queue, in whatever order and however often they come."""

    def __init__(self, database: Database, blobs: BlobStore, publisher: Publisher) -> None:
        self._database = database
        self._blobs = blobs
        self._publisher = publisher
        self._log = structlog.get_logger(__name__)

    def receive(self, text: str) -> None:
        """Decode a message and let it take effect; anything that is none is logged and dropped."""
        try:
            message = decode_from_worker(text)
        except msgspec.MsgspecError as error:
            self._log.warning("dropped what is no message", error=str(error), begins=text[:200])
            return
        if isinstance(message, Progress):
            return  # for spectators who listen to the broker
        if self._is_barred(message.worker):
            self._log.warning("dropped a barred worker's message", message=type(message).__name__)
            return
        self._take(message)

    def _take(self, message: FromWorker) -> None:
        match message:
            case Started(fixture, attempt, worker):
                with self._database.transaction() as session:
                    states.start(session, fixture, attempt, worker)
            case WorkerHeartbeat():
                self._renew(message)
            case Report():
                self._record(message)
            case BuildReport():
                if builds.record(self._database, self._blobs, message):
                    self._hint(self._publisher.tick)
            case WorkerHello():
                with self._database.transaction() as session:
                    workers.greet(session, message)
                self._hint(self._publisher.tick)
            case WorkerBye():
                with self._database.transaction() as session:
                    workers.part(session, message)

    def _is_barred(self, worker: str) -> bool:
        with self._database.reading() as session:
            row = session.get(Worker, worker)
            return row is not None and row.barred

    def _renew(self, heartbeat: WorkerHeartbeat) -> None:
        with self._database.transaction() as session:
            workers.hear(session, heartbeat)
        # Apart, for others lock a fixture first and its worker afterwards.
        with self._database.transaction() as session:
            for fixture, attempt in heartbeat.held:
                states.renew(session, fixture, attempt, heartbeat.worker)

    def _record(self, report: Report) -> None:
        outcome = record(self._database, self._blobs, report)
        self._log.info(
            "report",
            fixture=report.fixture,
            attempt=report.attempt,
            worker=report.worker,
            outcome=outcome.value,
        )
        if outcome is Outcome.STALE:
            return
        if outcome is Outcome.RECORDED:
            with self._database.reading() as session:
                fixture = session.get_one(Fixture, report.fixture)
            if fixture.kind == "ladder":
                self._hint(lambda: self._publisher.rate(fixture.ladder_id))
        self._hint(self._publisher.tick)

    def _hint(self, publish: Callable[[], None]) -> None:
        """Publish a hint; without it the periodic work notices all the same, a little later."""
        try:
            publish()
        except PublishError as error:
            self._log.warning("hint not sent", error=str(error))
