"""The life of a fixture: every change of its state, each one compare-and-set statement.

queued -> dispatched (a ticket was published) -> running (a worker said so) -> done. Silence or a spoilt attempt
lead back to queued; too many started attempts, or an operator, end in void. `attempt` is the fencing token: it
grows at every publication, and whoever holds an older one changes nothing.
"""

from collections import Counter
from collections.abc import Sequence

from sqlalchemy import ColumnElement, Update, case, func, literal, select, update
from sqlalchemy.orm import Session

from service.models import Fixture
from service.models.base import AnyText
from service.storage.clock import SECOND_US, now_us
from service.storage.writing import changed_rows

LEASE_US = 10 * SECOND_US
"""Silence after which a ticket is sent again and a worker counts as dead."""
MAX_STARTS = 5
"""Started attempts after which a fixture is void."""
PAUSES_S = (1, 1, 4, 16, 64)
"""How long a fixture waits after a failed attempt, by the attempts started so far: what is out of order just now may be
in order in a minute, and a void is final."""


def claim(session: Session, fixture: str) -> int | None:
    """Mark a waiting fixture dispatched and return its new attempt; None when it waits no more."""
    return session.scalars(
        update(Fixture)
        .where(Fixture.id == fixture, is_waiting())
        .values(
            state="dispatched", attempt=Fixture.attempt + 1, worker=None, lease_until_us=now_us() + LEASE_US
        )
        .returning(Fixture.attempt),
        execution_options={"synchronize_session": False},
    ).one_or_none()


def is_waiting() -> ColumnElement[bool]:
    """The condition that a fixture is queued and may be sent now."""
    ready = Fixture.lease_until_us.is_(None) | (Fixture.lease_until_us <= now_us())
    return (Fixture.state == "queued") & ready


def start(session: Session, fixture: str, attempt: int, worker: str) -> bool:
    """Mark a dispatched fixture running on `worker`; return whether it was this attempt's to start."""
    return _changed(
        session,
        _attempt(fixture, attempt)
        .where(Fixture.state == "dispatched")
        .values(
            state="running",
            worker=worker,
            starts=Fixture.starts + 1,
            started_us=now_us(),
            lease_until_us=now_us() + LEASE_US,
        ),
    )


def renew(session: Session, fixture: str, attempt: int, worker: str) -> bool:
    """Renew the lease of a running fixture; a worker whose `started` got lost starts it by this."""
    renewed = _changed(
        session,
        _attempt(fixture, attempt)
        .where(Fixture.state == "running", Fixture.worker == worker)
        .values(lease_until_us=now_us() + LEASE_US),
    )
    return renewed or start(session, fixture, attempt, worker)


def finish(session: Session, fixture: str, attempt: int, worker: str) -> bool:
    """Mark a fixture done; return whether its attempt was still the current one."""
    return _changed(
        session,
        _attempt(fixture, attempt)
        .where(
            Fixture.state.in_(("dispatched", "running")),
            Fixture.worker.is_(None) | (Fixture.worker == worker),
        )
        .values(
            state="done",
            reason="",
            worker=worker,
            started_us=func.coalesce(Fixture.started_us, now_us()),
            done_us=now_us(),
            lease_until_us=None,
        ),
    )


def give_back(session: Session, fixture: str, attempt: int, reason: str) -> bool:
    """Queue a fixture whose attempt was spoilt, or void it at the cap; return whether the attempt was current.

    It is sent again after a pause.
    """
    at_cap = Fixture.starts >= MAX_STARTS
    pause_s = case(dict(enumerate(PAUSES_S)), value=Fixture.starts, else_=PAUSES_S[-1])
    last = literal(reason, AnyText)
    gave_up = literal(f"given up after {MAX_STARTS} started attempts; the last: {reason}", AnyText)
    return _changed(
        session,
        _attempt(fixture, attempt)
        .where(Fixture.state.in_(("dispatched", "running")))
        .values(
            state=case((at_cap, "void"), else_="queued"),
            reason=case((at_cap, gave_up), else_=last),
            done_us=case((at_cap, now_us()), else_=None),
            worker=None,
            lease_until_us=case((at_cap, None), else_=now_us() + pause_s * SECOND_US),
        ),
    )


def requeue_unstarted(session: Session) -> int:
    """Queue the dispatched fixtures nobody has started within the lease; return how many.

    That is no failed attempt: the ticket may have waited behind long fixtures, or got lost.
    """
    return changed_rows(
        session,
        update(Fixture)
        .where(Fixture.state == "dispatched", Fixture.lease_until_us < now_us())
        .values(state="queued", lease_until_us=None),
    )


def silent(session: Session) -> Sequence[Fixture]:
    """Return the running fixtures whose worker has fallen silent, locked, but those another sweeper has."""
    return session.scalars(
        select(Fixture)
        .where(Fixture.state == "running", Fixture.lease_until_us < now_us())
        .order_by(Fixture.id)
        .with_for_update(skip_locked=True)
    ).all()


def void(session: Session, fixture: str, reason: str) -> bool:
    """Void a fixture on an operator's word, even a done one; return whether it was not void before."""
    return _changed(
        session,
        update(Fixture)
        .where(Fixture.id == fixture, Fixture.state != "void")
        .values(
            state="void", reason=reason, lease_until_us=None, done_us=func.coalesce(Fixture.done_us, now_us())
        ),
    )


def outstanding(session: Session) -> Counter[str]:
    """Return how many fixtures of each kind are with the workers."""
    counted = (
        select(Fixture.kind, func.count())
        .where(Fixture.state.in_(("dispatched", "running")))
        .group_by(Fixture.kind)
    )
    return Counter(dict(session.execute(counted).all()))


def _attempt(fixture: str, attempt: int) -> Update:
    return update(Fixture).where(Fixture.id == fixture, Fixture.attempt == attempt)


def _changed(session: Session, statement: Update) -> bool:
    return changed_rows(session, statement) == 1
