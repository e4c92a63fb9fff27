"""Taking in a program: a bot with its first version, or a further version of a bot.

A version is only a row, `queued`, and a blob: the ledger orders its build and enters it on its ladders
(docs/architecture.md, "The database is the truth").
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from service.blobs import BlobStore
from service.bots.archive import Source
from service.models import Account, Bot, Entry, Ladder, Version
from service.refusals import ConflictError, ForbiddenError, InvalidError, QuotaError
from service.settings import Settings
from service.storage.clock import SECOND_US, now_us

BOT_NAME = re.compile(r"[a-z0-9][a-z0-9-]{1,31}")
DEFAULT_LADDER = "classic-50"
MAX_LADDERS = 50

_DAY_US = 86_400 * SECOND_US


@dataclass(frozen=True)
class Quotas:
    """What one account may do; the house and operators' commands have none."""

    bots: int
    versions_per_day: int

    @classmethod
    def of(cls, settings: Settings) -> "Quotas":
        """The quotas an installation is set to."""
        return cls(bots=settings.bots_per_account, versions_per_day=settings.versions_per_day)


def submit(
    session: Session,
    blobs: BlobStore,
    account: Account,
    bot_name: str,
    source: Source,
    ladders: Sequence[str] = (),
    quotas: Quotas | None = None,
) -> Version:
    """Take in a new bot and its first version.

    `ladders` are slugs; empty means what the manifest says, else the default ladder. Raises InvalidError for the
    name or a ladder, ConflictError for a taken name, QuotaError. The blob is stored before the row that names it.
    """
    blobs.put("source", source.archive)
    slugs = check_new_bot(session, account, bot_name, source, ladders, quotas)
    bot = Bot(owner_id=account.id, name=bot_name)
    try:
        with session.begin_nested():
            session.add(bot)
    except IntegrityError:
        raise _name_taken(bot_name) from None
    return _add_version(session, bot, 1, source, slugs)


def submit_version(
    session: Session,
    blobs: BlobStore,
    account: Account,
    bot: Bot,
    source: Source,
    quotas: Quotas | None = None,
) -> Version:
    """Take in a further version of a bot; it enters the manifest's ladders, else those the bot is on.

    Raises ForbiddenError for another's bot, ConflictError naming the version that has the same source,
    InvalidError, QuotaError.
    """
    blobs.put("source", source.archive)
    # Uploads of one bot wait for each other, so that numbers follow without a gap.
    session.execute(select(Bot.id).where(Bot.id == bot.id).with_for_update())
    slugs = check_new_version(session, account, bot, source, quotas)
    latest = session.scalar(select(func.max(Version.number)).where(Version.bot_id == bot.id)) or 0
    return _add_version(session, bot, latest + 1, source, slugs)


def check_new_bot(
    session: Session,
    account: Account,
    bot_name: str,
    source: Source,
    ladders: Sequence[str] = (),
    quotas: Quotas | None = None,
) -> list[str]:
    """Return the ladders a new bot would enter, or raise what `submit` would raise, changing nothing."""
    if not BOT_NAME.fullmatch(bot_name):
        raise InvalidError(
            f"{bot_name!r} is no name for a bot; use 2 to 32 lower-case letters, digits and '-',"
            " beginning with a letter or digit",
            "name",
        )
    if session.scalar(select(Bot.id).where(Bot.name == bot_name)):
        raise _name_taken(bot_name)
    if quotas:
        owned = len(
            session.scalars(select(Bot.id).where(Bot.owner_id == account.id).limit(quotas.bots)).all()
        )
        if owned >= quotas.bots:
            raise QuotaError(
                f"you own {owned} bots, as many as one account may; upload a new version of one of them"
            )
        _check_daily_quota(session, account, quotas)
    return open_ladders(session, ladders or source.ladders or (DEFAULT_LADDER,))


def check_new_version(
    session: Session, account: Account, bot: Bot, source: Source, quotas: Quotas | None = None
) -> list[str]:
    """Return the ladders a further version would enter, or raise what `submit_version` would raise."""
    if bot.owner_id != account.id:
        raise ForbiddenError(
            f"bot {bot.name!r} belongs to somebody else; submit yours under a name of its own"
        )
    same = session.scalar(
        select(Version).where(Version.bot_id == bot.id, Version.source_digest == source.digest)
    )
    if same:
        raise ConflictError(
            f"this source is version {same.number} of {bot.name!r} already; change something,"
            f" or POST /api/v1/bots/{bot.name}/versions/{same.number}/activate to bring that version back",
            "file",
        )
    if quotas:
        _check_daily_quota(session, account, quotas)
    return open_ladders(session, source.ladders or _current_ladders(session, bot))


def open_ladders(session: Session, slugs: Iterable[str]) -> list[str]:
    """Return the slugs without repetition. Raises InvalidError for a ladder that is unknown or takes no entries."""
    wanted = list(dict.fromkeys(slugs))
    if len(wanted) > MAX_LADDERS:
        raise InvalidError(f"{len(wanted)} ladders are too many; at most {MAX_LADDERS} at once", "ladder")
    states = {ladder.slug: ladder.state for ladder in session.scalars(select(Ladder).order_by(Ladder.slug))}
    for slug in wanted:
        if slug not in states:
            raise InvalidError(f"there is no ladder {slug!r}; the ladders are {', '.join(states)}", "ladder")
        if states[slug] != "open":
            raise InvalidError(
                f"ladder {slug!r} is {states[slug]} and takes no new entries; choose another", "ladder"
            )
    return wanted


def _current_ladders(session: Session, bot: Bot) -> Sequence[str]:
    """The open ladders the bot is on, or on its way to, else those of its latest version, else the default."""
    entered = session.scalars(
        select(Ladder.slug)
        .join(Entry, Entry.ladder_id == Ladder.id)
        .where(
            Entry.bot_id == bot.id,
            Entry.status.in_(("validating", "active", "suspended")),
            Ladder.state == "open",
        )
        .distinct()
        .order_by(Ladder.slug)
    ).all()
    latest = session.scalar(
        select(Version.ladders).where(Version.bot_id == bot.id).order_by(Version.number.desc()).limit(1)
    )
    return entered or latest or (DEFAULT_LADDER,)


def _check_daily_quota(session: Session, account: Account, quotas: Quotas) -> None:
    recent = session.scalars(
        select(Version.id)
        .join(Bot, Version.bot_id == Bot.id)
        .where(Bot.owner_id == account.id, Version.created_us > now_us() - _DAY_US)
        .limit(quotas.versions_per_day)
    ).all()
    if len(recent) >= quotas.versions_per_day:
        raise QuotaError(
            f"you uploaded {len(recent)} versions in the last 24 hours, as many as allowed; wait a while"
        )


def _add_version(session: Session, bot: Bot, number: int, source: Source, slugs: list[str]) -> Version:
    version = Version(
        bot_id=bot.id,
        number=number,
        source_digest=source.digest,
        language=source.language,
        entry=source.entry,
        ladders=slugs,
    )
    session.add(version)
    session.flush()
    return version


def _name_taken(name: str) -> ConflictError:
    return ConflictError(
        f"there is a bot named {name!r} already; choose another name, or POST /api/v1/bots/{name}/versions"
        " if it is yours",
        "name",
    )
