"""The matchmaker: draws up the ladders' rated fixtures, just before they can be played.

It works in rounds, in which every active entry plays once. A round need not be drawn up at one go: whenever the
workers are about to run dry the next few tables of it are, so that the queue holds seconds of play, ratings are
fresh, and somebody who arrives in the middle takes part at once. Besides, newcomers get additional fixtures until
they are established. docs/ratings.md says what everybody can rely on.
"""

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, exists, func, select
from sqlalchemy.orm import Session

from service.fixtures.days import OPEN_STATES
from service.fixtures.drawing import draw_fixture
from service.ledger.pairing import MEMORY_ROUNDS, Candidate, Meetings, Table, burst, pairs, seat, sitting_out
from service.ledger.turns import Ground, next_ground, playable, shares
from service.ledger.workers import live_slots
from service.models import Account, Bundle, Entry, Fixture, FixtureSeat, Ladder
from service.ratings.results import ESTABLISHED_AT, RATED_KIND
from service.storage.clock import SECOND_US

LOW_PER_SLOT = 3
"""With fewer ladder fixtures outstanding per live slot than this, more are drawn up ..."""
HIGH_PER_SLOT = 6
"""... to this many: a few seconds of play."""
BURST_WINDOW = 50
BURST_SHARE = 4
"""In any `BURST_WINDOW` rounds newcomers' additional fixtures are at most a `BURST_SHARE`th of the rounds' own, so
that nobody plays less than three quarters of the mean."""
BURST_PRIORITY = 1
"""Newcomers' additional fixtures are played before others; this also tells them apart."""
WELCOME = 2
"""So many fixtures at once are drawn up for a ladder because somebody has not played on it yet."""
REST_US = 60 * SECOND_US
"""Settled ladders, all together, leave the slots in peace this long, per slot and fixture."""


@dataclass(frozen=True, slots=True)
class Slice:
    """The next tables of a ladder: of its round, and additional ones for newcomers."""

    regular: list[Table]
    additional: list[Table]

    def __len__(self) -> int:
        return len(self.regular) + len(self.additional)


def draw_rounds(session: Session, now_us: int) -> int:
    """Draw up fixtures on the open ladders as far as live slots will soon want them; return how many.

    Deterministic: the tables of a round follow from the ladder, the round's number and the ratings they are drawn
    up on. Runs in one transaction, which must be the only one that does so (the caller's lease sees to it).
    """
    slots = live_slots(session)
    waiting = _outstanding(session)
    if waiting >= LOW_PER_SLOT * slots:
        return 0
    room = HIGH_PER_SLOT * slots - waiting
    everywhere = playable(session)
    settled = sum(ground.settled for ground in everywhere)
    grounds = [ground for ground in everywhere if ground.may_play(now_us)]
    had = shares(session, len(grounds))
    drawn = 0
    # Half of it is for all alike: somebody who arrives every second must not keep everybody else from playing.
    while drawn < room and (ground := next_ground(grounds, had.had_s, welcoming=2 * drawn < room)):
        number = _draw_slice(session, ground, min(room - drawn, WELCOME if ground.untried else room))
        drawn += number
        had.add(ground.ladder_id, number)
        if ground.settled:
            # Together the settled ladders keep to one pace, or many of them would be no trickle.
            rest_us = REST_US * number * settled // slots
            session.get_one(Ladder, ground.ladder_id).next_round_us = now_us + rest_us
        if ground.settled or number == 0:
            grounds.remove(ground)
        elif ground.untried:
            grounds[grounds.index(ground)] = replace(ground, untried=False)
    return drawn


def _outstanding(session: Session) -> int:
    return session.scalars(
        select(func.count()).where(Fixture.kind == RATED_KIND, Fixture.state.in_(OPEN_STATES))
    ).one()


def _draw_slice(session: Session, ground: Ground, room: int) -> int:
    """Draw up the ladder's next tables, at most `room`; begin a round when the last one is complete."""
    ladder = session.get_one(Ladder, ground.ladder_id, with_for_update=True, populate_existing=True)
    field = _field(session, ladder)
    if len(field) < ladder.sides:
        return 0
    waiting = [candidate for candidate in field if candidate.last_round < ladder.round]
    if len(waiting) < ladder.sides:
        ladder.round += 1
        waiting = field
    tables = _next_tables(session, ladder, field, waiting, room)
    _draw(session, ladder, tables)
    return len(tables)


def _field(session: Session, ladder: Ladder) -> list[Candidate]:
    """Return the active entries that have something to run, in order of their ids."""
    on_their_way = _on_their_way(session, ladder)
    rows = session.execute(
        select(Entry.id, Entry.owner_id, Account.is_house, Entry.mu, Entry.sigma)
        .add_columns(Entry.fixtures, Entry.last_round)
        .join(Account, Account.id == Entry.owner_id)
        .where(Entry.ladder_id == ladder.id, Entry.status == "active")
        .where(exists().where(Bundle.version_id == Entry.version_id))
        .order_by(Entry.id)
    )
    return [
        Candidate(
            entry_id=row.id,
            owner=row.id if row.is_house else row.owner_id,
            mu=row.mu,
            sigma=row.sigma,
            played=row.fixtures + on_their_way[row.id],
            last_round=row.last_round,
            is_guest=not row.is_house,
        )
        for row in rows
    ]


def _on_their_way(session: Session, ladder: Ladder) -> Counter[str]:
    """Return how many fixtures each entry has that are not in its rating yet."""
    rows = session.execute(
        select(FixtureSeat.entry_id, func.count())
        .join(Fixture, Fixture.id == FixtureSeat.fixture_id)
        .where(*_of(ladder), Fixture.state.in_((*OPEN_STATES, "done")), Fixture.rated.is_(False))
        .group_by(FixtureSeat.entry_id)
    )
    return Counter(dict(rows.all()))


def _of(ladder: Ladder) -> tuple[ColumnElement[bool], ...]:
    return (Fixture.ladder_id == ladder.id, Fixture.kind == RATED_KIND)


def _next_tables(
    session: Session, ladder: Ladder, field: Sequence[Candidate], waiting: Sequence[Candidate], room: int
) -> Slice:
    rng = _random(ladder)
    meetings = _meetings(session, ladder)
    ids = [candidate.entry_id for candidate in field]
    out = sitting_out(waiting, ids, ladder.sides, ladder.round, ESTABLISHED_AT)
    seated = [candidate for candidate in waiting if candidate.entry_id not in out]
    regular = seat(seated, ladder.sides, meetings, rng, ESTABLISHED_AT)
    newcomers = [candidate for candidate in field if candidate.played < ESTABLISHED_AT]
    additional: list[Table] = []
    if newcomers and 2 * len(newcomers) <= len(field):
        count = min(room // 2, _burst_left(session, ladder, len(field)))
        additional = burst(newcomers, field, ladder.sides, count, meetings, rng)
    return Slice(regular[: room - len(additional)], additional)


def _random(ladder: Ladder) -> random.Random:
    """Random numbers that follow from the ladder, the round and the ratings' watermark."""
    text = f"{ladder.id}/{ladder.round}/{ladder.rated_through}"
    return random.Random(hashlib.sha256(text.encode()).digest())


def _meetings(session: Session, ladder: Ladder) -> Meetings:
    rows = session.execute(
        select(Fixture.id, Fixture.round, FixtureSeat.entry_id)
        .join(FixtureSeat, FixtureSeat.fixture_id == Fixture.id)
        .where(*_of(ladder), Fixture.round >= ladder.round - MEMORY_ROUNDS)
    )
    seated: dict[tuple[int, str], list[str]] = {}
    for fixture_id, round_number, entry_id in rows:
        seated.setdefault((round_number, fixture_id), []).append(entry_id)
    meetings: dict[tuple[str, str], int] = {}
    for (round_number, _), entry_ids in sorted(seated.items()):
        recency = MEMORY_ROUNDS + 1 - (ladder.round - round_number)
        meetings |= dict.fromkeys(pairs(entry_ids), recency)
    return meetings


def _burst_left(session: Session, ladder: Ladder, active: int) -> int:
    """Return how many additional fixtures newcomers may have now."""
    rounds = min(BURST_WINDOW, ladder.round)
    had = session.scalars(
        select(func.count()).where(
            *_of(ladder), Fixture.round > ladder.round - BURST_WINDOW, Fixture.priority >= BURST_PRIORITY
        )
    ).one()
    return max(0, active // ladder.sides * rounds // BURST_SHARE - had)


def _draw(session: Session, ladder: Ladder, tables: Slice) -> None:
    seated = [candidate.entry_id for table in (*tables.regular, *tables.additional) for candidate in table]
    entries = {entry.id: entry for entry in session.scalars(select(Entry).where(Entry.id.in_(seated)))}
    for priority, drawn in ((BURST_PRIORITY, tables.additional), (0, tables.regular)):
        for table in drawn:
            draw_fixture(
                session,
                ladder=ladder,
                kind=RATED_KIND,
                entries=[entries[candidate.entry_id] for candidate in table],
                owner_id=entries[table[0].entry_id].owner_id,
                priority=priority,
                round_number=ladder.round,
            )
    for entry_id in _ids(tables.regular):
        entries[entry_id].last_round = ladder.round


def _ids(tables: Iterable[Table]) -> Iterable[str]:
    return (candidate.entry_id for table in tables for candidate in table)
