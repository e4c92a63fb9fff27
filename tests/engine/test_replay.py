"""Replaying: an honest log proves its result; a forged one with a valid chain is found, and the line named."""

import itertools
from typing import Any

import msgspec
import pytest

from engine.errors import LogError
from engine.fixture import LegResult
from engine.game import DealResult
from engine.log import ActLine, OverLine, read_log
from engine.replay import replay, steps
from engine.spite.view import SpiteView
from tests.engine.logs import at, played_log, rows_of, signed

LOG = played_log()
PROFILES: dict[str, tuple[int, dict[str, Any], int]] = {
    "classic": (2, {}, 25),
    "short, three": (3, {"goal": 13}, 25),
    "short, four, jokers": (4, {"goal": 13, "jokers_wild": 4, "recycle": "immediate"}, 10),
}


@pytest.mark.parametrize("name", PROFILES)
def test_an_honest_log_proves_its_result(name: str) -> None:
    players, options, target = PROFILES[name]
    log = played_log(players, target, options)
    replayed = replay(log)
    lines = read_log(log)
    over = lines[-1]
    assert isinstance(over, OverLine)
    acts = [line for line in lines if isinstance(line, ActLine)]
    assert list(replayed.points) == over.scores
    assert list(replayed.places) == over.places
    assert (replayed.reason, replayed.faults) == (over.reason, ())
    assert replayed.decisions == len(acts)
    assert replayed.deals == sum(row["type"] == "deal" for row in rows_of(log))
    assert replayed.charges == tuple(
        sum(act.charge_us for act in acts if act.seat == s) for s in range(players)
    )
    assert replayed.leg_result == LegResult(replayed.points)


def test_a_leg_of_two_stops_at_a_fault_in_the_middle_of_a_deal() -> None:
    replayed = replay(played_log(faults={4: [1]}))
    assert (replayed.reason, replayed.decisions) == ("fault", 4)
    assert replayed.places == (1, 2)
    assert replayed.leg_result == LegResult((0, 0), frozenset({1}))


@pytest.mark.parametrize("faults", [{0: [0]}, {0: [0, 1]}, {0: [1]}])
def test_a_fault_before_the_first_decision_leaves_a_log_without_acts(faults: dict[int, list[int]]) -> None:
    replayed = replay(played_log(faults=faults))
    assert (replayed.decisions, replayed.deals, replayed.reason) == (0, 1, "fault")
    assert [fault.seat for fault in replayed.faults] == faults[0]


def test_a_fault_between_two_deals_is_charged_in_the_new_one() -> None:
    rows = rows_of(LOG)
    decision = sum(row["type"] == "act" for row in rows[: at(rows, "deal_over")])
    log = played_log(target=50, faults={decision: [1]})
    assert [row["type"] for row in rows_of(log)][-3:] == ["deal_over", "deal", "over"]
    assert (replay(log).deals, replay(log).decisions) == (2, decision)


@pytest.mark.parametrize("faults", [{7: [2]}, {0: [1], 9: [0]}, {0: [0, 1, 2]}, {5: [0], 6: [1], 7: [2]}])
def test_a_leg_of_three_is_played_on_by_the_passive_policy(faults: dict[int, list[int]]) -> None:
    replayed = replay(played_log(3, 5, {"goal": 3}, faults=faults))
    offenders = {seat for seats in faults.values() for seat in seats}
    assert replayed.leg_result.faulted == offenders
    assert (replayed.reason == "fault") == (len(offenders) == 3)
    worst = max(replayed.places)
    assert all((place == worst) == (seat in offenders) for seat, place in enumerate(replayed.places)) or (
        len(offenders) == 3
    )


def test_moves_made_for_a_forfeited_seat_are_marked_as_forced() -> None:
    log = played_log(3, 5, {"goal": 3}, faults={6: [1]})
    forced = {(step.act.seat, step.forced) for number, step in enumerate(steps(log)) if number >= 6}
    assert forced == {(0, False), (1, True), (2, False)}
    assert not any(step.forced for number, step in enumerate(steps(log)) if number < 6)


def test_steps_show_what_every_seat_saw_before_and_after_each_decision() -> None:
    lines = read_log(LOG)
    seen = list(steps(LOG))
    assert [step.act for step in seen] == [line for line in lines if isinstance(line, ActLine)]
    assert [lines[step.line - 1] for step in seen] == [step.act for step in seen]
    for step, following in itertools.pairwise(seen):
        if step.result is None:
            assert (step.deal, step.after) == (following.deal, following.before)
        else:
            assert step.deal + 1 == following.deal
    assert isinstance(seen[-1].result, DealResult)
    for step in seen:
        assert len(step.before) == len(step.after) == 2
        before, after = step.before[step.act.seat], step.after[step.act.seat]
        assert isinstance(before, SpiteView)
        assert before != after
        assert msgspec.json.encode(before)


def test_steps_of_one_deal_are_those_of_the_whole_log() -> None:
    seen = list(steps(LOG))
    for deal in range(seen[-1].deal + 2):
        assert list(steps(LOG, only_deal=deal)) == [step for step in seen if step.deal == deal]


def test_steps_of_a_log_without_decisions_are_none() -> None:
    assert list(steps(played_log(faults={0: [0]}))) == []


def test_steps_of_a_forged_log_stop_at_the_forgery() -> None:
    rows = rows_of(LOG)
    number = next(index for index, row in enumerate(rows) if row["type"] == "act" and ">d" in row["move"])
    rows[number]["seat"] = 3
    walked = steps(signed(rows))
    for _ in range(number - 2):
        next(walked)
    with pytest.raises(LogError) as refused:
        list(walked)
    assert refused.value.line == number + 1
