"""Readiness: each check fails for its own reason and says what to do."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.app import create_app
from service.ledger.periodic import take_lease
from service.ledger.workers import greet
from service.messages import WorkerHello
from service.readiness import Readiness, readiness
from service.settings import Settings
from service.storage.database import Database
from service.storage.migrate import migrate
from tests.servers import Valkey


@pytest.fixture
def migrated(database_url: str) -> Iterator[Database]:
    """A database as `malice migrate` leaves it."""
    migrate(database_url)
    database = Database(database_url)
    yield database
    database.close()


def failed(found: Readiness) -> dict[str, str]:
    """The checks that failed, with their words."""
    return {check.name: check.detail for check in found.checks if not check.ok}


def start_ledger_and_worker(database: Database) -> None:
    with database.transaction() as session:
        assert take_lease(session, "this test")
        greet(session, WorkerHello("w1", slots=2, layer="S3", runtimes={"python": "3.11"}, speed=1.0))


def test_everything_there_is_ready(migrated: Database, settings: Settings, shared_valkey: Valkey) -> None:
    start_ledger_and_worker(migrated)
    settings = Settings(home=settings.home, database_url=settings.database_url, broker_url=shared_valkey.url)
    found = readiness(settings, migrated)
    assert failed(found) == {}
    assert found.ready
    assert [check.name for check in found.checks] == ["database", "migrations", "ledger", "workers", "broker"]
    response = create_app(settings, migrated).test_client().get("/readyz", base_url="http://127.0.0.1:8000")
    assert (response.status_code, response.get_json()["ready"]) == (200, True)


def test_a_fresh_installation_says_what_to_start(migrated: Database, settings: Settings) -> None:
    found = failed(readiness(settings, migrated))
    assert found.keys() == {"ledger", "workers", "broker"}
    assert "malice worker ledger" in found["ledger"]
    assert "malice worker play" in found["workers"]
    assert "MALICE_BROKER_URL" in found["broker"]
    response = create_app(settings, migrated).test_client().get("/readyz", base_url="http://127.0.0.1:8000")
    assert (response.status_code, response.get_json()["ready"]) == (503, False)


def test_old_or_missing_tables_ask_for_a_migration(database_url: str, settings: Settings) -> None:
    database = Database(database_url)
    assert "malice migrate" in failed(readiness(settings, database))["migrations"]
    database.close()


def test_a_database_that_cannot_be_opened_is_said(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    database = Database(f"sqlite:///{tmp_path / 'folder'}")
    assert "MALICE_DATABASE_URL" in failed(readiness(settings, database))["database"]


def test_a_broker_that_went_away_is_said(migrated: Database, settings: Settings, valkey: Valkey) -> None:
    settings = Settings(home=settings.home, database_url=settings.database_url, broker_url=valkey.url)
    assert "broker" not in failed(readiness(settings, migrated))
    valkey.kill()
    assert "does not answer (ConnectionError)" in failed(readiness(settings, migrated))["broker"]
