"""The update agrees with published and exact vectors, and survives what breaks the package."""

import json
import math
import subprocess
import sys
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import trueskill

from service.ratings.update import CONVERGED, Environment, Parameters, ParametersError, Rating, Update

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "trueskill.json").read_text())
FIRST_SET = Parameters(mu=25.0, sigma=25 / 3, beta=25 / 6, tau=0.0, draw_probability=0.02)


def parameters(env: dict[str, float]) -> Parameters:
    """A vector's parameters; those with a draw probability of 0 have no draws, so that nearly 0 will do."""
    return Parameters(**(env | {"draw_probability": env["draw_probability"] or 1e-12}))


def updated(vector: dict[str, Any]) -> list[list[tuple[float, float]]]:
    """What our environment makes of a vector's teams."""
    teams = [[trueskill.Rating(*player) for player in team] for team in vector["teams"]]
    after = Environment(parameters(vector["env"])).rate(teams, ranks=vector["ranks"], min_delta=CONVERGED)
    return [[(player.mu, player.sigma) for player in team] for team in after]


def flat(teams: Iterable[Any]) -> list[float]:
    """All numbers of nested lists, in order."""
    return [number for part in teams for number in (flat(part) if isinstance(part, list | tuple) else [part])]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_published_updates_come_out(vector: dict[str, Any]) -> None:
    # Half a unit in the last place of the figure that says how far the publication is off.
    tolerance = vector["max_abs_diff"] * (1 + 1e-3)
    assert flat(updated(vector)) == pytest.approx(flat(vector["published"]), rel=0, abs=tolerance)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_exact_updates_come_out_to_nine_digits(vector: dict[str, Any]) -> None:
    assert flat(updated(vector)) == pytest.approx(flat(vector["exact"]), rel=1e-9)


def test_one_entry_per_seat_is_updated_like_teams_of_one() -> None:
    vector = next(vector for vector in VECTORS if vector["name"] == "FFA4 win")
    ratings = [Rating(*team[0]) for team in vector["teams"]]
    after = Update(parameters(vector["env"]))(ratings, [rank + 1 for rank in vector["ranks"]])
    assert flat([list(rating) for rating in after]) == pytest.approx(flat(vector["exact"]), rel=1e-9)


@pytest.mark.parametrize(
    ("gap", "sigma", "places"),
    list(product([1, 10, 300, 1_000, 1e6], [0.01, 0.5, 8.0], [[1, 2], [1, 1], [1, 3, 2], [1, 1, 3]])),
)
def test_no_upset_is_too_great(gap: float, sigma: float, places: list[int]) -> None:
    ratings = [Rating(25 + gap * seat, sigma) for seat in range(len(places))]
    after = Update(FIRST_SET)(ratings, places)
    assert all(math.isfinite(rating.mu) and 0 < rating.sigma < sigma for rating in after)
    assert after[0].mu > ratings[0].mu


def test_the_functions_agree_where_the_tail_begins() -> None:
    environment = Environment(FIRST_SET)
    for function, margin in product(
        (environment.v_win, environment.w_win, environment.v_draw, environment.w_draw), (0.01, 0.3, 2.0)
    ):
        either_side = [
            function(side * (8 + margin) + step, margin) for side in (-1, 1) for step in (-1e-9, 1e-9)
        ]
        assert either_side[0] == pytest.approx(either_side[1], abs=1e-7)
        assert either_side[2] == pytest.approx(either_side[3], abs=1e-7)


def test_equals_who_draw_keep_their_mean_and_lose_doubt() -> None:
    first, second = Update(FIRST_SET)([Rating(25, 3), Rating(25, 3)], [1, 1])
    assert (first.mu, second.mu) == pytest.approx((25, 25), abs=1e-12)
    assert first.sigma == second.sigma < 3


def test_no_doubt_is_added_between_fixtures() -> None:
    update = Update(FIRST_SET)
    rating = Rating(25.0, 1.0)
    for _ in range(50):
        after, _ = update([rating, Rating(25.0, 1.0)], [1, 2])
        assert after.sigma < rating.sigma
        rating = after


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("sigma", 0.0), ("sigma", math.nan), ("beta", -1.0), ("beta", math.inf), ("tau", -0.1)],
        *[("draw_probability", 0.0), ("draw_probability", 1.0), ("mu", math.nan)],
    ],
)
def test_parameters_that_cannot_be_used_are_refused_by_name(name: str, value: float) -> None:
    usable = {"mu": 25.0, "sigma": 25 / 3, "beta": 25 / 6, "tau": 0.0, "draw_probability": 0.02}
    with pytest.raises(ParametersError, match=name):
        Parameters(**(usable | {name: value}))


def test_rating_loads_no_numerical_library() -> None:
    program = (
        "import sys; from service.ratings import intervals, update; "
        "update.Update(update.Parameters(25, 8, 4, 0, .02))([update.Rating(25, 8)] * 2, [1, 2]); "
        "print({'numpy', 'scipy', 'mpmath'} & set(sys.modules), 'trueskill' in sys.modules)"
    )
    printed = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert printed.stdout == "set() True\n"
