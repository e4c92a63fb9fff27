"""Whatever is lost, repeated, late or spoilt, and in whatever order: every fixture ends once, and as it was played."""

import random

import pytest

from service.ledger import states
from service.ledger.sweeper import sweep
from service.messages import Report, Ticket
from service.models import Fixture, Match
from tests.service.ledger.conftest import Hall, Table, draw
from tests.service.ledger.playing import spoil

FIXTURES = 4
STEPS = 60
WORKERS = ("w1", "w2")


class Disorder:
    """Does one random thing after another, and forgets nothing that it may repeat."""

    def __init__(self, hall: Hall, chance: random.Random) -> None:
        self.hall = hall
        self.chance = chance
        self.tickets: list[Ticket] = []
        self.reports: list[Report] = []

    def step(self) -> None:
        """Let something happen."""
        happening = self.chance.choice(
            [self.dispatch, self.start, self.beat, self.play, self.report, self.spoil, self.lapse]
        )
        happening()

    def dispatch(self) -> None:
        """Send what is queued; all of it may arrive, or none."""
        self.tickets += self.hall.tickets()

    def any_ticket(self) -> Ticket | None:
        """A ticket of any age, rather a new one."""
        return self.chance.choice(self.tickets[-3:] + self.tickets) if self.tickets else None

    def start(self) -> None:
        """A worker starts a ticket, perhaps long after it was sent."""
        if ticket := self.any_ticket():
            self.hall.start(ticket, self.chance.choice(WORKERS))

    def beat(self) -> None:
        """A worker says that it holds one."""
        if ticket := self.any_ticket():
            self.hall.beat(ticket, worker=self.chance.choice(WORKERS))

    def play(self) -> None:
        """A worker plays one; its report is on its way."""
        if ticket := self.any_ticket():
            self.reports.append(self.hall.player(self.chance.choice(WORKERS)).play(ticket))

    def report(self) -> None:
        """A report arrives, perhaps not for the first time."""
        if self.reports:
            self.hall.tell(self.chance.choice(self.reports))

    def spoil(self) -> None:
        """An attempt breaks down."""
        if self.chance.random() < 0.3 and (ticket := self.any_ticket()):
            self.hall.tell(spoil(ticket, self.chance.choice(WORKERS)))

    def lapse(self) -> None:
        """A long silence."""
        if self.chance.random() < 0.5:
            self.hall.lapse()
        sweep(self.hall.database)


def settle(hall: Hall) -> None:
    """Let an orderly worker do the rest."""
    for _ in range(20):
        hall.lapse()
        sweep(hall.database)
        for ticket in hall.tickets():
            hall.tell(hall.player("w9").play(ticket))


@pytest.mark.parametrize("seed", range(6))
def test_every_fixture_ends_once_whatever_happens(hall: Hall, table: Table, seed: int) -> None:
    for _ in range(FIXTURES):
        draw(hall, table)
    disorder = Disorder(hall, random.Random(seed))
    finished: dict[str, int | None] = {}
    for _ in range(STEPS):
        disorder.step()
        for fixture in hall.all(Fixture):
            assert fixture.attempt <= len(disorder.tickets)
            if fixture.state in ("done", "void"):
                was = finished.setdefault(fixture.id, fixture.done_us)
                assert fixture.done_us == was, "what is final stays as it is"
    settle(hall)
    played = {"done": 0, "void": 0}
    for fixture in hall.all(Fixture):
        played[fixture.state] += 1
        assert fixture.starts <= states.MAX_STARTS
    assert len(hall.all(Match)) == 2 * played["done"]
    assert len({(match.fixture_id, match.leg) for match in hall.all(Match)}) == 2 * played["done"]
    assert [fixture.sequence for fixture in hall.all(Fixture)] == [1, 2, 3, 4]
