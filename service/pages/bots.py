"""Bots: the list, and one in full with its rating over time, opponents and recent fixtures."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, render_template, request
from sqlalchemy import select
from sqlalchemy.orm import Session

from service.bots.queries import bot_page, bot_view, find_bot
from service.bots.records import OpponentRow, head_to_head, rating_history
from service.bots.views import BotView
from service.fixtures.queries import FixtureFilter, fixtures
from service.fixtures.views import FixtureRow
from service.ladders.listing import find_ladder, ladder_views
from service.models import Bot, Entry, Ladder
from service.pages.graphs import RatingGraph, rating_graph
from service.pages.inputs import page_request
from service.pages.wording import grouped
from service.paging import MAX_LIMIT, PageRequest
from service.web.site import site

RECENT_FIXTURES = 10


@dataclass(frozen=True)
class Record:
    """How a bot did on one ladder."""

    ladder: str
    sides: int
    """Participants of its fixtures."""
    graph: RatingGraph | None
    """Its newest fixtures, at most `MAX_LIMIT`."""
    opponents: Sequence[OpponentRow]
    fixtures: Sequence[FixtureRow]


def add_to(blueprint: Blueprint) -> None:
    """Add these pages."""
    blueprint.add_url_rule("/bots", "bots", list_bots)
    blueprint.add_url_rule("/bots/<bot>", "bot", show_bot)


def list_bots() -> str:
    """List the bots by name."""
    with site().database.reading() as session:
        page = bot_page(session, page_request())
    return render_template("bots.html", page=page)


def show_bot(bot: str) -> str:
    """Show a bot, and its record on the ladder that is asked for, else on the first it plays on."""
    with site().database.reading() as session:
        view = bot_view(session, bot)
        found = find_bot(session, bot)
        slugs = _slugs(session, found)
        wanted = request.args.get("ladder") or (slugs[0] if slugs else None)
        record = _record(session, found, find_ladder(session, wanted)) if wanted else None
        games = grouped(ladder for ladder in ladder_views(session) if ladder.slug in slugs)
    return render_template("bot.html", bot=view, games=games, record=record, note=_note(view))


def _note(view: BotView) -> str:
    """What is wrong with the latest version, in its own words; empty when nothing is."""
    return view.latest.reason if view.latest.status in ("failed", "suspended") else ""


def _slugs(session: Session, bot: Bot) -> Sequence[str]:
    """The ladders the bot ever entered, the one served first at the top."""
    entered = select(Entry.ladder_id).where(Entry.bot_id == bot.id)
    return session.scalars(
        select(Ladder.slug).where(Ladder.id.in_(entered)).order_by(Ladder.priority.desc(), Ladder.slug)
    ).all()


def _record(session: Session, bot: Bot, ladder: Ladder) -> Record:
    history = rating_history(session, bot, ladder, PageRequest(MAX_LIMIT)).items
    return Record(
        ladder=ladder.slug,
        sides=ladder.sides,
        graph=rating_graph([*reversed(history)]),
        opponents=head_to_head(session, bot, ladder, PageRequest(MAX_LIMIT)).items,
        fixtures=fixtures(session, FixtureFilter(ladder, bot), PageRequest(RECENT_FIXTURES)).items,
    )
