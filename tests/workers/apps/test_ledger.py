"""The ledger's two Celery apps and beat as real processes on a real broker and database."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import func, select

from service.blobs import FolderBlobs
from service.messages import Started, Ticket, WorkerHeartbeat, WorkerHello, decode_to_worker, encode
from service.models import Entry, Fixture
from service.queues import PLAY, TASK_REPORT, Sender, make_celery
from service.settings import Settings
from service.storage.database import Database
from tests.servers import Valkey, wait_until
from tests.service.ledger.factories import make_entry, make_ladder
from tests.service.ledger.playing import Player

WORKER = """
import sys
from pathlib import Path
from service.settings import Settings
from workers.apps import ledger, reports
settings = Settings(home=Path(sys.argv[2]), database_url=sys.argv[3], broker_url=sys.argv[4])
make_app = {"reports": reports.make_app, "ledger": ledger.make_app}[sys.argv[1]]
worker = make_app(settings).Worker(
    pool_cls="solo", concurrency=1, queues=[sys.argv[1]], hostname=f"{sys.argv[1]}@%h", loglevel="WARNING",
    without_mingle=True, without_gossip=True, without_heartbeat=True,
)
worker.start()
"""

BEAT = """
import sys
from service.settings import Settings
from workers.apps.beat import make_app
make_app(Settings(broker_url=sys.argv[1])).Beat(loglevel="WARNING", max_interval=1).run()
"""


@contextmanager
def running(program: str, *arguments: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A Python process, ended with the test."""
    process = subprocess.Popen([sys.executable, "-c", program, *arguments])
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@dataclass
class House:
    """An installation whose ledger runs; the test is its play worker."""

    settings: Settings
    database: Database
    valkey: Valkey

    def start(self, name: str) -> AbstractContextManager["subprocess.Popen[bytes]"]:
        """Run one of the ledger's processes."""
        settings = self.settings
        return running(WORKER, name, str(settings.home), settings.database_url, settings.broker_url)

    def count(self, state: str) -> int:
        """Fixtures in a state."""
        with self.database.reading() as session:
            counted = select(func.count()).where(Fixture.state == state, Fixture.kind == "ladder")
            return session.scalars(counted).one()


@pytest.fixture
def house(database: Database, database_url: str, tmp_path: Path, valkey: Valkey) -> House:
    """Two active entries of different owners on a ladder, nothing running."""
    with database.transaction() as session:
        ladder = make_ladder(session)
        for name in ("a", "b"):
            make_entry(session, ladder, name)
    settings = Settings(home=tmp_path, database_url=database_url, broker_url=valkey.url)
    return House(settings, database, valkey)


def play_until(house: House, done: int) -> None:
    """Be the play worker until so many fixtures are done."""
    player = Player(FolderBlobs(Path(house.settings.resolved_blobs)))
    sender = Sender("test-player", house.valkey.url)
    celery = make_celery("test-player", house.valkey.url)
    with celery.connection_for_read() as connection, connection.SimpleQueue(PLAY) as queue:

        def step() -> bool:
            sender.send(TASK_REPORT, encode(WorkerHeartbeat("w1", 1, [])))
            try:
                message = queue.get(timeout=0.2)
            except queue.Empty:
                return house.count("done") >= done
            message.ack()
            ticket = decode_to_worker(message.payload[0][0])
            assert isinstance(ticket, Ticket)
            sender.send(TASK_REPORT, encode(Started(ticket.fixture, ticket.attempt, "w1")))
            sender.send(TASK_REPORT, encode(player.play(ticket)))
            return house.count("done") >= done

        sender.send(TASK_REPORT, encode(WorkerHello("w1", 1, "S3", {"python": "3.11"}, 1.0)))
        wait_until(step, 30, f"{done} fixtures are done")
    sender.close()


def test_fixtures_are_drawn_played_recorded_and_rated_by_themselves(house: House) -> None:
    with (
        house.start("reports"),
        house.start("ledger"),
        running(BEAT, house.valkey.url),
    ):
        play_until(house, 3)

        def rated() -> bool:
            with house.database.reading() as session:
                entries = session.scalars(select(Entry)).all()
                return min(entry.fixtures for entry in entries) >= 3

        wait_until(rated, 20, "the results are in the ratings")


def test_an_outage_of_the_broker_ends_neither_process_and_loses_no_result(house: House) -> None:
    with (
        house.start("reports") as reports,
        house.start("ledger") as ledger,
        running(BEAT, house.valkey.url) as beat,
    ):
        play_until(house, 1)
        house.valkey.kill()
        before = house.count("done")
        house.valkey.start()
        play_until(house, before + 2)
        assert [process.poll() for process in (reports, ledger, beat)] == [None, None, None]
        with house.database.reading() as session:
            sequences = session.scalars(select(Fixture.sequence).order_by(Fixture.sequence)).all()
        assert list(sequences) == list(range(1, len(sequences) + 1))
