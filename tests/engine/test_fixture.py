"""Fixtures: who sits where, and what the legs add up to."""

import pytest

from engine.errors import EngineError
from engine.fixture import LegResult, aggregate, participant, seat_of


def legs(*points: tuple[int, ...], faults: dict[int, set[int]] | None = None) -> list[LegResult]:
    return [LegResult(won, frozenset((faults or {}).get(leg, set()))) for leg, won in enumerate(points)]


def test_two_participants_swap_seats() -> None:
    assert [[participant(leg, seat, 2) for seat in range(2)] for leg in range(2)] == [[0, 1], [1, 0]]


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_over_all_legs_everybody_sits_once_in_every_seat(players: int) -> None:
    for who in range(players):
        seats = [seat_of(leg, who, players) for leg in range(players)]
        assert sorted(seats) == list(range(players))
        assert [participant(leg, seat, players) for leg, seat in enumerate(seats)] == [who] * players


def test_points_are_added_up_by_participant() -> None:
    result = aggregate(legs((50, 12), (50, 31)))
    assert (result.points, result.places) == ((50 + 31, 12 + 50), (1, 2))


def test_the_aggregate_decides_and_not_the_number_of_legs_won() -> None:
    assert aggregate(legs((50, 49), (50, 0))).places == (2, 1)


def test_equal_aggregates_are_a_draw() -> None:
    result = aggregate(legs((50, 20), (50, 20)))
    assert (result.points, result.places) == ((70, 70), (1, 1))


def test_three_participants_rank_by_points_with_ties() -> None:
    # Leg 1 seats participants 1, 2, 0; leg 2 seats 2, 0, 1.
    result = aggregate(legs((50, 0, 10), (0, 0, 5), (50, 5, 0)))
    assert (result.points, result.places) == ((60, 0, 60), (1, 3, 1))


def test_a_fault_in_any_leg_places_last_whatever_the_points() -> None:
    result = aggregate(legs((50, 0), (0, 50), faults={1: {1}}))
    assert (result.points, result.places, result.faulted_legs) == ((100, 0), (2, 1), (1, 0))


def test_several_offenders_rank_by_faulted_legs_and_then_tie() -> None:
    faults = {0: {0, 1}, 1: {3}}
    result = aggregate(legs((9, 1, 0, 0), (0, 0, 0, 9), (0, 0, 0, 0), (0, 0, 0, 0), faults=faults))
    assert result.faulted_legs == (2, 1, 0, 0)
    assert result.places == (4, 3, 1, 1)


def test_offenders_with_as_many_faulted_legs_tie_whatever_their_points() -> None:
    result = aggregate(legs((30, 0, 0), (0, 0, 0), (0, 0, 0), faults={0: {0, 1}}))
    assert (result.points, result.places) == ((30, 0, 0), (2, 2, 1))


def test_both_of_two_offending_once_draw() -> None:
    assert aggregate(legs((20, 0), (0, 0), faults={0: {1}, 1: {1}})).places == (1, 1)


def test_a_fixture_has_one_leg_per_seat() -> None:
    with pytest.raises(EngineError, match="a fixture of 2 legs has 2 seats, leg 1 has 3"):
        aggregate(legs((1, 2), (1, 2, 3)))
