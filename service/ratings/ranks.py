"""Writing the rank intervals of a ladder's established entries.

They are worked out between two transactions, so that nobody waits for the arithmetic.
"""

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from service.models import Entry, Ladder
from service.ratings.intervals import RankInterval, rank_intervals
from service.ratings.update import Rating
from service.storage.clock import now_us
from service.storage.database import Database

TRIES = 3
"""Ratings may move while intervals are worked out. After as many tries the mover is left to do it."""

Field = dict[str, Rating]
"""Ratings by entry, in the order of the entries' ids."""


def renew_ranks(database: Database, ladder_id: str) -> bool:
    """Bring the ladder's rank intervals up to date with its ratings; return whether they are."""
    for _ in range(TRIES):
        with database.reading() as session:
            if not session.scalar(select(Ladder.ranks_due).where(Ladder.id == ladder_id)):
                return True
            field = _established(session, ladder_id)
        intervals = rank_intervals(list(field.values()))
        with database.transaction() as session:
            session.execute(select(Ladder.id).where(Ladder.id == ladder_id).with_for_update())
            if _established(session, ladder_id) == field:
                _write(session, ladder_id, dict(zip(field, intervals, strict=True)))
                return True
    return False


def _established(session: Session, ladder_id: str) -> Field:
    rows = session.execute(
        select(Entry.id, Entry.mu, Entry.sigma)
        .where(Entry.ladder_id == ladder_id, Entry.status == "active", Entry.provisional.is_(False))
        .order_by(Entry.id)
    )
    return {row.id: Rating(row.mu, row.sigma) for row in rows}


def _write(session: Session, ladder_id: str, intervals: dict[str, RankInterval]) -> None:
    shown = select(Entry).where(
        Entry.ladder_id == ladder_id,
        or_(Entry.id.in_(intervals), Entry.rank_low.is_not(None)),
    )
    for entry in session.scalars(shown):
        interval = intervals.get(entry.id)
        entry.rank_low = interval.low if interval else None
        entry.rank_high = interval.high if interval else None
    session.execute(update(Ladder).where(Ladder.id == ladder_id).values(as_of_us=now_us(), ranks_due=False))
