"""Bots, their versions and what is built of them."""

from sqlalchemy import Index, Integer, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base, CreatedUs, Digest, Id, LongText, TimeUs, reference


class Bot(Base):
    """A named program of one owner."""

    __tablename__ = "bots"

    id: Mapped[Id]
    owner_id: Mapped[str] = reference("accounts.id", index=True)
    name: Mapped[str] = mapped_column(String(32), unique=True)
    created_us: Mapped[CreatedUs]


class Version(Base):
    """One immutable upload of a bot. `status`: queued, building, built, failed, retired."""

    __tablename__ = "versions"
    __table_args__ = (
        UniqueConstraint("bot_id", "number"),
        UniqueConstraint("bot_id", "source_digest"),
        Index("ix_versions_status_lease_until_us", "status", "lease_until_us"),
    )

    id: Mapped[Id]
    bot_id: Mapped[str] = reference("bots.id", index=True)
    number: Mapped[int]
    """1, 2, 3 … within the bot."""
    source_digest: Mapped[Digest]
    """Of the canonical archive: the same files give the same digest however they were packed."""
    language: Mapped[str] = mapped_column(String(16))
    entry: Mapped[str] = mapped_column(String(200))
    ladders: Mapped[list[str]] = mapped_column()
    """Slugs of the ladders it is to enter once built."""
    status: Mapped[str] = mapped_column(String(16), default="queued")
    reason: Mapped[LongText] = mapped_column(default="")
    """Never empty when failed or retired: what happened and what to do next."""
    build_log: Mapped[Digest | None]
    """Text blob, for the owner."""
    attempt: Mapped[int] = mapped_column(Integer, default=0)
    """Fencing token of its build, raised at every order."""
    lease_until_us: Mapped[TimeUs | None]
    """When the build is ordered again if nothing was heard."""
    created_us: Mapped[CreatedUs]


class Bundle(Base):
    """What was built of a version for one runtime and architecture."""

    __tablename__ = "bundles"
    __table_args__ = (UniqueConstraint("version_id", "runtime", "architecture"),)

    id: Mapped[Id]
    version_id: Mapped[str] = reference("versions.id", index=True)
    runtime: Mapped[str] = mapped_column(String(16))
    architecture: Mapped[str] = mapped_column(String(16), default="any")
    digest: Mapped[Digest]
