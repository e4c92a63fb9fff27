"""Whose turn it is among the ladders: which of them the next fixtures are drawn up for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from service.models import Entry, Fixture, Ladder
from service.ratings.results import ESTABLISHED_AT, RATED_KIND

SETTLED_AT = 200
"""Fixtures every entry must have for a ladder to count as settled."""
WINDOW = 24
"""So many of the newest fixtures say which ladder had its share of late."""
FIRST_WEIGHS = 3
"""Of the ladders with newcomers the first in order of priority gets so many times the share of any other."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A ladder that can be played on now."""

    ladder_id: str
    active: int
    established: int
    settled: bool

    @property
    def founding(self) -> bool:
        """Most of its entries are newcomers: it has no table worth the name yet."""
        return 2 * self.established < self.active

    @property
    def has_newcomers(self) -> bool:
        """Whether somebody on it is not established yet."""
        return self.established < self.active


def playable(session: Session, now_us: int) -> list[Ground]:
    """Return the open ladders with enough active entries for a table, but those settled and still at rest."""
    established = func.sum(case((Entry.fixtures >= ESTABLISHED_AT, 1), else_=0))
    rows = session.execute(
        select(
            Ladder.id,
            Ladder.next_round_us,
            func.count().label("active"),
            established.label("established"),
            func.min(Entry.fixtures).label("least"),
        )
        .join(Entry, Entry.ladder_id == Ladder.id)
        .where(Ladder.state == "open", Entry.status == "active")
        .group_by(Ladder.id, Ladder.priority, Ladder.next_round_us, Ladder.players, Ladder.slug)
        .having(func.count() >= Ladder.players)
        .order_by(Ladder.priority.desc(), Ladder.slug)
    ).all()
    grounds = []
    for row in rows:
        settled = row.least >= SETTLED_AT
        if not settled or row.next_round_us <= now_us:
            grounds.append(Ground(row.id, row.active, int(row.established), settled))
    return grounds


def shares(session: Session) -> dict[str, int]:
    """Return how many of the newest rated fixtures each ladder had."""
    newest = (
        select(Fixture.ladder_id)
        .where(Fixture.kind == RATED_KIND)
        .order_by(Fixture.id.desc())
        .limit(WINDOW)
        .subquery()
    )
    rows = session.execute(select(newest.c.ladder_id, func.count()).group_by(newest.c.ladder_id))
    return dict(rows.all())


def next_ground(grounds: Sequence[Ground], had: Mapping[str, int]) -> Ground | None:
    """Return the ladder to draw up for: the very first alone while it is being founded, else who is furthest behind.

    `grounds` comes in order of priority, which also decides between equals; `had` is what each had of late.
    """
    first = next((ground for ground in grounds if ground.has_newcomers), None)
    if first and first.founding and first is grounds[0]:
        return first

    def behind(ground: Ground) -> float:
        return had.get(ground.ladder_id, 0) / (FIRST_WEIGHS if ground is first else 1)

    return min(grounds, key=behind, default=None)
