"""Ladders: what they are, who stands where, entering and leaving."""

from collections.abc import Sequence

from apiflask import APIBlueprint

from service.accounts.tokens import Bearer
from service.api.inputs import BotName, Input, PageQuery, named
from service.api.openapi import SIGNED_IN
from service.bots.queries import find_bot
from service.ladders.entries import enter, withdraw
from service.ladders.listing import DayView, LadderView, day_views, find_ladder, ladder_view, ladder_views
from service.ladders.standings import StandingsPage, standings
from service.views import View
from service.web.signin import signed_in
from service.web.site import site

bp = APIBlueprint("ladders", __name__, tag="Ladders")


class LaddersOut(View):
    """All ladders, the one served first at the top."""

    items: Sequence[LadderView]


class DaysOut(View):
    """The ladder's last days, newest first."""

    items: Sequence[DayView]


class NewEntry(Input):
    """Which bot is to enter."""

    bot: BotName


class EntryOut(View):
    """What became of it."""

    ladder: str
    bot: str
    status: str
    """`validating`, or `active` when it had passed before; `queued` while the version is still being built."""
    url: str
    """Where its status is."""


@bp.get("/ladders")
@bp.output(LaddersOut)
def list_ladders() -> LaddersOut:
    """List the ladders."""
    with site().database.reading() as session:
        return LaddersOut(items=ladder_views(session))


@bp.get("/ladders/<ladder>")
@bp.output(LadderView)
def show_ladder(ladder: str) -> LadderView:
    """Show a ladder: rules, target, clock, rating parameters, state."""
    with site().database.reading() as session:
        return ladder_view(session, ladder)


@bp.get("/ladders/<ladder>/days")
@bp.output(DaysOut)
def list_days(ladder: str) -> DaysOut:
    """List the secrets its deals follow from: their hash at once, themselves when the day is over and played."""
    with site().database.reading() as session:
        return DaysOut(items=day_views(session, find_ladder(session, ladder)))


@bp.get("/ladders/<ladder>/standings")
@bp.input(PageQuery, location="query", arg_name="query")
@bp.output(StandingsPage)
def show_standings(ladder: str, query: PageQuery) -> StandingsPage:
    """Show a ladder's standings, best first; a page has an ETag."""
    with site().database.reading() as session:
        return standings(session, find_ladder(session, ladder), query.page)


@bp.post("/ladders/<ladder>/entries")
@signed_in
@bp.input(NewEntry, arg_name="wanted")
@bp.output(EntryOut, 201, description="Entered; it plays once it has passed validation.")
@bp.doc(security=SIGNED_IN, responses=[403, 409])
def enter_ladder(bearer: Bearer, ladder: str, wanted: NewEntry) -> EntryOut:
    """Enter a bot's newest version on a ladder."""
    with site().database.transaction() as session:
        entry = enter(
            session, bearer.account, find_ladder(session, ladder), named("bot", find_bot, session, wanted.bot)
        )
        status = entry.status if entry else "queued"
    return EntryOut(ladder=ladder, bot=wanted.bot, status=status, url=f"/api/v1/bots/{wanted.bot}")


@bp.delete("/ladders/<ladder>/entries/<bot>")
@signed_in
@bp.output({}, 204, description="Left.")
@bp.doc(security=SIGNED_IN, responses=[403])
def leave_ladder(bearer: Bearer, ladder: str, bot: str) -> str:
    """Take a bot off a ladder; what is drawn up already is still played and rated."""
    with site().database.transaction() as session:
        withdraw(session, bearer.account, find_ladder(session, ladder), find_bot(session, bot))
    return ""
