"""Validation: what a newcomer must show, and how it takes its predecessor's place."""

from collections.abc import Sequence

import pytest
from sqlalchemy import select, update

from service.ledger import states
from service.ledger.validation import NOT_DETERMINISTIC, validate
from service.messages import Ticket
from service.models import Account, Entry, Fixture, Notice, Version
from tests.service.ledger.conftest import Hall, Table
from tests.service.ledger.factories import make_entry, make_ladder, make_worker
from tests.service.ledger.playing import Mishap, eager, idle


def newcomer(hall: Hall, *, sparring: str | None = "active", players: int = 2) -> Table:
    """A ladder with the house's uniform in the given status, and a validating entry."""
    with hall.database.transaction() as session:
        ladder = make_ladder(session, players=players)
        make_worker(session)
        entries = [make_entry(session, ladder, "nova", status="validating")]
        if sparring:
            entries.append(make_entry(session, ladder, "uniform", owner="house", status=sparring))
            session.execute(update(Account).where(Account.name == "house").values(is_house=True))
    return Table(ladder, entries)


def entry_of(hall: Hall, entry: Entry) -> Entry:
    with hall.database.reading() as session:
        return session.get_one(Entry, entry.id)


def step(hall: Hall) -> list[Ticket]:
    """Validate once and dispatch what was drawn up."""
    validate(hall.database)
    return hall.tickets()


def kinds(tickets: Sequence[Ticket], entry: Entry) -> list[str]:
    """`self` or `sparring` per ticket."""
    return sorted(
        "self" if {seat.version for seat in ticket.seats} == {entry.version_id} else "sparring"
        for ticket in tickets
    )


def test_a_newcomer_plays_itself_and_uniform_and_becomes_active(hall: Hall) -> None:
    nova = newcomer(hall).entries[0]
    for trial in ("self", "sparring"):
        (ticket,) = step(hall)
        assert kinds([ticket], nova) == [trial]
        assert step(hall) == [], "one at a time"
        assert entry_of(hall, nova).status == "validating"
        hall.tell(hall.player().play(ticket))
    assert {fixture.kind for fixture in hall.all(Fixture)} == {"validation"}
    assert step(hall) == []
    active = entry_of(hall, nova)
    assert (active.status, active.reason) == ("active", "")
    assert active.activated_us is not None


@pytest.mark.parametrize("players", [3, 4])
def test_a_newcomer_of_a_larger_table_meets_uniform_in_all_other_seats(hall: Hall, players: int) -> None:
    nova, uniform = newcomer(hall, players=players).entries
    for others in (nova, uniform):
        (ticket,) = step(hall)
        seated = sorted(seat.version for seat in ticket.seats)
        assert seated == sorted([nova.version_id] + [others.version_id] * (players - 1))
        hall.tell(hall.player().play(ticket))
    step(hall)
    assert entry_of(hall, nova).status == "active"


@pytest.mark.parametrize("sparring", [None, "failed", "withdrawn"])
def test_without_uniform_self_play_is_enough(hall: Hall, sparring: str | None) -> None:
    nova = newcomer(hall, sparring=sparring).entries[0]
    tickets = step(hall)
    assert kinds(tickets, nova) == ["self"]
    hall.tell(hall.player().play(tickets[0]))
    step(hall)
    assert entry_of(hall, nova).status == "active"


def test_while_uniform_is_validating_itself_a_newcomer_waits_for_it(hall: Hall) -> None:
    nova, uniform = newcomer(hall, sparring="validating").entries
    tickets = step(hall)
    assert len(tickets) == 2, "both play themselves"
    hall.tell(*(hall.player().play(ticket) for ticket in tickets))
    tickets = step(hall) + step(hall)
    assert entry_of(hall, uniform).status == "active"
    assert kinds(tickets, nova) == ["sparring"]
    hall.tell(hall.player().play(tickets[0]))
    step(hall)
    assert entry_of(hall, nova).status == "active"


def test_a_fault_fails_the_newcomer_with_what_where_and_why(hall: Hall) -> None:
    nova = newcomer(hall).entries[0]
    tickets = step(hall)
    itself = next(ticket for ticket in tickets if kinds([ticket], nova) == ["self"])
    hall.tell(hall.player(mishaps=[Mishap(1, 0, "illegal", "h7>c2 is not legal")]).play(itself))
    step(hall)
    failed = entry_of(hall, nova)
    assert failed.status == "failed"
    assert failed.reason == (
        f"validation failed: illegal in fixture {itself.fixture} against itself, leg 1, deal 0, seat 0: "
        "h7>c2 is not legal"
    )
    (notice,) = hall.all(Notice)
    assert (notice.account_id, notice.text) == (nova.owner_id, f"nova: short-5: {failed.reason}")


def test_a_fault_of_uniforms_fails_nobody(hall: Hall) -> None:
    nova, uniform = newcomer(hall).entries
    (itself,) = step(hall)
    hall.tell(hall.player().play(itself))
    (sparring,) = step(hall)
    mishap = Mishap(0, [seat.version for seat in sparring.seats].index(uniform.version_id))
    hall.tell(hall.player(mishaps=[mishap]).play(sparring))
    step(hall)
    assert entry_of(hall, nova).status == "active"


def test_a_bot_that_does_not_draw_itself_is_told_so_and_plays(hall: Hall) -> None:
    nova = newcomer(hall, sparring=None).entries[0]
    (ticket,) = step(hall)
    moods = iter(range(1_000_000))

    def moody(legal: Sequence[str]) -> str:
        return eager(legal) if next(moods) % 7 else idle(legal)

    report = hall.player(styles={nova.version_id: moody}).play(ticket)
    hall.tell(report)
    step(hall)
    level = report.legs[0].points == report.legs[1].points[::-1]
    assert entry_of(hall, nova).status == "active"
    points = {seat.points for seat in hall.seats(ticket.fixture)}
    assert entry_of(hall, nova).reason == ("" if len(points) == 1 or level else NOT_DETERMINISTIC)


def test_the_older_version_steps_down_only_when_the_newer_is_active(hall: Hall) -> None:
    table = newcomer(hall)
    nova = table.entries[0]
    with hall.database.transaction() as session:
        session.execute(update(Entry).where(Entry.id == nova.id).values(status="active"))
        second = make_entry(session, table.ladder, "nova", number=2, status="validating")
    for _ in range(2):
        (ticket,) = step(hall)
        assert entry_of(hall, nova).status == "active"
        hall.tell(hall.player().play(ticket))
    step(hall)
    old = entry_of(hall, nova)
    assert (old.status, old.reason) == ("superseded", "version 2 took its place")
    assert entry_of(hall, second).status == "active"


def test_a_failing_newer_version_leaves_the_older_one_alone(hall: Hall) -> None:
    table = newcomer(hall)
    nova = table.entries[0]
    with hall.database.transaction() as session:
        session.execute(update(Entry).where(Entry.id == nova.id).values(status="active"))
        second = make_entry(session, table.ladder, "nova", number=2, status="validating")
    for ticket in step(hall):
        hall.tell(hall.player(mishaps=[Mishap(0, 0), Mishap(1, 0)]).play(ticket))
    step(hall)
    assert (entry_of(hall, nova).status, entry_of(hall, second).status) == ("active", "failed")


def test_a_slower_older_version_does_not_push_out_a_newer_one(hall: Hall) -> None:
    table = newcomer(hall, sparring=None)
    nova = table.entries[0]
    (ticket,) = step(hall)
    with hall.database.transaction() as session:
        second = make_entry(session, table.ladder, "nova", number=2, status="validating")
    hall.tell(*(hall.player().play(other) for other in step(hall)))
    step(hall)
    assert (entry_of(hall, nova).status, entry_of(hall, second).status) == ("superseded", "active")
    hall.tell(hall.player().play(ticket))
    step(hall)
    assert (entry_of(hall, nova).status, entry_of(hall, second).status) == ("superseded", "active")


def test_an_older_version_brought_back_on_purpose_takes_over_when_it_passes(hall: Hall) -> None:
    table = newcomer(hall, sparring=None)
    nova = table.entries[0]
    with hall.database.transaction() as session:
        second = make_entry(session, table.ladder, "nova", number=2)
    hall.tell(*(hall.player().play(ticket) for ticket in step(hall)))
    step(hall)
    assert (entry_of(hall, nova).status, entry_of(hall, second).status) == ("active", "superseded")


def test_a_void_fixture_is_drawn_up_again_once_and_then_fails_the_entry(hall: Hall) -> None:
    nova = newcomer(hall, sparring=None).entries[0]
    for _ in range(2):
        (ticket,) = step(hall)
        with hall.database.transaction() as session:
            states.void(session, ticket.fixture, "no host could play it")
    assert step(hall) == []
    failed = entry_of(hall, nova)
    assert failed.status == "failed"
    assert failed.reason == (
        "validation failed: its fixtures could not be played; the last: no host could play it"
    )


@pytest.mark.parametrize("hindrance", ["paused ladder", "retired version", "withdrawn entry"])
def test_what_is_not_to_play_is_not_validated(hall: Hall, hindrance: str) -> None:
    table = newcomer(hall)
    with hall.database.transaction() as session:
        entry = session.get_one(Entry, table.entries[0].id)
        if hindrance == "paused ladder":
            session.merge(table.ladder).state = "paused"
        elif hindrance == "retired version":
            session.get_one(Version, entry.version_id).status = "retired"
        else:
            entry.status = "withdrawn"
    assert step(hall) == []
    with hall.database.reading() as session:
        assert session.scalars(select(Fixture)).all() == []
