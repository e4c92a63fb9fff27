"""Whose turn it is among the ladders: which of them the next fixtures are drawn up for."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Literal

from sqlalchemy import ColumnElement, Select, case, exists, func, select
from sqlalchemy.orm import Session

from service.models import Account, Bundle, Entry, Fixture, Ladder
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
AWAITED_WEIGH = 3
"""Ladders on which somebody waits for a rating get, together, so many times the time of all others."""

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
    opening: bool
    """No other has a higher priority, and most of the house's bots here are newcomers. By them, because with people's
    this need never end."""
    awaited: bool
    """Somebody's entry, not the house's, is a newcomer here."""
    untried: bool
    """Such an entry has not been seated yet."""

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
    """Return the open ladders with enough entries for a table, in order of priority, those at rest included.

    Entries are those that are active and have something to run.
    """
    return [
        Ground(
            ladder_id=row.id,
            active=row.active,
            established=int(row.established),
            settled=row.least >= (SETTLED_AT if row.guests else HOUSE_SETTLED_AT),
            next_round_us=row.next_round_us,
            opening=place == 0 and row.house_new > row.house_established,
            awaited=row.guests_new > 0,
            untried=row.guests_untried > 0,
        )
        for place, row in enumerate(session.execute(_counted()))
    ]


def _counted() -> Select[*tuple[Any, ...]]:
    """Return the query for `playable`: a row per ladder with how many entries there are of each sort."""
    is_house = Account.is_house
    is_new = Entry.fixtures < ESTABLISHED_AT
    return (
        select(
            Ladder.id,
            Ladder.next_round_us,
            func.count().label("active"),
            _number(~is_new).label("established"),
            _number(is_house & is_new).label("house_new"),
            _number(is_house & ~is_new).label("house_established"),
            _number(~is_house).label("guests"),
            _number(~is_house & is_new).label("guests_new"),
            _number(~is_house & (Entry.fixtures == 0) & (Entry.last_round == 0)).label("guests_untried"),
            func.min(Entry.fixtures).label("least"),
        )
        .join(Entry, Entry.ladder_id == Ladder.id)
        .join(Account, Account.id == Entry.owner_id)
        .where(Ladder.state == "open", Entry.status == "active")
        .where(exists().where(Bundle.version_id == Entry.version_id))
        .group_by(Ladder.id, Ladder.priority, Ladder.next_round_us, Ladder.sides, Ladder.slug)
        .having(func.count() >= Ladder.sides)
        .order_by(Ladder.priority.desc(), Ladder.slug)
    )


def _number(condition: ColumnElement[bool]) -> ColumnElement[int]:
    """Count the rows of a group that meet a condition."""
    return func.sum(case((condition, 1), else_=0))


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


def next_ground(grounds: Sequence[Ground], had: Mapping[str, float], *, welcoming: bool) -> Ground | None:
    """Return the ladder to draw up for; None when there is none.

    `grounds`, those that are not at rest, comes in order of priority, which also decides between equals; `had` is
    what each had of late. Where `welcoming`, somebody who has not played yet is seated before all else. Then the
    ladder that opens the installation is served alone, or shares with those on which somebody waits for a rating. Else
    these have most of the time, but not all: the house's bots must come to play each other even where arrivals never
    cease.
    """
    untried = [ground for ground in grounds if ground.untried]
    awaited = [ground for ground in grounds if ground.awaited]
    if welcoming and untried:
        return _least_served(untried, had)
    if grounds and grounds[0].opening:
        return _least_served(awaited if grounds[0].awaited else [*awaited, grounds[0]], had)
    rest = [ground for ground in grounds if not ground.awaited]
    weights = _weights(rest)
    if awaited and (not rest or _are_behind(awaited, rest, weights, had)):
        return _least_served(awaited, had)
    return min(rest, key=lambda ground: had.get(ground.ladder_id, 0) / weights[ground.standing], default=None)


def _least_served(grounds: Iterable[Ground], had: Mapping[str, float]) -> Ground:
    return min(grounds, key=lambda ground: had.get(ground.ladder_id, 0))


def _are_behind(
    awaited: Sequence[Ground],
    rest: Sequence[Ground],
    weights: Mapping[Class, float],
    had: Mapping[str, float],
) -> bool:
    """Whether the awaited ladders had no more than their share, which is never less than that of as many founded."""
    others = sum(weights[ground.standing] for ground in rest)
    weight = max(FOUNDING_WEIGHS * len(awaited), AWAITED_WEIGH * others)
    had_s, rest_had_s = (sum(had.get(ground.ladder_id, 0) for ground in part) for part in (awaited, rest))
    return had_s / weight <= rest_had_s / others


def _weights(grounds: Sequence[Ground]) -> dict[Class, float]:
    """Return what a ladder of each class weighs in the sharing among those nobody waits on."""
    arrivals, founding = (
        sum(ground.standing == standing for ground in grounds) for standing in ("arrivals", "founding")
    )
    others = FOUNDING_WEIGHS * founding + len(grounds) - arrivals - founding
    return {
        "arrivals": max(FOUNDING_WEIGHS, others / max(1, arrivals)),
        "founding": FOUNDING_WEIGHS,
        "steady": 1,
    }
