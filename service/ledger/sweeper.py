"""The sweeper: what has been silent for too long goes back to the queue, or is given up."""

from sqlalchemy.orm import Session

from service.ledger import builds, states
from service.ledger.infra import note_infra
from service.storage.clock import SECOND_US
from service.storage.database import Database


def sweep(database: Database) -> int:
    """Take back every expired lease; return how many fixtures and builds that was."""
    with database.transaction() as session:
        return states.requeue_unstarted(session) + _take_back_silent(session) + builds.sweep(session)


def _take_back_silent(session: Session) -> int:
    """Give back what silent workers held: an attempt spoilt by our side, as far as anybody can tell."""
    silent = states.silent(session)
    for fixture in silent:
        worker = fixture.worker or "unknown"
        reason = f"worker {worker} was not heard of for {states.LEASE_US // SECOND_US} s"
        if states.give_back(session, fixture.id, fixture.attempt, reason):
            note_infra(session, fixture.id, fixture.attempt, worker, reason)
    return len(silent)
