"""Fixtures played in the real sandbox: results, rotations, what bots are told, what spoils a fixture."""

import json
import os
import re
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from engine.fixture import aggregate
from engine.games import game_from_profile
from engine.log import ActLine, read_log
from engine.match import MAX_DEALS
from service.messages import Clock, Progress
from tests.workers.playing import FIRST_MOVE, QUICK, Table, bot, house
from workers.programs import Limits, Program, Sandbox, SandboxError
from workers.referee.faults import InfraError
from workers.referee.fixture import NO_SEAT, play_fixture

CRASH = bot(act="sys.exit(7)")


def test_two_copies_of_a_deterministic_bot_draw_exactly(table: Table) -> None:
    played = table.play(table.ticket([house("greedy"), house("greedy")], target=25))
    first, second = played.replays
    assert first.points == second.points
    moves = [
        [(line.seat, line.move) for line in read_log(played.log(leg)) if isinstance(line, ActLine)]
        for leg in (0, 1)
    ]
    assert moves[0] == moves[1]
    assert aggregate([leg.leg_result for leg in played.replays]).places == (1, 1)


def test_a_better_bot_wins_over_both_legs_and_seats_rotate(table: Table) -> None:
    played = table.play(table.ticket([house("greedy"), house("uniform")], profile="classic", target=25))
    assert [[seat.version for seat in leg.header.seats] for leg in played.replays] == [
        ["v0", "v1"],
        ["v1", "v0"],
    ]
    assert aggregate([leg.leg_result for leg in played.replays]).places == (1, 2)
    assert {seat.runtime for leg in played.replays for seat in leg.header.seats} == {
        f"python {table.sandbox.runtimes['python']}"
    }
    assert not played.report.faults


def test_a_side_of_partners_is_one_version_in_all_its_seats_each_in_a_process_of_its_own(
    table: Table,
) -> None:
    counter = bot(
        before="asked = []",
        act='asked.append(0); say({"act": 0})',
        news='sys.stderr.write(f"{len(asked)} {os.getpid()}\\n") if kind == "over" else None',
    )
    ticket = table.ticket([counter, house("uniform")], profile="forty-five", players=4, target=10)
    played = table.play(ticket)
    assert [[seat.version for seat in leg.header.seats] for leg in played.replays] == [
        ["v0", "v1", "v0", "v1"],
        ["v1", "v0", "v1", "v0"],
    ]
    assert not played.report.faults
    for leg, seats in ((0, (0, 2)), (1, (1, 3))):
        report = played.report.legs[leg]
        assert len(report.points) == len(report.used_us) == len(report.stderr) == 4
        assert report.points[0] == report.points[2]
        acts = [line.seat for line in read_log(played.log(leg)) if isinstance(line, ActLine)]
        told = [played.stderr(leg, seat).split()[0] for seat in seats]
        assert told == [str(acts.count(seat)) for seat in seats]
    assert len(aggregate([leg.leg_result for leg in played.replays]).points) == 2


def test_a_partners_fault_loses_the_leg_for_its_side(table: Table) -> None:
    ticket = table.ticket([CRASH, FIRST_MOVE], profile="forty-five", players=4, target=45)
    played = table.play(ticket)
    assert [leg.reason for leg in played.replays] == ["fault", "fault"]
    assert [(fault.leg, fault.seat % 2, fault.kind) for fault in played.report.faults] == [
        (0, 0, "crash"),
        (1, 1, "crash"),
    ]
    result = aggregate([leg.leg_result for leg in played.replays])
    assert (result.places, result.faulted_legs) == ((2, 1), (2, 0))


def test_five_seats_play_five_legs_and_one_that_fails_does_not_end_them(table: Table) -> None:
    ticket = table.ticket([CRASH, *[FIRST_MOVE] * 4], profile="spoil-five", target=8)
    ticket = msgspec.structs.replace(
        ticket, seats=[msgspec.structs.replace(seat, version=f"v{n}") for n, seat in enumerate(ticket.seats)]
    )
    played = table.play(ticket)
    assert len(played.replays) == 5
    assert [[fault.seat for fault in played.report.faults if fault.leg == leg] for leg in range(5)] == [
        [0],
        [4],
        [3],
        [2],
        [1],
    ]
    assert all(leg.reason != "fault" for leg in played.replays)
    assert aggregate([leg.leg_result for leg in played.replays]).places[0] == 5


def test_a_ticket_that_does_not_name_one_participant_per_side_is_not_played(table: Table) -> None:
    ticket = table.ticket([FIRST_MOVE] * 4, profile="short", target=5)
    rules = game_from_profile("forty-five", 4).document()
    played = table.play(msgspec.structs.replace(ticket, rules=rules))
    (fault,) = played.report.faults
    assert (fault.kind, fault.seat) == ("infra", NO_SEAT)
    assert "the ticket names 4 participants, the game has 2 sides" in fault.evidence


def test_a_bot_is_told_everything_in_order_and_nothing_else(table: Table) -> None:
    scribe = bot(
        before="said = lambda line: (sys.stderr.write(json.dumps(line) + '\\n'), sys.stderr.flush())",
        hello='said(message); say({"type": "ready"})',
        act='said({**message, "view": 0}); say({"act": message["legal"][-1], "id": message["id"]})',
        news="said(message)",
    )
    played = table.play(table.ticket([scribe, house("greedy")], target=25))
    leg = played.replays[0]
    told = [json.loads(line) for line in played.stderr(0, 0).splitlines() if line.startswith("{")]
    hello, over = told[0], told[-1]
    assert hello == {
        "type": "hello",
        "protocol": 1,
        "game": "spite-and-malice",
        "rules": leg.header.rules,
        "seat": 0,
        "players": 2,
        "target": 25,
        "bot_seed": leg.header.seats[0].bot_seed,
        "clock": {"start_ms": 5_000, "bank_ms": 2_000, "increment_ms": 20, "leg_ms": 20_000},
    }
    assert over == {"type": "over", "scores": list(leg.points), "places": list(leg.places)}
    assert leg.header.seed not in json.dumps(told)
    assert leg.header.seats[1].version not in json.dumps(told)
    acts = [line for line in told if line["type"] == "act"]
    assert [act["id"] for act in acts] == list(range(len(acts)))
    news = [line for line in told if line["type"] == "deal_over"]
    assert [line["deal"] for line in news] == list(range(leg.deals))
    assert news[-1]["scores"] == list(leg.points)
    for line in news[:-1]:
        after = told[told.index(line) + 1]
        assert (after["type"], after["deal"], after["scores"]) == ("act", line["deal"] + 1, line["scores"])


def test_the_bank_runs_down_by_the_charge_and_up_by_the_increment(table: Table) -> None:
    slow = bot(act='time.sleep(0.05 if message["id"] == 0 else 0); say({"act": 0})')
    played = table.play(table.ticket([slow, house("greedy")]))
    for leg, seat in ((0, 0), (1, 1)):
        lines = [
            line for line in read_log(played.log(leg)) if isinstance(line, ActLine) and line.seat == seat
        ]
        # It slept for 50 ms; what it and the referee waited for a processor meanwhile is not charged.
        assert lines[0].charge_us > 20_000 > lines[1].charge_us
        left_us = QUICK.bank_ms * 1_000
        for line in lines:
            left_us = min(2 * QUICK.bank_ms * 1_000, left_us - line.charge_us + QUICK.increment_ms * 1_000)
            assert line.bank_ms == left_us // 1_000


def test_a_bot_does_not_pay_for_its_opponents_thinking(table: Table) -> None:
    sleeper = bot(act='time.sleep(0.5 if message["id"] == 0 else 0); say({"act": 0})')
    played = table.play(table.ticket([FIRST_MOVE, sleeper]))
    assert played.report.legs[0].used_us[1] > 250_000 > played.report.legs[0].used_us[0]


def test_a_bot_does_not_think_while_it_is_not_its_turn(table: Table) -> None:
    """Its thread would burn processor time all through the opponent's sleep."""
    burner = bot(
        before="threading.Thread(target=exec, args=('while True: pass',), daemon=True).start()",
        act='sys.stderr.write(f"{time.process_time()}\\n"); say({"act": 0})',
    )
    sleeper = bot(act='time.sleep(0.6 if message["id"] == 0 else 0); say({"act": 0})')
    clock = Clock(start_ms=5_000, bank_ms=10_000, increment_ms=20, leg_ms=60_000)
    played = table.play(table.ticket([burner, sleeper], clock=clock))
    used = [float(line) for line in played.stderr(0, 0).splitlines()]
    assert max(after - before for before, after in pairwise(used)) < 0.3
    # And what it burnt until it was stopped is paid for.
    assert played.report.legs[0].used_us[0] / 1e6 > used[-1] - used[0] - 0.05


def test_a_gigabyte_on_stderr_is_kept_in_part_and_costs_only_time(table: Table) -> None:
    flood = bot(
        act='[os.write(2, b"x" * 65536) for _ in range(16384)] if message["id"] == 0 else 0; say({"act": 0})',
        hello='os.write(2, b"first words "); say({"type": "ready"})',
        news='os.write(2, b" last words"); sys.exit()',
    )
    clock = Clock(start_ms=5_000, bank_ms=30_000, increment_ms=20, leg_ms=60_000)
    ticket = table.ticket([flood, house("greedy")], clock=clock)
    played = table.play(ticket)
    assert not played.report.faults
    kept = played.stderr(0, 0)
    assert len(kept) < 66_000
    assert kept.startswith("first words xxx")
    assert kept.endswith("xxx last words")
    assert re.search(r"\n\[10736\d{5} bytes dropped\]\n", kept)


def test_bots_that_ignore_the_end_are_ended(table: Table) -> None:
    stayer = bot(news='print("never mind"); sys.stdout.flush(); time.sleep(600)')
    played = table.play(table.ticket([stayer, stayer]))
    assert not played.report.faults


def test_two_bots_that_fail_at_the_start_are_both_charged(table: Table) -> None:
    played = table.play(table.ticket([b"", b"raise SystemExit(2)"]))
    assert [(fault.leg, fault.seat, fault.kind) for fault in played.report.faults] == [
        (0, 0, "crash"),
        (0, 1, "crash"),
        (1, 0, "crash"),
        (1, 1, "crash"),
    ]
    assert [leg.places for leg in played.report.legs] == [[1, 1], [1, 1]]


def test_with_three_seats_the_leg_is_played_out_without_the_offender(table: Table) -> None:
    played = table.play(table.ticket([CRASH, house("greedy"), house("planner")]))
    assert [(fault.leg, fault.seat) for fault in played.report.faults] == [(0, 0), (1, 2), (2, 1)]
    for leg in played.replays:
        assert leg.reason == "target"
        offender = next(fault.seat for fault in leg.faults)
        assert leg.places[offender] == 3
        assert leg.charges[offender] == 0
    assert aggregate([leg.leg_result for leg in played.replays]).places[0] == 3


def test_a_version_that_plays_only_itself_is_charged_in_all_its_seats_at_once(table: Table) -> None:
    hangs = bot(act="pass")
    played = table.play(table.ticket([hangs] * 3, clock=Clock(5_000, 150, 20, 20_000)))
    for number, leg in enumerate(played.replays):
        assert leg.reason == "fault"
        first, *others = [fault for fault in played.report.faults if fault.leg == number]
        assert "150 ms left" in first.evidence
        assert {fault.evidence for fault in others} == {
            f"charged with seat {first.seat}, the same version: {first.evidence}"
        }
        assert len(others) == 2
        assert leg.places == (1, 1, 1)


def test_a_match_nobody_wins_ends_after_sixty_deals(table: Table) -> None:
    played = table.play(table.ticket([house("uniform"), house("uniform")], profile="two-pack", target=1_000))
    assert {(leg.deals, leg.reason) for leg in played.replays} <= {(MAX_DEALS, "deals")} | {
        (leg.deals, "decisions") for leg in played.replays
    }


def test_a_bot_meets_no_memory_of_another_leg(table: Table) -> None:
    """Every leg has a fresh process: what a module remembers is gone."""
    counter = bot(
        before="legs = []", hello='legs.append(1); sys.stderr.write(f"{len(legs)}"); say({"type": "ready"})'
    )
    played = table.play(table.ticket([counter, house("greedy")]))
    assert (played.stderr(0, 0), played.stderr(1, 1)) == ("1", "1")


def test_spectators_hear_of_every_deal(table: Table) -> None:
    heard: list[Progress] = []
    ticket = table.ticket([house("greedy"), house("uniform")], target=25)
    report = play_fixture(
        ticket,
        sandbox=table.sandbox,
        bundles=table.bundles,
        blobs=table.blobs,
        worker="test",
        slot=table.slot,
        pulse=lambda: None,
        progress=heard.append,
    )
    assert [(word.leg, word.deal) for word in heard] == [
        (number, deal) for number, leg in enumerate(report.legs) for deal in range(leg.deals)
    ]
    assert heard[-1].scores == report.legs[1].points


class Counting:
    """The real sandbox, which fails to start the n-th bot; remembers the processes it started."""

    def __init__(self, sandbox: Sandbox, fails_at: int) -> None:
        self._sandbox = sandbox
        self._fails_at = fails_at
        self.layer = sandbox.layer
        self.runtimes = sandbox.runtimes
        self.pids: list[int] = []

    def start(self, program: Program, limits: Limits, slot: int) -> object:
        """Start it, or not."""
        if len(self.pids) == self._fails_at:
            raise SandboxError("no room")
        process = self._sandbox.start(program, limits, slot)
        self.pids.append(process.pid)
        return process


@pytest.mark.parametrize("fails_at", [0, 1, 3])
def test_a_sandbox_that_does_not_start_is_nobodys_fault(table: Table, fails_at: int) -> None:
    table.sandbox = failing = Counting(table.sandbox, fails_at)  # type: ignore[assignment]
    report = table.play(table.ticket([house("greedy"), house("greedy")])).report
    assert report.legs == []
    (fault,) = report.faults
    assert (fault.kind, fault.seat, fault.evidence) == ("infra", NO_SEAT, "SandboxError: no room")
    assert len(failing.pids) == fails_at
    assert not [pid for pid in failing.pids if Path(f"/proc/{pid}").exists()]


def test_a_pulse_can_abandon_a_fixture_while_a_bot_thinks(table: Table) -> None:
    table.sandbox = watched = Counting(table.sandbox, 99)  # type: ignore[assignment]
    pulses = 0

    def pulse() -> None:
        nonlocal pulses
        pulses += 1
        if pulses == 2:
            raise InfraError("the worker is stopping")

    report = table.play(table.ticket([bot(act="time.sleep(600)"), house("greedy")]), pulse=pulse).report
    (fault,) = report.faults
    assert (report.legs, fault.kind, fault.evidence) == ([], "infra", "InfraError: the worker is stopping")
    assert pulses == 2
    assert not [pid for pid in watched.pids if Path(f"/proc/{pid}").exists()]


def test_a_bundle_that_is_not_there_is_nobodys_fault(table: Table) -> None:
    ticket = table.ticket([house("greedy"), house("uniform")])
    never_staged = house("uniform") + f"# {os.urandom(8).hex()}\n".encode()
    missing = table.seat(never_staged, "v1")
    table.blobs.delete("bundle", missing.bundle)
    ticket.seats[1] = missing
    report = table.play(ticket).report
    assert report.legs == []
    assert [(fault.kind, fault.seat) for fault in report.faults] == [("infra", NO_SEAT)]
    assert "BlobMissingError" in report.faults[0].evidence


def test_a_full_disk_is_nobodys_fault(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(kind: str, data: bytes) -> str:
        raise OSError(28, "No space left on device")

    ticket = table.ticket([house("greedy"), house("uniform")])
    monkeypatch.setattr(table.blobs, "put", full)
    report = table.play(ticket).report
    assert [(fault.kind, report.legs) for fault in report.faults] == [("infra", [])]
    assert "No space left on device" in report.faults[0].evidence
