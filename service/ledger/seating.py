"""Seating an entry on its ladder in place of its bot's older one."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.models import Entry, Version
from service.storage.clock import now_us


def seat(session: Session, entry: Entry, remark: str = "") -> None:
    """Make an entry active; whatever else of its bot plays there, or is older and still on its way, steps down."""
    number = session.get_one(Version, entry.version_id).number
    others = session.scalars(
        select(Entry)
        .join(Version, Version.id == Entry.version_id)
        .where(
            Entry.ladder_id == entry.ladder_id,
            Entry.bot_id == entry.bot_id,
            Entry.id != entry.id,
            (Entry.status == "active") | ((Entry.status == "validating") & (Version.number < number)),
        )
    )
    for other in others.all():
        other.status, other.reason = "superseded", f"version {number} took its place"
    entry.status, entry.reason = "active", remark
    entry.activated_us = session.scalars(select(now_us())).one()
    session.flush()
