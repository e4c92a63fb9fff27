"""A ladder with fixtures whose results a test decides, in the order it likes."""

import random
from collections.abc import Iterable, Sequence

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from service.fixtures.drawing import draw_fixture
from service.ledger.states import void
from service.models import Entry, Fixture, FixtureSeat, Ladder
from service.ratings.book import standing_of
from service.ratings.results import Standing
from service.storage.database import Database
from tests.service.ledger.factories import make_entry, make_ladder


class League:
    """Entries on one ladder, and fixtures drawn up between them that have not been played."""

    def __init__(
        self, database: Database, *, slug: str = "short-5", players: int = 2, entries: int = 4
    ) -> None:
        self.database = database
        with database.transaction() as session:
            ladder = make_ladder(session, slug, players=players)
            self.ladder_id = ladder.id
            self.entry_ids = [make_entry(session, ladder, f"{slug}-{n}").id for n in range(entries)]
        self.fixture_ids: list[str] = []

    def draw(self, tables: Iterable[Sequence[int]]) -> None:
        """Draw up fixtures; a table names its entries by number."""
        with self.database.transaction() as session:
            ladder = session.get_one(Ladder, self.ladder_id)
            for table in tables:
                seated = [session.get_one(Entry, self.entry_ids[number]) for number in table]
                fixture = draw_fixture(
                    session, ladder=ladder, kind="ladder", entries=seated, owner_id=seated[0].owner_id
                )
                self.fixture_ids.append(fixture.id)

    def draw_at_random(self, fixtures: int, players: int, rng: random.Random) -> None:
        """Draw up fixtures between entries chosen by `rng`."""
        numbers = range(len(self.entry_ids))
        self.draw([rng.sample(numbers, players) for _ in range(fixtures)])

    def arrive(self, number: int, places: Sequence[int], faulted: Sequence[int] = ()) -> None:
        """Let the result of the fixture with this number (from 0) arrive; places by entry, in order of entry ids."""
        with self.database.transaction() as session:
            fixture_id = self.fixture_ids[number]
            session.execute(
                update(Fixture)
                .where(Fixture.id == fixture_id)
                .values(state="done", done_us=1_000_000 * (number + 1))
            )
            seats = session.scalars(
                select(FixtureSeat).where(FixtureSeat.fixture_id == fixture_id).order_by(FixtureSeat.entry_id)
            ).all()
            for index, (seat, place) in enumerate(zip(seats, places, strict=True)):
                seat.place = place
                seat.faulted_legs = int(index in faulted)

    def void(self, number: int) -> None:
        """Void a fixture as an operator does."""
        with self.database.transaction() as session:
            void(session, self.fixture_ids[number], "the worker's memory was faulty")

    def standings(self) -> list[Standing]:
        """What the table shows, by number of entry."""
        with self.database.reading() as session:
            return [standing_of(entry) for entry in self.entries(session)]

    def entries(self, session: Session) -> list[Entry]:
        """The entries by number."""
        return [session.get_one(Entry, entry_id) for entry_id in self.entry_ids]

    def ladder(self) -> Ladder:
        """The ladder's row as it is now."""
        with self.database.reading() as session:
            return session.get_one(Ladder, self.ladder_id)


def random_places(players: int, rng: random.Random) -> list[int]:
    """A finishing order, now and then with ties."""
    scores = [rng.randrange(2 * players) for _ in range(players)]
    return [1 + sum(other > score for other in scores) for score in scores]
