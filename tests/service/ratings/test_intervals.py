"""Rank intervals hold the true rank about as often as they say."""

import random

import pytest

from service.ratings.intervals import RankInterval, rank_intervals
from service.ratings.update import Rating


def coverage(ratings: list[Rating], leagues: int, rng: random.Random) -> tuple[float, float]:
    """How often, over simulated true skills, a rank lies above and below its interval."""
    intervals = rank_intervals(ratings)
    better = worse = 0
    for _ in range(leagues):
        skills = [rng.gauss(rating.mu, rating.sigma) for rating in ratings]
        order = sorted(range(len(ratings)), key=skills.__getitem__, reverse=True)
        for rank, entry in enumerate(order, start=1):
            better += rank < intervals[entry].low
            worse += rank > intervals[entry].high
    return better / leagues / len(ratings), worse / leagues / len(ratings)


@pytest.mark.parametrize("entries", [2, 3, 8, 40, 150])
@pytest.mark.parametrize("doubt", [0.3, 1.0, 3.0])
def test_the_true_rank_lies_outside_no_more_often_than_stated(entries: int, doubt: float) -> None:
    rng = random.Random(entries)
    ratings = [Rating(rng.gauss(25, 5), doubt * rng.uniform(0.5, 2)) for _ in range(entries)]
    better, worse = coverage(ratings, 4_000 // entries, rng)
    assert better <= 0.03
    assert worse <= 0.03


def test_in_a_large_field_the_intervals_are_not_wider_than_they_must_be() -> None:
    rng = random.Random(1)
    ratings = [Rating(rng.gauss(25, 5), rng.uniform(0.5, 2)) for _ in range(150)]
    better, worse = coverage(ratings, 40, rng)
    assert better + worse == pytest.approx(0.05, abs=0.02)


def test_certain_skills_have_certain_ranks() -> None:
    ratings = [Rating(10.0, 0.1), Rating(30.0, 0.1), Rating(20.0, 0.1)]
    assert rank_intervals(ratings) == [RankInterval(3, 3), RankInterval(1, 1), RankInterval(2, 2)]


def test_equals_share_all_ranks() -> None:
    assert rank_intervals([Rating(25.0, 1.0)] * 4) == [RankInterval(1, 4)] * 4


def test_one_doubtful_entry_among_certain_ones_spans_their_ranks_alone() -> None:
    field = [Rating(10.0 * number, 0.01) for number in range(1, 6)]
    # Two standard deviations either way reach the second from the top and from the bottom in 97.7 % of cases.
    *certain, doubtful = rank_intervals([*field, Rating(30.0, 10.0)])
    assert doubtful == RankInterval(2, 5)
    assert all(interval.high - interval.low <= 1 for interval in certain)


@pytest.mark.parametrize("entries", [0, 1])
def test_nobody_and_one_alone_need_no_arithmetic(entries: int) -> None:
    assert rank_intervals([Rating(25.0, 8.0)] * entries) == [RankInterval(1, 1)] * entries
