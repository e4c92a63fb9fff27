"""The life of a fixture, and everything that can come between."""

import threading

from sqlalchemy import select, update

from service.fixtures.drawing import Kind
from service.ledger import states
from service.ledger.recorder import Outcome, record
from service.ledger.sweeper import sweep
from service.messages import Started
from service.models import Fixture, Match
from service.queues import VISIBILITY_TIMEOUT_S
from service.storage.clock import SECOND_US, now_us
from tests.service.ledger.conftest import Hall, Table, draw
from tests.service.ledger.playing import idle, spoil


def test_a_fixture_goes_from_queued_to_done(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    (ticket,) = hall.tickets()
    assert (hall.fixture(drawn).state, ticket.attempt) == ("dispatched", 1)
    hall.start(ticket)
    assert (hall.fixture(drawn).state, hall.fixture(drawn).worker) == ("running", "w1")
    hall.tell(hall.player(styles={ticket.seats[1].version: idle}).play(ticket))

    done = hall.fixture(drawn)
    assert (done.state, done.starts, done.lease_until_us) == ("done", 1, None)
    assert done.started_us is not None
    assert done.done_us is not None
    assert done.done_us >= done.started_us
    first, second = hall.seats(drawn)
    legs = hall.all(Match)
    assert [leg.leg for leg in legs] == [0, 1]
    assert [first.points, second.points] == [
        legs[0].points[0] + legs[1].points[1],
        legs[0].points[1] + legs[1].points[0],
    ]
    lead = (first.points or 0) - (second.points or 0)
    assert (first.place, second.place) == ((1, 2) if lead > 0 else (2, 1) if lead else (1, 1))
    assert all(hall.blobs.exists("log", leg.log) for leg in legs)


def test_the_broker_knows_the_current_attempt(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    hall.tickets()
    key = f"play:current:{drawn}"
    assert hall.broker.get(key) == b"1"
    assert 0 < hall.broker.ttl(key) <= VISIBILITY_TIMEOUT_S
    hall.lapse()
    sweep(hall.database)
    hall.tickets()
    assert hall.broker.get(key) == b"2"


def test_a_lost_ticket_is_sent_again_and_is_no_failed_attempt(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    for attempt in range(1, states.MAX_STARTS + 3):
        (ticket,) = hall.tickets()
        assert ticket.attempt == attempt
        hall.lapse()
        assert sweep(hall.database) == 1
    (ticket,) = hall.tickets()
    hall.tell(hall.player().play(ticket))
    assert hall.fixture(drawn).state == "done"


def test_nothing_is_taken_back_before_its_lease_runs_out(hall: Hall, table: Table) -> None:
    draw(hall, table)
    (ticket,) = hall.tickets()
    assert sweep(hall.database) == 0
    hall.start(ticket)
    assert sweep(hall.database) == 0


def test_a_second_copy_of_a_report_changes_nothing(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    (ticket,) = hall.tickets()
    report = hall.player().play(ticket)
    hall.tell(report)
    before = hall.fixture(drawn).done_us
    hall.tell(report, report)
    assert len(hall.all(Match)) == 2
    assert hall.fixture(drawn).done_us == before


def test_copies_of_a_report_that_arrive_at_once_are_recorded_once(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    (ticket,) = hall.tickets()
    report = hall.player().play(ticket)
    together = threading.Barrier(3)
    outcomes: list[Outcome] = []

    def deliver() -> None:
        together.wait()
        outcomes.append(record(hall.database, hall.blobs, report))

    threads = [threading.Thread(target=deliver) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcome.value for outcome in outcomes) == ["recorded", "stale", "stale"]
    assert (hall.fixture(drawn).state, len(hall.all(Match))) == ("done", 2)


def test_a_stale_workers_report_changes_nothing(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    (old,) = hall.tickets()
    hall.start(old, "w1")
    hall.lapse()
    sweep(hall.database)
    hall.lapse()
    (new,) = hall.tickets()
    hall.start(new, "w2")
    hall.tell(hall.player("w1", styles={old.seats[0].version: idle}).play(old))
    assert (hall.fixture(drawn).state, hall.all(Match)) == ("running", [])
    hall.tell(hall.player("w2").play(new))
    assert (hall.fixture(drawn).state, hall.fixture(drawn).worker) == ("done", "w2")
    assert [seat.place for seat in hall.seats(drawn)] == [1, 1]


def test_a_report_that_comes_after_the_requeue_changes_nothing(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    (ticket,) = hall.tickets()
    hall.start(ticket)
    hall.lapse()
    sweep(hall.database)
    hall.tell(hall.player().play(ticket))
    assert (hall.fixture(drawn).state, hall.all(Match)) == ("queued", [])


def test_another_workers_report_of_a_running_attempt_changes_nothing(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    (ticket,) = hall.tickets()
    hall.start(ticket, "w1")
    hall.tell(hall.player("w2").play(ticket))
    assert hall.fixture(drawn).state == "running"


def test_a_report_counts_even_if_started_got_lost(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    (ticket,) = hall.tickets()
    hall.tell(hall.player().play(ticket))
    assert (hall.fixture(drawn).state, hall.fixture(drawn).worker) == ("done", "w1")


def test_a_heartbeat_renews_what_its_worker_holds(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    (ticket,) = hall.tickets()
    hall.start(ticket)
    hall.lapse()
    hall.beat(ticket)
    assert sweep(hall.database) == 0
    hall.lapse()
    hall.beat(ticket, worker="w2")
    assert sweep(hall.database) == 1, "another worker's heartbeat renews nothing"
    assert hall.fixture(drawn).state == "queued"


def test_a_heartbeat_starts_what_its_worker_holds_if_started_got_lost(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    (ticket,) = hall.tickets()
    hall.beat(ticket)
    hall.beat(ticket)
    assert (hall.fixture(drawn).state, hall.fixture(drawn).starts) == ("running", 1)


def test_a_repeated_started_counts_once(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    (ticket,) = hall.tickets()
    hall.start(ticket)
    hall.start(ticket)
    hall.start(ticket, "w2")
    assert (hall.fixture(drawn).starts, hall.fixture(drawn).worker) == (1, "w1")


def test_a_started_of_an_old_attempt_starts_nothing(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    hall.tickets()
    hall.tell(Started(fixture=drawn, attempt=0, worker="w1"), Started(fixture=drawn, attempt=2, worker="w1"))
    assert hall.fixture(drawn).state == "dispatched"


def test_a_fixture_whose_workers_keep_dying_is_void_with_a_reason(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    for start in range(1, states.MAX_STARTS + 1):
        hall.lapse()
        (ticket,) = hall.tickets()
        hall.start(ticket)
        assert hall.fixture(drawn).starts == start
        hall.lapse()
        sweep(hall.database)
    void = hall.fixture(drawn)
    assert void.state == "void"
    assert void.reason == "given up after 5 started attempts; the last: worker w1 was not heard of for 10 s"
    assert hall.tickets() == []
    hall.tell(hall.player().play(ticket))
    assert hall.fixture(drawn).state == "void", "a void is final"


def test_what_waits_is_not_sent(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    with hall.database.transaction() as session:
        session.execute(update(Fixture).values(lease_until_us=now_us() + 60 * SECOND_US))
    assert hall.tickets() == []
    with hall.database.transaction() as session:
        assert states.claim(session, drawn) is None
    hall.lapse()
    assert len(hall.tickets()) == 1


def test_after_a_failed_attempt_a_fixture_waits_ever_longer(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    for pause_s in (1, 4, 16, 64):
        (ticket,) = hall.tickets()
        hall.start(ticket)
        with hall.database.reading() as session:
            before = session.scalars(select(now_us())).one()
        hall.tell(spoil(ticket, "w1"))
        with hall.database.reading() as session:
            after = session.scalars(select(now_us())).one()
        ready = (hall.fixture(drawn).lease_until_us or 0) - pause_s * SECOND_US
        assert before <= ready <= after
        hall.lapse()


def test_an_operator_can_void_even_a_done_fixture(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    (ticket,) = hall.tickets()
    hall.tell(hall.player().play(ticket))
    for changed in (True, False):
        with hall.database.transaction() as session:
            assert states.void(session, drawn, "the host's clock was broken") is changed
    assert (hall.fixture(drawn).state, hall.fixture(drawn).reason) == ("void", "the host's clock was broken")


def test_a_message_about_an_unknown_fixture_is_dropped(hall: Hall, table: Table) -> None:
    draw(hall, table)
    (ticket,) = hall.tickets()
    report = hall.player().play(ticket)
    unknown = type(report)("f" * 26, 1, "w1", report.legs, report.faults)
    hall.tell(unknown)
    assert [fixture.state for fixture in hall.all(Fixture)] == ["dispatched"]


def test_what_is_no_message_is_dropped(hall: Hall, table: Table) -> None:
    drawn = draw(hall, table)
    for text in ("", "{", '{"type":"ticket"}', '{"type":"started","fixture":1}', "\x00", "[" * 10_000):
        hall.inbox.receive(text)
    assert hall.fixture(drawn).state == "queued"


def test_a_recorded_ladder_result_asks_for_ratings_and_a_challenge_does_not(hall: Hall, table: Table) -> None:
    expected: dict[Kind, list[list[str]]] = {"ladder": [[table.ladder.id], []], "challenge": [[]]}
    for kind, asked in expected.items():
        draw(hall, table, kind=kind)
        (ticket,) = hall.tickets()
        hall.tell(hall.player().play(ticket))
        assert hall.taken("ledger") == asked
