"""The small graphs stay within their frame and say what the figures say."""

from collections.abc import Sequence

import pytest

from service.bots.records import RatingPoint
from service.ladders.standings import score
from service.pages.graphs import rank_bar, rating_graph


def history(*ratings: tuple[float, float], version: int = 1) -> list[RatingPoint]:
    """A history of these ratings (mu, sigma), oldest first."""
    return [
        RatingPoint(
            version=version,
            fixture=f"f{number}",
            sequence=number,
            outcome="win",
            mu=mu,
            sigma=sigma,
            score=score(mu, sigma),
            fixtures=number,
            done=number,
        )
        for number, (mu, sigma) in enumerate(ratings, start=1)
    ]


def corners(text: str) -> Sequence[tuple[float, float]]:
    """The points of an SVG line."""
    return [(float(x), float(y)) for x, y in (point.split(",") for point in text.split())]


@pytest.mark.parametrize(("low", "high", "rank", "entries"), [(1, 1, 1, 1), (1, 4, 2, 4), (17, 90, 50, 200)])
def test_a_rank_lies_in_its_interval_and_both_on_the_line(
    low: int, high: int, rank: int, entries: int
) -> None:
    bar = rank_bar(low, high, rank, entries, width=100)
    assert 0 <= bar.start < bar.rank < bar.start + bar.length <= 100
    assert bar.length == pytest.approx((high - low + 1) * 100 / entries, abs=0.01)


def test_an_interval_may_be_wider_than_the_table_is_by_now() -> None:
    bar = rank_bar(1, 9, 2, entries=4, width=90)
    assert (bar.start, bar.length) == (0, 90)


def test_no_history_is_no_graph() -> None:
    assert rating_graph([]) is None


def test_the_graph_holds_every_rating_and_its_doubt() -> None:
    graph = rating_graph(history((25, 8.3), (29.4, 7.2), (26, 6.4)))
    assert graph is not None
    (stretch,) = graph.stretches
    line, band = corners(stretch.line), corners(stretch.band)
    assert [x for x, _ in line] == sorted(x for x, _ in line)
    assert (len(line), len(band)) == (3, 6)
    assert line[1][1] < line[2][1] < line[0][1]
    for x, y in (*line, *band):
        assert graph.left <= x <= graph.width
        assert 0 <= y <= graph.height


def test_every_version_has_a_stretch_of_its_own() -> None:
    both = [*history((25, 8), (27, 7)), *history((25, 8), version=2)]
    graph = rating_graph(both)
    assert graph is not None
    assert [(stretch.version, len(corners(stretch.line))) for stretch in graph.stretches] == [(1, 2), (2, 1)]


@pytest.mark.parametrize("spread", [0.001, 0.3, 1.0, 7.0, 40.0, 900.0])
def test_the_scale_has_a_few_round_numbers(spread: float) -> None:
    graph = rating_graph(history((25, spread)))
    assert graph is not None
    labels = [float(tick.label) for tick in graph.ticks]
    assert 2 <= len(labels) <= 6
    assert all(25 - spread <= label <= 25 + spread for label in labels)
    assert labels == sorted(labels)
