"""The benchmark command and what its figures say."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from benchmarks import __main__ as command
from benchmarks import random_play
from benchmarks.figures import Figure, Requirement, Sample, alternate, one_core, sample
from benchmarks.random_play import FAST, IDIOMATIC, OPEN_SPIEL, OURS, ROLLOUTS, moves_per_second
from benchmarks.rules import look_us
from benchmarks.samples import DECISIONS, sample_match, sample_moves, sample_requests
from benchmarks.service import process_tree, pss_bytes
from engine.games import game_from_profile
from workers.programs import SandboxUnavailableError


def area_of(figure: Figure) -> ModuleType:
    """An area that measures nothing and yields this figure."""

    def measure(repeats: int) -> Iterator[Figure]:
        yield figure

    module = ModuleType("area", "An area.")
    module.__dict__["measure"] = measure
    return module


def test_a_sample_is_median_and_extremes() -> None:
    assert sample([3.0, 1.0, 2.0]) == Sample(2.0, 1.0, 3.0)


def test_measurements_take_turns() -> None:
    order: list[str] = []

    def measured(name: str, value: float) -> float:
        order.append(name)
        return value

    first, second = alternate(2, lambda: measured("a", 1.0), lambda: measured("b", 2.0))
    assert order == ["a", "b", "a", "b"]
    assert (first.median, second.median) == (1.0, 2.0)


@pytest.mark.parametrize(
    ("requirement", "value", "met"),
    [
        (Requirement(90), 90.0, True),
        (Requirement(90), 90.1, False),
        (Requirement(3, at_most=False), 3.0, True),
        (Requirement(3, at_most=False), 2.9, False),
    ],
)
def test_a_requirement_bounds_the_median(requirement: Requirement, value: float, met: bool) -> None:
    figure = Figure("area", "what", "us", Sample(value, 0.0, 1_000.0), requirement=requirement)
    assert figure.met is met


def test_the_ratio_is_of_the_medians() -> None:
    figure = Figure("area", "what", "us", sample([30.0, 40.0, 90.0]), "floor", sample([10.0, 4.0, 99.0]))
    assert figure.ratio == 4.0


@pytest.mark.parametrize(("value", "met"), [(25.0, True), (24.9, False)])
def test_a_requirement_may_be_of_the_ratio(value: float, met: bool) -> None:
    wanted = Requirement(2.5, at_most=False)
    figure = Figure("area", "what", "us", sample([value]), "peer", sample([10.0]), required_ratio=wanted)
    assert figure.met is met
    assert command._required(figure) == f"ratio at least 2.5: {'met' if met else 'MISSED'}"


@pytest.mark.parametrize(("value", "status", "word"), [(80.0, 0, "met"), (95.0, 1, "MISSED")])
def test_a_missed_requirement_shows_in_the_table_and_the_exit_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], value: float, status: int, word: str
) -> None:
    figure = Figure("pipe", "some figure", "us", sample([value]), requirement=Requirement(90))
    monkeypatch.setitem(command.AREAS, "pipe", area_of(figure))
    assert command.main(["--only", "pipe"]) == status
    assert f"at most 90 us: {word}" in capsys.readouterr().out


def test_what_cannot_be_measured_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(repeats: int) -> Iterator[Figure]:
        raise SandboxUnavailableError("no user namespaces here")

    module = ModuleType("area", "An area.")
    module.__dict__["measure"] = refuse
    monkeypatch.setitem(command.AREAS, "start", module)
    assert command.main(["--only", "start"]) == 2
    assert capsys.readouterr().err.endswith(
        "benchmarks: start could not be measured: no user namespaces here\n"
    )


def test_the_command_measures_and_prints_json() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--only", "pipe", "--repeats", "1", "--json"],
        capture_output=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    trip, house_bot = msgspec.json.decode(run.stdout, type=list[Figure])
    assert 0 < trip.sample.low <= trip.sample.median <= trip.sample.high
    assert house_bot.floor_sample == trip.sample
    assert house_bot.ratio == pytest.approx(house_bot.sample.median / trip.sample.median)


def test_help_names_every_area(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(["--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    for name in command.AREAS:
        assert f"\n  {name} " in text


def test_the_sample_match_replays_and_its_requests_have_usual_size() -> None:
    match = sample_match()
    for move in sample_moves():
        match.apply(move)
    assert match.decisions == DECISIONS
    assert 0.4 * DECISIONS < len(sample_requests()) < 0.6 * DECISIONS
    assert all(300 < len(line) < 3_000 for line in sample_requests())


def test_pinning_ends_with_its_block() -> None:
    before = os.sched_getaffinity(0)
    with one_core():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before


def test_memory_is_summed_over_the_whole_process_tree() -> None:
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'input()'], stdin=subprocess.PIPE)\n"
        "print(child.pid, flush=True)\n"
        "input()\n"
        "child.communicate(b'\\n')\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert process_tree(parent.pid) == {parent.pid, child}
        assert child in process_tree(os.getpid())
        assert pss_bytes(parent.pid) > 1_000_000
    finally:
        parent.communicate("\n")
    assert pss_bytes(child) == 0


@pytest.mark.parametrize("what", [OURS, ROLLOUTS])
@pytest.mark.parametrize("driver", [IDIOMATIC, FAST])
def test_random_play_is_measured_in_a_process_of_its_own(what: str, driver: str) -> None:
    assert 1_000 < moves_per_second(what, driver, plain=True) < 100_000_000


def test_random_play_without_its_peer_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(SystemExit, match="OpenSpiel is not installed; `make bench` installs it"):
        random_play.main(OPEN_SPIEL, FAST)


def test_what_cannot_be_measured_in_its_process_is_an_error_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    monkeypatch.setattr(random_play, "ROOT", Path("/"))
    with pytest.raises(RuntimeError, match=r"random play, malice: .*No module named"):
        moves_per_second(OURS, FAST)


def test_both_drivers_make_every_move_of_a_deal() -> None:
    game = game_from_profile(random_play.PROFILE)
    assert random_play.ours_idiomatic(game, 1) > 20
    assert random_play.ours_fast(game, 1) > 20
    assert look_us() > 0
