"""A ladder's installation in miniature: real database, real broker, a player in this process."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import redis
from sqlalchemy import select, update

from service.blobs import FolderBlobs
from service.fixtures.drawing import Kind, draw_fixture
from service.ledger.dispatcher import dispatch
from service.ledger.inbox import Inbox
from service.messages import (
    BuildOrder,
    FromWorker,
    Started,
    Ticket,
    ToWorker,
    WorkerHeartbeat,
    decode_to_worker,
    encode,
)
from service.models import Entry, Fixture, FixtureSeat, Ladder, Version
from service.publishing import Publisher
from service.storage.database import Database
from tests.servers import Valkey
from tests.service.ledger.factories import make_entry, make_ladder, make_worker
from tests.service.ledger.playing import Player


@dataclass
class Hall:
    """Everything a test of the ledger needs, and the questions it asks."""

    database: Database
    blobs: FolderBlobs
    publisher: Publisher
    inbox: Inbox
    broker: redis.Redis

    def tell(self, *messages: FromWorker) -> None:
        """Let the inbox receive what workers say."""
        for message in messages:
            self.inbox.receive(encode(message))

    def start(self, ticket: Ticket, worker: str = "w1") -> None:
        """Say that a worker has started."""
        self.tell(Started(fixture=ticket.fixture, attempt=ticket.attempt, worker=worker))

    def beat(self, *tickets: Ticket, worker: str = "w1") -> None:
        """Say that a worker lives and is playing these."""
        held = [(ticket.fixture, ticket.attempt) for ticket in tickets]
        self.tell(WorkerHeartbeat(worker=worker, slots=2, held=held))

    def tickets(self) -> list[Ticket]:
        """Dispatch and return the tickets sent, oldest first."""
        dispatch(self.database, self.publisher)
        return [message for message in self.sent("play") if isinstance(message, Ticket)]

    def orders(self) -> list[BuildOrder]:
        """Dispatch and return the build orders sent, oldest first."""
        dispatch(self.database, self.publisher)
        return [message for message in self.sent("build") if isinstance(message, BuildOrder)]

    def sent(self, queue: str) -> list[ToWorker]:
        """Take every message out of a queue of the workers."""
        return [decode_to_worker(arguments[0]) for arguments in self.taken(queue)]

    def taken(self, queue: str) -> list[list[str]]:
        """Take every message out of a queue and return the tasks' arguments."""
        taken = []
        while isinstance(raw := self.broker.rpop(queue), bytes):
            taken.append(json.loads(base64.b64decode(json.loads(raw)["body"]))[0])
        return taken

    def player(self, worker: str = "w1", **how: Any) -> Player:
        """Somebody who plays tickets."""
        return Player(self.blobs, worker, **how)

    def fixture(self, fixture_id: str) -> Fixture:
        """The fixture as it stands."""
        with self.database.reading() as session:
            return session.get_one(Fixture, fixture_id)

    def seats(self, fixture_id: str) -> list[FixtureSeat]:
        """The fixture's seats, in order."""
        with self.database.reading() as session:
            seats = select(FixtureSeat).where(FixtureSeat.fixture_id == fixture_id).order_by(FixtureSeat.seat)
            return list(session.scalars(seats))

    def all(self, model: type[Any]) -> list[Any]:
        """All rows of a table, oldest first."""
        with self.database.reading() as session:
            return list(session.scalars(select(model).order_by(model.id)))

    def lapse(self) -> None:
        """Let every lease run out at once, as if time had passed."""
        with self.database.transaction() as session:
            session.execute(
                update(Fixture).where(Fixture.lease_until_us.is_not(None)).values(lease_until_us=1)
            )
            session.execute(
                update(Version).where(Version.lease_until_us.is_not(None)).values(lease_until_us=1)
            )


@dataclass
class Table:
    """A ladder and its entries."""

    ladder: Ladder
    entries: list[Entry]


@pytest.fixture
def hall(database: Database, tmp_path: Path, shared_valkey: Valkey) -> Iterator[Hall]:
    """An installation without rows, on an empty broker."""
    with open_hall(database, tmp_path, shared_valkey) as hall:
        yield hall


@contextmanager
def open_hall(database: Database, folder: Path, valkey: Valkey) -> Iterator[Hall]:
    """A hall on a given broker, emptied first."""
    blobs, publisher = FolderBlobs(folder / "blobs"), Publisher(valkey.url)
    broker = redis.Redis(unix_socket_path=str(valkey.socket))
    broker.flushall()
    yield Hall(database, blobs, publisher, Inbox(database, blobs, publisher), broker)
    publisher.close()
    broker.close()


@pytest.fixture
def table(hall: Hall) -> Table:
    """Two entries on a ladder, and a worker with two slots."""
    return seat_table(hall)


def seat_table(hall: Hall, players: int = 2, profile: str = "short", target: int = 5) -> Table:
    """A ladder for so many players with an entry for each side, and a worker with two slots."""
    with hall.database.transaction() as session:
        ladder = make_ladder(session, profile=profile, players=players, target=target)
        entries = [make_entry(session, ladder, f"bot-{side}") for side in range(ladder.sides)]
        make_worker(session)
    return Table(ladder, entries)


def draw(hall: Hall, table: Table, *, kind: Kind = "ladder", entries: list[Entry] | None = None) -> str:
    """Draw up a fixture of the table's entries and return its id."""
    seated = entries or table.entries
    with hall.database.transaction() as session:
        return draw_fixture(
            session, ladder=table.ladder, kind=kind, entries=seated, owner_id=seated[0].owner_id
        ).id
