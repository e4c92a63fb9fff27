"""Who is taken off the ladder: for breakdowns that follow a version about, for faults of its own."""

import pytest
from sqlalchemy import select, update

from service.ledger import states
from service.ledger.infra import note_infra
from service.ledger.suspension import MAX_FAULTED
from service.ledger.sweeper import sweep
from service.models import Entry, Fixture, InfraAttempt, Notice, Worker
from service.models import Fault as FaultRow
from service.storage.clock import now_us
from tests.service.ledger.conftest import Hall, Table, draw
from tests.service.ledger.factories import make_entry, make_worker
from tests.service.ledger.playing import Mishap, spoil


def test_an_infra_fault_is_played_again_and_counted(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    (ticket,) = hall.tickets()
    hall.start(ticket)
    hall.tell(spoil(ticket, "w1"), spoil(ticket, "w1"))
    assert hall.fixture(drawn).state == "queued"
    assert hall.fixture(drawn).reason == "spoilt on w1: the sandbox would not start"
    assert [attempt.version_id for attempt in hall.all(InfraAttempt)] == sorted(
        seat.version for seat in ticket.seats
    )
    assert [worker.infra_attempts for worker in hall.all(Worker)] == [1]
    hall.lapse()
    (again,) = hall.tickets()
    hall.tell(hall.player().play(again))
    assert hall.fixture(drawn).state == "done"
    assert hall.all(FaultRow) == []


def spoil_on(hall: Hall, table: Table, entries: list[Entry], *workers: str) -> None:
    """Draw up a fixture of these entries and let it break down on these workers."""
    draw(hall, table, entries=entries)
    for worker in workers:
        with hall.database.transaction() as session:
            if session.get(Worker, worker) is None:
                make_worker(session, worker)
        hall.lapse()
        tickets = hall.tickets()
        hall.start(tickets[0], worker)
        hall.tell(spoil(tickets[0], worker))
    with hall.database.transaction() as session:
        states.void(session, hall.all(Fixture)[-1].id, "enough of it")


def statuses(hall: Hall) -> list[str]:
    return [entry.status for entry in hall.all(Entry)]


def test_a_version_that_breaks_down_on_three_workers_is_suspended_its_opponents_are_not(
    hall: Hall, table: Table
) -> None:
    with hall.database.transaction() as session:
        third = make_entry(session, table.ladder, "third")
    guilty, innocent = table.entries
    spoil_on(hall, table, [guilty, innocent], "w1", "w2", "w3")
    assert statuses(hall) == ["active", "active", "active"], "either of the two may be the one"
    spoil_on(hall, table, [guilty, third], "w1")
    assert statuses(hall) == ["suspended", "active", "active"]
    (notice,) = hall.all(Notice)
    assert notice.account_id == guilty.owner_id
    assert notice.text.startswith("bot-0: short-5: suspended: its fixtures broke down on 3 or more")
    assert "the sandbox would not start" in notice.text


def test_a_version_that_mostly_plays_well_is_not_suspended_for_our_breakdowns(
    hall: Hall, table: Table
) -> None:
    with hall.database.transaction() as session:
        third = make_entry(session, table.ladder, "third")
    for _ in range(4):
        draw(hall, table)
        (ticket,) = hall.tickets()
        hall.tell(hall.player().play(ticket))
    spoil_on(hall, table, table.entries, "w1", "w2")
    spoil_on(hall, table, [table.entries[0], third], "w3")
    assert statuses(hall) == ["active", "active", "active"]


def test_a_worker_that_fell_silent_spoilt_its_attempt(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    (ticket,) = hall.tickets()
    hall.start(ticket)
    hall.lapse()
    sweep(hall.database)
    assert {(attempt.fixture_id, attempt.attempt, attempt.worker) for attempt in hall.all(InfraAttempt)} == {
        (drawn, 1, "w1")
    }
    assert [worker.infra_attempts for worker in hall.all(Worker)] == [1]


@pytest.mark.parametrize(("others_spoilt", "status"), [(0, "suspended"), (12, "active")])
def test_a_version_far_above_the_fleets_rate_of_breakdowns_is_suspended(
    hall: Hall, table: Table, others_spoilt: int, status: str
) -> None:
    """Its own share is a third; everybody else's is none, or a third as well."""
    suspect, partner = table.entries
    with hall.database.transaction() as session:
        strangers = [make_entry(session, table.ladder, name) for name in ("c", "d", "e")]
    seatings = [[suspect, partner]] * 20 + [strangers[:2]] * 24
    seatings += [[suspect, strangers[2]]] * 9 + [strangers[:2]] * others_spoilt
    fixtures = [draw(hall, table, entries=entries) for entries in seatings]
    with hall.database.transaction() as session:
        now = session.scalars(select(now_us())).one()
        done = update(Fixture).where(Fixture.id.in_(fixtures[:44]))
        session.execute(done.values(state="done", done_us=now, started_us=now))
        session.execute(update(Fixture).where(Fixture.id.in_(fixtures[44:])).values(state="void", attempt=1))
        for number, fixture in enumerate(fixtures[44:]):
            note_infra(session, fixture, 1, f"w{number % 3}", "no sandbox")
    assert set(statuses(hall)) == {"active"}
    spoil_on(hall, table, [suspect, partner], "w1")
    assert statuses(hall) == [status, "active", "active", "active", "active"]


def test_an_entry_that_keeps_faulting_against_several_owners_is_suspended_with_a_notice(
    hall: Hall, table: Table
) -> None:
    faulty = table.entries[0]
    with hall.database.transaction() as session:
        others = [make_entry(session, table.ladder, f"other-{number}") for number in range(3)]

    def fault_against(opponent: Entry) -> None:
        draw(hall, table, entries=[faulty, opponent])
        (ticket,) = hall.tickets()
        seat = [seat.version for seat in ticket.seats].index(faulty.version_id)
        hall.tell(hall.player(mishaps=[Mishap(0, seat)]).play(ticket))

    for number in range(MAX_FAULTED):
        fault_against(others[number % 2])
    assert set(statuses(hall)) == {"active"}, "two owners are not enough"
    fault_against(others[2])
    assert statuses(hall) == ["suspended", *["active"] * 4]
    (notice,) = hall.all(Notice)
    assert notice.account_id == faulty.owner_id
    assert "faults in 11 of its last 11 rated fixtures" in notice.text


def test_what_was_forgiven_at_activation_does_not_count_again(hall: Hall, table: Table) -> None:
    faulty = table.entries[0]
    with hall.database.transaction() as session:
        others = [make_entry(session, table.ladder, f"other-{number}") for number in range(3)]
    for number in range(MAX_FAULTED):
        draw(hall, table, entries=[faulty, others[number % 3]])
        (ticket,) = hall.tickets()
        seat = [seat.version for seat in ticket.seats].index(faulty.version_id)
        if number == MAX_FAULTED - 1:
            with hall.database.transaction() as session:
                session.execute(
                    update(Entry)
                    .where(Entry.id == faulty.id)
                    .values(activated_us=hall.fixture(ticket.fixture).created_us)
                )
        hall.tell(hall.player(mishaps=[Mishap(0, seat)]).play(ticket))
    assert set(statuses(hall)) == {"active"}
