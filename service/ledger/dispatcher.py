"""The dispatcher: publishes tickets for queued fixtures, never more than the live slots can soon play."""

import structlog
from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from service.ledger import builds, states
from service.ledger.fairness import Waiting, fair_order
from service.ledger.tickets import make_ticket
from service.ledger.workers import live_slots
from service.models import Fixture, Ladder
from service.publishing import Publisher, PublishError
from service.storage.clock import SECOND_US, now_us
from service.storage.database import Database

OUTSTANDING_PER_SLOT = 2
"""One being played and one waiting: a slot never idles for want of a message, and nothing queues up out of reach."""
SHARE_WINDOW_US = 300 * SECOND_US
"""How far back an owner's use of the slots is counted."""
DEFAULT_COST_S = 2.0
"""What a fixture is taken to cost while none has been played of late."""


def dispatch(database: Database, publisher: Publisher) -> int:
    """Order builds and publish tickets as far as slots are free; return how many messages were sent.

    Stops at the first publishing error: what was marked and not sent is silent, and sent again by and by.
    """
    with database.reading() as session:
        capacity = OUTSTANDING_PER_SLOT * live_slots(session)
        orders = builds.waiting(session, capacity - builds.outstanding(session))
        fixtures = _chosen(session, capacity - states.outstanding(session))
    sent = 0
    try:
        for version in orders:
            sent += builds.order(database, publisher, version)
        for fixture in fixtures:
            sent += _publish(database, publisher, fixture)
    except PublishError as error:
        structlog.get_logger(__name__).warning("dispatch stopped", sent=sent, error=str(error))
    return sent


def _publish(database: Database, publisher: Publisher, fixture: str) -> bool:
    with database.transaction() as session:
        if states.claim(session, fixture) is None:
            return False
        ticket = make_ticket(session, fixture)
    publisher.ticket(ticket)
    return True


def _chosen(session: Session, free: int) -> list[str]:
    if free <= 0:
        return []
    used, cost = _shares(session)
    return fair_order(_waiting(session, free), used, cost, free)


def _waiting(session: Session, each: int) -> list[Waiting]:
    """Return the oldest `each` queued fixtures of every owner and rank, oldest first."""
    place = func.row_number().over(
        partition_by=(Fixture.priority, Ladder.priority, Fixture.owner_id), order_by=Fixture.id
    )
    queued = (
        select(
            Fixture.id,
            Fixture.owner_id,
            Fixture.priority,
            Ladder.priority.label("ladder_priority"),
            place.label("place"),
        )
        .join(Ladder, Ladder.id == Fixture.ladder_id)
        .where(states.is_waiting())
        .subquery()
    )
    rows = session.execute(select(queued).where(queued.c.place <= each).order_by(queued.c.id))
    return [Waiting(row.id, row.owner_id or "", (row.priority, row.ladder_priority)) for row in rows]


def _shares(session: Session) -> tuple[dict[str, float], float]:
    """Return the slot-seconds of each owner within the window, and the mean cost of a fixture in it."""
    now = session.scalars(select(now_us())).one()
    sent = Fixture.state == "dispatched"
    took = case((sent, 0), else_=func.coalesce(func.coalesce(Fixture.done_us, now) - Fixture.started_us, 0))
    rows = session.execute(
        select(
            Fixture.owner_id.label("owner"),
            func.sum(took).label("took_us"),
            func.sum(case((sent, 0), else_=1)).label("played"),
            func.sum(case((sent, 1), else_=0)).label("sent"),
        )
        .where((Fixture.done_us > now - SHARE_WINDOW_US) | Fixture.state.in_(("dispatched", "running")))
        .group_by(Fixture.owner_id)
    ).all()
    played = sum(row.played for row in rows)
    cost = sum(int(row.took_us) for row in rows) / SECOND_US / played if played else DEFAULT_COST_S
    return {row.owner or "": int(row.took_us) / SECOND_US + row.sent * cost for row in rows}, cost
