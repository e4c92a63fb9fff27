"""The TrueSkill update: what one fixture does to the ratings of its seats.

Herbrich, Minka and Graepel, "TrueSkill: A Bayesian Skill Rating System", 2006. The factor graph is the `trueskill`
package's; the functions V and W at its heart are replaced, because the package's own are good to seven digits only
and give up on great upsets.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import trueskill

TAIL = -8.0
"""Below this many standard deviations Φ is worked out as a continued fraction instead."""
TAIL_TERMS = 60
"""Enough for full double precision at `TAIL` and beyond."""
LARGEST_W = 1 - 1e-12
"""W is a share of variance and below 1; rounding must not take it there, as 1 - W divides."""
CONVERGED = 1e-9
"""Messages that change less than this have converged; matters with three seats or more."""

ROOT_2 = math.sqrt(2)
ROOT_2_PI = math.sqrt(2 * math.pi)


class ParametersError(ValueError):
    """Rating parameters that cannot be used, and which one is wrong."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """TrueSkill parameters of a ladder, in rating points.

    `draw_probability` must be above 0: with 0 a draw, which can always happen, has no meaning.
    """

    mu: float
    sigma: float
    beta: float
    tau: float
    draw_probability: float

    def __post_init__(self) -> None:
        """Raises ParametersError."""
        for name, positive in (("sigma", self.sigma), ("beta", self.beta)):
            if not 0 < positive < math.inf:
                raise ParametersError(f"{name} must be above 0, not {positive}")
        if not 0 <= self.tau < math.inf:
            raise ParametersError(f"tau must be 0 or more, not {self.tau}")
        if not 0 < self.draw_probability < 1:
            raise ParametersError(f"draw_probability must be between 0 and 1, not {self.draw_probability}")
        if not math.isfinite(self.mu):
            raise ParametersError(f"mu must be a number, not {self.mu}")


class Rating(NamedTuple):
    """What is believed of an entry's skill: a normal distribution with this mean and standard deviation."""

    mu: float
    sigma: float


def density(x: float) -> float:
    """Density of the standard normal distribution."""
    return math.exp(-x * x / 2) / ROOT_2_PI


def below(x: float) -> float:
    """Φ(x): the chance that a standard normal number is below x, to full relative precision down to x = -37."""
    return math.erfc(-x / ROOT_2) / 2


def excess(t: float) -> float:
    """Return E[X | X > t] - t of a standard normal X in its far tail, t >= -TAIL.

    The continued fraction of Mills' ratio, less its first term (Abramowitz and Stegun 26.2.14).
    """
    value = 0.0
    for term in range(TAIL_TERMS, 0, -1):
        value = term / (t + value)
    return value


def mills(t: float) -> float:
    """Mills' ratio (1 - Φ(t)) / φ(t) in the far tail, t >= -TAIL."""
    return 1 / (t + excess(t))


class Environment(trueskill.TrueSkill):  # type: ignore[misc]
    """One parameter set's update, exact where the package rounds and defined where it fails."""

    def __init__(self, parameters: Parameters) -> None:
        super().__init__(
            mu=parameters.mu,
            sigma=parameters.sigma,
            beta=parameters.beta,
            tau=parameters.tau,
            draw_probability=parameters.draw_probability,
            backend=(below, density, NormalDist().inv_cdf),
        )

    def v_win(self, diff: float, draw_margin: float) -> float:
        """Shift of the mean after a win, in standard deviations."""
        x = diff - draw_margin
        return excess(-x) - x if x < TAIL else density(x) / below(x)

    def w_win(self, diff: float, draw_margin: float) -> float:
        """Share of the variance that goes with a win."""
        x = diff - draw_margin
        v = self.v_win(diff, draw_margin)
        # v + x cancels in the tail, where it is known directly.
        return _as_share(v * (excess(-x) if x < TAIL else v + x))

    def v_draw(self, diff: float, draw_margin: float) -> float:
        """Shift of the mean after a draw, in standard deviations."""
        shift = _draw(abs(diff), draw_margin)[0]
        return -shift if diff < 0 else shift

    def w_draw(self, diff: float, draw_margin: float) -> float:
        """Share of the variance that goes with a draw."""
        return _as_share(_draw(abs(diff), draw_margin)[1])


def _draw(distance: float, margin: float) -> tuple[float, float]:
    """Return V and W of a draw: moments of a normal number cut to [-margin, margin], seen from `distance`."""
    near, far = margin - distance, -margin - distance
    if near >= TAIL:
        chance = below(near) - below(far)
        at_near, at_far = density(near) / chance, density(far) / chance
    else:
        # Everything relative to the density at the near end, which itself may be too small for a float.
        ratio = math.exp(-2 * margin * distance)
        chance = mills(-near) - ratio * mills(-far)
        at_near, at_far = 1 / chance, ratio / chance
    v = at_far - at_near
    return v, v * v + near * at_near - far * at_far


def _as_share(w: float) -> float:
    return min(max(w, 0.0), LARGEST_W)


class Update:
    """The update of one parameter set, for any number of seats that each hold one entry."""

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self.prior = Rating(parameters.mu, parameters.sigma)
        self._environment = Environment(parameters)

    def __call__(self, ratings: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
        """Return the ratings after a fixture with these places (1 is first, equal places are ties).

        With ties among three or more the result depends, in its third digit, on the order of those tied: give the
        seats in an order that has nothing to do with delivery (`service.ratings.results` sorts by entry).
        """
        groups = [(trueskill.Rating(rating.mu, rating.sigma),) for rating in ratings]
        after = self._environment.rate(groups, ranks=places, min_delta=CONVERGED)
        return [Rating(rating.mu, rating.sigma) for (rating,) in after]
