"""Builds of uploaded versions: ordering them, and what their reports change."""

from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from engine.games import game_from_profile
from service.blobs import BlobKind, BlobStore
from service.ledger.newcomers import enter_ladders
from service.ledger.notices import notify_owner
from service.messages import BuildOrder, BuildReport
from service.models import Bundle, Ladder, Version
from service.publishing import Publisher
from service.storage.clock import SECOND_US, now_us
from service.storage.database import Database
from service.storage.writing import changed_rows, insert_if_absent

LEASE_US = 60 * SECOND_US
"""Silence after which a build is ordered again: a build's own limit, as it sends no heartbeats."""
PAUSE_US = 10 * SECOND_US
"""How long a build that our side spoilt waits: what is out of order just now may be in order soon."""
DEFAULT_PROFILE = "classic"
DEFAULT_TARGET = 50
"""What a version is tried at when none of the ladders it asked for is there any more."""
MAX_ORDERS = 20
"""Orders after which a version counts as failed: most of them may only have waited behind long fixtures."""


def outstanding(session: Session) -> int:
    """Return how many builds are with the workers."""
    return session.scalars(select(func.count()).where(Version.status == "building")).one()


def waiting(session: Session, limit: int) -> list[str]:
    """Return the oldest `limit` versions that wait for their build."""
    wanted = select(Version.id).where(Version.status == "queued").order_by(Version.id).limit(max(0, limit))
    return list(session.scalars(wanted))


def order(database: Database, publisher: Publisher, version_id: str) -> bool:
    """Order a queued version's build; return whether it was still queued. Raises PublishError."""
    with database.transaction() as session:
        claimed = (
            update(Version)
            .where(Version.id == version_id, Version.status == "queued")
            .values(status="building", attempt=Version.attempt + 1, lease_until_us=now_us() + LEASE_US)
        )
        if not changed_rows(session, claimed):
            return False
        version = session.get_one(Version, version_id, populate_existing=True)
        rules, target = _tried_at(session, version)
        message = BuildOrder(
            version=version.id,
            attempt=version.attempt,
            source=version.source_digest,
            language=version.language,
            entry=version.entry,
            rules=rules,
            target=target,
        )
    publisher.build_order(message)
    return True


def _tried_at(session: Session, version: Version) -> tuple[dict[str, Any], int]:
    """Return rules and target of a ladder the version is made for, the first it asked for that there is.

    The default profile stands in where all of them are gone.
    """
    rows = session.execute(
        select(Ladder.slug, Ladder.rules, Ladder.target).where(Ladder.slug.in_(version.ladders))
    )
    by_slug = {slug: (rules, target) for slug, rules, target in rows}
    for slug in version.ladders:
        if slug in by_slug:
            return by_slug[slug]
    return game_from_profile(DEFAULT_PROFILE).document(), DEFAULT_TARGET


def record(database: Database, blobs: BlobStore, report: BuildReport) -> bool:
    """Believe a build report; return whether it changed anything.

    Any attempt's verdict counts, as all build the same source; only a spoilt build must be the current one. What it
    names must be in the blob store.
    """
    if not _is_stored(blobs, "bundle", report.bundle) or not _is_stored(blobs, "text", report.log):
        return False
    with database.transaction() as session:
        if report.infra:
            return _give_back(session, report)
        if report.bundle is None:
            return _fail(session, report.version, report.reason, report.log)
        return _built(session, report, report.bundle)


def sweep(session: Session) -> int:
    """Queue silent builds again, fail those past the cap; return how many versions that was."""
    expired = (Version.status == "building") & (Version.lease_until_us < now_us())
    hopeless = session.scalars(select(Version.id).where(expired, Version.attempt >= MAX_ORDERS)).all()
    for version in hopeless:
        _fail(session, version, _gave_up("no worker answered"), None)
    again = changed_rows(session, update(Version).where(expired).values(status="queued", lease_until_us=None))
    return len(hopeless) + again


def _is_stored(blobs: BlobStore, kind: BlobKind, digest: str | None) -> bool:
    try:
        return digest is None or blobs.exists(kind, digest)
    except ValueError:  # no digest at all
        return False


def _built(session: Session, report: BuildReport, bundle: str) -> bool:
    if not _settle(session, report.version, status="built", reason="", build_log=report.log):
        return False
    insert_if_absent(session, Bundle, version_id=report.version, runtime=report.runtime, digest=bundle)
    enter_ladders(session, session.get_one(Version, report.version, populate_existing=True))
    return True


def _give_back(session: Session, report: BuildReport) -> bool:
    """Let a spoilt build's lease run out soon, or give it up at the cap."""
    version = session.get(Version, report.version)
    if version is None or version.attempt != report.attempt:
        return False
    if version.attempt >= MAX_ORDERS:
        return _fail(session, version.id, _gave_up(report.reason), report.log)
    pause = update(Version).where(Version.id == version.id, Version.status == "building")
    return bool(changed_rows(session, pause.values(reason=report.reason, lease_until_us=now_us() + PAUSE_US)))


def _fail(session: Session, version_id: str, reason: str, log: str | None) -> bool:
    if not _settle(session, version_id, status="failed", reason=reason, build_log=log):
        return False
    version = session.get_one(Version, version_id)
    notify_owner(session, version.bot_id, f"version {version.number} was not built: {reason}")
    return True


def _settle(session: Session, version_id: str, **values: str | None) -> bool:
    """End the building of a version unless something else ended it first, such as its retirement."""
    settled = (
        update(Version)
        .where(Version.id == version_id, Version.status == "building")
        .values(lease_until_us=None, **values)
    )
    return changed_rows(session, settled) == 1


def _gave_up(last: str) -> str:
    return (
        f"it could not be built in {MAX_ORDERS} attempts, through no fault of the program ({last}); "
        "upload it again with any change, or ask the operator"
    )
