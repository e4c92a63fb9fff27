"""Entering built versions on their ladders, where validation awaits strangers' and the house's play at once."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.ladders.entries import add_entry
from service.ledger.notices import notify_owner
from service.ledger.seating import seat
from service.models import Account, Bot, Entry, Ladder, Version

CLOSED_STATES = ("closing", "closed")
"""States in which a ladder takes nobody new."""


def enter_ladders(session: Session, version: Version) -> None:
    """Enter a version on every ladder it asked for; tell its owner where that is not possible."""
    bot = session.get_one(Bot, version.bot_id)
    is_house = session.get_one(Account, bot.owner_id).is_house
    for slug in version.ladders:
        ladder = session.scalars(select(Ladder).where(Ladder.slug == slug)).one_or_none()
        if ladder is None or ladder.state in CLOSED_STATES:
            notify_owner(session, version.bot_id, f"{slug} takes no new versions; enter another ladder")
        elif not _is_on(session, ladder, version):
            entry = add_entry(session, ladder, version, bot)
            if is_house:
                seat(session, entry)


def _is_on(session: Session, ladder: Ladder, version: Version) -> bool:
    wanted = select(Entry.id).where(Entry.ladder_id == ladder.id, Entry.version_id == version.id)
    return session.scalars(wanted).one_or_none() is not None
