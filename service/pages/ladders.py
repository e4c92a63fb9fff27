"""Home and standings: the table, drawn whole, and again by itself for those that watch it."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version

from flask import Blueprint, Response, make_response, render_template, request
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from service.ladders.listing import find_ladder, ladder_view, ladder_views
from service.ladders.standings import Standing, standings
from service.ladders.waiting import reasons
from service.models import Entry, Ladder
from service.pages.graphs import RankBar, rank_bar
from service.pages.inputs import page_request
from service.pages.wording import grouped, rules_in_brief
from service.paging import PageRequest
from service.web.site import site

HOME_ROWS = 10
"""Rows of the table on the home page."""


@dataclass(frozen=True)
class TableRow:
    """A row of the table with its drawing."""

    standing: Standing
    bar: RankBar | None


@dataclass(frozen=True)
class TablePart:
    """A part of a ladder's table, and what to ask for to see it again."""

    ladder: str
    rows: Sequence[TableRow]
    request: PageRequest
    next: str | None
    as_of: int
    waiting: str
    """What the ladder waits for; empty while it is played on."""


def add_to(blueprint: Blueprint) -> None:
    """Add these pages."""
    blueprint.add_url_rule("/", "home", home)
    blueprint.add_url_rule("/ladders/<ladder>", "ladder", show_ladder)
    blueprint.add_url_rule("/ladders/<ladder>/table", "table", show_table)


def home() -> str:
    """Say what this is, and show the first ladder's table, and all ladders by game."""
    with site().database.reading() as session:
        views = ladder_views(session)
        active = _active_counts(session)
        first = find_ladder(session, views[0].slug) if views else None
        table = _table(session, first, PageRequest(HOME_ROWS)) if first else None
    return render_template("home.html", groups=grouped(views), active=active, table=table)


def show_ladder(ladder: str) -> str:
    """Show a ladder: its standings, and how it is played."""
    with site().database.reading() as session:
        view = ladder_view(session, ladder)
        table = _table(session, find_ladder(session, ladder), page_request())
    return render_template("ladder.html", ladder=view, rules=rules_in_brief(view), table=table)


def show_table(ladder: str) -> Response:
    """Show the table alone; 304, without drawing it, to whoever has it as it is."""
    with site().database.reading() as session:
        found = find_ladder(session, ladder)
        tag = _tag(session, found)
        if request.if_none_match.contains_weak(tag):
            response = Response(status=304)
        else:
            table = _table(session, found, page_request())
            response = make_response(render_template("_table.html", table=table))
    response.set_etag(tag, weak=True)
    return response


def _table(session: Session, ladder: Ladder, wanted: PageRequest) -> TablePart:
    page = standings(session, ladder, wanted)
    ranked = session.scalars(
        select(func.count()).where(
            Entry.ladder_id == ladder.id, Entry.status == "active", Entry.provisional.is_(False)
        )
    ).one()
    rows = [TableRow(standing, _bar(standing, ranked)) for standing in page.items]
    return TablePart(ladder.slug, rows, wanted, page.next, page.as_of, _waiting(session, ladder))


def _waiting(session: Session, ladder: Ladder) -> str:
    return reasons(session, [ladder])[ladder.id]


def _bar(standing: Standing, ranked: int) -> RankBar | None:
    if standing.rank is None or standing.rank_low is None or standing.rank_high is None:
        return None
    return rank_bar(standing.rank_low, standing.rank_high, standing.rank, ranked)


def _active_counts(session: Session) -> dict[str, int]:
    rows = session.execute(
        select(Ladder.slug, func.count())
        .join(Entry, Entry.ladder_id == Ladder.id)
        .where(Entry.status == "active")
        .group_by(Ladder.slug)
    )
    return dict(rows.all())


def _tag(session: Session, ladder: Ladder) -> str:
    """A digest of what a part of the table follows from: ratings, who is on it, what it waits for, which part."""
    active, newest = session.execute(
        select(func.count(), func.max(Entry.activated_us)).where(
            Entry.ladder_id == ladder.id, Entry.status == "active"
        )
    ).one()
    table = (ladder.slug, ladder.as_of_us, active, newest, _waiting(session, ladder))
    facts = (version("malice"), *table, request.query_string)
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]
