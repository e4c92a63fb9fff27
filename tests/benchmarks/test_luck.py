"""How luck is measured: the figures on made-up fixtures, and the command on real ones."""

import pytest

from benchmarks.duel import DealPlayed, FixturePlayed, shares
from benchmarks.luck import Measured, Row, balance, edge, main, markdown, pair_for, ratio
from engine.games import profiles


def fixture(first: list[float], margins: list[float]) -> FixturePlayed:
    """A fixture of two: for each deal what participant 0, who played first, has of the win."""
    return FixturePlayed([DealPlayed(10, True, (share, 1 - share), 0) for share in first], margins)


@pytest.mark.parametrize(
    ("points", "won"),
    [
        ([5, 0], [1, 0]),
        ([0, 0], [0.5, 0.5]),
        ([4, 4, 0, 0], [0.5, 0.5, 0, 0]),
        ([-1, 3, -2], [0, 1, 0]),
    ],
)
def test_a_win_is_shared_by_those_who_are_level(points: list[int], won: list[float]) -> None:
    assert shares(points) == won


def test_bots_are_compared_by_what_they_win_in_each_of_their_places() -> None:
    of_five = [DealPlayed(10, True, (1, 0, 0, 0, 0), 0), DealPlayed(10, True, (0, 0, 0, 1, 0), 0)]
    assert balance(of_five) == pytest.approx((40, 60))
    assert balance(fixture([1.0, 0.5], [0, 0]).deals) == pytest.approx((75, 25))


def test_the_edge_is_what_the_first_player_wins_beyond_his_equal_share() -> None:
    fixtures = [fixture([1.0, 1.0], [0, 0]), fixture([1.0, 0.0], [0, 0]), fixture([0.5, 1.0], [0, 0])]
    assert edge(fixtures, 2).value == pytest.approx(4.5 / 6 - 0.5)
    assert edge(fixtures, 2).error > 0
    assert edge([fixture([1.0, 0.0], [0, 0])] * 4, 2) == Measured(0.0, 0.0)


def test_decks_that_decide_everything_leave_a_fixture_no_luck() -> None:
    decided_by_deck = [fixture([1.0], [margin, -margin]) for margin in (3.0, -5.0, 1.0, 9.0)]
    assert ratio(decided_by_deck).value == 0.0


def test_decks_that_decide_nothing_leave_a_fixture_the_luck_of_its_legs() -> None:
    independent = [fixture([1.0], [first, second]) for first in (-2.0, 2.0) for second in (-6.0, 6.0)]
    assert ratio(independent).value == pytest.approx(1.0)
    alike = [fixture([1.0], [margin, margin]) for margin in (-2.0, 2.0)]
    assert ratio(alike).value == pytest.approx(2.0)


def test_the_table_names_every_figure_with_its_error() -> None:
    row = Row(
        "classic", 2, "a v b", 400, 287.4, 0.0125, (48.7, 51.3), Measured(0.017, 0.029), Measured(0.77, 0.14)
    )
    assert markdown([row]).splitlines()[2] == (
        "| `classic` | 2 | a v b | 400 | 49 : 51 | 287 | 1.2 % | +1.7 ± 2.9 % | 0.77 ± 0.14 |"
    )


@pytest.mark.parametrize("game", sorted({profile.game for profile in profiles().values()}))
def test_two_different_house_bots_play_every_game(game: str) -> None:
    first, second = pair_for(game)
    assert first.name != second.name
    assert first.plays(game)
    assert second.plays(game)


@pytest.mark.parametrize("profile", ["short", "spoil-five", "forty-five"])
def test_the_command_prints_a_profile_measured(profile: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--deals", "6", "--profile", profile]) == 0
    first = capsys.readouterr().out
    cells = [cell.strip() for cell in first.splitlines()[2].strip("|").split("|")]
    assert cells[0] == f"`{profile}`"
    assert int(cells[3]) >= 6
    assert int(cells[5]) > 0
    main(["--deals", "6", "--profile", profile])
    assert capsys.readouterr().out == first


@pytest.mark.parametrize("arguments", [["--deals", "0"], ["--target", "0"], ["--profile", "whist"]])
def test_a_wrong_use_is_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
