"""The app behind the `ledger` queue: periodic work and ratings. Only trusted processes can write to its queue."""

import os
import socket

from celery import Celery
from celery.signals import worker_shutdown

from service.blobs import open_blobs
from service.ids import new_id
from service.ledger.duties import Duties
from service.ledger.periodic import Periodic
from service.publishing import Publisher
from service.queues import TASK_RATE, TASK_TICK, make_celery
from service.ratings.rater import rate
from service.settings import Settings
from service.storage.database import Database


def make_app(settings: Settings) -> Celery:
    """Return the app; run it in one process (solo pool), as many of them as you like."""
    app = make_celery("malice-ledger", settings.required_broker_url)
    database = Database(settings.resolved_database_url)
    publisher = Publisher(settings.required_broker_url)
    duties = Duties(database, open_blobs(settings.resolved_blobs), publisher, settings)
    periodic = Periodic(database, _holder(), duties.all())

    def tick() -> None:
        periodic.tick()

    def rate_ladder(ladder_id: str) -> None:
        rate(database, ladder_id)

    def close(**_: object) -> None:
        publisher.close()
        database.close()

    app.task(tick, name=TASK_TICK)
    app.task(rate_ladder, name=TASK_RATE)
    worker_shutdown.connect(close, weak=False)
    return app


def _holder() -> str:
    """Return a name for the lease that no other process has, and that tells an operator where it is held."""
    return f"{socket.gethostname()[:24]}:{os.getpid()}:{new_id()}"
