"""Whole rated matches, sandbox starts and stored logs included: how many a second one core plays."""

from collections.abc import Iterator

from benchmarks.figures import Figure, Requirement, alternate
from benchmarks.pipe import round_trip_us
from benchmarks.play import Table, table
from benchmarks.start import bare_ms

TARGET = 50
FIXTURES = 4
REQUIRED_PER_S = 3
NAME = "greedy"


class Rate:
    """Measures matches a second and, from the same matches, what bare pipes and processes would allow."""

    def __init__(self, play: Table) -> None:
        self._play = play
        self._decisions_per_match = 0.0

    def matches_per_s(self) -> float:
        """Play fixtures of two copies of the bot on one core."""
        played = [self._play.play([NAME, NAME], TARGET, number) for number in range(FIXTURES)]
        matches = sum(fixture.legs for fixture in played)
        self._decisions_per_match = sum(fixture.decisions for fixture in played) / matches
        return matches / sum(fixture.seconds for fixture in played)

    def bare_per_s(self) -> float:
        """Return the rate if a match were two bare process starts and a bare round trip per decision."""
        return 1 / (2 * bare_ms() / 1e3 + self._decisions_per_match * round_trip_us() / 1e6)


def measure(repeats: int) -> Iterator[Figure]:
    """Matches to 50 per second and core, beside what bare pipes and processes would allow."""
    with table() as play:
        rate = Rate(play)
        matches, bare = alternate(repeats, rate.matches_per_s, rate.bare_per_s)
    yield Figure(
        "matches",
        f"{NAME} v {NAME} to {TARGET}, per second and core, starts included",
        "/s",
        matches,
        "bare pipes and processes",
        bare,
        Requirement(REQUIRED_PER_S, at_most=False),
    )
