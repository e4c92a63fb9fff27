"""The stock: who draws which card."""

import random

import pytest

from engine.spite.stock import Stock


def filled(players: int, cards: int) -> Stock:
    stock = Stock(players)
    stock.refill(list(range(cards)))
    return stock


def test_two_seats_draw_from_opposite_ends() -> None:
    stock = filled(2, 6)
    assert [stock.draw(seat) for seat in (0, 0, 1, 1, 0, 1)] == [0, 1, 5, 4, 2, 3]
    assert stock.count == 0


def test_the_pace_of_one_of_two_seats_does_not_change_the_cards_of_the_other() -> None:
    slow, fast = filled(2, 100), filled(2, 100)
    for _ in range(10):
        slow.draw(0)
    for _ in range(60):
        fast.draw(0)
    assert [slow.draw(1) for _ in range(40)] == [fast.draw(1) for _ in range(40)]


def test_more_seats_draw_from_the_front_of_segments_the_remainder_going_to_the_lowest_seats() -> None:
    stock = filled(4, 10)
    assert [[stock.draw(seat) for _ in range(size)] for seat, size in enumerate((3, 3, 2, 2))] == [
        [0, 1, 2],
        [3, 4, 5],
        [6, 7],
        [8, 9],
    ]


def test_a_seat_whose_segment_is_empty_draws_from_the_back_of_the_longest_other() -> None:
    stock = filled(3, 9)
    for _ in range(3):
        stock.draw(1)
    stock.draw(0)
    assert [stock.draw(1) for _ in range(5)] == [8, 2, 7, 1, 6]
    assert stock.count == 0


def test_of_several_longest_segments_the_lowest_seat_s_is_taken() -> None:
    stock = filled(3, 9)
    for _ in range(3):
        stock.draw(2)
    assert stock.draw(2) == 2


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_left_and_what_was_drawn_is_all_there_was(players: int) -> None:
    source = random.Random(players)
    stock = filled(players, 31)
    drawn = []
    while stock.count:
        drawn.append(stock.draw(source.randrange(players)))
        left = stock.cards()
        assert len(left) == stock.count
        assert left == sorted(left)
        assert sorted(drawn + left) == list(range(31))
