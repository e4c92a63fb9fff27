"""The recorder: turns a worker's report into a result, once, and only if its logs prove it."""

from collections.abc import Sequence
from enum import Enum

import structlog
from sqlalchemy import update
from sqlalchemy.orm import Session

from engine.fixture import participant
from service.blobs import BlobStore
from service.ledger import states
from service.ledger.checking import Played, ReportRefusedError, check_report
from service.ledger.infra import note_infra
from service.ledger.suspension import suspend_for_faults
from service.ledger.tickets import make_ticket
from service.ledger.workers import hold_against
from service.messages import Report, Ticket
from service.models import Fault, Fixture, FixtureSeat, Match
from service.storage.database import Database


class Outcome(Enum):
    """What a report changed."""

    RECORDED = "recorded"
    STALE = "stale"
    """Nothing: its attempt is no longer the current one, or its result is recorded already."""
    REFUSED = "refused"
    """It does not replay; the fixture will be played again."""
    SPOILT = "spoilt"
    """An infrastructure fault; the fixture will be played again."""


def record(database: Database, blobs: BlobStore, report: Report) -> Outcome:
    """Record a fixture's result, or give the fixture back to the queue.

    The logs are replayed outside any transaction; the result is written in one, by compare-and-set on the attempt.
    """
    with database.reading() as session:
        if not _is_current(session.get(Fixture, report.fixture), report):
            return Outcome.STALE
        ticket = make_ticket(session, report.fixture)
    spoilt = [fault.evidence for fault in report.faults if fault.kind == "infra"]
    if spoilt:
        return _spoilt(database, report, "; ".join(spoilt))
    try:
        played = check_report(report, ticket, blobs)
    except ReportRefusedError as error:
        return _refuse(database, report, str(error))
    with database.transaction() as session:
        if not states.finish(session, report.fixture, report.attempt, report.worker):
            return Outcome.STALE
        _write(session, report, ticket, played)
        suspend_for_faults(session, report.fixture)
    return Outcome.RECORDED


def _is_current(fixture: Fixture | None, report: Report) -> bool:
    return (
        fixture is not None
        and fixture.attempt == report.attempt
        and fixture.state in ("dispatched", "running")
        and fixture.worker in (None, report.worker)
    )


def _spoilt(database: Database, report: Report, evidence: str) -> Outcome:
    with database.transaction() as session:
        reason = f"spoilt on {report.worker}: {evidence}"
        if not states.give_back(session, report.fixture, report.attempt, reason):
            return Outcome.STALE
        note_infra(session, report.fixture, report.attempt, report.worker, evidence)
    return Outcome.SPOILT


def _refuse(database: Database, report: Report, why: str) -> Outcome:
    with database.transaction() as session:
        reason = f"the report of {report.worker} was refused: {why}"
        if not states.give_back(session, report.fixture, report.attempt, reason):
            return Outcome.STALE
        hold_against(session, report.worker, why)
    structlog.get_logger(__name__).warning(
        "report refused", fixture=report.fixture, attempt=report.attempt, worker=report.worker, reason=why
    )
    return Outcome.REFUSED


def _write(session: Session, report: Report, ticket: Ticket, played: Played) -> None:
    versions = [seat.version for seat in ticket.seats]
    for number, (leg, said) in enumerate(zip(played.legs, report.legs, strict=True)):
        session.add(
            Match(
                fixture_id=report.fixture,
                leg=number,
                log=said.log,
                points=list(leg.points),
                places=list(leg.places),
                deals=leg.deals,
                reason=leg.reason,
                stderr=list(said.stderr),
                used_us=list(leg.charges),
            )
        )
    _write_faults(session, report.fixture, versions, played)
    for who in range(len(versions)):
        session.execute(
            update(FixtureSeat)
            .where(FixtureSeat.fixture_id == report.fixture, FixtureSeat.seat == who)
            .values(
                points=played.result.points[who],
                place=played.result.places[who],
                faulted_legs=played.result.faulted_legs[who],
            )
        )


def _write_faults(session: Session, fixture: str, versions: Sequence[str], played: Played) -> None:
    for number, leg in enumerate(played.legs):
        for fault in leg.faults:
            session.add(
                Fault(
                    fixture_id=fixture,
                    version_id=versions[participant(number, fault.seat, len(versions))],
                    leg=number,
                    seat=fault.seat,
                    kind=fault.kind,
                    evidence=fault.evidence,
                )
            )
