"""Making accounts: who may, invitations, the first operator; signing in with a password."""

import re
import secrets
from typing import Literal

from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from service.accounts.passwords import is_password
from service.accounts.tokens import IssuedToken, issue, token_digest, use_once
from service.models import Account, Invite
from service.refusals import ConflictError, ForbiddenError, InvalidError, UnauthenticatedError

Policy = Literal["open", "invite", "closed"]

ACCOUNT_NAME = re.compile(r"[a-z0-9][a-z0-9-]{1,31}")
OPERATOR = "operator"
RESERVED_NAMES = frozenset({OPERATOR, "house", "admin", "malice"})
"""Nobody registers as what would be taken for the people who run the place."""
INVITE_PREFIX = "invite_"


def check_registration(policy: Policy, name: str, invite: str | None) -> None:
    """Raise what `register` would raise before it looks at the database, so that no password is hashed in vain."""
    if policy == "closed":
        raise ForbiddenError("registration is closed here; ask the operator for an account")
    if policy == "invite" and not invite:
        raise ForbiddenError(
            "registration is by invitation here; send the invite an operator gave you", "invite"
        )
    if not ACCOUNT_NAME.fullmatch(name):
        raise InvalidError(
            f"{name!r} is no name for an account; use 2 to 32 lower-case letters, digits and '-',"
            " beginning with a letter or digit",
            "name",
        )
    if name in RESERVED_NAMES:
        raise ConflictError(f"the name {name!r} is reserved; choose another name", "name")


def register(
    session: Session, policy: Policy, name: str, password_hash: str, invite: str | None
) -> IssuedToken:
    """Make an account and its first token; under the policy `invite` this uses the invitation up.

    `password_hash` comes from `hash_password`: hashing takes too long for a transaction. Raises ForbiddenError,
    InvalidError, or ConflictError for a taken or reserved name.
    """
    check_registration(policy, name, invite)
    account = Account(name=name, password_hash=password_hash)
    try:
        with session.begin_nested():
            session.add(account)
    except IntegrityError:
        raise ConflictError(
            f"there is an account named {name!r} already; choose another name", "name"
        ) from None
    if policy == "invite":
        _use_invite(session, account, invite or "")
    return issue(session, account)


def sign_in(session: Session, name: str, password: str) -> Account:
    """Return the account of a name and password. Raises UnauthenticatedError, the same for either being wrong."""
    account = (
        session.scalar(select(Account).where(Account.name == name)) if ACCOUNT_NAME.fullmatch(name) else None
    )
    if not is_password(account.password_hash if account else None, password) or account is None:
        raise UnauthenticatedError("no account has this name and password; POST /api/v1/accounts makes one")
    return account


def set_password(session: Session, account_id: str, password_hash: str, once_token: str | None) -> None:
    """Set a password; `once_token` is the id of the one-time token that allows it, which this uses up.

    Raises UnauthenticatedError when somebody else used that token a moment ago.
    """
    if once_token is not None:
        use_once(session, once_token)
    session.execute(update(Account).where(Account.id == account_id).values(password_hash=password_hash))


def make_invite(session: Session, operator: Account) -> str:
    """Return a new invitation, shown once. Raises ForbiddenError for anybody but an operator."""
    if not operator.is_operator:
        raise ForbiddenError("only operators invite; ask one")
    invite = INVITE_PREFIX + secrets.token_urlsafe(24)
    session.add(Invite(digest=token_digest(invite), created_by=operator.id))
    session.flush()
    return invite


def make_operator(session: Session, name: str = OPERATOR) -> IssuedToken:
    """Return a new one-time token of the operator's account, which is made if it is not there.

    With it PUT /api/v1/me/password sets the password, and POST /api/v1/tokens then gives ordinary tokens.
    """
    account = session.scalar(select(Account).where(Account.name == name))
    if account is None:
        account = Account(name=name)
        session.add(account)
    account.is_operator = True
    session.flush()
    return issue(session, account, once=True)


def _use_invite(session: Session, account: Account, invite: str) -> None:
    used = (
        update(Invite)
        .where(Invite.digest == token_digest(invite), Invite.used_by.is_(None))
        .values(used_by=account.id)
        .returning(Invite.id)
    )
    if session.scalar(used) is None:
        raise ForbiddenError("this invite is not good (any more); ask an operator for a new one", "invite")
