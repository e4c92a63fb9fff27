"""The standings of a ladder: one row per bot, best first, in pages.

Ranks count the established entries (30 fixtures or more) by mu; provisional ones follow without a rank. Pages are
keysets on the index `ix_entries_standing`: no OFFSET, no count(*), so the millionth row costs what the first does.
"""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from sqlalchemy import Row, Select, func, literal, select, tuple_
from sqlalchemy.orm import Session

from service.models import Account, Bot, Entry, Ladder, Version
from service.paging import PageRequest, decode_cursor, encode_cursor
from service.views import Time, View

SCORE_SIGMAS = 3
"""`score` is mu minus this many sigma: for display; the order is by mu."""

_Int64 = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
_Id = Annotated[str, msgspec.Meta(pattern="^[0-9a-z]{26}$")]


class Rated(View):
    """The rating of an entry, wherever it is shown."""

    rank: int | None
    """None while provisional; equal mu share a rank."""
    mu: float
    sigma: float
    score: float
    rank_low: int | None
    """Best rank of the 95 % interval; None while provisional."""
    rank_high: int | None
    fixtures: int
    wins: int
    draws: int
    losses: int
    faults: int
    provisional: bool


class Standing(Rated):
    """A bot's row: its active version on this ladder."""

    bot: str
    version: int
    owner: str


class StandingsPage(View):
    """Some rows, where the next begin (None: nowhere), and when the ratings last changed."""

    items: Sequence[Standing]
    next: str | None
    as_of: Time


_Row = Row[Entry, str, int, str]
"""An entry, its bot's name, its version's number, its owner's name."""


class _Key(msgspec.Struct, frozen=True, array_like=True):
    """The last row of a page, with what the rank of the next row depends on."""

    provisional: bool
    neg_mu_e6: _Int64
    entry: _Id
    position: _Int64
    rank: _Int64


def standings(session: Session, ladder: Ladder, page: PageRequest) -> StandingsPage:
    """Return a page of a ladder's standings. Raises InvalidError for a cursor that is none."""
    after = decode_cursor(page.cursor, _Key)
    rows = session.execute(_rows(ladder, after, page.limit + 1)).all()
    items: list[Standing] = []
    for row in rows[: page.limit]:
        after = _key(row, after)
        items.append(_standing(row, after.rank))
    following = encode_cursor(after) if after and len(rows) > page.limit else None
    return StandingsPage(items=items, next=following, as_of=ladder.as_of_us)


def rank_of(session: Session, entry: Entry) -> int | None:
    """Return the rank of an active, established entry; None for any other."""
    if entry.provisional or entry.status != "active":
        return None
    better = select(func.count()).where(
        Entry.ladder_id == entry.ladder_id,
        Entry.status == "active",
        Entry.provisional.is_(False),
        Entry.neg_mu_e6 < entry.neg_mu_e6,
    )
    return session.scalars(better).one() + 1


def rating_fields(entry: Entry, rank: int | None) -> dict[str, Any]:
    """Return the fields of `Rated` for an entry."""
    return {
        "rank": rank,
        "score": score(entry.mu, entry.sigma),
        **{name: getattr(entry, name) for name in Rated.model_fields if name not in ("rank", "score")},
    }


def score(mu: float, sigma: float) -> float:
    """Return the score shown beside a rating."""
    return mu - SCORE_SIGMAS * sigma


def _rows(ladder: Ladder, after: _Key | None, limit: int) -> Select[Entry, str, int, str]:
    order = (Entry.provisional, Entry.neg_mu_e6, Entry.id)
    rows = (
        select(Entry, Bot.name, Version.number, Account.name)
        .join(Bot, Entry.bot_id == Bot.id)
        .join(Version, Entry.version_id == Version.id)
        .join(Account, Entry.owner_id == Account.id)
        .where(Entry.ladder_id == ladder.id, Entry.status == "active")
        .order_by(*order)
        .limit(limit)
    )
    if after is None:
        return rows
    key = (literal(after.provisional), literal(after.neg_mu_e6), literal(after.entry))
    return rows.where(tuple_(*order) > tuple_(*key))


def _key(row: _Row, before: _Key | None) -> _Key:
    entry = row[0]
    position = before.position + 1 if before else 1
    level = before is not None and before.neg_mu_e6 == entry.neg_mu_e6
    rank = before.rank if before and level else position
    return _Key(entry.provisional, entry.neg_mu_e6, entry.id, position, rank)


def _standing(row: _Row, rank: int) -> Standing:
    entry, bot, version, owner = row
    shown = None if entry.provisional else rank
    return Standing(bot=bot, version=version, owner=owner, **rating_fields(entry, shown))
