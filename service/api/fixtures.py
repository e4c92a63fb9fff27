"""Fixtures, matches, their logs, and challenges."""

from typing import Annotated

import zstandard
from apiflask import APIBlueprint
from flask import Response, request
from pydantic import Field, StringConstraints

from service.accounts.tokens import Bearer
from service.api.inputs import BotName, Input, PageQuery, Slug, named
from service.api.openapi import SIGNED_IN, file_response
from service.blobs import BlobMissingError
from service.bots.queries import find_bot
from service.fixtures.challenges import challenge
from service.fixtures.matches import log_digest, match_view, read_log, stderr_digest
from service.fixtures.queries import FixtureFilter, State, fixture_view, fixtures
from service.fixtures.views import FixturePage, FixtureView, MatchView
from service.ladders.listing import find_ladder
from service.refusals import GoneError
from service.views import View
from service.web.signin import signed_in
from service.web.site import site

bp = APIBlueprint("fixtures", __name__, tag="Fixtures")

LOG_TYPE = "application/x-ndjson"
_ZSTD_LEVEL = 3
"""Quick: the log is packed anew for every reader who can unpack it."""


class FixturesQuery(PageQuery):
    """Which fixtures."""

    ladder: Slug | None = None
    bot: BotName | None = None
    state: State | None = None


class SeatQuery(Input):
    """Which seat."""

    seat: int = Field(ge=0, le=99)
    """In this leg, from 0."""


class NewChallenge(Input):
    """Who is to meet."""

    ladder: Slug
    bots: list[Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{1,31}(@[1-9][0-9]{0,8})?$")]] = (
        Field(min_length=1, max_length=10)
    )
    """One per side of the ladder: `name` for the version that plays on the ladder, `name@n` for another of its versions there."""


class ChallengeOut(View):
    """A fixture that will be played, unrated."""

    fixture: str
    url: str


@bp.get("/fixtures")
@bp.input(FixturesQuery, location="query", arg_name="query")
@bp.output(FixturePage)
def list_fixtures(query: FixturesQuery) -> FixturePage:
    """List fixtures, newest first."""
    with site().database.reading() as session:
        wanted = FixtureFilter(
            ladder=named("ladder", find_ladder, session, query.ladder) if query.ladder else None,
            bot=named("bot", find_bot, session, query.bot) if query.bot else None,
            state=query.state,
        )
        return fixtures(session, wanted, query.page)


@bp.get("/fixtures/<fixture>")
@bp.output(FixtureView)
def show_fixture(fixture: str) -> FixtureView:
    """Show a fixture: seats, commitment, seed once done, legs, result, rating changes."""
    with site().database.reading() as session:
        return fixture_view(session, fixture)


@bp.get("/matches/<match>")
@bp.output(MatchView)
def show_match(match: str) -> MatchView:
    """Show a match: one leg of a fixture."""
    with site().database.reading() as session:
        return match_view(session, match)


@bp.get("/matches/<match>/log")
@bp.doc(responses=file_response(LOG_TYPE, "The log, one JSON object per line."))
def show_log(match: str) -> Response:
    """Download a match's log; its ETag is its id, the SHA-256 of its uncompressed lines."""
    with site().database.reading() as session:
        digest = log_digest(session, match)
    response = Response(mimetype=LOG_TYPE)
    response.headers["Content-Disposition"] = f'attachment; filename="{match}.ndjson"'
    # The log of a match never changes.
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    response.vary.add("Accept-Encoding")
    packed = request.accept_encodings["zstd"] > 0
    response.set_etag(digest, weak=packed)
    if digest in request.if_none_match:
        response.status_code = 304
        return response
    log = read_log(site().blobs, digest)
    if packed:
        response.headers["Content-Encoding"] = "zstd"
        log = zstandard.ZstdCompressor(level=_ZSTD_LEVEL).compress(log)
    response.set_data(log)
    return response


@bp.get("/matches/<match>/stderr")
@signed_in
@bp.input(SeatQuery, location="query", arg_name="query")
@bp.doc(security=SIGNED_IN, responses=file_response("text/plain", "What it wrote, the first 64 KiB."))
def show_stderr(bearer: Bearer, match: str, query: SeatQuery) -> Response:
    """Show what one's own bot wrote to stderr in a match."""
    with site().database.reading() as session:
        digest = stderr_digest(session, match, query.seat, bearer.account)
    if digest is None:
        return Response("", mimetype="text/plain")
    try:
        return Response(site().blobs.get("text", digest), mimetype="text/plain")
    except BlobMissingError:
        raise GoneError("this output is no longer kept") from None


@bp.post("/challenges")
@signed_in
@bp.input(NewChallenge, arg_name="wanted")
@bp.output(ChallengeOut, 202, description="Drawn up; it is played soon.")
@bp.doc(security=SIGNED_IN, responses=[403])
def start_challenge(bearer: Bearer, wanted: NewChallenge) -> ChallengeOut:
    """Play an unrated fixture between bots of a ladder."""
    here = site()
    with here.database.transaction() as session:
        ladder = named("ladder", find_ladder, session, wanted.ladder)
        fixture = challenge(session, bearer.account, ladder, wanted.bots, here.settings.challenges_per_day)
    return ChallengeOut(fixture=fixture.id, url=f"/api/v1/fixtures/{fixture.id}")
