"""The numbered cases of Parlett's game: a position, what is legal in it, what a move leads to."""

from collections.abc import Callable

import pytest

from engine.game import Event
from engine.parlett.deal import ParlettDeal
from tests.engine.parlett.positions import after, position


def taken(pile: str) -> list[str]:
    """Return the cards that may be discarded on a side pile, of all there are."""
    hands = ("A 2 3 4 5", "6 7 8 9 10", "J Q K *")
    moves = [move for hand in hands for move in position(hand=hand, sides=[pile]).legal()]
    return [move[1:].split(">")[0] for move in moves if move.endswith(">d0")]


def test_case_26_a_side_pile_of_ten_and_two_jokers_takes_ten_to_seven_and_a_joker() -> None:
    assert taken("10 * *") == ["7", "8", "9", "10", "*"]


def test_case_26_a_joker_on_a_two_is_a_two() -> None:
    assert taken("2 *") == ["2", "*"]


def test_case_26_a_joker_that_opens_a_pile_takes_all_but_the_ace() -> None:
    assert taken("*") == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "*"]


@pytest.mark.parametrize(
    ("deal", "legal"),
    [
        pytest.param(
            lambda: position(goal="A", hand="A 2 9 *", centre=(1, 5)), ["g>c2"], id="ace on the personal pack"
        ),
        pytest.param(
            lambda: position(goal="A", hand="2 9", sides=["2"], centre=(0, 5)),
            ["g>c0"],
            id="ace on the personal pack, two on a side pile, no uncovered ace",
        ),
        pytest.param(
            lambda: position(goal="A", hand="2 9 *", sides=["2", "3"], centre=(5, 1)),
            ["g>c2", "h2>c1", "d0>c1"],
            id="ace on the personal pack beside an uncovered ace and a two on a side pile",
        ),
        pytest.param(
            lambda: position(goal="2", hand="2 9 *", sides=["9"], centre=(7, 1)),
            ["g>c1"],
            id="two on the personal pack, no two on a side pile",
        ),
        pytest.param(
            lambda: position(goal="2", hand="A 2 9 *", sides=["9", "2", "3 2"], centre=(1,)),
            ["g>c0", "h2>c0", "d1>c0", "d2>c0"],
            id="twos on the personal pack and on side piles",
        ),
        pytest.param(
            lambda: position(goal="2", hand="9", sides=["2"], centre=(1, 1)),
            ["g>c0", "d0>c0"],
            id="two uncovered aces for two twos",
        ),
        pytest.param(
            lambda: position(goal="9", hand="2 9 *", sides=["3 2"], centre=(1,)),
            ["h2>c0", "d0>c0"],
            id="two on a side pile alone",
        ),
        pytest.param(
            lambda: position(goal="2", hand="2 9", sides=["2"], centre=(7, 8)),
            ["h9>c1", "h2>d0", "h2>d1", "h9>d1", "end"],
            id="no uncovered ace",
        ),
    ],
)
def test_case_27_an_ace_or_two_that_must_be_played_is_all_that_may(
    deal: Callable[[], ParlettDeal], legal: list[str]
) -> None:
    assert deal().legal() == legal


def test_case_27_once_the_compulsion_is_met_all_is_free_again() -> None:
    deal = after(position(goal="2", hand="2 9", sides=["2"], centre=(1,)), "h2>c0")
    assert deal.to_act == 0
    assert "end" in deal.legal()
    assert "h9>d1" in deal.legal()


def test_case_29_four_side_piles_that_take_nothing_leave_the_end_of_the_turn() -> None:
    deal = position(hand="3 7 J Q K", goal="8", sides=["5", "5", "9", "9"])
    assert deal.legal() == ["end"]
    deal.apply("end")
    assert (deal.to_act, deal.idle) == (1, 1)


def test_case_29_ending_a_turn_in_which_something_moved_is_not_idle() -> None:
    deal = position(hand="A 7 J Q K", goal="8", sides=["5", "5", "9", "9"])
    after(deal, "hA>c0", "end")
    assert (deal.to_act, deal.idle) == (1, 0)


def test_case_30_a_finished_pile_goes_into_a_stock_of_eleven_before_the_next_decision() -> None:
    deal = position(hand="K 9", centre=(12, 3), stock=11)
    deal.apply("hK>c0")
    assert deal.to_act == 0
    view = deal.view(0)
    assert (view.stock, view.centre, sum(view.spent.values())) == (24, [0, 3, 0], 3)
    assert deal.take_events(1)[-1] == Event("recycle", n=13)


def test_case_30_a_finished_pile_stays_while_the_stock_is_not_low() -> None:
    deal = after(position(hand="K 9", centre=(12, 3), stock=12), "hK>c0")
    assert (deal.view(0).stock, len(deal.table.dead)) == (12, 13)


def test_case_30_a_low_stock_without_a_finished_pile_is_played_on() -> None:
    deal = after(position(hand="9 8 7 6 5", goal="10", centre=(12, 3), stock=12), "h9>d0")
    assert (deal.view(0).stock, deal.view(0).centre) == (11, [12, 3, 0])


def test_case_30_when_the_stock_is_out_all_centre_piles_are_gathered() -> None:
    deal = after(position(hand="9 8 7 6 5", goal="10", centre=(10, 3), stock=1), "h9>d0")
    view = deal.view(1)
    assert (view.stock, view.centre, sum(view.spent.values())) == (13, [0], 0)
    assert [event.e for event in deal.take_events(1)] == ["discard", "recycle", "draw"]


@pytest.mark.parametrize(("left", "points"), [((1, 7), (7, 0)), ((1, 26), (26, 0))])
def test_case_32_an_empty_personal_pack_scores_what_is_left_in_the_other(
    left: tuple[int, int], points: tuple[int, int]
) -> None:
    deal = after(position(hand="3 4 5", goal="9", centre=(8,), left=left), "g>c0")
    assert deal.result is not None
    assert (deal.result.points, deal.result.reason) == (points, "won")
    assert (deal.to_act, deal.legal()) == (None, [])
    assert deal.view(0).hand == ["3", "4", "5"]
