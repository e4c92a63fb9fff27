"""Bearer tokens: 32 random bytes, shown once, kept as a SHA-256 and the first characters.

A fast hash is enough here: the tokens are too random to guess, unlike passwords.
"""

import hashlib
import secrets
from dataclasses import dataclass

from sqlalchemy import delete, or_, select
from sqlalchemy.orm import Session

from service.ids import may_be_id, new_id
from service.models import Account, Token
from service.refusals import UnauthenticatedError, UnknownError
from service.storage.clock import SECOND_US, now_us

PREFIX = "malice_"
RANDOM_BYTES = 32
SHOWN_CHARACTERS = 12
ONCE_LIFETIME_US = 7 * 86_400 * SECOND_US
"""How long a one-time token waits for its one use."""


@dataclass(frozen=True)
class IssuedToken:
    """A new token, the only time it can be read."""

    id: str
    name: str
    """The account's."""
    token: str


@dataclass(frozen=True)
class Bearer:
    """Who a token stands for."""

    account: Account
    token_id: str
    once: bool


def issue(session: Session, account: Account, *, once: bool = False) -> IssuedToken:
    """Make a token for an account.

    A `once` token is good for one thing, setting the account's password, and for a week.
    """
    token = PREFIX + secrets.token_urlsafe(RANDOM_BYTES)
    row = Token(
        id=new_id(),
        account_id=account.id,
        digest=token_digest(token),
        prefix=token[:SHOWN_CHARACTERS],
        once=once,
        expires_us=now_us() + ONCE_LIFETIME_US if once else None,
    )
    session.add(row)
    session.flush()
    return IssuedToken(row.id, account.name, token)


def authenticate(session: Session, token: str) -> Bearer:
    """Return whom a token stands for. Raises UnauthenticatedError for one that is unknown, revoked or expired."""
    row = session.execute(
        select(Account, Token)
        .join(Token, Token.account_id == Account.id)
        .where(
            Token.digest == token_digest(token),
            or_(Token.expires_us.is_(None), Token.expires_us > now_us()),
        )
    ).one_or_none()
    if row is None:
        raise UnauthenticatedError("this token is not good here (any more); get one with POST /api/v1/tokens")
    return Bearer(account=row[0], token_id=row[1].id, once=row[1].once)


def revoke(session: Session, account: Account, token_id: str) -> None:
    """End a token of the account's own. Raises UnknownError for any other."""
    ended = delete(Token).where(Token.id == token_id, Token.account_id == account.id).returning(Token.id)
    if not may_be_id(token_id) or session.scalar(ended) is None:
        raise UnknownError("you have no token of this id; it came with the token, in `token_id`")


def use_once(session: Session, token_id: str) -> None:
    """Use a one-time token up. Raises UnauthenticatedError when somebody else did so a moment ago."""
    used = delete(Token).where(Token.id == token_id, Token.once).returning(Token.id)
    if session.scalar(used) is None:
        raise UnauthenticatedError("this one-time token has been used; get one with POST /api/v1/tokens")


def token_digest(token: str) -> str:
    """Return what is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
