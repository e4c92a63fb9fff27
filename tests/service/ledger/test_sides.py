"""Fixtures of partners and of many seats, from the queue to the ratings, played in the real sandbox."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, update

from engine.fixture import participant
from service.bots.archive import canonical_zip
from service.fixtures.challenges import challenge
from service.fixtures.matches import match_view, stderr_digest
from service.fixtures.queries import fixture_view
from service.ledger.recorder import Outcome, record
from service.messages import Report, Ticket
from service.models import Account, Bundle, Entry, Fault, Fixture, Match
from service.ratings.rater import rate, rebuild
from service.refusals import InvalidError, UnknownError
from tests.service.ledger.conftest import Hall, Table, draw, seat_table
from tests.service.ledger.playing import Mishap
from tests.workers.playing import bot, house
from workers.bundles import BundleCache
from workers.places import take_place
from workers.programs import Sandbox
from workers.referee.fixture import play_fixture
from workers.sandbox import choose_sandbox

TALKER = bot(
    hello='say({"type": "ready"}); sys.stderr.write(str(message["seat"]))',
    act='say({"act": 0})',
)


class Referee:
    """Plays tickets as a worker does, in the sandbox of this host."""

    def __init__(self, hall: Hall, sandbox: Sandbox, bundles: Path, slot: int) -> None:
        self._hall = hall
        self._sandbox = sandbox
        self._bundles = BundleCache(hall.blobs, bundles)
        self._slot = slot

    def play(self, ticket: Ticket) -> Report:
        """Play all legs."""
        return play_fixture(
            ticket,
            sandbox=self._sandbox,
            bundles=self._bundles,
            blobs=self._hall.blobs,
            worker="w1",
            slot=self._slot,
            pulse=lambda: None,
        )


@pytest.fixture
def referee(hall: Hall) -> Iterator[Referee]:
    """Somebody who plays in the real sandbox."""
    place = take_place("local", 1)
    yield Referee(hall, choose_sandbox("S3"), place.bundles, place.slots[0])
    place.release()


def give_programs(hall: Hall, table: Table, programs: list[bytes]) -> None:
    """Let the table's entries run these programs."""
    with hall.database.transaction() as session:
        for entry, program in zip(table.entries, programs, strict=True):
            digest = hall.blobs.put("bundle", canonical_zip({"main.py": program}))
            session.execute(update(Bundle).where(Bundle.version_id == entry.version_id).values(digest=digest))


def play_one(hall: Hall, table: Table, referee: Referee, programs: list[bytes]) -> Ticket:
    """Draw, dispatch, play, record and rate a fixture; return its ticket."""
    give_programs(hall, table, programs)
    drawn = draw(hall, table)
    (ticket,) = hall.tickets()
    assert ticket.fixture == drawn
    hall.start(ticket)
    assert record(hall.database, hall.blobs, referee.play(ticket)) is Outcome.RECORDED
    assert rate(hall.database, table.ladder.id) == 1
    return ticket


@pytest.mark.parametrize(
    ("profile", "players", "sides", "target"),
    [("forty-five", 4, 2, 20), ("forty-five", 6, 2, 15), ("spoil-five", 5, 5, 12), ("short", 3, 3, 10)],
)
def test_a_fixture_goes_all_the_way_whatever_its_seats_and_sides(
    hall: Hall, referee: Referee, profile: str, players: int, sides: int, target: int
) -> None:
    table = seat_table(hall, players, profile, target)
    ticket = play_one(hall, table, referee, [house("uniform")] * sides)
    assert len(ticket.seats) == sides
    with hall.database.reading() as session:
        view = fixture_view(session, ticket.fixture)
        matches = session.scalars(select(Match).order_by(Match.leg)).all()
        entries = {entry.id: entry for entry in session.scalars(select(Entry))}
    assert (view.state, view.rated, view.players, len(view.legs)) == ("done", True, players, sides)
    assert [len(match.points) for match in matches] == [players] * sides
    totals = [
        sum(match.points[seat] for match in matches for seat in (_seat(who, match.leg, sides),))
        for who in range(sides)
    ]
    assert view.aggregate == totals
    assert [seat.place for seat in view.seats] == [1 + sum(t > total for t in totals) for total in totals]
    versions = [seat.version for seat in ticket.seats]
    bots = [f"bot-{[entry.version_id for entry in table.entries].index(version)}" for version in versions]
    assert [seat.bot for seat in view.seats] == bots
    for leg in view.legs:
        assert leg.bots == [bots[participant(leg.leg, seat, sides)] for seat in range(players)]
    assert {entry.fixtures for entry in entries.values()} == {1}
    outcomes = [(entry.wins, entry.draws, entry.losses) for entry in entries.values()]
    assert all(sum(outcome) == 1 for outcome in outcomes)
    assert all(entry.mu != 25.0 or entry.sigma < 25 / 3 for entry in entries.values())
    assert rebuild(hall.database, table.ladder.id).identical


def _seat(who: int, leg: int, sides: int) -> int:
    """A participant's first seat in a leg; partners' others have the same points."""
    return (who - leg) % sides


def test_what_partners_wrote_is_kept_by_seat_and_shown_to_their_owner_alone(
    hall: Hall, referee: Referee
) -> None:
    table = seat_table(hall, 4, "forty-five", 5)
    play_one(hall, table, referee, [TALKER, TALKER])
    with hall.database.reading() as session:
        match = session.scalars(select(Match).where(Match.leg == 1)).one()
        view = match_view(session, match.id)
        owners = {account.name: account for account in session.scalars(select(Account))}
        assert [seat.bot for seat in view.seats[:2]] == [seat.bot for seat in view.seats[2:]]
        for seat in view.seats:
            digest = stderr_digest(session, match.id, seat.seat, owners[seat.owner])
            assert digest is not None
            assert hall.blobs.get("text", digest) == str(seat.seat).encode()
            stranger = next(owner for name, owner in owners.items() if name != seat.owner)
            with pytest.raises(UnknownError):
                stderr_digest(session, match.id, seat.seat, stranger)
        with pytest.raises(InvalidError, match="seats 0 to 3"):
            stderr_digest(session, match.id, 4, next(iter(owners.values())))


def test_a_fault_of_any_partner_is_charged_to_the_side(hall: Hall) -> None:
    table = seat_table(hall, 4, "forty-five", 45)
    drawn = draw(hall, table)
    (ticket,) = hall.tickets()
    report = hall.player(mishaps=[Mishap(leg=0, seat=3), Mishap(leg=1, seat=2)]).play(ticket)
    assert record(hall.database, hall.blobs, report) is Outcome.RECORDED
    seats = hall.seats(drawn)
    # Seat 3 of leg 0 and seat 2 of leg 1 are both participant 1's.
    assert [(seat.place, seat.faulted_legs) for seat in seats] == [(1, 0), (2, 2)]
    assert {fault.version_id for fault in hall.all(Fault)} == {seats[1].version_id}
    assert [match.reason for match in hall.all(Match)] == ["fault", "fault"]


def test_a_challenge_names_one_bot_a_side(hall: Hall) -> None:
    table = seat_table(hall, 4, "forty-five", 45)
    with hall.database.transaction() as session:
        session.execute(update(Entry).values(activated_us=1))
    with hall.database.transaction() as session:
        account = session.scalars(select(Account)).first()
        assert account is not None
        with pytest.raises(InvalidError, match="between 2 bots, each in 2 seats; 4 were named"):
            challenge(session, account, table.ladder, ["bot-0", "bot-1"] * 2)
        fixture = challenge(session, account, table.ladder, ["bot-0", "bot-1"])
        assert (fixture.players, fixture.kind) == (4, "challenge")
    assert len(hall.seats(hall.all(Fixture)[0].id)) == 2
