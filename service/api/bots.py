"""Bots and their versions: submitting, reading, rolling back, retiring, and the owner's private parts."""

from typing import Annotated, Literal

from apiflask import APIBlueprint
from apiflask.fields import UploadFile
from flask import Response, request
from pydantic import BeforeValidator, Field, ValidationInfo

from service.accounts.tokens import Bearer
from service.api.inputs import AccountName, BotName, Input, LadderPageQuery, PageQuery, Slug, named
from service.api.openapi import SIGNED_IN, SIGNED_IN_OR_NOT, file_response
from service.blobs import BlobMissingError
from service.bots import lifecycle, submission
from service.bots.archive import Source, read_upload
from service.bots.languages import BY_NAME
from service.bots.queries import bot_page, bot_view, find_bot, find_version, own_version, version_view
from service.bots.records import OpponentPage, RatingPage, head_to_head, rating_history
from service.bots.submission import MAX_LADDERS, Quotas
from service.bots.unpacking import UploadLimits
from service.bots.views import BotPage, BotView, VersionView
from service.ladders.listing import find_ladder
from service.refusals import GoneError, UnknownError
from service.settings import MIB
from service.views import View
from service.web.signin import optional_bearer, signed_in
from service.web.site import site

bp = APIBlueprint("bots", __name__, tag="Bots")


def _every_value(first: object, info: ValidationInfo) -> list[str]:
    """All values of a repeated form field: the framework hands over the first alone."""
    return request.form.getlist(str(info.field_name))


Language = Annotated[str, Field(json_schema_extra={"enum": [*BY_NAME]})]


class NewVersion(Input):
    """A program."""

    file: UploadFile
    """A source file of any name, or a zip."""
    language: Language | None = None
    """Overrides malice.toml and the marker files."""


class NewBot(NewVersion):
    """A bot with its first version."""

    name: BotName
    """2 to 32 lower-case letters, digits and '-'; unique on this service."""
    ladder: Annotated[
        list[Slug], BeforeValidator(_every_value), Field(default_factory=list, max_length=MAX_LADDERS)
    ]
    """Ladders to enter, repeatable. Default: malice.toml, else classic-50."""


class BotsQuery(PageQuery):
    """Which bots."""

    owner: AccountName | None = None
    """Only this account's."""


class SubmittedOut(View):
    """A version that was taken in."""

    bot: str
    version: int
    status: Literal["queued"]
    url: str
    """Where its status is."""


@bp.post("/bots")
@signed_in
@bp.input(NewBot, location="form_and_files", arg_name="wanted")
@bp.output(SubmittedOut, 202, description="Taken in; it is built, tried, and then plays.")
@bp.doc(security=SIGNED_IN, responses=[409])
def submit_bot(bearer: Bearer, wanted: NewBot) -> SubmittedOut:
    """Submit a bot."""
    here, account = site(), bearer.account
    source, quotas = _read(wanted), Quotas.of(here.settings)
    with here.database.reading() as session:
        submission.check_new_bot(session, account, wanted.name, source, wanted.ladder, quotas)
    # Packed and written before the transaction that names it: nobody waits for it.
    here.blobs.put("source", source.archive)
    with here.database.transaction() as session:
        version = submission.submit(session, here.blobs, account, wanted.name, source, wanted.ladder, quotas)
    return _submitted(wanted.name, version.number)


@bp.post("/bots/<bot>/versions")
@signed_in
@bp.input(NewVersion, location="form_and_files", arg_name="wanted")
@bp.output(SubmittedOut, 202, description="Taken in; the older version plays on until this one is active.")
@bp.doc(security=SIGNED_IN, responses=[403, 409])
def submit_bot_version(bearer: Bearer, bot: str, wanted: NewVersion) -> SubmittedOut:
    """Submit a new version of a bot."""
    here, account = site(), bearer.account
    source, quotas = _read(wanted), Quotas.of(here.settings)
    with here.database.reading() as session:
        submission.check_new_version(session, account, find_bot(session, bot), source, quotas)
    here.blobs.put("source", source.archive)
    with here.database.transaction() as session:
        found = find_bot(session, bot)
        version = submission.submit_version(session, here.blobs, account, found, source, quotas)
    return _submitted(bot, version.number)


@bp.get("/bots")
@bp.input(BotsQuery, location="query", arg_name="query")
@bp.output(BotPage)
def list_bots(query: BotsQuery) -> BotPage:
    """List bots by name."""
    with site().database.reading() as session:
        return bot_page(session, query.page, query.owner)


@bp.get("/bots/<bot>")
@bp.output(BotView)
def show_bot(bot: str) -> BotView:
    """Show a bot: its status, versions and entries."""
    with site().database.reading() as session:
        return bot_view(session, bot)


@bp.get("/bots/<bot>/versions/<int:n>")
@bp.output(VersionView)
@bp.doc(security=SIGNED_IN_OR_NOT)
def show_version(bot: str, n: int) -> VersionView:
    """Show a version: its status, with the reason when it failed, and its entries."""
    bearer = optional_bearer()
    with site().database.reading() as session:
        return version_view(session, bot, n, bearer.account.id if bearer else None)


@bp.post("/bots/<bot>/versions/<int:n>/activate")
@signed_in
@bp.output(VersionView)
@bp.doc(security=SIGNED_IN, responses=[403, 409])
def activate_version(bearer: Bearer, bot: str, n: int) -> VersionView:
    """Roll back: let a version play again in place of the one that plays now."""
    with site().database.transaction() as session:
        found = find_bot(session, bot)
        lifecycle.activate(session, bearer.account, found, find_version(session, found, n))
        return version_view(session, bot, n, bearer.account.id)


@bp.post("/bots/<bot>/versions/<int:n>/retire")
@signed_in
@bp.output(VersionView)
@bp.doc(security=SIGNED_IN, responses=[403])
def retire_version(bearer: Bearer, bot: str, n: int) -> VersionView:
    """Retire a version: it plays what is drawn up already, and no more."""
    with site().database.transaction() as session:
        found = find_bot(session, bot)
        lifecycle.retire(session, bearer.account, found, find_version(session, found, n))
        return version_view(session, bot, n, bearer.account.id)


@bp.get("/bots/<bot>/versions/<int:n>/build-log")
@signed_in
@bp.doc(security=SIGNED_IN, responses=file_response("text/plain", "What the build printed."))
def show_build_log(bearer: Bearer, bot: str, n: int) -> Response:
    """Show what the build printed (owner only)."""
    with site().database.reading() as session:
        digest = own_version(session, bot, n, bearer.account.id).build_log
    if digest is None:
        raise UnknownError(f"version {n} of {bot!r} has no build log yet; ask again when it is built")
    try:
        text = site().blobs.get("text", digest)
    except BlobMissingError:
        raise GoneError(f"the build log of version {n} of {bot!r} is no longer kept") from None
    return Response(text, mimetype="text/plain")


@bp.get("/bots/<bot>/versions/<int:n>/source")
@signed_in
@bp.doc(security=SIGNED_IN, responses=file_response("application/zip", "The files as they were taken in."))
def show_source(bearer: Bearer, bot: str, n: int) -> Response:
    """Download a version's source (owner only)."""
    with site().database.reading() as session:
        digest = own_version(session, bot, n, bearer.account.id).source_digest
    try:
        archive = site().blobs.get("source", digest)
    except BlobMissingError:
        raise GoneError(f"the source of version {n} of {bot!r} is no longer kept") from None
    response = Response(archive, mimetype="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="{bot}-{n}.zip"'
    return response


@bp.get("/bots/<bot>/ratings")
@bp.input(LadderPageQuery, location="query", arg_name="query")
@bp.output(RatingPage)
def list_ratings(bot: str, query: LadderPageQuery) -> RatingPage:
    """List how a bot's rating moved on a ladder, newest first."""
    with site().database.reading() as session:
        ladder = named("ladder", find_ladder, session, query.ladder)
        return rating_history(session, find_bot(session, bot), ladder, query.page)


@bp.get("/bots/<bot>/opponents")
@bp.input(LadderPageQuery, location="query", arg_name="query")
@bp.output(OpponentPage)
def list_opponents(bot: str, query: LadderPageQuery) -> OpponentPage:
    """List a bot's rated results against each opponent on a ladder, with 95 % intervals."""
    with site().database.reading() as session:
        ladder = named("ladder", find_ladder, session, query.ladder)
        return head_to_head(session, find_bot(session, bot), ladder, query.page)


def _read(wanted: NewVersion) -> Source:
    packed = site().settings.upload_mb * MIB
    data = wanted.file.read(packed + 1)
    return read_upload(wanted.file.filename or "", data, wanted.language, UploadLimits(packed=packed))


def _submitted(bot: str, number: int) -> SubmittedOut:
    url = f"/api/v1/bots/{bot}/versions/{number}"
    return SubmittedOut(bot=bot, version=number, status="queued", url=url)
