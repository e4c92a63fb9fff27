"""Moves that are not legal: each is refused with a reason its author can act on."""

import pytest

from engine.errors import IllegalMoveError
from tests.engine.spite.positions import position


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("d0>c0", "'d0>c0': discard pile 0 is empty"),
        ("h6>c0", "'h6>c0': there is no 6 in the hand"),
        ("h6>d0", "'h6>d0': there is no 6 in the hand"),
        ("h9>c3", "'h9>c3': centre pile 3 needs 7, not 9"),
        ("g>c1", "'g>c1': centre pile 1 needs A, not 9"),
        ("hK>c1", "'hK>c1': a K cannot open a centre pile"),
        ("hA>d1", "'hA>d1': an ace may not be discarded"),
        ("", "'' is not a move of this game; one of `legal` is wanted, such as hA>c1"),
        ("h9>c4", "'h9>c4' is not a move of this game; one of `legal` is wanted, such as hA>c1"),
        ("H9>C3", "'H9>C3' is not a move of this game; one of `legal` is wanted, such as hA>c1"),
        ("d1>d0", "'d1>d0' is not a move of this game; one of `legal` is wanted, such as hA>c1"),
        (
            "\n" * 99,
            "'" + "\\n" * 40 + "…' is not a move of this game; one of `legal` is wanted, such as hA>c1",
        ),
    ],
)
def test_an_illegal_move_is_refused_with_its_reason(move: str, reason: str) -> None:
    deal = position(hand="A 9 K", goal="9", discards=["", "J"], centre=(3, 0, 4, 6))
    with pytest.raises(IllegalMoveError) as refused:
        deal.resolve(move)
    assert str(refused.value) == reason
    with pytest.raises(IllegalMoveError):
        deal.apply(move)


def test_applying_an_equivalent_form_instead_of_the_listed_one_is_refused() -> None:
    deal = position(hand="5", goal="9", centre=(4, 4, 0, 0))
    with pytest.raises(IllegalMoveError, match="'h5>c1' is listed as h5>c0"):
        deal.apply("h5>c1")


def test_nothing_can_be_moved_once_a_deal_is_over() -> None:
    deal = position(hand="2", goal="4", centre=(3, 0, 0, 0), left=(1, 3))
    deal.apply("g>c0")
    assert deal.legal() == []
    with pytest.raises(IllegalMoveError, match="the deal is over"):
        deal.apply("h2>d0")
