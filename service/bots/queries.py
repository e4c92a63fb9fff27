"""Reading bots and versions: lists, one in full, and the derived status."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from service.bots.status import derived_status
from service.bots.submission import BOT_NAME
from service.bots.views import BotPage, BotRow, BotView, EntryView, OwnersPart, VersionRow, VersionView
from service.ladders.standings import rank_of, rating_fields
from service.ladders.waiting import reasons
from service.models import Account, Bot, Entry, Ladder, Version
from service.paging import PageRequest, decode_cursor, encode_cursor
from service.refusals import UnknownError

LARGEST_NUMBER = 2**31 - 1

_Slugged = Sequence[tuple[Entry, str]]


class _Key(msgspec.Struct, frozen=True, array_like=True):
    bot: Annotated[str, msgspec.Meta(pattern=f"^{BOT_NAME.pattern}$")]


def find_bot(session: Session, name: str) -> Bot:
    """Return the bot of this name. Raises UnknownError."""
    bot = session.scalar(select(Bot).where(Bot.name == name)) if BOT_NAME.fullmatch(name) else None
    if bot is None:
        raise UnknownError(f"there is no bot {name[:40]!r}; GET /api/v1/bots lists them")
    return bot


def find_version(session: Session, bot: Bot, number: int) -> Version:
    """Return a bot's version by its number. Raises UnknownError naming the latest."""
    wanted = select(Version).where(Version.bot_id == bot.id)
    version = session.scalar(wanted.where(Version.number == number)) if 0 < number <= LARGEST_NUMBER else None
    if version is None:
        latest = session.scalar(wanted.order_by(Version.number.desc()).limit(1))
        raise UnknownError(
            f"bot {bot.name!r} has no version {number}; its latest is {latest.number if latest else 'still to come'}"
        )
    return version


def bot_page(session: Session, page: PageRequest, owner: str | None = None) -> BotPage:
    """Return a page of bots by name, of one owner if asked. Raises InvalidError for a cursor that is none."""
    after = decode_cursor(page.cursor, _Key)
    statement = select(Bot, Account.name).join(Account, Bot.owner_id == Account.id).order_by(Bot.name)
    if owner is not None:
        statement = statement.where(Account.name == owner)
    if after:
        statement = statement.where(Bot.name > after.bot)
    rows = session.execute(statement.limit(page.limit + 1)).all()
    shown = rows[: page.limit]
    versions = _versions(session, [bot for bot, _ in shown])
    entries = _entries(session, [bot for bot, _ in shown])
    items = [
        _bot_row(bot, owner_name, versions[bot.id], entries) for bot, owner_name in shown if versions[bot.id]
    ]
    return BotPage(
        items=items, next=encode_cursor(_Key(shown[-1][0].name)) if len(rows) > page.limit else None
    )


def bot_view(session: Session, name: str) -> BotView:
    """Return one bot in full. Raises UnknownError."""
    bot = find_bot(session, name)
    owner = session.get_one(Account, bot.owner_id)
    versions, entries = _versions(session, [bot])[bot.id], _entries(session, [bot])
    row = _bot_row(bot, owner.name, versions, entries)
    listed = [_version_row(bot, version, entries[version.id]) for version in versions]
    waiting = _waiting(session, [one for version in versions for one in entries[version.id]])
    current = [
        _entry_view(session, version, entry, slug, waiting)
        for version in versions
        for entry, slug in entries[version.id]
        if entry.status not in ("superseded", "withdrawn")
    ]
    return BotView(
        bot=row.bot,
        owner=row.owner,
        version=row.version,
        status=row.status,
        reason=row.reason,
        created=row.created,
        latest=listed[0],
        versions=listed,
        entries=sorted(current, key=lambda entry: (entry.ladder, -entry.version)),
    )


def version_view(session: Session, name: str, number: int, reader_id: str | None) -> VersionView:
    """Return one version in full, with the owner's part if the reader is the owner. Raises UnknownError."""
    bot = find_bot(session, name)
    version = find_version(session, bot, number)
    entries = _entries(session, [bot])[version.id]
    row = _version_row(bot, version, entries)
    waiting = _waiting(session, entries)
    mine = OwnersPart(
        source_sha256=version.source_digest, entry=version.entry, has_build_log=version.build_log is not None
    )
    return VersionView(
        version=row.version,
        status=row.status,
        reason=row.reason,
        created=row.created,
        bot=bot.name,
        owner=session.get_one(Account, bot.owner_id).name,
        language=version.language,
        entries=[_entry_view(session, version, entry, slug, waiting) for entry, slug in entries],
        mine=mine if bot.owner_id == reader_id else None,
    )


def own_version(session: Session, name: str, number: int, reader_id: str) -> Version:
    """Return a version whose private part the reader may see. Raises UnknownError for another's."""
    bot = find_bot(session, name)
    if bot.owner_id != reader_id:
        raise UnknownError(
            f"bot {bot.name!r} is not yours: its source and build log are shown to its owner alone"
        )
    return find_version(session, bot, number)


def _versions(session: Session, bots: Sequence[Bot]) -> Mapping[str, Sequence[Version]]:
    """Versions by bot id, newest first."""
    grouped: defaultdict[str, list[Version]] = defaultdict(list)
    wanted = (
        select(Version).where(Version.bot_id.in_([bot.id for bot in bots])).order_by(Version.number.desc())
    )
    for version in session.scalars(wanted):
        grouped[version.bot_id].append(version)
    return grouped


def _entries(session: Session, bots: Sequence[Bot]) -> Mapping[str, _Slugged]:
    """Entries with their ladder's slug by version id, by slug."""
    grouped: defaultdict[str, list[tuple[Entry, str]]] = defaultdict(list)
    rows = session.execute(
        select(Entry, Ladder.slug)
        .join(Ladder, Entry.ladder_id == Ladder.id)
        .where(Entry.bot_id.in_([bot.id for bot in bots]))
        .order_by(Ladder.slug)
    )
    for entry, slug in rows:
        grouped[entry.version_id].append((entry, slug))
    return grouped


def _bot_row(bot: Bot, owner: str, versions: Sequence[Version], entries: Mapping[str, _Slugged]) -> BotRow:
    rows = [_version_row(bot, version, entries[version.id]) for version in versions]
    shown = _playing(rows) or rows[0]
    return BotRow(
        bot=bot.name,
        owner=owner,
        version=shown.version,
        status=shown.status,
        reason=shown.reason,
        created=bot.created_us,
    )


def _playing(rows: Iterable[VersionRow]) -> VersionRow | None:
    return next((row for row in rows if row.status == "active"), None)


def _version_row(bot: Bot, version: Version, entries: _Slugged) -> VersionRow:
    status, reason = derived_status(bot.name, version, entries)
    return VersionRow(version=version.number, status=status, reason=reason, created=version.created_us)


def _waiting(session: Session, entries: _Slugged) -> Mapping[str, str]:
    """Return what the ladders wait for, by id, on which any of the entries is active."""
    ids = {entry.ladder_id for entry, _ in entries if entry.status == "active"}
    return reasons(session, session.scalars(select(Ladder).where(Ladder.id.in_(ids))).all())


def _entry_view(
    session: Session, version: Version, entry: Entry, slug: str, waiting: Mapping[str, str]
) -> EntryView:
    return EntryView(
        ladder=slug,
        version=version.number,
        status=entry.status,
        reason=entry.reason,
        waiting=waiting[entry.ladder_id] if entry.status == "active" else "",
        **rating_fields(entry, rank_of(session, entry)),
    )
