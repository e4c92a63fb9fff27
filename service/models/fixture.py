"""Fixtures, their participants, matches and faults."""

from sqlalchemy import Boolean, Index, Integer, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base, CreatedUs, Digest, Id, LongText, TimeUs, reference


class Fixture(Base):
    """The rated unit: the same decks once per seat rotation. `state`: queued, dispatched, running, done, void."""

    __tablename__ = "fixtures"
    __table_args__ = (
        UniqueConstraint("stream_id", "sequence"),
        Index("ix_fixtures_state_lease_until_us", "state", "lease_until_us"),
        Index("ix_fixtures_ladder_id_id", "ladder_id", "id"),
        # Results the rater has not seen yet, first and last; what each owner's fixtures cost of late.
        Index("ix_fixtures_unrated", "ladder_id", "kind", "state", "rated", "sequence"),
        # The matchmaker's last rounds: how many fixtures, and who met whom.
        Index("ix_fixtures_ladder_id_kind_round", "ladder_id", "kind", "round"),
        Index("ix_fixtures_done_us", "done_us"),
    )

    id: Mapped[Id]
    stream_id: Mapped[str] = reference("streams.id")
    ladder_id: Mapped[str] = reference("ladders.id")
    kind: Mapped[str] = mapped_column(String(16))
    """Its stream's: only `ladder` is rated."""
    sequence: Mapped[int]
    day: Mapped[str] = mapped_column(String(10))
    seed: Mapped[Digest]
    """32 bytes, hexadecimal; secret until the fixture is done."""
    commitment: Mapped[Digest]
    """SHA-256 of the seed's 32 bytes, public from the start."""
    players: Mapped[int]
    """Seats of a leg; there are as many legs as `FixtureSeat` rows."""
    round: Mapped[int] = mapped_column(Integer, default=0)
    """The ladder's round it was drawn up in; 0 outside ladder play."""
    owner_id: Mapped[str | None] = reference("accounts.id")
    """Whose share of the slots it uses: the challenger's, or the first seat's owner's."""
    priority: Mapped[int] = mapped_column(Integer, default=0)
    """Higher first: validations before challenges before ladder play."""
    state: Mapped[str] = mapped_column(String(16), default="queued")
    attempt: Mapped[int] = mapped_column(Integer, default=0)
    """Fencing token, raised at every publication."""
    starts: Mapped[int] = mapped_column(Integer, default=0)
    """Accepted `started` messages; a cap on these voids the fixture."""
    worker: Mapped[str | None] = mapped_column(String(64))
    lease_until_us: Mapped[TimeUs | None]
    """Dispatched: when it is sent again. Running: when its worker counts as dead. Queued: when it may be sent, if not
    at once."""
    reason: Mapped[LongText] = mapped_column(default="")
    """Why it is void, or why the last attempt failed."""
    created_us: Mapped[CreatedUs]
    started_us: Mapped[TimeUs | None]
    done_us: Mapped[TimeUs | None]
    rated: Mapped[bool] = mapped_column(Boolean, default=False)
    """Its result is in the ratings. Whoever voids a fixture leaves this alone: the rater then takes it out."""


class FixtureSeat(Base):
    """A participant, and what came of it over all legs.

    There is one per side; where each plays for himself that is one per seat. In leg k the seats s of participant p are
    those with (s + k) mod participants = p (`engine.fixture.participant`).
    """

    __tablename__ = "fixture_seats"
    __table_args__ = (
        UniqueConstraint("fixture_id", "seat"),
        Index("ix_fixture_seats_version_id_fixture_id", "version_id", "fixture_id"),
        Index("ix_fixture_seats_entry_id_fixture_id", "entry_id", "fixture_id"),
    )

    id: Mapped[Id]
    fixture_id: Mapped[str] = reference("fixtures.id", index=True)
    seat: Mapped[int]
    """The participant's number: its first seat in leg 0."""
    version_id: Mapped[str] = reference("versions.id")
    entry_id: Mapped[str] = reference("entries.id")
    bundle: Mapped[Digest]
    points: Mapped[int | None]
    """Aggregate over the legs."""
    place: Mapped[int | None]
    """1 is first; equal places are ties."""
    faulted_legs: Mapped[int] = mapped_column(Integer, default=0)


class Match(Base):
    """One leg as played, and where its log lies."""

    __tablename__ = "matches"
    __table_args__ = (
        UniqueConstraint("fixture_id", "leg"),
        # The oldest logs that are still there: the first to go to the disk budget.
        Index("ix_matches_log_dropped_id", "log_dropped", "id"),
    )

    id: Mapped[Id]
    fixture_id: Mapped[str] = reference("fixtures.id", index=True)
    leg: Mapped[int]
    log: Mapped[Digest]
    log_dropped: Mapped[bool] = mapped_column(Boolean, default=False)
    """The log went to the disk budget; the digest stays."""
    points: Mapped[list[int]]
    """By seat of this leg, as `places`, `stderr` and `used_us` are."""
    places: Mapped[list[int]]
    deals: Mapped[int]
    reason: Mapped[str] = mapped_column(String(16))
    stderr: Mapped[list[str | None]]
    used_us: Mapped[list[int]]
    created_us: Mapped[CreatedUs]


class Fault(Base):
    """A fault charged to a seat in a leg."""

    __tablename__ = "faults"

    id: Mapped[Id]
    fixture_id: Mapped[str] = reference("fixtures.id", index=True)
    version_id: Mapped[str] = reference("versions.id", index=True)
    leg: Mapped[int]
    seat: Mapped[int]
    """In that leg."""
    kind: Mapped[str] = mapped_column(String(16))
    evidence: Mapped[LongText]
    created_us: Mapped[CreatedUs]


class InfraAttempt(Base):
    """An attempt that our side spoilt: never rated, counted per version and per worker."""

    __tablename__ = "infra_attempts"
    __table_args__ = (UniqueConstraint("fixture_id", "attempt", "version_id"),)

    id: Mapped[Id]
    fixture_id: Mapped[str] = reference("fixtures.id")
    attempt: Mapped[int]
    version_id: Mapped[str] = reference("versions.id", index=True)
    worker: Mapped[str] = mapped_column(String(64))
    evidence: Mapped[LongText]
    created_us: Mapped[CreatedUs]
