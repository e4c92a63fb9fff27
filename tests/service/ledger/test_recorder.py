"""The recorder believes logs, not workers."""

from collections.abc import Callable

import msgspec
import pytest

from service.ledger import states
from service.ledger.workers import MAX_REFUSED_REPORTS
from service.messages import Fault, LegReport, Report, Ticket, WorkerHello
from service.models import Fault as FaultRow
from service.models import Match, Worker
from tests.service.ledger.conftest import Hall, Table, draw, seat_table
from tests.service.ledger.factories import make_worker
from tests.service.ledger.playing import Mishap, Player, spoil

Forgery = Callable[[Hall, Ticket, Report], Report]


def with_leg(report: Report, **changes: object) -> Report:
    first = msgspec.structs.replace(report.legs[0], **changes)
    return msgspec.structs.replace(report, legs=[first, *report.legs[1:]])


def replayed_as(hall: Hall, ticket: Ticket, **changes: object) -> Report:
    """A report of a fixture that was not asked for, sent as if it were."""
    other = msgspec.structs.replace(ticket, **changes)
    report = Player(hall.blobs).play(other)
    return msgspec.structs.replace(report, fixture=ticket.fixture, attempt=ticket.attempt)


def swapped_seats(hall: Hall, ticket: Ticket, report: Report) -> Report:
    return replayed_as(hall, ticket, seats=ticket.seats[::-1])


def other_bundle(hall: Hall, ticket: Ticket, report: Report) -> Report:
    seats = [msgspec.structs.replace(ticket.seats[0], bundle="0" * 64), ticket.seats[1]]
    return replayed_as(hall, ticket, seats=seats)


def one_byte_off(hall: Hall, ticket: Ticket, report: Report) -> Report:
    data = bytearray(hall.blobs.get("log", report.legs[0].log))
    data[len(data) // 2] ^= 1
    return with_leg(report, log=hall.blobs.put("log", bytes(data)))


def hidden_fault(hall: Hall, ticket: Ticket, report: Report) -> Report:
    faulted = hall.player(mishaps=[Mishap(0, 0)]).play(ticket)
    return msgspec.structs.replace(faulted, faults=[])


def milder_fault(hall: Hall, ticket: Ticket, report: Report) -> Report:
    faulted = hall.player(mishaps=[Mishap(0, 0, "crash")]).play(ticket)
    return msgspec.structs.replace(
        faulted, faults=[msgspec.structs.replace(faulted.faults[0], kind="timeout")]
    )


def invented_fault(hall: Hall, ticket: Ticket, report: Report) -> Report:
    return msgspec.structs.replace(report, faults=[Fault(0, 0, "crash", "exit status 1")])


FORGERIES: dict[str, tuple[Forgery, str]] = {
    "points": (lambda h, t, r: with_leg(r, points=[99, 0]), "leg 0: points"),
    "places": (lambda h, t, r: with_leg(r, places=[9, 9]), "leg 0: places"),
    "deals": (lambda h, t, r: with_leg(r, deals=99), "leg 0: deals"),
    "reason": (lambda h, t, r: with_leg(r, reason="fault"), "leg 0: reason"),
    "a leg twice": (
        lambda h, t, r: msgspec.structs.replace(r, legs=[r.legs[0], r.legs[0]]),
        "leg 1: leg: 0, where 1 belongs",
    ),
    "a leg short": (
        lambda h, t, r: msgspec.structs.replace(r, legs=r.legs[:1]),
        "1 legs, where the fixture has 2",
    ),
    "no legs": (lambda h, t, r: msgspec.structs.replace(r, legs=[]), "0 legs"),
    "another seed": (lambda h, t, r: replayed_as(h, t, seed="ab" * 32), "leg 0: seed"),
    "another target": (lambda h, t, r: replayed_as(h, t, target=1), "leg 0: target"),
    "another fixture": (lambda h, t, r: replayed_as(h, t, fixture="f" * 26), "leg 0: fixture"),
    "other rules": (lambda h, t, r: replayed_as(h, t, rules=t.rules | {"options": {}}), "leg 0: rules hash"),
    "another clock": (
        lambda h, t, r: replayed_as(h, t, clock=msgspec.structs.replace(t.clock, bank_ms=1)),
        "leg 0: clock bank_ms",
    ),
    "swapped seats": (swapped_seats, "leg 0: seat 0: version"),
    "another bundle": (other_bundle, "leg 0: seat 0: bundle"),
    "one byte of the log": (one_byte_off, "leg 0: line"),
    "a log that is not there": (lambda h, t, r: with_leg(r, log="0" * 64), "leg 0: its log cannot be read"),
    "a log outside the store": (lambda h, t, r: with_leg(r, log="../" * 20), "leg 0: its log cannot be read"),
    "a log that is none": (lambda h, t, r: with_leg(r, log=h.blobs.put("log", b"none")), "leg 0: line 1"),
    "a stderr that is not there": (lambda h, t, r: with_leg(r, stderr=["0" * 64, None]), "leg 0: stderr"),
    "a stderr too many": (lambda h, t, r: with_leg(r, stderr=[None] * 3), "leg 0: seats with a stderr"),
    "a stderr outside the store": (lambda h, t, r: with_leg(r, stderr=["../x", None]), "leg 0: '../x'"),
    "a hidden fault": (hidden_fault, "the faults"),
    "a milder fault": (milder_fault, "the faults"),
    "an invented fault": (invented_fault, "the faults"),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_report_is_refused_and_held_against_its_worker(
    hall: Hall, table: Table, forgery: str
) -> None:
    drawn = draw(hall, table)
    (ticket,) = hall.tickets()
    forge, why = FORGERIES[forgery]
    hall.tell(forge(hall, ticket, hall.player().play(ticket)))
    refused = hall.fixture(drawn)
    assert (refused.state, hall.all(Match)) == ("queued", [])
    assert refused.reason.startswith(f"the report of w1 was refused: {why}")
    assert [worker.refused_reports for worker in hall.all(Worker)] == [1]
    hall.lapse()
    (again,) = hall.tickets()
    hall.tell(hall.player().play(again))
    assert hall.fixture(drawn).state == "done"


def test_a_worker_whose_reports_keep_being_refused_is_barred_and_not_heard_any_more(
    hall: Hall, table: Table
) -> None:
    drawn = draw(hall, table)
    for _ in range(MAX_REFUSED_REPORTS):
        hall.lapse()
        (ticket,) = hall.tickets()
        hall.tell(with_leg(hall.player().play(ticket), points=[99, 0]))
    (worker,) = hall.all(Worker)
    assert worker.barred
    assert worker.reason.startswith("3 of its reports were refused; the last: leg 0: points")
    hall.lapse()
    assert hall.tickets() == [], "it gets no more work"
    with hall.database.transaction() as session:
        make_worker(session, "w2")
    (ticket,) = hall.tickets()
    hall.tell(WorkerHello("w1", 2, "S3", {}, 1.0))
    hall.start(ticket, "w1")
    hall.tell(hall.player("w1").play(ticket))
    assert hall.fixture(drawn).state == "dispatched", "nor does what it says count"
    hall.tell(hall.player("w2").play(ticket))
    assert hall.fixture(drawn).state == "done"


def test_refusals_of_started_attempts_end_in_a_void(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    for number in range(states.MAX_STARTS):
        worker = f"liar-{number}"
        with hall.database.transaction() as session:
            make_worker(session, worker)
        hall.lapse()
        (ticket,) = hall.tickets()
        hall.start(ticket, worker)
        hall.tell(with_leg(hall.player(worker).play(ticket), points=[99, 0]))
    assert hall.fixture(drawn).state == "void"


def test_a_fault_places_its_version_last_and_stands_with_its_evidence(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    (ticket,) = hall.tickets()
    # In leg 1 the first seat of the fixture sits in seat 1.
    hall.tell(hall.player(mishaps=[Mishap(1, 1, "timeout", "no answer within 10 s")]).play(ticket))
    assert [(seat.place, seat.faulted_legs) for seat in hall.seats(drawn)] == [(2, 1), (1, 0)]
    (fault,) = hall.all(FaultRow)
    assert (fault.version_id, fault.leg, fault.seat) == (ticket.seats[0].version, 1, 1)
    assert (fault.kind, fault.evidence) == ("timeout", "no answer within 10 s")


def test_evidence_that_quotes_control_characters_is_recorded_all_the_same(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    (ticket,) = hall.tickets()
    hall.tell(hall.player(mishaps=[Mishap(0, 0, "protocol", "it wrote '\x00\x1b[2J\ud7ff'")]).play(ticket))
    assert hall.fixture(drawn).state == "done"
    assert [fault.evidence for fault in hall.all(FaultRow)] == ["it wrote '\\x00\x1b[2J\ud7ff'"]
    draw(hall, table)
    (ticket,) = hall.tickets()
    hall.tell(spoil(ticket, "w1", "it wrote \x00"))
    assert hall.fixture(ticket.fixture).reason == "spoilt on w1: it wrote \\x00"


@pytest.mark.parametrize("players", [3, 4])
def test_fixtures_of_more_seats_are_recorded_alike(hall: Hall, players: int) -> None:
    table = seat_table(hall, players)
    drawn = draw(hall, table)
    (ticket,) = hall.tickets()
    hall.tell(hall.player(mishaps=[Mishap(0, 2)]).play(ticket))
    assert hall.fixture(drawn).state == "done"
    assert len(hall.all(Match)) == players
    seats = hall.seats(drawn)
    assert seats[2].place == players
    assert max(seat.place or 0 for seat in seats if seat.seat != 2) < players


def test_leg_reports_carry_nothing_that_is_stored_unproven(hall: Hall, table: Table) -> None:
    draw(hall, table)
    (ticket,) = hall.tickets()
    report = hall.player().play(ticket)
    boasting = [msgspec.structs.replace(leg, used_us=[1, 1]) for leg in report.legs]
    hall.tell(msgspec.structs.replace(report, legs=boasting))
    assert all(isinstance(leg, LegReport) for leg in boasting)
    for match in hall.all(Match):
        assert sum(match.used_us) > 2, "the charges of the log, not the report's"
