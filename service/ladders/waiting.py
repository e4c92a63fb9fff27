"""Why nothing is being played on a ladder just now, in a sentence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from service.fixtures.days import OPEN_STATES
from service.ledger.workers import live_slots
from service.models import Entry, Fixture, Ladder
from service.ratings.results import ESTABLISHED_AT, RATED_KIND
from service.storage.clock import now_us

_NAMED = 3
"""Busy ladders are named up to so many."""


@dataclass(frozen=True, slots=True)
class _Field:
    """The active entries of a ladder: how many, and how many fixtures the least tried of them has."""

    active: int
    least: int


def reasons(session: Session, ladders: Sequence[Ladder]) -> Mapping[str, str]:
    """Return, by ladder id, what each waits for; empty where it plays, or is not open, which `state` tells."""
    under_way = _under_way(session)
    idle = [ladder for ladder in ladders if ladder.state == "open" and ladder.slug not in under_way]
    found = dict.fromkeys((ladder.id for ladder in ladders), "")
    if idle:
        fields = _fields(session, [ladder.id for ladder in idle])
        slots, now = live_slots(session), session.scalars(select(now_us())).one()
        busy = _busy(under_way)
        found |= {
            ladder.id: _reason(ladder, fields.get(ladder.id, _Field(0, 0)), slots, busy, now)
            for ladder in idle
        }
    return found


def _reason(ladder: Ladder, field: _Field, slots: int, busy: str, now: int) -> str:
    if field.active < ladder.sides:
        return f"waiting: a fixture takes {ladder.sides} bots, and {field.active or 'none'} can play here"
    if not slots:
        return "waiting: no play worker was heard of lately"
    if field.least >= ESTABLISHED_AT and ladder.next_round_us > now:
        return "at rest: its ranks are settled, so that a fixture is played only now and then"
    return busy or "waiting: its next fixtures are about to be drawn up"


def _busy(under_way: Mapping[str, int]) -> str:
    """Say where the slots are; empty when they are idle."""
    names = sorted(under_way, key=lambda slug: (-under_way[slug], slug))
    if len(names) > _NAMED:
        names[_NAMED:] = [f"{len(names) - _NAMED} more"]
    where = " and ".join([*filter(None, [", ".join(names[:-1])]), *names[-1:]])
    number = sum(under_way.values())
    plural = "" if number == 1 else "s"
    return f"waiting: the slots are on {where}; {number} fixture{plural} outstanding" if number else ""


def _under_way(session: Session) -> dict[str, int]:
    """Rated fixtures drawn up and not played to the end, by the ladder's slug."""
    rows = session.execute(
        select(Ladder.slug, func.count())
        .join(Fixture, Fixture.ladder_id == Ladder.id)
        .where(Fixture.kind == RATED_KIND, Fixture.state.in_(OPEN_STATES))
        .group_by(Ladder.slug)
    )
    return dict(rows.all())


def _fields(session: Session, ladder_ids: Sequence[str]) -> dict[str, _Field]:
    rows = session.execute(
        select(Entry.ladder_id, func.count(), func.min(Entry.fixtures))
        .where(Entry.ladder_id.in_(ladder_ids), Entry.status == "active")
        .group_by(Entry.ladder_id)
    )
    return {ladder_id: _Field(active, least) for ladder_id, active, least in rows}
