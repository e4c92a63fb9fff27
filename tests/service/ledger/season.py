"""A season on a real database without any play: drawn fixtures are decided by hidden skills, then rated."""

import random
from collections import Counter

from sqlalchemy import select, update

from service.ledger.matchmaker import draw_rounds
from service.models import Entry, Fixture, FixtureSeat, Ladder
from service.ratings.rater import rate
from service.storage.database import Database
from tests.service.ledger.factories import make_account, make_entry, make_ladder, make_worker

HOUSE = "house"

Meeting = tuple[int, tuple[str, ...]]
"""A fixture: its round, and the names that met."""


class Season:
    """Ladders on which everything drawn up is decided at once, when a test says so."""

    def __init__(self, database: Database, *, slots: int = 4, seed: int = 1) -> None:
        self.database = database
        self.now_us = 1_000_000
        self.names: dict[str, str] = {}
        self.skills: dict[str, float] = {}
        self.rng = random.Random(seed)
        with database.transaction() as session:
            make_worker(session, slots=slots).seen_us = 1 << 60

    def add_ladder(
        self,
        slug: str,
        names: list[str],
        *,
        profile: str = "short",
        players: int = 2,
        priority: int = 0,
        house: bool = False,
    ) -> None:
        """Open a ladder with these entries, each of an owner of its own, or all of the house."""
        with self.database.transaction() as session:
            make_ladder(session, slug, profile=profile, players=players, priority=priority)
            if house:
                make_account(session, HOUSE).is_house = True
        self.join(slug, names, owner=HOUSE if house else None)

    def join(self, slug: str, names: list[str], *, owner: str | None = None) -> None:
        """Let entries become active."""
        with self.database.transaction() as session:
            ladder = session.scalars(select(Ladder).where(Ladder.slug == slug)).one()
            for name in names:
                entry = make_entry(session, ladder, f"{slug}-{name}", owner=owner)
                self.names[entry.id] = name
                self.skills[entry.id] = self.rng.gauss(25, 5)

    def draw(self) -> int:
        """Let the matchmaker do its work once."""
        with self.database.transaction() as session:
            return draw_rounds(session, self.now_us)

    def decide(self, limit: int | None = None) -> None:
        """Decide what is drawn up, the oldest first, and rate it."""
        with self.database.transaction() as session:
            open_ids = session.scalars(
                select(Fixture.id).where(Fixture.state == "queued").order_by(Fixture.id).limit(limit)
            ).all()
            session.execute(
                update(Fixture).where(Fixture.id.in_(open_ids)).values(state="done", done_us=self.now_us)
            )
            tables: dict[str, list[FixtureSeat]] = {fixture_id: [] for fixture_id in open_ids}
            for seat in session.scalars(select(FixtureSeat).where(FixtureSeat.fixture_id.in_(open_ids))):
                tables[seat.fixture_id].append(seat)
            for seats in tables.values():
                shown = {seat: self.rng.gauss(self.skills[seat.entry_id], 4) for seat in seats}
                for place, seat in enumerate(sorted(seats, key=shown.__getitem__, reverse=True), start=1):
                    seat.place = place
            ladders = session.scalars(select(Ladder.id)).all()
        for ladder_id in ladders:
            rate(self.database, ladder_id)

    def play_rounds(self, slug: str, rounds: int) -> None:
        """Draw and decide until so many rounds of the ladder are complete."""
        with self.database.reading() as session:
            last = session.scalars(select(Ladder.round).where(Ladder.slug == slug)).one() + rounds
        while self.round(slug) <= last:
            self.draw()
            self.decide()

    def round(self, slug: str) -> int:
        """The round the ladder is in."""
        with self.database.reading() as session:
            return session.scalars(select(Ladder.round).where(Ladder.slug == slug)).one()

    def meetings(self, slug: str) -> list[Meeting]:
        """All fixtures of the ladder in the order they were drawn up."""
        with self.database.reading() as session:
            rows = session.execute(
                select(Fixture.sequence, Fixture.round, FixtureSeat.entry_id)
                .join(FixtureSeat, FixtureSeat.fixture_id == Fixture.id)
                .join(Ladder, Ladder.id == Fixture.ladder_id)
                .where(Ladder.slug == slug)
                .order_by(Fixture.sequence, FixtureSeat.entry_id)
            ).all()
        tables: dict[tuple[int, int], list[str]] = {}
        for sequence, round_number, entry_id in rows:
            tables.setdefault((sequence, round_number), []).append(self.names[entry_id])
        return [(round_number, tuple(names)) for (_, round_number), names in tables.items()]

    def played(self, slug: str, rounds: range) -> Counter[str]:
        """Fixtures by name within these rounds."""
        return Counter(
            name for round_number, names in self.meetings(slug) if round_number in rounds for name in names
        )

    def entry(self, name: str) -> Entry:
        """The entry of that name as it is now."""
        entry_id = next(entry_id for entry_id, known in self.names.items() if known == name)
        with self.database.reading() as session:
            return session.get_one(Entry, entry_id)
