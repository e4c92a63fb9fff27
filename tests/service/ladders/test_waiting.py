"""A ladder on which nothing is played says in a sentence what it waits for."""

import pytest
from sqlalchemy import select, update

from service.ladders.waiting import reasons
from service.models import Entry, Fixture, Ladder, Worker
from service.storage.clock import SECOND_US
from service.storage.database import Database
from tests.service.ledger.season import Season


def waiting(database: Database) -> dict[str, str]:
    """What each ladder waits for, by slug."""
    with database.reading() as session:
        ladders = session.scalars(select(Ladder)).all()
        found = reasons(session, ladders)
        return {ladder.slug: found[ladder.id] for ladder in ladders}


@pytest.fixture
def season(database: Database) -> Season:
    """One slot; a ladder that is served alone, and another."""
    season = Season(database, slots=1)
    season.add_ladder("first", ["uniform", "greedy"], priority=1, house=True)
    season.add_ladder("second", ["uniform", "greedy"], house=True)
    return season


def test_it_names_the_ladder_the_slots_are_on(season: Season, database: Database) -> None:
    season.draw()
    assert waiting(database) == {
        "first": "",
        "second": "waiting: the slots are on first; 6 fixtures outstanding",
    }
    season.decide(5)
    assert waiting(database)["second"] == "waiting: the slots are on first; 1 fixture outstanding"
    season.decide()
    assert set(waiting(database).values()) == {"waiting: its next fixtures are about to be drawn up"}


def test_the_busiest_are_named_and_the_others_counted(season: Season, database: Database) -> None:
    for number in range(5):
        season.add_ladder(f"cup-{number}", ["a", "b"])
    for slots in (1, 20):
        with database.transaction() as session:
            session.execute(update(Worker).values(slots=slots))
        season.draw()
    assert waiting(database)["first"] == ""
    assert not any(reason for slug, reason in waiting(database).items() if slug.startswith("cup"))
    with database.transaction() as session:
        counts = {"cup-0": 4, "cup-1": 3, "cup-2": 2, "cup-3": 1}
        ids = {ladder.slug: ladder.id for ladder in session.scalars(select(Ladder))}
        for fixture in session.scalars(select(Fixture)):
            fixture.state = "done"
        for slug, count in counts.items():
            for fixture in session.scalars(
                select(Fixture).where(Fixture.ladder_id == ids[slug]).order_by(Fixture.id).limit(count)
            ):
                fixture.state = "queued"
    said = "waiting: the slots are on cup-0, cup-1, cup-2 and 1 more; 10 fixtures outstanding"
    assert waiting(database)["second"] == said


def test_it_says_that_there_are_too_few_or_no_worker(season: Season, database: Database) -> None:
    season.add_ladder("table", ["a", "b"], profile="short", players=4)
    season.add_ladder("nobody", [])
    assert waiting(database)["table"] == "waiting: a fixture takes 4 bots, and 2 can play here"
    assert waiting(database)["nobody"] == "waiting: a fixture takes 2 bots, and none can play here"
    with database.transaction() as session:
        session.execute(update(Worker).values(stopped=True))
    assert waiting(database)["second"] == "waiting: no play worker was heard of lately"


def test_a_settled_ladder_is_at_rest_until_its_next_round(season: Season, database: Database) -> None:
    with database.transaction() as session:
        session.execute(update(Entry).values(fixtures=200))
        session.execute(update(Ladder).values(next_round_us=1 << 60))
    assert set(waiting(database).values()) == {
        "at rest: its ranks are settled, so that a fixture is played only now and then"
    }
    with database.transaction() as session:
        session.execute(update(Ladder).values(next_round_us=SECOND_US))
    assert "at rest" not in str(waiting(database))


@pytest.mark.parametrize("state", ["paused", "closing", "closed"])
def test_of_a_ladder_that_is_not_open_its_state_says_all(
    season: Season, database: Database, state: str
) -> None:
    with database.transaction() as session:
        session.execute(update(Ladder).values(state=state))
    assert set(waiting(database).values()) == {""}
