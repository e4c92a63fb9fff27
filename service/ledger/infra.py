"""Attempts that our side spoilt: never rated, but counted, for a bot may be what spoils them."""

from collections.abc import Set
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import Session

from service.ledger.suspension import suspend_version
from service.models import Fixture, FixtureSeat, InfraAttempt, Worker
from service.storage.clock import SECOND_US, now_us

WINDOW_US = 86_400 * SECOND_US
"""Older attempts say nothing any more: hosts fail now and then, whoever plays on them."""
MIN_WORKERS = 3
"""Different workers on which a version's attempts were spoilt before it is held responsible at all."""
MAX_SHARE = 0.5
"""A larger share of its attempts spoilt is never an accident: a fleet that fails so plays nothing."""
MIN_COMPARED = 10
"""Spoilt attempts from which on a version's share is compared with the fleet's."""
MAX_TIMES_FLEET = 5
"""So many times the share of everybody else's attempts is far above the fleet's rate."""


def note_infra(session: Session, fixture: str, attempt: int, worker: str, evidence: str) -> None:
    """Count a spoilt attempt for its worker and its versions; suspend a version that spoils too many."""
    counted = Worker.infra_attempts + 1
    session.execute(update(Worker).where(Worker.id == worker).values(infra_attempts=counted))
    seats = select(FixtureSeat.version_id).where(FixtureSeat.fixture_id == fixture).distinct()
    versions = sorted(session.scalars(seats))
    for version in versions:
        session.add(
            InfraAttempt(
                fixture_id=fixture, attempt=attempt, version_id=version, worker=worker, evidence=evidence
            )
        )
    session.flush()
    for version in versions:
        if _is_responsible(session, version):
            why = f"its fixtures broke down on {MIN_WORKERS} or more different workers within a day"
            suspend_version(session, version, f"{why}; the last: {evidence}")


@dataclass(frozen=True)
class _Record:
    """A day of a version's or the fleet's attempts."""

    spoilt: int
    done: int

    @property
    def share(self) -> float:
        return self.spoilt / max(1, self.spoilt + self.done)


def _is_responsible(session: Session, version: str) -> bool:
    """Whether the day's spoilt attempts point to this version.

    They must have happened on several workers, and not always with the same opponent: of two that only ever broke
    down together one is innocent, and the guilty one betrays itself in its next fixture.
    """
    attempts = session.scalars(
        select(InfraAttempt).where(InfraAttempt.version_id == version, _recent())
    ).all()
    if len({attempt.worker for attempt in attempts}) < MIN_WORKERS:
        return False
    if _has_constant_companion(session, version, {attempt.fixture_id for attempt in attempts}):
        return False
    own = _Record(len(attempts), _done(session, version))
    if own.share > MAX_SHARE:
        return True
    fleet = _Record(_spoilt(session) - own.spoilt, _done(session) - own.done)
    return own.spoilt >= MIN_COMPARED and own.share > MAX_TIMES_FLEET * fleet.share


def _has_constant_companion(session: Session, version: str, fixtures: Set[str]) -> bool:
    together: dict[str, set[str]] = {}
    rows = session.execute(
        select(FixtureSeat.version_id, FixtureSeat.fixture_id).where(
            FixtureSeat.fixture_id.in_(fixtures), FixtureSeat.version_id != version
        )
    )
    for row in rows:
        together.setdefault(row.version_id, set()).add(row.fixture_id)
    return any(shared == fixtures for shared in together.values())


def _spoilt(session: Session) -> int:
    """Return how many attempts were spoilt, each counted once."""
    attempts = select(InfraAttempt.fixture_id, InfraAttempt.attempt).where(_recent()).distinct().subquery()
    return session.scalars(select(func.count()).select_from(attempts)).one()


def _done(session: Session, version: str | None = None) -> int:
    """Return how many fixtures were played to their end, by a version or by all."""
    counted = select(func.count()).where(Fixture.state == "done", Fixture.done_us > now_us() - WINDOW_US)
    if version is not None:
        seated = select(FixtureSeat.fixture_id).where(FixtureSeat.version_id == version)
        counted = counted.where(Fixture.id.in_(seated))
    return session.scalars(counted).one()


def _recent() -> ColumnElement[bool]:
    return InfraAttempt.created_us > now_us() - WINDOW_US
