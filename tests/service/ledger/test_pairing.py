"""Rounds on their own: everybody gets a seat, in turn, opposite somebody new and near."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from service.ledger.pairing import MEMORY_ROUNDS, Candidate, burst, pairs, seat, sitting_out

ESTABLISHED_AT = 30


def candidates(count: int, *, owners: int | None = None, played: int = 100) -> list[Candidate]:
    """A field whose skills lie a sigma apart."""
    return [
        Candidate(
            entry_id=f"e{number:03}",
            owner=f"o{number % (owners or count)}",
            mu=float(number),
            sigma=1.0,
            played=played,
            last_round=0,
        )
        for number in range(count)
    ]


@pytest.mark.parametrize(("entries", "players"), [(2, 2), (3, 2), (50, 2), (51, 2), (11, 4)])
def test_over_fifty_rounds_everybody_sits_out_equally_often_and_never_twice_running(
    entries: int, players: int
) -> None:
    field = candidates(entries)
    ids = [candidate.entry_id for candidate in field]
    rng = random.Random(1)
    played: Counter[str] = Counter()
    met: dict[tuple[str, str], int] = {}
    for number in range(1, 51):
        out = sitting_out(field, ids, players, number, ESTABLISHED_AT)
        recent = {
            pair: MEMORY_ROUNDS + 1 - (number - last) for pair, last in met.items() if number - last <= 3
        }
        waiting = [candidate for candidate in field if candidate.entry_id not in out]
        tables = seat(waiting, players, recent, rng, ESTABLISHED_AT)
        seated = [candidate.entry_id for table in tables for candidate in table]
        assert sorted([*seated, *out]) == ids
        assert all(len(table) == players for table in tables)
        played.update(seated)
        met |= {pair: number for table in tables for pair in pairs(c.entry_id for c in table)}
        rested = {candidate.entry_id for candidate in field if candidate.last_round < number - 1}
        assert not out & rested
        field = [
            candidate if candidate.entry_id in out else replace(candidate, last_round=number)
            for candidate in field
        ]
    assert min(played.values()) >= 0.75 * sum(played.values()) / entries


def test_near_ranks_meet() -> None:
    tables = seat(candidates(60), 2, {}, random.Random(2), ESTABLISHED_AT)
    apart = [abs(one.mu - other.mu) for one, other in tables]
    assert sum(apart) / len(apart) < 3
    assert max(apart) < 12


@pytest.mark.parametrize("players", [2, 3])
def test_an_owner_with_a_third_of_the_field_never_meets_himself(players: int) -> None:
    field = [
        replace(candidate, owner="many" if number % 3 == 0 else candidate.owner)
        for number, candidate in enumerate(candidates(36))
    ]
    # They are near each other, too, so that rank alone would seat them together.
    field = [replace(candidate, mu=50.0) if candidate.owner == "many" else candidate for candidate in field]
    for seed in range(20):
        for table in seat(field, players, {}, random.Random(seed), ESTABLISHED_AT):
            assert [candidate.owner for candidate in table].count("many") <= 1


def test_one_owner_alone_meets_himself() -> None:
    assert len(seat(candidates(4, owners=1), 2, {}, random.Random(3), ESTABLISHED_AT)) == 2


def test_a_repeated_meeting_at_the_foot_of_the_table_is_undone_by_a_swap() -> None:
    field = candidates(8)
    last, last_but_one = field[0].entry_id, field[1].entry_id
    for seed in range(20):
        tables = seat(field, 2, {(last, last_but_one): 4}, random.Random(seed), ESTABLISHED_AT)
        assert {last, last_but_one} not in [{c.entry_id for c in table} for table in tables]


def test_who_waited_comes_first_then_newcomers() -> None:
    field = [replace(candidate, last_round=7) for candidate in candidates(10)]
    field[4] = replace(field[4], last_round=6)
    field[9] = replace(field[9], played=3)
    first, second, *_ = seat(field, 2, {}, random.Random(4), ESTABLISHED_AT)
    assert field[4] in first
    assert field[9] in (*first, *second)


def test_additional_tables_go_to_whoever_has_played_least() -> None:
    field = candidates(20)
    fresh, older = (replace(field[3], played=2), replace(field[8], played=5))
    tables = burst([older, fresh], field, 2, 5, {}, random.Random(5))
    assert [table[0] for table in tables] == [fresh, fresh, fresh, fresh, older]
    opponents = [table[1].entry_id for table in tables if table[0] is fresh]
    assert len(set(opponents)) == 4


def test_no_additional_table_seats_an_owner_twice() -> None:
    field = candidates(3, owners=1)
    assert burst([replace(field[0], played=0)], field, 2, 3, {}, random.Random(6)) == []
