"""A bot's record on a ladder: how its rating moved, and how it did against each opponent."""

import math
from collections.abc import Sequence
from typing import Annotated

import msgspec
from sqlalchemy import Select, and_, case, func, literal, select, tuple_
from sqlalchemy.orm import Session, aliased

from service.ladders.standings import score
from service.models import Bot, Entry, Fixture, FixtureSeat, Ladder, RatingEvent, Version
from service.paging import PageRequest, decode_cursor, encode_cursor
from service.views import Time, View

Z_95 = 1.959964
"""Two-sided 95 % quantile of the normal distribution."""


class RatingPoint(View):
    """A rated fixture and the rating after it."""

    version: int
    fixture: str
    sequence: int
    outcome: str
    """`win`, `draw` or `loss`."""
    mu: float
    sigma: float
    score: float
    fixtures: int
    """Rated fixtures so far, with this one."""
    done: Time


class RatingPage(View):
    """Some of a bot's rating history, newest first."""

    items: Sequence[RatingPoint]
    next: str | None


class OpponentRow(View):
    """A bot's rated fixtures against one opponent, over all versions of both."""

    opponent: str
    fixtures: int
    wins: int
    """Fixtures it was placed before the opponent."""
    draws: int
    losses: int
    share: float
    """(wins + draws / 2) / fixtures."""
    share_low: float
    """95 % Wilson interval of the share."""
    share_high: float


class OpponentPage(View):
    """Some opponents, by name."""

    items: Sequence[OpponentRow]
    next: str | None


class _PointKey(msgspec.Struct, frozen=True, array_like=True):
    sequence: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
    entry: Annotated[str, msgspec.Meta(pattern="^[0-9a-z]{26}$")]


class _OpponentKey(msgspec.Struct, frozen=True, array_like=True):
    opponent: Annotated[str, msgspec.Meta(pattern="^[a-z0-9-]{2,32}$")]


def rating_history(session: Session, bot: Bot, ladder: Ladder, page: PageRequest) -> RatingPage:
    """Return a page of the bot's ratings on a ladder, newest first. Raises InvalidError for a cursor that is none."""
    before = decode_cursor(page.cursor, _PointKey)
    order = (RatingEvent.sequence, RatingEvent.entry_id)
    wanted = (
        select(RatingEvent, Version.number)
        .join(Entry, RatingEvent.entry_id == Entry.id)
        .join(Version, Entry.version_id == Version.id)
        .where(Entry.bot_id == bot.id, Entry.ladder_id == ladder.id)
        .order_by(*(column.desc() for column in order))
        .limit(page.limit + 1)
    )
    if before:
        wanted = wanted.where(tuple_(*order) < tuple_(literal(before.sequence), literal(before.entry)))
    rows = session.execute(wanted).all()
    items = [_point(event, number) for event, number in rows[: page.limit]]
    last = rows[page.limit - 1][0] if len(rows) > page.limit else None
    return RatingPage(
        items=items, next=encode_cursor(_PointKey(last.sequence, last.entry_id)) if last else None
    )


def head_to_head(session: Session, bot: Bot, ladder: Ladder, page: PageRequest) -> OpponentPage:
    """Return a page of the bot's opponents on a ladder, by name. Raises InvalidError for a cursor that is none."""
    after = decode_cursor(page.cursor, _OpponentKey)
    wanted = _tally(bot, ladder).limit(page.limit + 1)
    if after:
        wanted = wanted.where(Bot.name > after.opponent)
    rows = session.execute(wanted).all()
    items = [_opponent(*row) for row in rows[: page.limit]]
    more = len(rows) > page.limit
    return OpponentPage(items=items, next=encode_cursor(_OpponentKey(items[-1].opponent)) if more else None)


def wilson_interval(share: float, number: int, z: float = Z_95) -> tuple[float, float]:
    """Return the interval of a share seen in `number` trials (Wilson 1927); draws count as half a win.

    With draws it errs on the wide side: they vary less than wins and losses do.
    """
    if number == 0:
        return 0.0, 1.0
    shrink = 1 + z * z / number
    centre = (share + z * z / (2 * number)) / shrink
    half = z / shrink * math.sqrt(share * (1 - share) / number + z * z / (4 * number * number))
    return max(0.0, centre - half), min(1.0, centre + half)


def _tally(bot: Bot, ladder: Ladder) -> Select[str, int, int, int]:
    own, other = aliased(FixtureSeat), aliased(FixtureSeat)
    own_version, other_version = aliased(Version), aliased(Version)
    return (
        select(
            Bot.name,
            func.count(),
            func.sum(case((own.place < other.place, 1), else_=0)),
            func.sum(case((own.place == other.place, 1), else_=0)),
        )
        .select_from(own)
        .join(own_version, own.version_id == own_version.id)
        .join(Fixture, own.fixture_id == Fixture.id)
        .join(other, and_(other.fixture_id == own.fixture_id, other.seat != own.seat))
        .join(other_version, other.version_id == other_version.id)
        .join(Bot, other_version.bot_id == Bot.id)
        .where(
            own_version.bot_id == bot.id,
            Fixture.ladder_id == ladder.id,
            Fixture.kind == "ladder",
            Fixture.state == "done",
        )
        .group_by(Bot.name)
        .order_by(Bot.name)
    )


def _opponent(name: str, fixtures: int, wins: int, draws: int) -> OpponentRow:
    share = (wins + draws / 2) / fixtures
    low, high = wilson_interval(share, fixtures)
    return OpponentRow(
        opponent=name,
        fixtures=fixtures,
        wins=wins,
        draws=draws,
        losses=fixtures - wins - draws,
        share=share,
        share_low=low,
        share_high=high,
    )


def _point(event: RatingEvent, number: int) -> RatingPoint:
    return RatingPoint(
        version=number,
        fixture=event.fixture_id,
        sequence=event.sequence,
        outcome=event.outcome,
        mu=event.mu,
        sigma=event.sigma,
        score=score(event.mu, event.sigma),
        fixtures=event.fixtures,
        done=event.done_us,
    )
