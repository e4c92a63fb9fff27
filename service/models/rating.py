"""The history of ratings, which is also every entry's checkpoint at every sequence number."""

from sqlalchemy import Float, Index, Integer, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from service.models.base import Base, Id, TimeUs, reference


class RatingEvent(Base):
    """What one rated fixture did to one entry: its whole standing before and after.

    To roll a ladder back to sequence s, delete the events at or above s and give every entry the state of its
    newest remaining one. All of it can be rebuilt from results.
    """

    __tablename__ = "rating_events"
    __table_args__ = (
        UniqueConstraint("entry_id", "sequence"),
        Index("ix_rating_events_ladder_id_sequence", "ladder_id", "sequence"),
    )

    id: Mapped[Id]
    ladder_id: Mapped[str] = reference("ladders.id")
    entry_id: Mapped[str] = reference("entries.id")
    fixture_id: Mapped[str] = reference("fixtures.id", index=True)
    sequence: Mapped[int]
    outcome: Mapped[str] = mapped_column(String(8))
    """win, draw or loss (with more than two seats: first alone, a tie, or behind)."""
    mu_before: Mapped[float] = mapped_column(Float(53))
    sigma_before: Mapped[float] = mapped_column(Float(53))
    mu: Mapped[float] = mapped_column(Float(53))
    sigma: Mapped[float] = mapped_column(Float(53))
    fixtures: Mapped[int] = mapped_column(Integer)
    wins: Mapped[int] = mapped_column(Integer)
    draws: Mapped[int] = mapped_column(Integer)
    losses: Mapped[int] = mapped_column(Integer)
    faults: Mapped[int] = mapped_column(Integer)
    done_us: Mapped[TimeUs]
    """When the fixture was done, for graphs over time."""
