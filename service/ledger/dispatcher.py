"""The dispatcher: publishes tickets for queued fixtures, never more than the live slots can soon play."""

from collections.abc import Sequence

import structlog
from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from service.ledger import builds, states
from service.ledger.fairness import Waiting, fair_order
from service.ledger.tickets import make_ticket
from service.ledger.workers import live_slots
from service.models import Fixture
from service.publishing import Publisher, PublishError
from service.ratings.results import RATED_KIND
from service.storage.clock import SECOND_US, now_us
from service.storage.database import Database

OUTSTANDING_PER_SLOT = 2
"""One being played and one waiting: a slot never idles for want of a message, and nothing queues up out of reach."""
SHARE_WINDOW_US = 300 * SECOND_US
"""How far back an owner's use of the slots is counted."""
UNRATED_SHARE = 0.5
"""Of the tickets outstanding, validations and challenges have at most this share while rated fixtures wait: whoever
uploads by the dozen must not stop the ladder."""
DEFAULT_COST_S = 2.0
"""What a fixture is taken to cost while none has been played of late."""


def dispatch(database: Database, publisher: Publisher) -> int:
    """Order builds and publish tickets as far as slots are free; return how many messages were sent.

    Stops at the first publishing error: what was marked and not sent is silent, and sent again by and by.
    """
    with database.reading() as session:
        capacity = OUTSTANDING_PER_SLOT * live_slots(session)
        orders = builds.waiting(session, capacity - builds.outstanding(session))
        fixtures = _chosen(session, capacity)
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


def _chosen(session: Session, capacity: int) -> list[str]:
    outstanding = states.outstanding(session)
    free = capacity - outstanding.total()
    if free <= 0:
        return []
    used, cost = _shares(session)
    waiting = _waiting(session, free)
    ordered = fair_order(waiting, used, cost, len(waiting))
    unrated = outstanding.total() - outstanding[RATED_KIND]
    return _with_room_for_rated(ordered, max(1, int(capacity * UNRATED_SHARE)) - unrated)[:free]


def _with_room_for_rated(ordered: Sequence[Waiting], unrated_room: int) -> list[str]:
    """Return the fixtures in order, those without rating beyond `unrated_room` behind all others."""
    first: list[str] = []
    later: list[str] = []
    for one in ordered:
        if not one.is_rated:
            unrated_room -= 1
        (first if one.is_rated or unrated_room >= 0 else later).append(one.fixture)
    return first + later


def _waiting(session: Session, each: int) -> list[Waiting]:
    """Return the oldest `each` queued fixtures of every owner and priority, oldest first."""
    place = func.row_number().over(partition_by=(Fixture.priority, Fixture.owner_id), order_by=Fixture.id)
    queued = (
        select(Fixture.id, Fixture.owner_id, Fixture.priority, Fixture.kind, place.label("place"))
        .where(Fixture.state == "queued")
        .subquery()
    )
    rows = session.execute(select(queued).where(queued.c.place <= each).order_by(queued.c.id))
    return [Waiting(row.id, row.owner_id or "", row.priority, row.kind == RATED_KIND) for row in rows]


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
