"""Connections and transactions, for SQLite and PostgreSQL alike."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.orm import Session, sessionmaker

BUSY_TIMEOUT_S = 30


class Database:
    """One engine and its sessions. Cheap to make; make one per process, after any fork."""

    def __init__(self, url: str) -> None:
        parsed = make_url(url)
        self.is_sqlite = parsed.get_backend_name() == "sqlite"
        if parsed.get_backend_name() == "postgresql" and parsed.drivername == "postgresql":
            parsed = parsed.set(drivername="postgresql+psycopg")
        self.engine = self._sqlite(parsed) if self.is_sqlite else create_engine(parsed, pool_pre_ping=True)
        self._write = sessionmaker(self.engine, expire_on_commit=False)
        self._read = sessionmaker(
            self.engine.execution_options(malice_read_only=True), expire_on_commit=False, autoflush=False
        )

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """A session that commits at the end and rolls back on an error.

        On SQLite it holds the one write lock from its first statement (BEGIN IMMEDIATE): keep it short.
        """
        with self._write.begin() as session:
            yield session

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session for reading a consistent state; writes in it are an error of the programmer's, and undone.

        What was loaded stays readable after it.
        """
        with self._read() as session:
            yield session

    def close(self) -> None:
        """Close all pooled connections."""
        self.engine.dispose()

    @staticmethod
    def _sqlite(url: Any) -> Engine:
        if url.database and url.database != ":memory:":
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT_S})

        @event.listens_for(engine, "connect")
        def _connect(connection: Any, _record: Any) -> None:
            # The driver's own implicit BEGIN comes too late and is DEFERRED: under several writers that
            # ends in "database is locked". We begin ourselves, below.
            connection.isolation_level = None
            cursor = connection.cursor()
            cursor.execute("PRAGMA journal_mode=WAL")
            cursor.execute("PRAGMA synchronous=NORMAL")
            cursor.execute("PRAGMA foreign_keys=ON")
            cursor.close()

        @event.listens_for(engine, "begin")
        def _begin(connection: Any) -> None:
            read_only = connection.get_execution_options().get("malice_read_only")
            connection.exec_driver_sql("BEGIN" if read_only else "BEGIN IMMEDIATE")

        return engine
