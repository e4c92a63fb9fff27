"""Periodic work: one process at a time, each duty in its own time, whatever fails or dies."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from sqlalchemy import select, update

from service.ledger import periodic
from service.ledger.dispatcher import OUTSTANDING_PER_SLOT
from service.ledger.duties import Duties
from service.ledger.periodic import Duty, Periodic, is_alive
from service.models import Fixture, Ladder, PeriodicLease
from service.settings import Settings
from service.storage.database import Database
from tests.service.ledger.conftest import Hall, Table, draw


class Work:
    """Counts how often it was done."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> None:
        self.times += 1


@pytest.fixture
def logged() -> Iterator[list[dict[str, object]]]:
    """What is logged."""
    with structlog.testing.capture_logs() as events:
        yield events  # type: ignore[misc]


def expire(database: Database, name: str = periodic.LEASE) -> None:
    """Let a lease or a duty's interval run out, as if time had passed."""
    with database.transaction() as session:
        session.execute(update(PeriodicLease).where(PeriodicLease.name == name).values(until_us=1))


def test_whoever_is_knocked_at_first_does_the_work_and_then_the_next(database: Database) -> None:
    work = Work()
    first, second = (Periodic(database, name, [Duty("work", 0, work)]) for name in ("one", "two"))
    assert first.tick()
    assert second.tick()
    assert first.tick()
    assert work.times == 3


def test_two_holders_never_work_at_once(database: Database) -> None:
    inside, overlaps = threading.Lock(), Work()
    done = Work()

    def work() -> None:
        if not inside.acquire(blocking=False):
            overlaps()
            return
        done()
        inside.release()

    def knock(holder: str) -> None:
        ledger = Periodic(database, holder, [Duty("work", 0, work)] * 3)
        for _ in range(10):
            ledger.tick()

    threads = [threading.Thread(target=knock, args=(f"holder-{number}",)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert overlaps.times == 0
    assert done.times > 0


def test_while_one_is_at_work_another_is_turned_away(database: Database) -> None:
    answers: list[bool] = []
    other = Periodic(database, "other", [])
    Periodic(database, "one", [Duty("work", 0, lambda: answers.append(other.tick()))]).tick()
    assert answers == [False]
    assert other.tick(), "afterwards it may"


def test_a_holder_that_died_at_work_is_replaced_when_its_lease_runs_out(database: Database) -> None:
    class DiedError(BaseException):
        """Not an Exception: it ends the process."""

    def die() -> None:
        raise DiedError

    work = Work()
    with pytest.raises(DiedError):
        Periodic(database, "dead", [Duty("work", 0, die)]).tick()
    heir = Periodic(database, "heir", [Duty("work", 0, work)])
    assert not heir.tick()
    expire(database)
    assert heir.tick()
    assert work.times == 1


def test_a_holder_whose_lease_was_taken_over_stops_before_its_next_duty(database: Database) -> None:
    later = Work()
    heir = Periodic(database, "heir", [])

    def dawdle() -> None:
        expire(database)
        assert heir.tick()

    slow = Periodic(database, "slow", [Duty("slow", 0, dawdle), Duty("later", 0, later)])
    assert not slow.tick()
    assert later.times == 0


def test_one_duty_that_fails_does_not_stop_the_others(
    database: Database, logged: list[dict[str, object]]
) -> None:
    def fail() -> None:
        raise RuntimeError("out of luck")

    work = Work()
    assert Periodic(database, "one", [Duty("bad", 0, fail), Duty("good", 0, work)]).tick()
    assert work.times == 1
    assert [(event["event"], event["duty"]) for event in logged] == [("periodic work failed", "bad")]


def test_a_duty_waits_for_its_interval_by_the_databases_clock_whoever_did_it_last(database: Database) -> None:
    work = Work()
    first, second = (Periodic(database, name, [Duty("rare", 60, work)]) for name in ("one", "two"))
    for ledger in (first, second, first):
        ledger.tick()
    assert work.times == 1
    expire(database, "rare")
    second.tick()
    assert work.times == 2


def test_the_lease_tells_whether_periodic_work_is_alive(database: Database) -> None:
    def alive() -> bool:
        with database.reading() as session:
            return is_alive(session)

    assert not alive()
    Periodic(database, "one", []).tick()
    assert alive()
    expire(database)
    assert not alive()


def tick(hall: Hall, folder: Path, **settings: int) -> None:
    """Do all duties of an installation once."""
    duties = Duties(hall.database, hall.blobs, hall.publisher, Settings(home=folder, **settings))  # type: ignore[arg-type]
    Periodic(hall.database, "test", duties.all()).tick()


def test_a_tick_draws_up_fixtures_and_sends_their_tickets(hall: Hall, table: Table, tmp_path: Path) -> None:
    tick(hall, tmp_path)
    assert len(hall.sent("play")) == OUTSTANDING_PER_SLOT * 2
    drawn = hall.all(Fixture)
    assert {fixture.kind for fixture in drawn} == {"ladder"}
    assert {fixture.state for fixture in drawn} == {"dispatched", "queued"}


def test_a_result_whose_hint_got_lost_is_rated_all_the_same(hall: Hall, table: Table, tmp_path: Path) -> None:
    drawn = draw(hall, table)
    (ticket,) = hall.tickets()
    hall.tell(hall.player().play(ticket))
    assert not hall.fixture(drawn).rated
    tick(hall, tmp_path)
    assert hall.fixture(drawn).rated
    with hall.database.reading() as session:
        assert session.scalars(select(Ladder.rated_through)).one() == 1


def test_a_voided_result_leaves_the_ratings(hall: Hall, table: Table, tmp_path: Path) -> None:
    drawn = draw(hall, table)
    (ticket,) = hall.tickets()
    hall.tell(hall.player().play(ticket))
    tick(hall, tmp_path)
    with hall.database.transaction() as session:
        session.execute(
            update(Fixture).where(Fixture.id == drawn).values(state="void", reason="a broken host")
        )
    expire(hall.database, "rate")
    tick(hall, tmp_path)
    assert not hall.fixture(drawn).rated


def test_with_the_disk_nearly_full_nothing_is_sent_and_it_says_so(
    hall: Hall, table: Table, tmp_path: Path, logged: list[dict[str, object]]
) -> None:
    drawn = draw(hall, table)
    tick(hall, tmp_path, disk_reserve_mb=1 << 40)
    assert hall.fixture(drawn).state == "queued"
    assert "dispatch paused: the disk is nearly full" in [event["event"] for event in logged]
    tick(hall, tmp_path)
    assert hall.fixture(drawn).state == "dispatched"
