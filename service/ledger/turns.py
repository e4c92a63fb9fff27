"""Whose turn it is among the ladders: which of them the next fixtures are drawn up for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from service.models import Account, Entry, Fixture, Ladder
from service.ratings.results import ESTABLISHED_AT, RATED_KIND
from service.storage.clock import SECOND_US

SETTLED_AT = 200
"""Fixtures every entry must have for a ladder to count as settled ..."""
HOUSE_SETTLED_AT = 60
"""... and these where only the house's own bots play: nobody waits for their order to become any surer."""
WINDOW_PER_LADDER = 8
"""So many of the newest fixtures for each ladder to be played on say which had its share of late."""
FOUNDING_WEIGHS = 3
"""A ladder that is being founded gets so many times the share of one without newcomers."""

Class = Literal["arrivals", "founding", "steady"]


@dataclass(frozen=True, slots=True)
class Ground:
    """A ladder that can be played on."""

    ladder_id: str
    active: int
    established: int
    settled: bool
    next_round_us: int
    """A settled ladder is not to be played on before this."""
    foremost: bool
    """No other has a higher priority."""

    @property
    def standing(self) -> Class:
        """What the ladder needs: newcomers on a table that stands, a table of its own, or only to go on."""
        if self.established == self.active:
            return "steady"
        return "founding" if 2 * self.established < self.active else "arrivals"

    def may_play(self, now_us: int) -> bool:
        """Whether it is not at rest."""
        return not self.settled or self.next_round_us <= now_us


def playable(session: Session) -> list[Ground]:
    """Return the open ladders with enough active entries for a table, in order of priority, those at rest included."""
    established = func.sum(case((Entry.fixtures >= ESTABLISHED_AT, 1), else_=0))
    strangers = func.sum(case((Account.is_house, 0), else_=1))
    rows = session.execute(
        select(
            Ladder.id,
            Ladder.next_round_us,
            func.count().label("active"),
            established.label("established"),
            strangers.label("strangers"),
            func.min(Entry.fixtures).label("least"),
        )
        .join(Entry, Entry.ladder_id == Ladder.id)
        .join(Account, Account.id == Entry.owner_id)
        .where(Ladder.state == "open", Entry.status == "active")
        .group_by(Ladder.id, Ladder.priority, Ladder.next_round_us, Ladder.sides, Ladder.slug)
        .having(func.count() >= Ladder.sides)
        .order_by(Ladder.priority.desc(), Ladder.slug)
    )
    return [
        Ground(
            ladder_id=row.id,
            active=row.active,
            established=int(row.established),
            settled=row.least >= (SETTLED_AT if row.strangers else HOUSE_SETTLED_AT),
            next_round_us=row.next_round_us,
            foremost=place == 0,
        )
        for place, row in enumerate(rows)
    ]


class Shares:
    """How much of the slots' time each ladder had of late, in seconds.

    By time and not by number: a fixture of five on one ladder takes as long as forty of two on another.
    """

    def __init__(self, fixtures: Mapping[str, int], cost_s: Mapping[str, float]) -> None:
        self._cost_s = cost_s
        self._usual_s = fmean(cost_s.values()) if cost_s else 1.0
        self.had_s: dict[str, float] = {}
        for ladder_id, number in fixtures.items():
            self.add(ladder_id, number)

    def add(self, ladder_id: str, fixtures: int) -> None:
        """Count fixtures more, at what one of this ladder has cost of late, or else one of any."""
        cost_s = self._cost_s.get(ladder_id, self._usual_s)
        self.had_s[ladder_id] = self.had_s.get(ladder_id, 0.0) + fixtures * cost_s


def shares(session: Session, grounds: int) -> Shares:
    """Return what each ladder had of the newest rated fixtures, where `grounds` ladders share the slots."""
    newest = (
        select(Fixture.ladder_id, (Fixture.done_us - Fixture.started_us).label("took_us"))
        .where(Fixture.kind == RATED_KIND)
        .order_by(Fixture.id.desc())
        .limit(WINDOW_PER_LADDER * grounds)
        .subquery()
    )
    # Fixtures that are not done yet have taken no time that is known, and leave the mean alone.
    rows = session.execute(
        select(newest.c.ladder_id, func.count(), func.avg(newest.c.took_us)).group_by(newest.c.ladder_id)
    ).all()
    return Shares(
        {ladder_id: number for ladder_id, number, _ in rows},
        {ladder_id: float(took_us) / SECOND_US for ladder_id, _, took_us in rows if took_us},
    )


def next_ground(grounds: Sequence[Ground], had: Mapping[str, float]) -> Ground | None:
    """Return the ladder to draw up for: the foremost alone while it is being founded, else who is furthest behind.

    `grounds`, those that are not at rest, comes in order of priority, which also decides between equals; `had` is
    what each had of late. Whoever arrives on a ladder must not wait longer because there are many: ladders with
    arrivals share half of the time.
    """
    if grounds and grounds[0].foremost and grounds[0].standing == "founding":
        return grounds[0]
    weights = _weights(grounds)
    return min(
        grounds, key=lambda ground: had.get(ground.ladder_id, 0) / weights[ground.standing], default=None
    )


def _weights(grounds: Sequence[Ground]) -> dict[Class, float]:
    """Return what a ladder of each class weighs in the sharing."""
    arrivals, founding = (
        sum(ground.standing == standing for ground in grounds) for standing in ("arrivals", "founding")
    )
    others = FOUNDING_WEIGHS * founding + len(grounds) - arrivals - founding
    return {
        "arrivals": max(FOUNDING_WEIGHS, others / max(1, arrivals)),
        "founding": FOUNDING_WEIGHS,
        "steady": 1,
    }
