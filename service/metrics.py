"""Metrics for Prometheus, read from the database when they are asked for: nothing is counted in a process's memory.

So all web processes tell the same, and a restart resets nothing.
"""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from service.blobs import BlobStore
from service.fixtures.days import OPEN_STATES
from service.ledger.workers import live_slots
from service.models import Entry, Fixture, Ladder, Stream, Version, Worker
from service.storage.clock import SECOND_US, now_us
from service.storage.database import Database

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class _Collector:
    """Reads all metrics in one transaction; none scans finished fixtures."""

    def __init__(self, database: Database, blobs: BlobStore) -> None:
        self._database = database
        self._blobs = blobs

    def collect(self) -> Iterator[Metric]:
        with self._database.reading() as session:
            yield from _fixtures(session)
            yield from _ladders(session)
            yield from _workers(session)
        yield from _disk(self._blobs)


def metrics(database: Database, blobs: BlobStore) -> bytes:
    """Return all metrics in Prometheus' text format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector(database, blobs))
    return generate_latest(registry)


def _fixtures(session: Session) -> Iterator[Metric]:
    waiting = GaugeMetricFamily(
        "malice_fixtures_open", "Fixtures that are not final.", labels=["state", "kind"]
    )
    oldest = None
    rows = session.execute(
        select(Fixture.state, Fixture.kind, func.count(), func.min(Fixture.created_us))
        .where(Fixture.state.in_(OPEN_STATES))
        .group_by(Fixture.state, Fixture.kind)
    )
    for state, kind, number, created_us in rows:
        waiting.add_metric([state, kind], number)
        oldest = created_us if oldest is None else min(oldest, created_us)
    yield waiting
    age_s = (session.scalars(select(now_us())).one() - oldest) / SECOND_US if oldest is not None else 0
    yield GaugeMetricFamily(
        "malice_oldest_open_fixture_seconds", "Age of the oldest open fixture.", max(0, age_s)
    )
    drawn = CounterMetricFamily("malice_fixtures_drawn", "Fixtures drawn up.", labels=["ladder", "kind"])
    streams = select(Ladder.slug, Stream.kind, Stream.next_sequence).join(
        Stream, Stream.ladder_id == Ladder.id
    )
    for slug, kind, following in session.execute(streams):
        drawn.add_metric([slug, kind], following - 1)
    yield drawn


def _ladders(session: Session) -> Iterator[Metric]:
    rated = GaugeMetricFamily(
        "malice_rated_through", "Newest sequence number in the ratings.", labels=["ladder"]
    )
    for slug, sequence in session.execute(select(Ladder.slug, Ladder.rated_through)):
        rated.add_metric([slug], sequence)
    yield rated
    entries = GaugeMetricFamily("malice_entries", "Entries.", labels=["ladder", "status"])
    rows = session.execute(
        select(Ladder.slug, Entry.status, func.count())
        .join(Entry, Entry.ladder_id == Ladder.id)
        .group_by(Ladder.slug, Entry.status)
    )
    for slug, status, number in rows:
        entries.add_metric([slug, status], number)
    yield entries
    builds = GaugeMetricFamily("malice_versions_waiting", "Versions not yet built.", labels=["status"])
    waiting = select(Version.status, func.count()).where(Version.status.in_(("queued", "building")))
    for status, number in session.execute(waiting.group_by(Version.status)):
        builds.add_metric([status], number)
    yield builds


def _workers(session: Session) -> Iterator[Metric]:
    yield GaugeMetricFamily(
        "malice_live_slots", "Fixtures the live workers can play at once.", live_slots(session)
    )
    refused, infra, barred = session.execute(
        select(
            func.coalesce(func.sum(Worker.refused_reports), 0),
            func.coalesce(func.sum(Worker.infra_attempts), 0),
            func.count().filter(Worker.barred),
        )
    ).one()
    yield GaugeMetricFamily(
        "malice_refused_reports", "Reports of known workers that did not replay.", refused
    )
    yield GaugeMetricFamily("malice_infra_attempts", "Attempts known workers spoilt.", infra)
    yield GaugeMetricFamily("malice_barred_workers", "Workers that get no more work.", barred)


def _disk(blobs: BlobStore) -> Iterator[Metric]:
    free = blobs.free()
    if free is not None:
        yield GaugeMetricFamily("malice_blobs_free_bytes", "Free room in the blob store.", free)
