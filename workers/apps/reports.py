"""The app behind the `reports` queue: it takes what workers send, and nothing else can reach it."""

from celery import Celery
from celery.signals import worker_shutdown

from service.blobs import open_blobs
from service.ledger.inbox import Inbox
from service.publishing import Publisher
from service.queues import TASK_REPORT, make_celery
from service.settings import Settings
from service.storage.database import Database


def make_app(settings: Settings) -> Celery:
    """Return the app; run it in one process (solo pool), as it holds one database connection."""
    app = make_celery("malice-reports", settings.required_broker_url)
    database = Database(settings.resolved_database_url)
    publisher = Publisher(settings.required_broker_url)
    inbox = Inbox(database, open_blobs(settings.resolved_blobs), publisher)

    def report(text: str) -> None:
        inbox.receive(text)

    def close(**_: object) -> None:
        publisher.close()
        database.close()

    app.task(report, name=TASK_REPORT)
    worker_shutdown.connect(close, weak=False)
    return app
