"""Entering ladders and leaving them. Fixtures drawn up before a withdrawal are still played and rated."""

from collections.abc import Sequence

from sqlalchemy import case, select, update
from sqlalchemy.orm import Session

from service.models import Account, Bot, Entry, Ladder, RatingParameters, Version
from service.refusals import ConflictError, ForbiddenError, UnknownError

WITHDRAWN = "withdrawn by its owner"


def enter(session: Session, account: Account, ladder: Ladder, bot: Bot) -> Entry | None:
    """Enter a bot's newest built version on a ladder, or bring back its entry there after a withdrawal.

    While the newest version is still being built the ladder is only noted on it, and None returned: it enters
    when built. Raises ForbiddenError, or ConflictError when there is nothing to enter or it is there already.
    """
    require_owner(account, bot)
    if ladder.state != "open":
        raise ConflictError(
            f"ladder {ladder.slug!r} is {ladder.state} and takes no new entries; choose another"
        )
    version = _newest(session, bot)
    if version.status != "built":
        version.ladders = list(dict.fromkeys([*version.ladders, ladder.slug]))
        return None
    entry = session.scalar(
        select(Entry).where(Entry.ladder_id == ladder.id, Entry.version_id == version.id).with_for_update()
    )
    if entry is None:
        return add_entry(session, ladder, version, bot)
    if entry.status == "withdrawn":
        revive(session, entry)
        return entry
    raise ConflictError(_why_not(bot, version, ladder, entry))


def withdraw(session: Session, account: Account, ladder: Ladder, bot: Bot) -> None:
    """Take a bot off a ladder, and the versions still to be built that are to enter it.

    Raises ForbiddenError, or UnknownError when it neither plays there nor is about to. A suspended entry stays suspended:
    leaving and coming back is no way round a suspension.
    """
    require_owner(account, bot)
    # Versions are locked before entries, here as everywhere.
    were_coming = _keep_from_entering(session, ladder, bot)
    entries = session.scalars(
        select(Entry)
        .where(
            Entry.ladder_id == ladder.id,
            Entry.bot_id == bot.id,
            Entry.status.in_(("validating", "active", "superseded")),
        )
        .with_for_update()
    ).all()
    if not were_coming and all(entry.status == "superseded" for entry in entries):
        raise UnknownError(
            f"bot {bot.name!r} does not play on ladder {ladder.slug!r}; GET /api/v1/bots/{bot.name} says where it does"
        )
    for entry in entries:
        take_off(session, entry, WITHDRAWN)


def add_entry(session: Session, ladder: Ladder, version: Version, bot: Bot) -> Entry:
    """Insert an entry, `validating`, with the ladder's first rating; validation draws up its fixtures."""
    first = session.scalars(
        select(RatingParameters).where(
            RatingParameters.ladder_id == ladder.id, RatingParameters.number == ladder.parameters
        )
    ).one()
    entry = Entry(
        ladder_id=ladder.id,
        bot_id=bot.id,
        version_id=version.id,
        owner_id=bot.owner_id,
        mu=first.mu,
        sigma=first.sigma,
        neg_mu_e6=-round(first.mu * 1e6),
    )
    session.add(entry)
    session.flush()
    return entry


def revive(session: Session, entry: Entry) -> None:
    """Let an entry play again, in place of whichever version of its bot plays there now or was about to.

    An entry that never passed validation is validated first, and takes over when it has passed.
    """
    entry.reason = ""
    if entry.activated_us is None:
        entry.status = "validating"
        return
    for other in _rivals(session, entry):
        other.status = "superseded"
    session.flush()
    entry.status = "active"
    _ranks_are_due(session, entry)


def take_off(session: Session, entry: Entry, reason: str) -> None:
    """Let an entry play no more."""
    if entry.status == "active":
        _ranks_are_due(session, entry)
    entry.status, entry.reason = "withdrawn", reason


def require_owner(account: Account, bot: Bot) -> None:
    """Raises ForbiddenError unless the account owns the bot."""
    if bot.owner_id != account.id:
        raise ForbiddenError(f"bot {bot.name!r} belongs to somebody else; only its owner may do this")


def _keep_from_entering(session: Session, ladder: Ladder, bot: Bot) -> bool:
    """Strike a ladder off the versions still to be built; return whether it stood on any."""
    pending = session.scalars(
        select(Version)
        .where(Version.bot_id == bot.id, Version.status.in_(("queued", "building")))
        .order_by(Version.number)
        .with_for_update()
    ).all()
    coming = [version for version in pending if ladder.slug in version.ladders]
    for version in coming:
        version.ladders = [slug for slug in version.ladders if slug != ladder.slug]
    return bool(coming)


def _newest(session: Session, bot: Bot) -> Version:
    """The newest version that is built, else the newest on its way."""
    version = session.scalar(
        select(Version)
        .where(Version.bot_id == bot.id, Version.status.in_(("queued", "building", "built")))
        .order_by(case((Version.status == "built", 0), else_=1), Version.number.desc())
        .limit(1)
        .with_for_update()
    )
    if version is None:
        raise ConflictError(
            f"bot {bot.name!r} has no version that could play; upload one, or activate an older one"
        )
    return version


def _ranks_are_due(session: Session, entry: Entry) -> None:
    """Rank intervals depend on who is active."""
    session.execute(update(Ladder).where(Ladder.id == entry.ladder_id).values(ranks_due=True))


def _rivals(session: Session, entry: Entry) -> Sequence[Entry]:
    return session.scalars(
        select(Entry)
        .where(
            Entry.ladder_id == entry.ladder_id,
            Entry.bot_id == entry.bot_id,
            Entry.status.in_(("active", "validating")),
            Entry.id != entry.id,
        )
        .with_for_update()
    ).all()


def _why_not(bot: Bot, version: Version, ladder: Ladder, entry: Entry) -> str:
    who = f"version {version.number} of {bot.name!r}"
    where = f"on ladder {ladder.slug!r}"
    if entry.status == "superseded":
        again = f"POST /api/v1/bots/{bot.name}/versions/{version.number}/activate"
        return f"an older version plays {where} in place of {who}; {again} puts it back"
    if entry.status in ("failed", "suspended"):
        return f"{who} is {entry.status} {where}: {entry.reason}; upload a corrected version"
    return f"{who} is {entry.status} {where} already"
