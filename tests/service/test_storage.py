"""The database layer behaves alike on SQLite and PostgreSQL."""

import threading
import time

import pytest
from sqlalchemy import select, update

from service.models import Account
from service.storage.clock import now_us, rfc3339
from service.storage.database import Database


def test_the_database_clock_agrees_with_the_hosts(database: Database) -> None:
    with database.reading() as session:
        difference = abs(session.scalars(select(now_us())).one() - time.time() * 1e6)
    assert difference < 2e6


def test_a_time_is_shown_as_rfc_3339_in_utc() -> None:
    assert rfc3339(1_769_860_800_123_456) == "2026-01-31T12:00:00.123Z"


def test_a_failed_transaction_leaves_nothing(database: Database) -> None:
    def fail_midway() -> None:
        with database.transaction() as session:
            session.add(Account(name="ada"))
            session.flush()
            raise RuntimeError("midway")

    with pytest.raises(RuntimeError, match="midway"):
        fail_midway()
    with database.reading() as session:
        assert session.scalars(select(Account)).all() == []


def test_concurrent_writers_all_succeed(database: Database) -> None:
    with database.transaction() as session:
        session.add(Account(name="0"))

    def count_up() -> None:
        for _ in range(25):
            with database.transaction() as session:
                account = session.scalars(select(Account).with_for_update()).one()
                session.execute(update(Account).values(name=str(int(account.name) + 1)))

    threads = [threading.Thread(target=count_up) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.reading() as session:
        assert session.scalars(select(Account.name)).one() == "200"


def test_what_was_read_stays_readable(database: Database) -> None:
    with database.transaction() as session:
        session.add(Account(name="ada"))
    with database.reading() as session:
        account = session.scalars(select(Account)).one()
    assert account.name == "ada"


def test_what_was_written_while_reading_is_undone(database: Database) -> None:
    with database.transaction() as session:
        session.add(Account(name="ada"))
    with database.reading() as session:
        session.execute(update(Account).values(name="eve"))
    with database.reading() as session:
        assert session.scalars(select(Account.name)).one() == "ada"
