"""Among ladders: whoever arrives plays at once wherever that is, and no ladder is left out for it."""

from pathlib import Path

import pytest
from sqlalchemy import select

from service.blobs import FolderBlobs
from service.ledger.matchmaker import HIGH_PER_SLOT
from service.ledger.newcomers import enter_ladders
from service.models import Bot, Bundle, Entry, Ladder, Version
from service.ratings.results import ESTABLISHED_AT
from service.seeding import seed
from service.storage.database import Database
from tests.service.ledger.season import Season

FOREMOST = "classic-50"
FIVE = "spoil-five-points-30"
PARTNERS = "skip-bo-partners-500"


@pytest.fixture
def season(database: Database, tmp_path: Path) -> Season:
    """A new installation with one slot: all ladders, and the house's bots on them, which have not played yet."""
    season = Season(database, slots=1)
    seed(database, FolderBlobs(tmp_path / "blobs"))
    with database.transaction() as session:
        for version in session.scalars(select(Version)).all():
            version.status = "built"
            session.add(Bundle(version_id=version.id, runtime="python", digest=version.source_digest))
            enter_ladders(session, version)
    with database.reading() as session:
        for entry_id, name in session.execute(select(Entry.id, Bot.name).join(Bot, Bot.id == Entry.bot_id)):
            season.names[entry_id] = name
            season.skills[entry_id] = season.rng.gauss(25, 5)
    return season


def ladders(season: Season) -> list[str]:
    """All ladders."""
    with season.database.reading() as session:
        return list(session.scalars(select(Ladder.slug)))


def drawn(season: Season) -> dict[str, int]:
    """How many fixtures were drawn up for each ladder."""
    return {slug: len(season.meetings(slug)) for slug in ladders(season)}


def has_met(season: Season, slug: str, name: str) -> bool:
    """Whether the bot is seated in any fixture of the ladder."""
    return any(name in table for _, table in season.meetings(slug))


def test_who_comes_before_the_house_has_played_is_seated_at_once_on_any_ladder(season: Season) -> None:
    season.join(FIVE, ["ada"], owner="ada")
    season.join(PARTNERS, ["bob"], owner="bob")
    season.draw()
    season.decide()
    season.draw()
    assert has_met(season, FIVE, "ada")
    assert has_met(season, PARTNERS, "bob")
    counted = drawn(season)
    assert sum(counted.values()) == 2 * HIGH_PER_SLOT
    assert {slug for slug, count in counted.items() if count} <= {FOREMOST, FIVE, PARTNERS}


def test_who_comes_while_the_foremost_ladder_is_being_founded_is_seated_in_the_next_fixtures(
    season: Season,
) -> None:
    for _ in range(10):
        season.draw()
        season.decide()
    assert set(drawn(season).values()) == {0, 10 * HIGH_PER_SLOT}
    season.join(FIVE, ["ada"], owner="ada")
    season.join(PARTNERS, ["bob"], owner="bob")
    season.draw()
    assert has_met(season, PARTNERS, "bob")
    season.decide()
    season.draw()
    assert has_met(season, FIVE, "ada")


def test_several_ladders_somebody_waits_on_share_with_the_foremost_and_nobody_else(season: Season) -> None:
    season.join(FIVE, ["ada"], owner="ada")
    season.join(PARTNERS, ["bob"], owner="bob")
    while season.entry("ada").fixtures < ESTABLISHED_AT:
        season.draw()
        season.decide()
    counted = drawn(season)
    served = [counted.pop(slug) for slug in (FOREMOST, FIVE, PARTNERS)]
    assert max(served) - min(served) <= 2 * HIGH_PER_SLOT
    assert not any(counted.values())


def test_where_arrivals_never_cease_the_house_founds_its_ladders_all_the_same(database: Database) -> None:
    season = Season(database, slots=1)
    season.add_ladder("club", ["n0", "n1", "n2"])
    for number in range(6):
        season.add_ladder(f"cup-{number}", ["uniform", "greedy"], house=True)
    for number in range(30):
        season.join("club", [f"new{number}"])
        season.draw()
        season.decide()
    counted = drawn(season)
    club = counted.pop("club")
    assert club >= 0.6 * (club + sum(counted.values()))
    assert min(counted.values()) > 0
    assert max(counted.values()) - min(counted.values()) <= HIGH_PER_SLOT


def test_somebody_who_arrives_does_not_wait_for_another_who_has_begun(database: Database) -> None:
    season = Season(database, slots=1)
    season.add_ladder("idle", ["uniform", "greedy"], house=True)
    season.add_ladder("busy", ["n0", "n1"])
    for _ in range(5):
        season.draw()
        season.decide()
    season.join("idle", ["ada"])
    season.draw()
    season.decide()
    season.join("busy", ["bob"])
    season.draw()
    assert has_met(season, "idle", "ada")
    assert has_met(season, "busy", "bob")


def test_an_entry_with_nothing_to_run_is_waited_on_by_nobody(database: Database) -> None:
    season = Season(database, slots=1)
    season.add_ladder("other", ["uniform", "greedy", "planner"], house=True)
    season.join("other", ["lost"])
    season.add_ladder("first", ["uniform", "greedy"], priority=1, house=True)
    with database.transaction() as session:
        version_id = season.entry("lost").version_id
        session.delete(session.scalars(select(Bundle).where(Bundle.version_id == version_id)).one())
    season.draw()
    assert drawn(season) == {"first": HIGH_PER_SLOT, "other": 0}
