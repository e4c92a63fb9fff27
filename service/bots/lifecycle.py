"""Rolling a bot back to an older version, and retiring one."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.ladders.entries import require_owner, revive, take_off
from service.models import Account, Bot, Bundle, Entry, Ladder, Version
from service.refusals import ConflictError

RETIRED = "retired by its owner"


def activate(session: Session, account: Account, bot: Bot, version: Version) -> None:
    """Let a version play again on the ladders it was on, in place of the one that plays there now.

    It keeps the rating it had. Doing it twice changes nothing. Raises ForbiddenError, or ConflictError when the
    version never got as far as playing.
    """
    require_owner(account, bot)
    was_retired = version.status == "retired"
    if was_retired:
        _bring_back(session, bot, version)
    elif version.status != "built":
        raise ConflictError(_not_built(bot, version))
    entries = _entries(session, version)
    # A withdrawal by hand from one ladder stands; one that came with the version's retirement does not.
    wanted = ("superseded", "withdrawn") if was_retired else ("superseded",)
    for entry in entries:
        if entry.status in wanted:
            revive(session, entry)
    if not any(entry.status in ("active", "validating") for entry in entries):
        raise ConflictError(
            f"version {version.number} of {bot.name!r} has no entry that could play: it failed, was suspended or"
            " withdrawn everywhere; upload a corrected version, or POST /api/v1/ladders/{ladder}/entries"
        )


def retire(session: Session, account: Account, bot: Bot, version: Version) -> None:
    """Take a version off all its ladders. Doing it twice changes nothing. Raises ForbiddenError."""
    require_owner(account, bot)
    if version.status == "retired":
        return
    version.status, version.reason = "retired", RETIRED
    for entry in _entries(session, version):
        if entry.status in ("validating", "active", "superseded"):
            take_off(session, entry, RETIRED)


def _bring_back(session: Session, bot: Bot, version: Version) -> None:
    if not session.scalar(select(Bundle.id).where(Bundle.version_id == version.id).limit(1)):
        raise ConflictError(
            f"version {version.number} of {bot.name!r} was retired before it was built; upload it again with a change"
        )
    version.status, version.reason = "built", ""


def _entries(session: Session, version: Version) -> Sequence[Entry]:
    """The version's entries on ladders that still play, locked."""
    return session.scalars(
        select(Entry)
        .join(Ladder, Entry.ladder_id == Ladder.id)
        .where(Entry.version_id == version.id, Ladder.state != "closed")
        .order_by(Entry.ladder_id)
        .with_for_update(of=Entry)
    ).all()


def _not_built(bot: Bot, version: Version) -> str:
    who = f"version {version.number} of {bot.name!r}"
    if version.status == "failed":
        return f"{who} failed: {version.reason}; upload a corrected version"
    return f"{who} is still {version.status}; it becomes active by itself once it has passed"
