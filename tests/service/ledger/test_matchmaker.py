"""Nobody starves, newcomers come first, near ranks meet, and the queue holds seconds of play."""

from itertools import pairwise

import pytest
from sqlalchemy import case, delete, select, update
from sqlalchemy.orm import Session

from service.ledger.matchmaker import BURST_PRIORITY, HIGH_PER_SLOT, LOW_PER_SLOT, REST_US, draw_rounds
from service.ledger.turns import HOUSE_SETTLED_AT, SETTLED_AT
from service.models import Account, Bundle, Entry, Fixture, FixtureSeat, Ladder, Worker
from service.ratings.results import ESTABLISHED_AT
from service.storage.clock import SECOND_US
from service.storage.database import Database
from tests.service.ledger.season import Season

ROUNDS = range(1, 51)


def names(count: int) -> list[str]:
    """Names of entries."""
    return [f"n{number:02}" for number in range(count)]


def settle(season: Season, fixtures: int = SETTLED_AT) -> None:
    """Let every entry have played so many fixtures."""
    with season.database.transaction() as session:
        session.execute(update(Entry).values(fixtures=fixtures, sigma=1.0, provisional=False))


def longest_wait(season: Season, slug: str, name: str, rounds: range) -> int:
    """The most rounds from one the entry was seated in to the next."""
    seated = [number for number, table in season.meetings(slug) if name in table and number in rounds]
    return max(later - earlier for earlier, later in pairwise([rounds.start - 1, *seated, rounds.stop]))


@pytest.mark.parametrize(("entries", "players"), [(2, 2), (3, 2), (5, 2), (8, 2), (5, 3), (7, 4)])
def test_everybody_plays_three_quarters_of_the_mean_and_waits_three_rounds_at_most(
    database: Database, entries: int, players: int
) -> None:
    season = Season(database)
    season.add_ladder("cup", names(entries), players=players)
    season.play_rounds("cup", len(ROUNDS))
    played = season.played("cup", ROUNDS)
    mean = sum(played.values()) / entries
    assert min(played[name] for name in names(entries)) >= 0.75 * mean
    assert max(longest_wait(season, "cup", name, ROUNDS) for name in names(entries)) <= 3


def test_newcomers_do_not_take_more_than_the_others_can_spare(database: Database) -> None:
    season = Season(database)
    season.add_ladder("cup", names(12))
    settle(season, ESTABLISHED_AT)
    for number in range(10):
        season.join("cup", [f"new{number}"])
        season.play_rounds("cup", 5)
    played = season.played("cup", ROUNDS)
    mean = sum(played[name] for name in names(12)) / 12
    assert min(played[name] for name in names(12)) >= 0.75 * mean
    assert max(longest_wait(season, "cup", name, ROUNDS) for name in names(12)) <= 3


def test_a_newcomer_is_established_within_a_burst_of_half_the_capacity(database: Database) -> None:
    season = Season(database, slots=2)
    season.add_ladder("cup", names(24))
    season.play_rounds("cup", 12)
    settle(season, ESTABLISHED_AT)
    before = len(season.meetings("cup"))
    season.join("cup", ["new"])
    while season.entry("new").fixtures < ESTABLISHED_AT:
        season.draw()
        season.decide()
    drawn = season.meetings("cup")[before:]
    assert len(drawn) <= 2 * ESTABLISHED_AT + HIGH_PER_SLOT * 2
    opponents = [table for _, table in drawn if "new" in table]
    assert len(set(opponents)) >= 20


def test_of_what_is_drawn_up_at_once_at_most_half_is_additional(database: Database) -> None:
    season = Season(database, slots=2)
    season.add_ladder("cup", names(12))
    season.play_rounds("cup", 10)
    settle(season, ESTABLISHED_AT)
    season.join("cup", ["new"])
    drawn = season.draw()
    with database.reading() as session:
        additional = select(Fixture).where(Fixture.state == "queued", Fixture.priority >= BURST_PRIORITY)
        count = len(session.scalars(additional).all())
    assert 0 < count <= drawn // 2


def test_newcomers_play_in_the_round_that_is_on_when_they_arrive(database: Database) -> None:
    season = Season(database, slots=1)
    season.add_ladder("cup", names(30))
    season.draw()
    settle(season, ESTABLISHED_AT)
    season.join("cup", ["new"])
    season.decide()
    season.draw()
    number, _ = season.meetings("cup")[-1]
    assert number == 1
    assert season.entry("new").last_round == 1


def test_the_same_state_gives_the_same_tables(database: Database) -> None:
    season = Season(database)
    season.add_ladder("cup", names(9))
    season.play_rounds("cup", 2)

    def drawn(session: Session) -> list[tuple[int, list[str]]]:
        draw_rounds(session, season.now_us)
        fixtures = session.scalars(
            select(Fixture).where(Fixture.state == "queued").order_by(Fixture.sequence)
        ).all()
        seats = select(FixtureSeat.entry_id).order_by(FixtureSeat.entry_id)
        return [
            (fixture.round, list(session.scalars(seats.where(FixtureSeat.fixture_id == fixture.id))))
            for fixture in fixtures
        ]

    outcomes = []
    for _ in range(2):
        with database.engine.connect() as connection, Session(connection) as session:
            outcomes.append(drawn(session))
            session.rollback()
    assert outcomes[0]
    assert outcomes[0] == outcomes[1]


def test_the_queue_is_filled_to_seconds_of_play_and_only_when_it_runs_low(database: Database) -> None:
    season = Season(database, slots=3)
    season.add_ladder("cup", names(40))
    assert season.draw() == HIGH_PER_SLOT * 3
    assert season.draw() == 0
    season.decide((HIGH_PER_SLOT - LOW_PER_SLOT) * 3)
    assert season.draw() == 0
    season.decide(1)
    assert season.draw() == (HIGH_PER_SLOT - LOW_PER_SLOT) * 3 + 1


@pytest.mark.parametrize("values", [{"stopped": True}, {"barred": True}, {"seen_us": 0}])
def test_nothing_is_drawn_up_without_a_live_worker(database: Database, values: dict[str, object]) -> None:
    season = Season(database)
    season.add_ladder("cup", names(4))
    with database.transaction() as session:
        session.execute(update(Worker).values(values))
    assert season.draw() == 0


@pytest.mark.parametrize("status", ["validating", "failed", "suspended", "withdrawn", "superseded"])
def test_only_active_entries_are_seated(database: Database, status: str) -> None:
    season = Season(database)
    season.add_ladder("cup", names(3))
    with database.transaction() as session:
        session.execute(update(Entry).where(Entry.id == season.entry("n01").id).values(status=status))
    season.play_rounds("cup", 3)
    assert set(season.played("cup", ROUNDS)) == {"n00", "n02"}


def test_too_few_entries_make_no_table(database: Database) -> None:
    season = Season(database)
    season.add_ladder("cup", names(3), players=4)
    season.add_ladder("lonely", ["n00"])
    assert season.draw() == 0


def test_an_entry_with_nothing_to_run_holds_nobody_up(database: Database) -> None:
    season = Season(database)
    season.add_ladder("cup", names(3))
    with database.transaction() as session:
        session.execute(delete(Bundle).where(Bundle.version_id == season.entry("n01").version_id))
    assert season.draw() > 0
    assert set(season.played("cup", ROUNDS)) == {"n00", "n02"}


@pytest.mark.parametrize("state", ["paused", "closing", "closed"])
def test_only_open_ladders_are_played_on(database: Database, state: str) -> None:
    season = Season(database)
    season.add_ladder("cup", names(4))
    with database.transaction() as session:
        session.execute(update(Ladder).values(state=state))
    assert season.draw() == 0


def test_two_versions_of_one_owner_meet_only_when_nothing_else_is_left(database: Database) -> None:
    season = Season(database)
    season.add_ladder("cup", names(4))
    season.join("cup", ["twin-a", "twin-b"], owner="ada")
    season.play_rounds("cup", 15)
    assert not [table for _, table in season.meetings("cup") if table == ("twin-a", "twin-b")]
    with database.transaction() as session:
        session.execute(
            update(Entry).where(Entry.owner_id != season.entry("twin-a").owner_id).values(status="withdrawn")
        )
    before = len(season.meetings("cup"))
    season.play_rounds("cup", 2)
    assert {table for _, table in season.meetings("cup")[before:]} == {("twin-a", "twin-b")}


def test_house_bots_meet_each_other_freely(database: Database) -> None:
    season = Season(database)
    season.add_ladder("cup", ["n00"])
    season.join("cup", ["uniform", "greedy", "planner"], owner="house")
    with database.transaction() as session:
        session.execute(update(Account).where(Account.name == "house").values(is_house=True))
    season.play_rounds("cup", 9)
    tables = {table for _, table in season.meetings("cup")}
    assert len(tables) == 6


def test_near_ranks_meet_once_ratings_are_known(database: Database) -> None:
    season = Season(database)
    season.add_ladder("cup", names(16))
    with database.transaction() as session:
        for entry_id, name in season.names.items():
            entry = session.get_one(Entry, entry_id)
            entry.mu, entry.sigma, entry.fixtures = 2.0 * int(name[1:]), 0.5, 100
    season.draw()
    apart = [abs(int(one[1:]) - int(other[1:])) for _, (one, other) in season.meetings("cup")]
    # At random it would be 17 / 3.
    assert sum(apart) / len(apart) < 3


def test_recent_opponents_are_avoided(database: Database) -> None:
    season = Season(database)
    season.add_ladder("cup", names(16))
    season.play_rounds("cup", 12)
    last: dict[tuple[str, ...], int] = {}
    soon = 0
    meetings = season.meetings("cup")
    for number, table in meetings:
        soon += number - last.get(table, -9) <= 3
        last[table] = number
    # At random one meeting in five would be with somebody of the last three rounds.
    assert soon <= len(meetings) / 40


def test_the_first_ladder_is_served_alone_while_it_is_founded(database: Database) -> None:
    season = Season(database, slots=2)
    season.add_ladder("second", names(3), priority=1, house=True)
    season.add_ladder("first", names(3), priority=2, house=True)
    while len(season.meetings("first")) < 30:
        season.draw()
        season.decide()
    assert not season.meetings("second")


def test_a_newcomer_on_the_first_ladder_does_not_wait_for_another_to_be_founded(database: Database) -> None:
    season = Season(database, slots=2)
    season.add_ladder("second", names(6), priority=1, house=True)
    season.add_ladder("third", names(6), house=True)
    season.add_ladder("first", names(6), priority=2)
    with database.transaction() as session:
        first = session.scalars(select(Ladder).where(Ladder.slug == "first")).one()
        session.execute(update(Entry).where(Entry.ladder_id == first.id).values(fixtures=ESTABLISHED_AT))
    season.join("first", ["new"])
    while season.entry("new").fixtures < ESTABLISHED_AT:
        season.draw()
        season.decide()
    shares = {slug: len(season.meetings(slug)) for slug in ("first", "second", "third")}
    assert shares["first"] >= 0.6 * sum(shares.values())
    assert min(shares["second"], shares["third"]) >= sum(shares.values()) / 16


def test_ladders_without_newcomers_have_equal_shares(database: Database) -> None:
    season = Season(database, slots=2)
    season.add_ladder("second", names(5))
    season.add_ladder("first", names(9), priority=2)
    settle(season, ESTABLISHED_AT)
    for _ in range(12):
        season.draw()
        season.decide()
    first, second = len(season.meetings("first")), len(season.meetings("second"))
    assert abs(first - second) <= 0.25 * (first + second)


def test_an_arrival_on_one_of_many_ladders_gets_half_of_what_is_played(database: Database) -> None:
    season = Season(database, slots=2)
    for number in range(20):
        season.add_ladder(f"cup-{number:02}", names(4))
    settle(season, ESTABLISHED_AT)
    before = {f"cup-{number:02}": 0 for number in range(20)}
    season.join("cup-13", ["new"])
    while season.entry("new").fixtures < ESTABLISHED_AT:
        season.draw()
        season.decide()
    played = {slug: len(season.meetings(slug)) for slug in before}
    assert played["cup-13"] >= 0.4 * sum(played.values())
    # What it takes on a ladder of its own, and as much again for all the others.
    assert sum(played.values()) <= 2.5 * (2 * ESTABLISHED_AT + HIGH_PER_SLOT * 2)


def test_thirty_ladders_without_newcomers_have_equal_shares_and_none_is_left_out(database: Database) -> None:
    season = Season(database, slots=1)
    for number in range(30):
        season.add_ladder(f"cup-{number:02}", names(3), priority=number % 3)
    settle(season, ESTABLISHED_AT)
    for _ in range(40):
        season.draw()
        season.decide()
    played = [len(season.meetings(f"cup-{number:02}")) for number in range(30)]
    assert max(played) - min(played) <= 3
    assert min(played) >= 3


def test_ladders_share_the_time_and_not_the_number_of_fixtures(database: Database) -> None:
    season = Season(database, slots=1)
    season.add_ladder("long", names(4))
    season.add_ladder("short", names(4))
    settle(season, ESTABLISHED_AT)
    with database.reading() as session:
        long = session.scalars(select(Ladder.id).where(Ladder.slug == "long")).one()
    for _ in range(40):
        season.draw()
        season.decide()
        took = case((Fixture.ladder_id == long, 5 * SECOND_US), else_=SECOND_US)
        with database.transaction() as session:
            session.execute(update(Fixture).values(started_us=Fixture.done_us - took))
    played = {slug: len(season.meetings(slug)) for slug in ("long", "short")}
    assert 3 <= played["short"] / played["long"] <= 6


def test_ladders_being_founded_share_alike_once_the_foremost_stands(database: Database) -> None:
    season = Season(database, slots=2)
    for number in range(12):
        season.add_ladder(f"cup-{number:02}", names(3))
    season.add_ladder("first", names(3), priority=9)
    with database.transaction() as session:
        first = session.scalars(select(Ladder).where(Ladder.slug == "first")).one()
        session.execute(update(Entry).where(Entry.ladder_id == first.id).values(fixtures=ESTABLISHED_AT))
    for _ in range(20):
        season.draw()
        season.decide()
    founded = [len(season.meetings(f"cup-{number:02}")) for number in range(12)]
    assert max(founded) - min(founded) <= 3
    assert 0 < len(season.meetings("first")) < min(founded)


def test_a_ladder_at_rest_leaves_none_alone_in_front(database: Database) -> None:
    season = Season(database, slots=1)
    for number in range(4):
        season.add_ladder(f"cup-{number}", names(4))
    season.add_ladder("first", names(4), priority=9)
    with database.transaction() as session:
        first = session.scalars(select(Ladder).where(Ladder.slug == "first")).one()
        session.execute(update(Entry).where(Entry.ladder_id == first.id).values(fixtures=SETTLED_AT))
    for _ in range(8):
        season.draw()
        season.decide()
    assert min(len(season.meetings(f"cup-{number}")) for number in range(4)) >= 5
    assert len(season.meetings("first")) == 2


def test_settled_ladders_keep_to_one_trickle_however_many_they_are(database: Database) -> None:
    season = Season(database, slots=1)
    for number in range(20):
        season.add_ladder(f"cup-{number:02}", names(4))
    settle(season)
    start = season.now_us
    for _ in range(4 * 60):
        season.draw()
        season.decide()
        season.now_us += 30 * SECOND_US
    minutes = (season.now_us - start) / 60 / SECOND_US
    played = [len(season.meetings(f"cup-{number:02}")) for number in range(20)]
    # One fixture in a slot-minute, and at the very beginning one round of each ladder.
    assert sum(played) <= minutes + 2 * 20
    assert min(played) >= 4


def test_a_ladder_of_house_bots_alone_settles_sooner(database: Database) -> None:
    season = Season(database, slots=1)
    season.add_ladder("house", [])
    season.join("house", ["uniform", "greedy"], owner="house")
    season.add_ladder("club", ["ada", "bob"])
    with database.transaction() as session:
        session.execute(update(Account).where(Account.name == "house").values(is_house=True))
    settle(season, HOUSE_SETTLED_AT)
    for _ in range(5):
        season.draw()
        season.decide()
    assert len(season.meetings("house")) == 1
    assert len(season.meetings("club")) > 5


def test_partners_make_tables_of_sides(database: Database) -> None:
    season = Season(database, slots=2)
    season.add_ladder("pairs", names(3), profile="forty-five", players=4)
    season.play_rounds("pairs", 6)
    assert {len(table) for _, table in season.meetings("pairs")} == {2}
    assert set(season.played("pairs", ROUNDS)) == set(names(3))


def test_a_settled_ladder_rests_and_a_newcomer_wakes_it(database: Database) -> None:
    season = Season(database, slots=2)
    season.add_ladder("cup", names(4))
    settle(season)
    drawn = season.draw()
    assert drawn == 2
    season.decide()
    season.now_us += REST_US * drawn // 2 - 1
    assert season.draw() == 0
    season.now_us += 1
    assert season.draw() == drawn
    season.decide()
    season.join("cup", ["new"])
    assert season.draw() == HIGH_PER_SLOT * 2
