"""Accounts, tokens, invitations and one's own things."""

from collections.abc import Sequence

from apiflask import APIBlueprint
from sqlalchemy import select

from service.accounts.notices import notices
from service.accounts.passwords import hash_password, is_password
from service.accounts.registration import (
    Policy,
    check_registration,
    make_invite,
    register,
    set_password,
    sign_in,
)
from service.accounts.tokens import Bearer, IssuedToken, issue, revoke
from service.api.inputs import AccountName, Claim, Input, PageQuery, Password
from service.api.openapi import SIGNED_IN
from service.models import Bot
from service.refusals import ForbiddenError
from service.views import Time, View
from service.web.guards import is_local_request
from service.web.signin import signed_in, signed_in_once
from service.web.site import site

bp = APIBlueprint("accounts", __name__, tag="Accounts")


class NewAccount(Input):
    """Who wants an account."""

    name: AccountName
    """2 to 32 lower-case letters, digits and '-'."""
    password: Password
    invite: Claim | None = None
    """Needed where registration is by invitation."""


class Credentials(Input):
    """Who wants a token."""

    name: Claim
    password: Claim


class NewPassword(Input):
    """A new password, and the old one."""

    password: Password
    current: Claim | None = None
    """The password so far; not needed with a one-time token."""


class TokenOut(View):
    """A new token: shown this once."""

    name: str
    """The account's."""
    token: str
    """Send it as `Authorization: Bearer …`."""
    token_id: str
    """Names the token when it is to be ended: `DELETE /api/v1/tokens/{id}`."""


class InviteOut(View):
    """A new invitation: shown this once, good for one account."""

    invite: str


class MeOut(View):
    """One's own account."""

    name: str
    is_operator: bool
    created: Time
    bots: Sequence[str]
    """Names of the bots it owns."""


class NoticeOut(View):
    """Something an owner should know."""

    id: str
    text: str
    created: Time


class NoticesOut(View):
    """Notices, newest first."""

    items: Sequence[NoticeOut]
    next: str | None


@bp.post("/accounts")
@bp.input(NewAccount, arg_name="wanted")
@bp.output(TokenOut, 201, description="Made; the token is shown this once.")
@bp.doc(responses=[403, 409])
def register_account(wanted: NewAccount) -> TokenOut:
    """Make an account."""
    policy = _registration_policy()
    check_registration(policy, wanted.name, wanted.invite)
    password_hash = hash_password(wanted.password)
    with site().database.transaction() as session:
        return _token(register(session, policy, wanted.name, password_hash, wanted.invite))


@bp.post("/invites")
@signed_in
@bp.output(InviteOut, 201)
@bp.doc(security=SIGNED_IN, responses=[403])
def invite(bearer: Bearer) -> InviteOut:
    """Make an invitation (operators)."""
    with site().database.transaction() as session:
        return InviteOut(invite=make_invite(session, bearer.account))


@bp.post("/tokens")
@bp.input(Credentials, arg_name="credentials")
@bp.output(TokenOut, 201, description="Made; the token is shown this once.")
@bp.doc(responses=[401])
def make_token(credentials: Credentials) -> TokenOut:
    """Get a token for a name and password."""
    with site().database.reading() as session:
        account = sign_in(session, credentials.name, credentials.password)
    with site().database.transaction() as session:
        return _token(issue(session, account))


@bp.delete("/tokens/<token_id>")
@signed_in
@bp.output({}, 204, description="Ended.")
@bp.doc(security=SIGNED_IN)
def end_token(bearer: Bearer, token_id: str) -> str:
    """End a token of one's own."""
    with site().database.transaction() as session:
        revoke(session, bearer.account, token_id)
    return ""


@bp.get("/me")
@signed_in
@bp.output(MeOut)
@bp.doc(security=SIGNED_IN)
def me(bearer: Bearer) -> MeOut:
    """Say whose token this is."""
    account = bearer.account
    with site().database.reading() as session:
        bots = session.scalars(select(Bot.name).where(Bot.owner_id == account.id).order_by(Bot.name)).all()
    return MeOut(name=account.name, is_operator=account.is_operator, created=account.created_us, bots=bots)


@bp.put("/me/password")
@signed_in_once
@bp.input(NewPassword, arg_name="wanted")
@bp.output({}, 204, description="Set.")
@bp.doc(security=SIGNED_IN, responses=[403])
def change_password(bearer: Bearer, wanted: NewPassword) -> str:
    """Set one's password; a one-time token is used up by this."""
    account = bearer.account
    needs_current = not bearer.once and account.password_hash is not None
    if needs_current and not is_password(account.password_hash, wanted.current or ""):
        raise ForbiddenError("`current` is not your password so far", "current")
    password_hash = hash_password(wanted.password)
    with site().database.transaction() as session:
        set_password(session, account.id, password_hash, bearer.token_id if bearer.once else None)
    return ""


@bp.get("/me/notices")
@signed_in
@bp.input(PageQuery, location="query", arg_name="query")
@bp.output(NoticesOut)
@bp.doc(security=SIGNED_IN)
def my_notices(bearer: Bearer, query: PageQuery) -> NoticesOut:
    """List what one should know, newest first."""
    with site().database.reading() as session:
        rows, following = notices(session, bearer.account, query.page)
    items = [NoticeOut(id=row.id, text=row.text, created=row.created_us) for row in rows]
    return NoticesOut(items=items, next=following)


def _registration_policy() -> Policy:
    settings = site().settings
    if settings.registration:
        return settings.registration
    return "open" if is_local_request() else "invite"


def _token(issued: IssuedToken) -> TokenOut:
    return TokenOut(name=issued.name, token=issued.token, token_id=issued.id)
