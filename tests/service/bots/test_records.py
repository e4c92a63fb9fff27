"""The interval of a share of wins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.bots.records import wilson_interval


@pytest.mark.parametrize(
    ("share", "number", "low", "high"),
    [
        # By hand from Wilson's formula; the textbook case of 5 of 10 is .2366 to .7634.
        (0.5, 10, 0.2366, 0.7634),
        (0.0, 10, 0.0, 0.2775),
        (1.0, 10, 0.7225, 1.0),
        (0.9, 100, 0.8256, 0.9448),
        (0.5, 0, 0.0, 1.0),
    ],
)
def test_the_interval_is_wilsons(share: float, number: int, low: float, high: float) -> None:
    assert wilson_interval(share, number) == pytest.approx((low, high), abs=5e-5)


@given(number=st.integers(1, 10_000), wins=st.floats(0, 1))
def test_the_interval_holds_the_share_and_is_its_mirror_image_for_the_opponent(
    number: int, wins: float
) -> None:
    low, high = wilson_interval(wins, number)
    assert 0 <= low <= wins + 1e-12
    assert wins - 1e-12 <= high <= 1
    assert wilson_interval(1 - wins, number) == pytest.approx((1 - high, 1 - low), abs=1e-9)
