"""Keeping match logs to their budget and the disk from running full."""

import structlog
from sqlalchemy import select, update

from service.blobs import BlobStore
from service.models import Match
from service.settings import MIB
from service.storage.database import Database

KEPT_SHARE = 0.95
"""Over its budget the store is cut to this share of it, so that not every new log costs an old one a search."""
BATCH = 100


def has_room(blobs: BlobStore, reserve_mb: int) -> bool:
    """Whether there is more room for logs than the reserve."""
    free = blobs.free()
    return free is None or free > reserve_mb * MIB


def keep_to_budget(database: Database, blobs: BlobStore, budget_mb: int) -> int:
    """Drop the oldest logs, and the stderr kept with them, while they take more than the budget; return how many.

    Results, ratings and digests stay, so that a copy somebody kept can still be checked.
    """
    used = blobs.size("log") + blobs.size("text")
    excess = used - int(budget_mb * MIB * KEPT_SHARE) if used > budget_mb * MIB else 0
    dropped = 0
    while excess > 0:
        freed, count = _drop_oldest(database, blobs, excess)
        if not count:
            break
        excess -= freed
        dropped += count
    if dropped:
        structlog.get_logger(__name__).info("dropped old logs", count=dropped, budget_mb=budget_mb)
    return dropped


def _drop_oldest(database: Database, blobs: BlobStore, excess: int) -> tuple[int, int]:
    """Drop a batch, or less where that is enough. Blobs first: a row whose blob is gone is marked next time."""
    with database.reading() as session:
        oldest = session.scalars(
            select(Match).where(~Match.log_dropped).order_by(Match.id).limit(BATCH)
        ).all()
    freed, gone = 0, []
    for match in oldest:
        freed += blobs.delete("log", match.log)
        freed += sum(blobs.delete("text", digest) for digest in match.stderr if digest is not None)
        gone.append(match.id)
        if freed >= excess:
            break
    with database.transaction() as session:
        session.execute(update(Match).where(Match.id.in_(gone)).values(log_dropped=True))
    return freed, len(gone)
