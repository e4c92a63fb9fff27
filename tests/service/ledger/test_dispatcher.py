"""The dispatcher: how much is sent, whose, in which order, and what a broken broker leaves behind."""

from pathlib import Path

import pytest

from service.ledger.dispatcher import OUTSTANDING_PER_SLOT, dispatch
from service.ledger.fairness import Waiting, fair_order
from service.ledger.sweeper import sweep
from service.ledger.workers import retire_silent
from service.messages import WorkerBye, WorkerHello
from service.models import Fixture, Worker
from service.storage.database import Database
from tests.servers import Valkey
from tests.service.ledger.conftest import Hall, Table, draw, open_hall, seat_table
from tests.service.ledger.factories import make_entry, make_ladder, make_worker


def test_at_most_two_fixtures_are_outstanding_per_live_slot(hall: Hall, table: Table) -> None:
    for _ in range(7):
        draw(hall, table)
    tickets = hall.tickets()
    assert len(tickets) == OUTSTANDING_PER_SLOT * 2
    assert hall.tickets() == []
    hall.tell(hall.player().play(tickets[0]))
    assert len(hall.tickets()) == 1


@pytest.mark.parametrize(("slots", "silent_s", "sent"), [(2, 5, 3), (2, 11, 0), (0, 0, 0)])
def test_only_workers_heard_of_within_a_lease_count(hall: Hall, slots: int, silent_s: int, sent: int) -> None:
    with hall.database.transaction() as session:
        ladder = make_ladder(session)
        entries = [make_entry(session, ladder, name) for name in ("a", "b")]
        make_worker(session, slots=slots, silent_s=silent_s)
    for _ in range(3):
        draw(hall, Table(ladder, entries))
    assert len(hall.tickets()) == sent


def test_a_worker_that_left_counts_no_more_until_it_is_back(hall: Hall, table: Table) -> None:
    draw(hall, table)
    hall.tell(WorkerBye("w1"))
    assert hall.tickets() == []
    hall.tell(WorkerHello("w1", 1, "S3", {"python": "3.11.7"}, 2.5))
    assert len(hall.tickets()) == 1
    (worker,) = hall.all(Worker)
    assert (worker.slots, worker.layer, worker.runtimes, worker.speed) == (1, "S3", {"python": "3.11.7"}, 2.5)


def test_a_worker_whose_greeting_got_lost_is_taken_on_by_its_heartbeat(hall: Hall, table: Table) -> None:
    hall.beat(worker="w9")
    assert {worker.id: worker.slots for worker in hall.all(Worker)} == {"w1": 2, "w9": 2}


def test_silent_workers_are_marked_as_stopped(hall: Hall) -> None:
    with hall.database.transaction() as session:
        make_worker(session, "silent", silent_s=11)
        make_worker(session, "live")
        make_worker(session, "gone", silent_s=8 * 86_400)
        make_worker(session, "gone-but-barred", silent_s=8 * 86_400).barred = True
    with hall.database.transaction() as session:
        assert retire_silent(session) == 3
    assert {worker.id: worker.stopped for worker in hall.all(Worker)} == {
        "silent": True,
        "live": False,
        "gone-but-barred": True,
    }


def test_validations_go_before_challenges_and_challenges_before_the_ladder(hall: Hall, table: Table) -> None:
    ladder, challenge = draw(hall, table), draw(hall, table, kind="challenge")
    validation = draw(hall, table, kind="validation")
    assert [ticket.fixture for ticket in hall.tickets()] == [validation, challenge, ladder]


def test_uploads_by_the_dozen_leave_half_of_the_slots_to_the_ladder(hall: Hall, table: Table) -> None:
    validations = {draw(hall, table, kind="validation") for _ in range(9)}
    assert {ticket.fixture for ticket in hall.tickets()} <= validations, "nothing else waits"
    rated = [draw(hall, table) for _ in range(9)]
    hall.lapse()
    sweep(hall.database)
    sent = [ticket.fixture for ticket in hall.tickets()]
    assert len(validations & set(sent)) == 2
    assert [fixture for fixture in sent if fixture not in validations] == rated[:2]


def test_one_owners_backlog_does_not_keep_others_waiting(hall: Hall, table: Table) -> None:
    greedy, modest = table.entries
    for _ in range(9):
        draw(hall, table, kind="challenge", entries=[greedy, modest])
    last = draw(hall, table, kind="challenge", entries=[modest, greedy])
    tickets = [ticket.fixture for ticket in hall.tickets()]
    assert tickets.index(last) == 1


def test_a_ticket_holds_all_a_worker_needs(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    (ticket,) = hall.tickets()
    fixture = hall.fixture(drawn)
    assert (ticket.seed, ticket.target, ticket.rules) == (fixture.seed, 5, table.ladder.rules)
    assert (ticket.clock.bank_ms, ticket.clock.leg_ms) == (10_000, 60_000)
    assert [seat.version for seat in ticket.seats] == [seat.version_id for seat in hall.seats(drawn)]
    assert [seat.bundle for seat in ticket.seats] == [seat.bundle for seat in hall.seats(drawn)]
    assert {(seat.runtime, seat.entry) for seat in ticket.seats} == {("python", "main.py")}


def test_dispatch_stops_at_the_first_error_and_what_was_marked_is_sent_again(
    database: Database, tmp_path: Path, valkey: Valkey
) -> None:
    with open_hall(database, tmp_path, valkey) as hall:
        table = seat_table(hall)
        for _ in range(3):
            draw(hall, table)
        valkey.kill()
        assert dispatch(hall.database, hall.publisher) == 0
        states = [fixture.state for fixture in hall.all(Fixture)]
        assert states == ["dispatched", "queued", "queued"], "the one that failed may have been sent"
        valkey.start()
        assert len(hall.tickets()) == 2
        hall.lapse()
        assert sweep(hall.database) == 3
        tickets = hall.tickets()
        assert sorted(ticket.attempt for ticket in tickets) == [2, 2, 2]
        hall.tell(*(hall.player().play(ticket) for ticket in tickets))
        assert {fixture.state for fixture in hall.all(Fixture)} == {"done"}


def waiting(*fixtures: tuple[str, str, int]) -> list[Waiting]:
    return [Waiting(fixture, owner, priority, True) for fixture, owner, priority in fixtures]


@pytest.mark.parametrize(
    ("queue", "used", "order"),
    [
        ([], {}, []),
        ([("1", "a", 0), ("2", "b", 0)], {}, ["1", "2"]),
        ([("1", "a", 0), ("2", "a", 0), ("3", "b", 0)], {}, ["1", "3", "2"]),
        ([("1", "a", 0), ("2", "b", 0)], {"a": 5.0}, ["2", "1"]),
        ([("1", "a", 0), ("2", "b", 0), ("3", "b", 0), ("4", "b", 0)], {"a": 3.5}, ["2", "3", "1", "4"]),
        ([("1", "a", 0), ("2", "b", 1)], {"b": 99.0}, ["2", "1"]),
        ([("1", "a", 0), ("2", "a", 1), ("3", "b", 0)], {}, ["2", "3", "1"]),
    ],
)
def test_slots_are_shared_by_what_each_owner_has_used(
    queue: list[tuple[str, str, int]], used: dict[str, float], order: list[str]
) -> None:
    assert [one.fixture for one in fair_order(waiting(*queue), used, 2.0, 99)] == order


def test_no_more_is_chosen_than_there_is_room_for() -> None:
    queue = waiting(("1", "a", 1), ("2", "b", 0), ("3", "c", 0))
    assert fair_order(queue, {}, 1.0, 2) == queue[:2]
