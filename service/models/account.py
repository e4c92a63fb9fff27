"""Accounts, their tokens, invites and notices."""

from sqlalchemy import Boolean, String
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base, CreatedUs, Digest, Id, LongText, TimeUs, reference


class Account(Base):
    """Somebody who owns bots."""

    __tablename__ = "accounts"

    id: Mapped[Id]
    name: Mapped[str] = mapped_column(String(32), unique=True)
    password_hash: Mapped[str | None] = mapped_column(String(200))
    """Argon2; None where no password was set (the house and the first operator)."""
    is_operator: Mapped[bool] = mapped_column(Boolean, default=False)
    is_house: Mapped[bool] = mapped_column(Boolean, default=False)
    created_us: Mapped[CreatedUs]


class Token(Base):
    """A bearer token: shown once, kept as a SHA-256."""

    __tablename__ = "tokens"

    id: Mapped[Id]
    account_id: Mapped[str] = reference("accounts.id", index=True)
    digest: Mapped[Digest] = mapped_column(unique=True)
    prefix: Mapped[str] = mapped_column(String(12))
    """The token's first characters, so that its owner can tell which it is."""
    created_us: Mapped[CreatedUs]
    expires_us: Mapped[TimeUs | None]
    once: Mapped[bool] = mapped_column(Boolean, default=False)
    """Good for one use: the operator's first sign-in."""


class Invite(Base):
    """Lets one person register where registration is by invitation."""

    __tablename__ = "invites"

    id: Mapped[Id]
    digest: Mapped[Digest] = mapped_column(unique=True)
    created_by: Mapped[str] = reference("accounts.id")
    created_us: Mapped[CreatedUs]
    used_by: Mapped[str | None] = reference("accounts.id")


class Notice(Base):
    """Something an owner should know: a suspension, a failed version."""

    __tablename__ = "notices"

    id: Mapped[Id]
    account_id: Mapped[str] = reference("accounts.id", index=True)
    text: Mapped[LongText]
    created_us: Mapped[CreatedUs]
