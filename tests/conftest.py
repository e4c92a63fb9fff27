"""Fixtures shared by all tests: settings in a temporary home, databases and brokers that are the real thing."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import URL, make_url

from engine import LOADED
from service.ids import new_id
from service.models import Base
from service.settings import Settings
from service.storage.database import Database
from tests.servers import Valkey, running_postgres, running_valkey

BACKEND = os.environ.get("MALICE_TEST_DATABASE", "sqlite")
"""`sqlite` or `postgresql`: which database every test that needs one gets."""


def pytest_report_header() -> str:
    """Say at the top of a run which engine it tests."""
    return f"engine: {LOADED}"


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL cluster of this run's own."""
    with running_postgres() as url:
        yield url


@pytest.fixture(scope="session")
def with_tables(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database with all tables, made once and copied for each test: its file, or its name on PostgreSQL."""
    if BACKEND == "sqlite":
        made = str(tmp_path_factory.mktemp("tables") / "malice.db")
        url = f"sqlite:///{made}"
    else:
        cluster = make_url(request.getfixturevalue("postgres"))
        made = "with_tables"
        _administer(cluster, f"CREATE DATABASE {made}")
        url = cluster.set(database=made).render_as_string(hide_password=False)
    database = Database(url)
    Base.metadata.create_all(database.engine)
    database.close()
    return made


@pytest.fixture
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database of the test's own: empty, and without tables unless the test asks for `database`."""
    template = request.getfixturevalue("with_tables") if "database" in request.fixturenames else None
    if BACKEND == "sqlite":
        path = tmp_path / "malice.db"
        if template:
            shutil.copyfile(template, path)
        yield f"sqlite:///{path}"
        return
    cluster = make_url(request.getfixturevalue("postgres"))
    name = f"t{new_id()}"
    _administer(cluster, f"CREATE DATABASE {name}" + (f" TEMPLATE {template}" if template else ""))
    yield cluster.set(database=name).render_as_string(hide_password=False)
    _administer(cluster, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A database with all tables, empty."""
    database = Database(database_url)
    yield database
    database.close()


def _administer(cluster: URL, statement: str) -> None:
    engine = create_engine(cluster, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(statement))
    engine.dispose()


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
