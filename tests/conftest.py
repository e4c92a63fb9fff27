"""Fixtures shared by all tests: settings in a temporary home, databases and brokers that are the real thing."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from service.ids import new_id
from service.models import Base
from service.settings import Settings
from service.storage.database import Database
from tests.servers import Valkey, running_postgres, running_valkey

BACKEND = os.environ.get("MALICE_TEST_DATABASE", "sqlite")
"""`sqlite` or `postgresql`: which database every test that needs one gets."""


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL cluster of this run's own."""
    with running_postgres() as url:
        yield url


@pytest.fixture
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of the test's own, without tables."""
    if BACKEND == "sqlite":
        yield f"sqlite:///{tmp_path / 'malice.db'}"
        return
    cluster = make_url(request.getfixturevalue("postgres"))
    name = f"t{new_id()}"
    administration = create_engine(cluster, isolation_level="AUTOCOMMIT")
    with administration.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield cluster.set(database=name).render_as_string(hide_password=False)
    with administration.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    administration.dispose()


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A database with all tables, empty."""
    database = Database(database_url)
    Base.metadata.create_all(database.engine)
    yield database
    database.close()


@pytest.fixture
def valkey() -> Iterator[Valkey]:
    """A Valkey of the test's own, which it may kill."""
    with running_valkey() as server:
        yield server


@pytest.fixture(scope="session")
def shared_valkey() -> Iterator[Valkey]:
    """A Valkey shared by the run's tests; do not kill it."""
    with running_valkey() as server:
        yield server


@pytest.fixture
def settings(tmp_path: Path, database_url: str) -> Settings:
    """Settings with a home and a database of the test's own."""
    return Settings(home=tmp_path / "home", database_url=database_url)
