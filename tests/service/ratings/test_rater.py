"""Ratings follow from results alone: not from their order, their repetition, or from who was interrupted."""

import random
import threading
from collections.abc import Collection

import pytest
from sqlalchemy import delete, func, select, update

from service.models import Entry, Fixture, FixtureSeat, Ladder, RatingEvent
from service.ratings.book import UnknownLadderError, advance, parameters_of
from service.ratings.rater import rate, rebuild
from service.ratings.results import Result, Seat, Standing, take_effect
from service.ratings.update import Update
from service.storage.database import Database
from tests.service.ratings.league import League, random_places

Places = list[list[int]]
"""By fixture, places in order of the entries' ids."""


def played(database: Database, fixtures: int, seed: int, players: int = 2) -> tuple[League, Places]:
    """A league with fixtures drawn up, and the results they will have."""
    rng = random.Random(seed)
    league = League(database, slug=f"league-{seed}", players=players, entries=5)
    league.draw_at_random(fixtures, players, rng)
    return league, [random_places(players, rng) for _ in range(fixtures)]


def expected(league: League, places: Places, *, without: Collection[int] = ()) -> list[Standing]:
    """The standings by the rules alone: every result once, in order of sequence."""
    standings: dict[str, Standing] = {}
    with league.database.reading() as session:
        calculation = Update(parameters_of(session, league.ladder_id))
        for number, fixture_id in enumerate(league.fixture_ids):
            if number in without:
                continue
            seated = select(FixtureSeat.entry_id).where(FixtureSeat.fixture_id == fixture_id)
            entries = sorted(session.scalars(seated))
            seats = [Seat(entry, place, False) for entry, place in zip(entries, places[number], strict=True)]
            result = Result(fixture_id, number + 1, 0, tuple(seats))
            for change in take_effect(calculation, standings, result):
                standings[change.entry_id] = change.after
    start = Standing(calculation.prior.mu, calculation.prior.sigma)
    return [standings.get(entry_id, start) for entry_id in league.entry_ids]


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_any_order_of_arrival_gives_the_same_ratings_to_the_last_bit(
    database: Database, seed: int, players: int
) -> None:
    rng = random.Random(seed)
    league, places = played(database, 14, seed, players)
    order = rng.sample(range(14), 14)
    for number in order:
        league.arrive(number, places[number])
        for _ in range(rng.randrange(3)):
            rate(database, league.ladder_id, batch=rng.choice([1, 2, 3, 100]))
    rate(database, league.ladder_id)
    assert league.standings() == expected(league, places)
    assert rebuild(database, league.ladder_id).identical


def test_rating_again_changes_nothing(database: Database) -> None:
    league, places = played(database, 5, 1)
    for number in range(5):
        league.arrive(number, places[number])
    assert rate(database, league.ladder_id) == 5
    before, signed = league.standings(), league.ladder().as_of_us
    assert rate(database, league.ladder_id) == 0
    assert league.standings() == before
    assert league.ladder().as_of_us == signed


def test_an_interruption_between_any_two_steps_costs_nothing(database: Database) -> None:
    league, places = played(database, 8, 2)
    for number in (5, 6, 7, 0, 1, 2, 3, 4):
        league.arrive(number, places[number])
        # One bounded step, and the rater is killed.
        with database.transaction() as session:
            advance(session, league.ladder_id, 1)
    rate(database, league.ladder_id)
    assert league.standings() == expected(league, places)


def test_a_table_in_correction_shows_an_earlier_state_never_a_wrong_one(database: Database) -> None:
    league, places = played(database, 9, 3)
    for number in range(1, 9):
        league.arrive(number, places[number])
    rate(database, league.ladder_id)
    league.arrive(0, places[0])
    more = True
    while more:
        with database.transaction() as session:
            more = advance(session, league.ladder_id, 2).more
        with database.reading() as session:
            rated = select(Fixture.sequence).where(Fixture.ladder_id == league.ladder_id, Fixture.rated)
            missing = set(range(9)) - {sequence - 1 for sequence in session.scalars(rated)}
        assert league.standings() == expected(league, places, without=missing)
    assert not missing


@pytest.mark.parametrize("voided", [0, 4, 8])
def test_a_fixture_voided_later_is_taken_out_as_if_it_had_never_been_rated(
    database: Database, voided: int
) -> None:
    league, places = played(database, 9, 4)
    for number in range(9):
        league.arrive(number, places[number])
    rate(database, league.ladder_id)
    league.void(voided)
    rate(database, league.ladder_id, batch=3)
    assert league.standings() == expected(league, places, without={voided})
    assert rebuild(database, league.ladder_id).identical


def test_a_void_fixture_that_was_never_played_is_skipped(database: Database) -> None:
    league, places = played(database, 3, 5)
    league.void(1)
    for number in (0, 2):
        league.arrive(number, places[number])
    assert rate(database, league.ladder_id) == 2
    assert league.standings() == expected(league, places, without={1})


def test_raters_at_once_rate_every_result_once(database: Database) -> None:
    league, places = played(database, 12, 6)
    order = random.Random(6).sample(range(12), 12)

    def arrive_and_rate(numbers: list[int]) -> None:
        for number in numbers:
            league.arrive(number, places[number])
            rate(database, league.ladder_id, batch=2)

    threads = [threading.Thread(target=arrive_and_rate, args=(order[part::3],)) for part in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert league.standings() == expected(league, places)
    with database.reading() as session:
        assert session.scalars(select(func.count()).select_from(RatingEvent)).one() == 24


def test_only_the_ladders_own_play_is_rated(database: Database) -> None:
    league, places = played(database, 2, 7)
    league.arrive(0, places[0])
    with database.transaction() as session:
        session.execute(update(Fixture).where(Fixture.id == league.fixture_ids[0]).values(kind="challenge"))
    assert rate(database, league.ladder_id) == 0


def test_outcomes_and_faults_are_counted_and_kept_as_history(database: Database) -> None:
    league = League(database, players=3, entries=3)
    league.draw([(0, 1, 2)] * 3)
    league.arrive(0, [1, 2, 3], faulted=[2])
    league.arrive(1, [1, 1, 3])
    league.arrive(2, [2, 1, 2])
    rate(database, league.ladder_id)
    assert [(s.wins, s.draws, s.losses, s.faults) for s in league.standings()] == [
        (1, 1, 1, 0),
        (1, 1, 1, 0),
        (0, 0, 3, 1),
    ]
    with database.reading() as session:
        history = session.scalars(
            select(RatingEvent)
            .where(RatingEvent.entry_id == league.entry_ids[1])
            .order_by(RatingEvent.sequence)
        ).all()
        entry = session.get_one(Entry, league.entry_ids[1])
    assert [event.outcome for event in history] == ["loss", "draw", "win"]
    assert [event.mu_before for event in history] == [25.0, history[0].mu, history[1].mu]
    assert [event.done_us for event in history] == [1_000_000, 2_000_000, 3_000_000]
    assert (entry.mu, entry.neg_mu_e6) == (history[2].mu, -round(history[2].mu * 1e6))


def test_the_watermark_is_the_last_result_taken_in(database: Database) -> None:
    league, places = played(database, 4, 8)
    for number in (0, 2):
        league.arrive(number, places[number])
    rate(database, league.ladder_id)
    assert league.ladder().rated_through == 3
    league.void(2)
    rate(database, league.ladder_id)
    assert league.ladder().rated_through == 1


def test_ranks_are_given_to_established_active_entries_only(database: Database) -> None:
    league = League(database, entries=4)
    league.draw([(0, 1)] * 30 + [(2, 1)] * 30 + [(3, 1)])
    for number in range(61):
        league.arrive(number, [1, 2])
    with database.transaction() as session:
        session.get_one(Entry, league.entry_ids[2]).status = "withdrawn"
    rate(database, league.ladder_id)
    with database.reading() as session:
        first, second, withdrawn, newcomer = league.entries(session)
    assert [entry.provisional for entry in (first, second, newcomer)] == [False, False, True]
    assert (first.rank_low, first.rank_high) == (1, 1)
    assert (second.rank_low, second.rank_high) == (2, 2)
    assert withdrawn.rank_low is None
    assert newcomer.rank_high is None


def test_ranks_follow_when_an_established_entry_leaves(database: Database) -> None:
    league = League(database, entries=2)
    league.draw([(0, 1)] * 30)
    for number in range(30):
        league.arrive(number, [1, 2])
    rate(database, league.ladder_id)
    with database.transaction() as session:
        session.get_one(Entry, league.entry_ids[0]).status = "withdrawn"
        session.execute(update(Ladder).values(ranks_due=True))
    rate(database, league.ladder_id)
    with database.reading() as session:
        left, stays = league.entries(session)
    assert (left.rank_low, stays.rank_low, stays.rank_high) == (None, 1, 1)
    assert not league.ladder().ranks_due


def test_a_rebuild_finds_what_is_not_as_results_say_and_puts_it_right(database: Database) -> None:
    league, places = played(database, 6, 9)
    for number in range(6):
        league.arrive(number, places[number])
    rate(database, league.ladder_id)
    right = league.standings()
    with database.transaction() as session:
        first = session.get_one(Entry, league.entry_ids[0])
        first.mu += 1e-12
        session.execute(delete(RatingEvent).where(RatingEvent.sequence == 4))
        session.execute(update(RatingEvent).where(RatingEvent.sequence == 2).values(outcome="draw", wins=9))
    report = rebuild(database, league.ladder_id)
    assert not report.identical
    assert (report.fixtures, report.entries, report.different) == (6, 5, 5)
    assert {difference.sequence for difference in report.differences} == {2, 4, None}
    assert league.standings() == right
    assert rebuild(database, league.ladder_id).identical


def test_a_rebuild_says_how_far_it_is(database: Database) -> None:
    league, places = played(database, 3, 10)
    for number in range(3):
        league.arrive(number, places[number])
    seen: list[int] = []
    rebuild(database, league.ladder_id, progress=seen.append)
    assert seen == [3]


def test_a_ladder_nobody_has_played_on_is_identical_to_its_rebuild(database: Database) -> None:
    league = League(database, entries=2)
    report = rebuild(database, league.ladder_id)
    assert (report.identical, report.fixtures, report.entries) == (True, 0, 2)


def test_an_unknown_ladder_is_named(database: Database) -> None:
    with pytest.raises(UnknownLadderError, match="01nobody"):
        rate(database, "01nobody")
