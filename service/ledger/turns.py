"""Whose turn it is among the ladders: which of them the next fixtures are drawn up for."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from service.models import Entry, Fixture, Ladder
from service.ratings.results import ESTABLISHED_AT, RATED_KIND

SETTLED_AT = 200
"""Fixtures every entry must have for a ladder to count as settled."""
WINDOW = 120
"""So many of the newest fixtures say which ladder had its share of late."""
NEWCOMERS_WEIGH = 3
"""A ladder with newcomers gets so many times the share of one without."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A ladder that can be played on now."""

    ladder_id: str
    priority: int
    active: int
    established: int
    settled: bool

    @property
    def founding(self) -> bool:
        """Most of its entries are newcomers: it has no table worth the name yet."""
        return 2 * self.established < self.active

    @property
    def weight(self) -> int:
        """Its part of the slots, in proportion to the other ladders'."""
        return NEWCOMERS_WEIGH if self.established < self.active else 1


def playable(session: Session, now_us: int) -> list[Ground]:
    """Return the open ladders with enough active entries for a table, but those settled and still at rest."""
    established = func.sum(case((Entry.fixtures >= ESTABLISHED_AT, 1), else_=0))
    rows = session.execute(
        select(
            Ladder.id,
            Ladder.priority,
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
            grounds.append(Ground(row.id, row.priority, row.active, int(row.established), settled))
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


def next_ground(grounds: Collection[Ground], had: dict[str, int]) -> Ground | None:
    """Return the ladder to draw up for: the first that is being founded, else whoever is furthest behind its share.

    `grounds` comes in order of priority, which also decides between equals.
    """
    for ground in grounds:
        if ground.founding:
            return ground
    return min(grounds, key=lambda ground: had.get(ground.ladder_id, 0) / ground.weight, default=None)
