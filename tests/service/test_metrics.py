"""Metrics: read from the database, in Prometheus' format."""

import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.blobs import FolderBlobs
from service.ledger.workers import greet
from service.messages import WorkerHello
from service.metrics import metrics
from service.settings import Settings
from service.storage.database import Database
from tests.service.factories import (
    add_account,
    add_bot,
    add_entry,
    add_fixture,
    add_ladder,
    add_version,
    finish,
)

Sample = tuple[str, frozenset[tuple[str, str]]]


@pytest.fixture
def blobs(settings: Settings) -> FolderBlobs:
    return FolderBlobs(settings.home / "blobs")


def samples(database: Database, blobs: FolderBlobs) -> dict[Sample, float]:
    """All samples by name and labels."""
    families = text_string_to_metric_families(metrics(database, blobs).decode())
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


def labelled(name: str, **labels: str) -> Sample:
    return name, frozenset(labels.items())


def test_an_empty_installation_has_metrics_too(database: Database, blobs: FolderBlobs) -> None:
    found = samples(database, blobs)
    assert found[labelled("malice_live_slots")] == 0
    assert found[labelled("malice_oldest_open_fixture_seconds")] == 0
    assert found[labelled("malice_refused_reports")] == 0


def test_metrics_tell_what_waits_what_was_drawn_up_and_who_plays(
    database: Database, blobs: FolderBlobs
) -> None:
    with database.transaction() as session:
        ladder = add_ladder(session, rated_through=7)
        account = add_account(session)
        entries = []
        for name in ("sharp", "blunt"):
            bot = add_bot(session, account, name)
            entries.append(add_entry(session, ladder, bot, add_version(session, bot)))
        add_version(session, add_bot(session, account, "fresh"), status="queued")
        fixtures = [add_fixture(session, ladder, entries) for _ in range(3)]
        finish(session, blobs, fixtures[0], [(50, 1), (50, 2)])
        greet(session, WorkerHello("w1", slots=2, layer="S3", runtimes={"python": "3.11"}, speed=1.0))
    found = samples(database, blobs)
    assert found[labelled("malice_fixtures_open", state="queued", kind="ladder")] == 2
    assert found[labelled("malice_fixtures_drawn_total", ladder="classic-50", kind="ladder")] == 3
    assert found[labelled("malice_rated_through", ladder="classic-50")] == 7
    assert found[labelled("malice_entries", ladder="classic-50", status="active")] == 2
    assert found[labelled("malice_versions_waiting", status="queued")] == 1
    assert found[labelled("malice_live_slots")] == 2
    assert found[labelled("malice_oldest_open_fixture_seconds")] >= 0
