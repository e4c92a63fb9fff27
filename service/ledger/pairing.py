"""Who meets whom: tables for one round of a ladder. Pure, and the same for the same input and random numbers.

Everybody who waits is seated. Near ranks meet, as in a Swiss tournament, but on skills drawn at random from what is
believed of each entry, so that the doubtful roam and the certain stay among their equals. Nobody meets a recent
opponent or an entry of the same owner while anything else is possible.
"""

import random
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

MEMORY_ROUNDS = 3
"""Opponents of so many rounds are recent."""
SAME_OWNER = 1_000
"""Costs more than any number of recent meetings at one table."""
NEIGHBOURS = 6
"""Tables up to this far off in rank are looked at to undo a repeated meeting; all of them for one owner's two."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An active entry as the matchmaker sees it."""

    entry_id: str
    owner: str
    """No two of the same owner should meet. Every house bot is its own: they are there to be met."""
    mu: float
    sigma: float
    played: int
    """Fixtures rated, or on their way."""
    last_round: int
    """The last round it was seated in."""
    is_guest: bool = True
    """Somebody's, not the house's."""


Table = list[Candidate]
Meetings = Mapping[tuple[str, str], int]
"""How recent a meeting of two entries is, by their ids in order: MEMORY_ROUNDS + 1 for this round, down to 1."""


def sitting_out(
    waiting: Sequence[Candidate],
    field: Sequence[str],
    sides: int,
    round_number: int,
    established_at: int,
) -> Set[str]:
    """Return those who must sit out because the tables do not come out even.

    Each in turn, newcomers and those who sat out last time only when nobody else is left. `field` has the ids of
    all active entries; the turn moves through it from round to round.
    """
    odd = len(waiting) % sides
    start = round_number * odd % len(field)
    turn = {entry_id: (place - start) % len(field) for place, entry_id in enumerate(sorted(field))}
    order = sorted(
        waiting,
        key=lambda candidate: (
            candidate.last_round < round_number - 1,
            candidate.played < established_at,
            turn[candidate.entry_id],
        ),
    )
    return {candidate.entry_id for candidate in order[:odd]}


def seat(
    waiting: Iterable[Candidate], sides: int, meetings: Meetings, rng: random.Random, established_at: int
) -> list[Table]:
    """Seat everybody; the number waiting must be a multiple of `sides`.

    The tables come in the order to draw them up in: who waited longest first, then newcomers, guests before the house's.
    """
    queue = _by_drawn_skill(waiting, rng)
    tables: list[Table] = []
    while queue:
        table = [queue.pop(0)]
        while len(table) < sides:
            table.append(queue.pop(_next_for(table, queue, meetings)))
        tables.append(table)
    for number in reversed(range(len(tables))):
        _mend(tables, number, meetings)
    tables.sort(
        key=lambda table: (
            min(candidate.last_round for candidate in table),
            min(candidate.played for candidate in table) >= established_at,
            not any(candidate.is_guest and candidate.played < established_at for candidate in table),
        )
    )
    return tables


def burst(
    newcomers: Sequence[Candidate],
    field: Sequence[Candidate],
    sides: int,
    count: int,
    meetings: Meetings,
    rng: random.Random,
) -> list[Table]:
    """Return up to `count` additional tables for newcomers, the least played first.

    Opponents are near ones not met of late, then those met least recently; never entries of one owner.
    """
    extra = dict.fromkeys((newcomer.entry_id for newcomer in newcomers), 0)
    met = dict(meetings)
    tables: list[Table] = []
    for _ in range(count if newcomers else 0):
        newcomer = min(newcomers, key=lambda one: (one.played + extra[one.entry_id], one.entry_id))
        table = _around(newcomer, field, sides, met, rng)
        if len(table) < sides:
            break
        tables.append(table)
        extra[newcomer.entry_id] += 1
        met |= dict.fromkeys(pairs(candidate.entry_id for candidate in table), MEMORY_ROUNDS + 1)
    return tables


def _around(
    newcomer: Candidate, field: Sequence[Candidate], sides: int, meetings: Meetings, rng: random.Random
) -> Table:
    """Return a table for a newcomer; it is not full when its owner owns too many of the others."""
    skill = rng.gauss(newcomer.mu, newcomer.sigma)
    table = [newcomer]
    others = {candidate.entry_id: candidate for candidate in field if candidate is not newcomer}
    while others and len(table) < sides:
        cost, _, nearest = min(
            (_cost([*table, other], meetings), abs(other.mu - skill), entry_id)
            for entry_id, other in others.items()
        )
        if cost >= SAME_OWNER:
            break
        table.append(others.pop(nearest))
    return table


def pairs(entry_ids: Iterable[str]) -> list[tuple[str, str]]:
    """Return all pairs at a table, each in the order of ids."""
    ids = sorted(entry_ids)
    return [(one, other) for place, one in enumerate(ids) for other in ids[place + 1 :]]


def _by_drawn_skill(waiting: Iterable[Candidate], rng: random.Random) -> list[Candidate]:
    """Sort best first by a skill drawn for each; drawn in the order of ids, which alone is settled."""
    drawn = [
        (rng.gauss(candidate.mu, candidate.sigma), candidate)
        for candidate in sorted(waiting, key=lambda candidate: candidate.entry_id)
    ]
    return [candidate for _, candidate in sorted(drawn, key=lambda pair: pair[0], reverse=True)]


def _next_for(table: Table, queue: Sequence[Candidate], meetings: Meetings) -> int:
    """Return the place in the queue of the nearest who has nothing against the table, else the least."""
    best, least = 0, SAME_OWNER * SAME_OWNER
    for place, candidate in enumerate(queue):
        cost = _cost([*table, candidate], meetings)
        if cost < least:
            best, least = place, cost
        if cost == 0:
            break
    return best


def _cost(table: Table, meetings: Meetings) -> int:
    """What speaks against a table: owners who would meet themselves, and recent meetings."""
    owners = len(table) - len({candidate.owner for candidate in table})
    met = sum(meetings.get(pair, 0) for pair in pairs(candidate.entry_id for candidate in table))
    return SAME_OWNER * owners + met


def _mend(tables: list[Table], number: int, meetings: Meetings) -> None:
    """Swap somebody with another table, the nearest that will do, where that makes both together better."""
    cost = _cost(tables[number], meetings)
    reach = len(tables) if cost >= SAME_OWNER else NEIGHBOURS
    others = sorted(range(len(tables)), key=lambda other: abs(other - number))[1 : reach + 1] if cost else []
    for other in others:
        before = cost + _cost(tables[other], meetings)
        for here in range(len(tables[number])):
            for there in range(len(tables[other])):
                _swap(tables, (number, here), (other, there))
                if _cost(tables[number], meetings) + _cost(tables[other], meetings) < before:
                    return
                _swap(tables, (number, here), (other, there))


def _swap(tables: list[Table], one: tuple[int, int], other: tuple[int, int]) -> None:
    (a, i), (b, j) = one, other
    tables[a][i], tables[b][j] = tables[b][j], tables[a][i]
