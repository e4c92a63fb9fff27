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


def test_partners_count_once_and_all_their_seats_belong_to_one_participant() -> None:
    # 2v2: in leg 0 seats 0 and 2 hold participant 0, in leg 1 seats 1 and 3 do.
    result = aggregate(legs((45, 20, 45, 20), (10, 50, 10, 50)))
    assert (result.points, result.places) == ((45 + 50, 20 + 10), (1, 2))
    assert [[participant(leg, seat, 2) for seat in range(4)] for leg in range(2)] == [
        [0, 1, 0, 1],
        [1, 0, 1, 0],
    ]
    assert [seat_of(leg, 1, 2) for leg in range(2)] == [1, 0]


def test_three_sides_of_two_play_three_legs() -> None:
    result = aggregate(legs((9, 0, 0, 9, 0, 0), (0, 4, 0, 0, 4, 0), (0, 0, 5, 0, 0, 5)))
    # Leg 1 seats participants 1, 2, 0 twice over; leg 2 seats 2, 0, 1.
    assert (result.points, result.places) == ((9, 5, 4), (1, 2, 3))


@pytest.mark.parametrize("seats", [{2}, {0, 2}])
def test_a_fault_of_any_partner_is_one_faulted_leg_of_the_side(seats: set[int]) -> None:
    result = aggregate(legs((45, 0, 45, 0), (0, 45, 0, 45), faults={0: seats}))
    assert (result.faulted_legs, result.places) == ((1, 0), (2, 1))


def test_points_may_be_below_nothing() -> None:
    result = aggregate(legs((-3, 2), (-1, 1)))
    assert (result.points, result.places) == ((-2, 1), (2, 1))


@pytest.mark.parametrize("points", [(1, 2, 3), (1,), ()])
def test_a_fixture_has_one_leg_per_side(points: tuple[int, ...]) -> None:
    seats = len(points)
    with pytest.raises(EngineError, match=f"of 2 legs has 2 sides, which {seats} seats of leg 1 cannot be"):
        aggregate(legs((1, 2), points))


def test_partners_with_different_points_are_an_error() -> None:
    with pytest.raises(EngineError, match=r"partners of leg 0 differ in points: \(1, 2, 1, 3\) for 2 sides"):
        aggregate(legs((1, 2, 1, 3), (1, 2, 1, 2)))
