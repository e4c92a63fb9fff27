"""Keeping match logs to their budget and the disk from running full."""

from collections.abc import Set
from dataclasses import dataclass

import structlog
from sqlalchemy import select, update

from service.blobs import BlobStore
from service.models import Match, Version
from service.settings import MIB
from service.storage.database import Database

KEPT_SHARE = 0.98
"""Over its budget the store is cut to this share of it, so that not every new log costs a search for old ones."""
BATCH = 500


def has_room(blobs: BlobStore, reserve_mb: int) -> bool:
    """Whether there is more room for logs than the reserve."""
    free = blobs.free()
    return free is None or free > reserve_mb * MIB


def keep_to_budget(database: Database, blobs: BlobStore, budget_mb: int) -> int:
    """Drop the oldest logs, and the stderr kept with them, while they take more than the budget; return how many.

    Results, ratings and digests stay, so that a copy somebody kept can still be checked.
    """
    logs, texts = blobs.size("log"), blobs.size("text")
    excess = logs + texts - int(budget_mb * MIB * KEPT_SHARE) if logs + texts > budget_mb * MIB else 0
    # What bots wrote goes with the logs, as far as nothing else names it: expect its share.
    share = logs / max(1, logs + texts)
    dropped = 0
    while excess > 0:
        batch = _drop_oldest(database, blobs, excess * share)
        if not batch:
            break
        excess -= sum(one.freed for one in batch)
        excess -= _drop_stderr(database, blobs, {digest for one in batch for digest in one.stderr})
        dropped += len(batch)
    if dropped:
        structlog.get_logger(__name__).info("dropped old logs", count=dropped, budget_mb=budget_mb)
    return dropped


@dataclass(frozen=True)
class _Dropped:
    """A match whose log is gone: the bytes that freed, and the stderr it named."""

    freed: int
    stderr: frozenset[str]


def _drop_oldest(database: Database, blobs: BlobStore, enough: float) -> list[_Dropped]:
    """Drop a batch, or less where that is enough. Blobs first: a row whose blob is gone is marked next time."""
    with database.reading() as session:
        oldest = session.scalars(
            select(Match).where(~Match.log_dropped).order_by(Match.id).limit(BATCH)
        ).all()
    dropped: list[_Dropped] = []
    for match in oldest:
        freed = blobs.delete("log", match.log)
        dropped.append(_Dropped(freed, frozenset(digest for digest in match.stderr if digest is not None)))
        enough -= freed
        if enough <= 0:
            break
    gone = [match.id for match in oldest[: len(dropped)]]
    with database.transaction() as session:
        session.execute(update(Match).where(Match.id.in_(gone)).values(log_dropped=True))
    return dropped


def _drop_stderr(database: Database, blobs: BlobStore, digests: Set[str]) -> int:
    """Drop what bots wrote, unless something that is kept is the same text: many bots always write the same."""
    if not digests:
        return 0
    with database.reading() as session:
        kept = {
            digest
            for stderr in session.scalars(select(Match.stderr).where(~Match.log_dropped))
            for digest in stderr
        }
        kept.update(session.scalars(select(Version.build_log).where(Version.build_log.in_(digests))))
    return sum(blobs.delete("text", digest) for digest in sorted(digests - kept))
