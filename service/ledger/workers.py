"""Play workers: who was heard of, and how much they can play."""

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from service.ledger.states import LEASE_US
from service.messages import WorkerBye, WorkerHeartbeat, WorkerHello
from service.models import Worker
from service.storage.clock import SECOND_US, now_us
from service.storage.writing import changed_rows, insert_if_absent

MAX_REFUSED_REPORTS = 3
"""Reports that did not replay, after which a worker gets no more work."""
FORGET_US = 7 * 86_400 * SECOND_US
"""Workers not heard of for so long leave the table, unless they are barred."""


def greet(session: Session, hello: WorkerHello) -> None:
    """Note a worker that has started and what it offers; one that is barred stays so."""
    offers = {
        "slots": hello.slots,
        "layer": hello.layer,
        "runtimes": hello.runtimes,
        "speed": hello.speed,
        "seen_us": now_us(),
        "stopped": False,
    }
    insert_if_absent(session, Worker, id=hello.worker, **offers)
    session.execute(update(Worker).where(Worker.id == hello.worker).values(started_us=now_us(), **offers))


def hear(session: Session, heartbeat: WorkerHeartbeat) -> None:
    """Note that a worker lives; one whose greeting got lost is taken on as it is."""
    alive = {"slots": heartbeat.slots, "seen_us": now_us(), "stopped": False}
    insert_if_absent(session, Worker, id=heartbeat.worker, layer="", runtimes={}, speed=0.0, **alive)
    session.execute(update(Worker).where(Worker.id == heartbeat.worker).values(**alive))


def part(session: Session, bye: WorkerBye) -> None:
    """Note that a worker takes no more work."""
    session.execute(update(Worker).where(Worker.id == bye.worker).values(stopped=True))


def live_slots(session: Session) -> int:
    """Return how many fixtures the workers heard of within a lease can play at once."""
    live = ~Worker.stopped & ~Worker.barred & (Worker.seen_us > now_us() - LEASE_US)
    return session.scalars(select(func.coalesce(func.sum(Worker.slots), 0)).where(live)).one()


def hold_against(session: Session, worker: str, why: str) -> None:
    """Count a report that was refused; at the cap the worker is barred."""
    counted = Worker.refused_reports + 1
    session.execute(update(Worker).where(Worker.id == worker).values(refused_reports=counted))
    session.execute(
        update(Worker)
        .where(Worker.id == worker, Worker.refused_reports >= MAX_REFUSED_REPORTS, ~Worker.barred)
        .values(barred=True, reason=f"{MAX_REFUSED_REPORTS} of its reports were refused; the last: {why}")
    )


def retire_silent(session: Session) -> int:
    """Mark workers that fell silent as stopped and forget the long gone; return how many were marked."""
    silent = Worker.seen_us < now_us() - LEASE_US
    marked = changed_rows(session, update(Worker).where(silent, ~Worker.stopped).values(stopped=True))
    gone = Worker.seen_us < now_us() - FORGET_US
    session.execute(Worker.__table__.delete().where(gone, ~Worker.barred))  # type: ignore[attr-defined]
    return marked
