"""Ladders, who is on them, and the streams that number and seed their fixtures."""

from typing import Any

from sqlalchemy import Boolean, Float, Index, Integer, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base, CreatedUs, Digest, Id, LongText, TimeUs, reference


class Ladder(Base):
    """An open-ended competition: rules, target, players and clock. `state`: open, paused, closing, closed."""

    __tablename__ = "ladders"

    id: Mapped[Id]
    slug: Mapped[str] = mapped_column(String(48), unique=True)
    title: Mapped[str] = mapped_column(String(100))
    profile: Mapped[str] = mapped_column(String(48))
    rules: Mapped[dict[str, Any]]
    """A rules document (`engine.game.Game.document`)."""
    rules_hash: Mapped[Digest]
    players: Mapped[int]
    """Seats of a match."""
    sides: Mapped[int]
    """Participants of a fixture, and its legs: as many as players, but where partners play."""
    deals: Mapped[int | None]
    """Deals of a match where these are fixed; None where the target ends it."""
    target: Mapped[int]
    """Points a match is played to; where the number of deals is fixed that number."""
    clock: Mapped[dict[str, Any]]
    """`service.messages.Clock` as an object."""
    state: Mapped[str] = mapped_column(String(16), default="open")
    priority: Mapped[int] = mapped_column(Integer, default=0)
    """On a new installation the ladder with the highest number is served alone; it also decides between equals."""
    round: Mapped[int] = mapped_column(Integer, default=0)
    """Rounds the matchmaker has drawn up."""
    next_round_us: Mapped[TimeUs] = mapped_column(default=0)
    """Not before this: how a settled ladder keeps to a trickle."""
    parameters: Mapped[int] = mapped_column(Integer, default=1)
    """Number of the rating parameter set in force."""
    rated_through: Mapped[int] = mapped_column(Integer, default=0)
    """Watermark: the highest sequence number whose result is in the ratings."""
    as_of_us: Mapped[TimeUs] = mapped_column(default=0)
    """When the standings last changed."""
    ranks_due: Mapped[bool] = mapped_column(Boolean, default=False)
    """Ratings, or who is active, changed since the rank intervals were worked out."""
    created_us: Mapped[CreatedUs]


class RatingParameters(Base):
    """A numbered set of TrueSkill parameters of a ladder."""

    __tablename__ = "rating_parameters"
    __table_args__ = (UniqueConstraint("ladder_id", "number"),)

    id: Mapped[Id]
    ladder_id: Mapped[str] = reference("ladders.id")
    number: Mapped[int]
    mu: Mapped[float]
    sigma: Mapped[float]
    beta: Mapped[float]
    tau: Mapped[float]
    draw_probability: Mapped[float]


class Entry(Base):
    """One version on one ladder, with its rating.

    `status`: validating, active, failed, suspended, withdrawn, superseded. All columns from `mu` on are a
    projection of results, written by the rater alone.
    """

    __tablename__ = "entries"
    __table_args__ = (
        UniqueConstraint("ladder_id", "version_id"),
        # The order of the standings, and of their pages: established first, best first (docs/operating.md).
        Index("ix_entries_standing", "ladder_id", "status", "provisional", "neg_mu_e6", "id"),
    )

    id: Mapped[Id]
    ladder_id: Mapped[str] = reference("ladders.id", index=True)
    bot_id: Mapped[str] = reference("bots.id", index=True)
    version_id: Mapped[str] = reference("versions.id", index=True)
    owner_id: Mapped[str] = reference("accounts.id")
    status: Mapped[str] = mapped_column(String(16), default="validating")
    reason: Mapped[LongText] = mapped_column(default="")
    created_us: Mapped[CreatedUs]
    activated_us: Mapped[TimeUs | None]
    last_round: Mapped[int] = mapped_column(Integer, default=0)
    """The last of the ladder's rounds it was seated in."""
    mu: Mapped[float] = mapped_column(Float(53))
    sigma: Mapped[float] = mapped_column(Float(53))
    fixtures: Mapped[int] = mapped_column(Integer, default=0)
    wins: Mapped[int] = mapped_column(Integer, default=0)
    draws: Mapped[int] = mapped_column(Integer, default=0)
    losses: Mapped[int] = mapped_column(Integer, default=0)
    faults: Mapped[int] = mapped_column(Integer, default=0)
    """Fixtures in which it was charged with a fault."""
    provisional: Mapped[bool] = mapped_column(Boolean, default=True)
    """Fewer than 30 fixtures."""
    neg_mu_e6: Mapped[TimeUs] = mapped_column(default=0)
    """-mu rounded to 1e-6, times 1e6: an integer that sorts best first."""
    rank_low: Mapped[int | None]
    rank_high: Mapped[int | None]
    """95 % interval of its rank; None while provisional."""


class Stream(Base):
    """What numbers fixtures without gaps. `kind`: ladder, validation, challenge."""

    __tablename__ = "streams"
    __table_args__ = (UniqueConstraint("kind", "ladder_id"),)

    id: Mapped[Id]
    kind: Mapped[str] = mapped_column(String(16))
    ladder_id: Mapped[str] = reference("ladders.id")
    next_sequence: Mapped[int] = mapped_column(Integer, default=1)


class StreamDay(Base):
    """A stream's secret of one UTC day, from which its fixtures' seeds follow."""

    __tablename__ = "stream_days"
    __table_args__ = (UniqueConstraint("stream_id", "day"),)

    id: Mapped[Id]
    stream_id: Mapped[str] = reference("streams.id")
    day: Mapped[str] = mapped_column(String(10))
    """`2026-01-31`."""
    secret: Mapped[Digest]
    commitment: Mapped[Digest]
    """SHA-256 of the secret, public from the start."""
    revealed_us: Mapped[TimeUs | None]
    """When the secret became public: the day is over and all its fixtures are final."""
