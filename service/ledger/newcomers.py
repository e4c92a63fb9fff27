"""Entering built versions on their ladders, where validation awaits them."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.ladders.entries import add_entry
from service.ledger.notices import notify_owner
from service.models import Bot, Entry, Ladder, Version

CLOSED_STATES = ("closing", "closed")
"""States in which a ladder takes nobody new."""


def enter_ladders(session: Session, version: Version) -> None:
    """Enter a version on every ladder it asked for, `validating`; tell its owner where that is not possible."""
    for slug in version.ladders:
        ladder = session.scalars(select(Ladder).where(Ladder.slug == slug)).one_or_none()
        if ladder is None or ladder.state in CLOSED_STATES:
            notify_owner(session, version.bot_id, f"{slug} takes no new versions; enter another ladder")
        elif not _is_on(session, ladder, version):
            add_entry(session, ladder, version, session.get_one(Bot, version.bot_id))


def _is_on(session: Session, ladder: Ladder, version: Version) -> bool:
    wanted = select(Entry.id).where(Entry.ladder_id == ladder.id, Entry.version_id == version.id)
    return session.scalars(wanted).one_or_none() is not None
