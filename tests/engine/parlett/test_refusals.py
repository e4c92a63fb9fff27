"""What is said of a move that is not legal, and which moves stand for listed ones."""

from collections.abc import Callable

import pytest

from engine.errors import IllegalMoveError
from engine.parlett.deal import ParlettDeal
from tests.engine.parlett.positions import after, new_deal, position


def free() -> ParlettDeal:
    return position(hand="A 7 9 *", goal="5", sides=["K", "9 8", "", ""], centre=(3, 4, 3, 6))


@pytest.mark.parametrize(
    ("move", "listed"),
    [
        ("g>c1", "g>c1"),
        ("g0>c1", "g>c1"),
        ("hA>c4", "hA>c4"),
        ("hA>c5", "hA>c4"),
        ("hA>c11", "hA>c4"),
        ("h*>c2", "h*>c0"),
        ("h9>d3", "h9>d2"),
        ("h7>d1", "h7>d1"),
        ("end", "end"),
    ],
)
def test_an_equivalent_move_resolves_to_its_listed_form(move: str, listed: str) -> None:
    deal = free()
    assert deal.resolve(move) == listed
    assert listed in deal.legal()
    after(deal, listed)


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("h8>c0", "'h8>c0': there is no 8 in the hand"),
        ("h8>d0", "'h8>d0': there is no 8 in the hand"),
        ("d2>c0", "'d2>c0': side pile 2 is empty"),
        ("g>c0", "'g>c0': centre pile 0 needs 4, not 5"),
        ("h7>c11", "'h7>c11': centre pile 11 needs A, not 7"),
        ("d1>c3", "'d1>c3': centre pile 3 needs 7, not 8"),
        ("h9>d0", "'h9>d0': side pile 0 does not take 9"),
        ("hA>d0", "'hA>d0': an ace may not be discarded"),
        ("pass", "'pass' is not a move of this game; one of `legal` is wanted, such as g>c1"),
        ("g1>c1", "'g1>c1' is not a move of this game; one of `legal` is wanted, such as g>c1"),
        ("x" * 50, f"'{'x' * 40}…' is not a move of this game; one of `legal` is wanted, such as g>c1"),
    ],
)
def test_a_move_that_is_not_legal_is_refused_with_the_reason(move: str, message: str) -> None:
    deal = free()
    with pytest.raises(IllegalMoveError) as refused:
        deal.resolve(move)
    assert str(refused.value) == message
    with pytest.raises(IllegalMoveError):
        deal.apply(move)


@pytest.mark.parametrize(
    ("deal", "move", "message"),
    [
        (
            lambda: position(goal="A", hand="2 9", centre=(4,)),
            "end",
            "'end': an ace or two must go to the centre, so one of g>c1 is wanted",
        ),
        (
            lambda: position(goal="2", hand="A 9", sides=["2"], centre=(1,)),
            "h9>d1",
            "'h9>d1': an ace or two must go to the centre, so one of g>c0, d0>c0 is wanted",
        ),
        (
            lambda: position(goal="9", hand="A 9", centre=(8,), idle=2),
            "g>c0",
            "'g>c0': both seats were frozen, so one of hA>c1 is wanted",
        ),
        (
            lambda: position(goal="9", hand="K 9", centre=(8,), idle=3),
            "g>c0",
            "'g>c0': both seats were frozen, and no ace or two can be played: only `end` is left",
        ),
        (
            lambda: position(goal="9", hand="3 9", sides=["4"], centre=(2,), idle=2),
            "h3>d0",
            "'h3>d0': both seats were frozen, and no ace or two can be played: only `end` is left",
        ),
    ],
)
def test_a_move_that_only_a_compulsion_forbids_is_refused_with_it(
    deal: Callable[[], ParlettDeal], move: str, message: str
) -> None:
    with pytest.raises(IllegalMoveError) as refused:
        deal().resolve(move)
    assert str(refused.value) == message


def test_a_listed_form_is_asked_for_where_another_was_applied() -> None:
    deal = free()
    with pytest.raises(IllegalMoveError, match="'h9>d3' is listed as h9>d2"):
        deal.apply("h9>d3")
    assert deal.legal() == free().legal()


def test_nothing_is_legal_once_the_deal_is_over() -> None:
    deal = after(position(goal="9", hand="9", centre=(8,), left=(1, 2)), "g>c0")
    for act in (deal.resolve, deal.apply):
        with pytest.raises(IllegalMoveError, match="'end': the deal is over"):
            act("end")


def test_what_stands_in_for_a_seat_is_the_first_discard_else_the_first_move() -> None:
    assert free().passive_move() == "h7>d1"
    assert position(hand="A", goal="9").passive_move() == "hA>c0"
    assert position(goal="A", hand="9").passive_move() == "g>c0"


def test_a_seat_that_has_nothing_to_move_ends_its_turn() -> None:
    deal = position(hand="3 7 J Q K", goal="8", sides=["5", "5", "9", "9"])
    assert deal.passive_move() == "end"


def test_the_deal_is_told_first_then_both_hands() -> None:
    deal = new_deal()
    events = deal.take_events(0)
    assert [(event.e, event.seat, event.n) for event in events] == [
        ("deal", 0, 26),
        ("draw", 0, 5),
        ("draw", 1, 5),
    ]
    assert sorted(events[1].cards or []) == sorted(deal.view(0).hand)
    assert events[2].cards is None
    assert deal.take_events(0) == []
    assert deal.take_events(1)[1].cards is None
