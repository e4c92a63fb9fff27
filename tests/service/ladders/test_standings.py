"""The standings: order, ranks, pages and cursors."""

import pytest
from sqlalchemy.orm import Session

from service.ladders.standings import rank_of, standings
from service.models import Entry, Ladder
from service.paging import PageRequest
from service.refusals import InvalidError
from service.storage.database import Database
from tests.service.factories import add_account, add_bot, add_entry, add_ladder, add_version


def add_player(
    session: Session, ladder: Ladder, name: str, mu: float, fixtures: int, status: str = "active"
) -> Entry:
    """A bot of its own owner with a rating."""
    bot = add_bot(session, add_account(session, f"owner-{name}"), name)
    return add_entry(
        session,
        ladder,
        bot,
        add_version(session, bot),
        status,
        mu=mu,
        sigma=1.5,
        neg_mu_e6=-round(mu * 1e6),
        fixtures=fixtures,
        provisional=fixtures < 30,
    )


def table(session: Session, ladder: Ladder, limit: int = 50) -> list[tuple[int | None, str]]:
    """All pages of the standings, as rank and bot."""
    rows: list[tuple[int | None, str]] = []
    cursor = None
    while True:
        page = standings(session, ladder, PageRequest(limit, cursor))
        rows += [(row.rank, row.bot) for row in page.items]
        cursor = page.next
        if cursor is None:
            return rows


def test_established_entries_are_ranked_by_mu_and_provisional_ones_follow_unranked(
    database: Database,
) -> None:
    with database.transaction() as session:
        ladder = add_ladder(session)
        for name, mu, fixtures in [
            ("low", 20, 30),
            ("new", 40, 29),
            ("top", 30, 200),
            ("mid", 25, 31),
            ("old", 24, 3),
        ]:
            add_player(session, ladder, name, mu, fixtures)
        assert table(session, ladder) == [(1, "top"), (2, "mid"), (3, "low"), (None, "new"), (None, "old")]


def test_a_row_shows_the_entry_and_its_score(database: Database) -> None:
    with database.transaction() as session:
        ladder = add_ladder(session)
        entry = add_player(session, ladder, "top", 30.25, 40)
        entry.wins, entry.draws, entry.losses, entry.faults = 20, 5, 15, 2
        entry.rank_low, entry.rank_high = 1, 3
        (row,) = standings(session, ladder, PageRequest()).items
    assert (row.bot, row.version, row.owner) == ("top", 1, "owner-top")
    assert (row.mu, row.sigma, row.score) == (30.25, 1.5, 25.75)
    assert (row.fixtures, row.wins, row.draws, row.losses, row.faults) == (40, 20, 5, 15, 2)
    assert (row.rank_low, row.rank_high, row.provisional) == (1, 3, False)


@pytest.mark.parametrize("status", ["validating", "failed", "suspended", "withdrawn", "superseded"])
def test_only_active_entries_stand(database: Database, status: str) -> None:
    with database.transaction() as session:
        ladder = add_ladder(session)
        add_player(session, ladder, "gone", 50, 100, status)
        add_player(session, ladder, "here", 20, 100)
        assert table(session, ladder) == [(1, "here")]


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 50])
def test_pages_of_any_size_join_to_the_same_table(database: Database, limit: int) -> None:
    with database.transaction() as session:
        ladder = add_ladder(session)
        for number, mu in enumerate([30, 28, 28, 28, 25, 24, 22]):
            add_player(session, ladder, f"bot-{number}", mu, 60 if number < 5 else 5)
        rows = table(session, ladder, limit)
    assert [rank for rank, _ in rows] == [1, 2, 2, 2, 5, None, None]
    assert len({bot for _, bot in rows}) == 7


def test_another_ladder_has_standings_of_its_own(database: Database) -> None:
    with database.transaction() as session:
        add_player(session, add_ladder(session, "classic-25"), "elsewhere", 30, 60)
        page = standings(session, add_ladder(session, "classic-50"), PageRequest())
    assert (list(page.items), page.next) == ([], None)


def test_a_rank_can_be_told_without_the_table(database: Database) -> None:
    with database.transaction() as session:
        ladder = add_ladder(session)
        entries = [add_player(session, ladder, f"bot-{n}", mu, 60) for n, mu in enumerate([30, 28, 28, 25])]
        assert [rank_of(session, entry) for entry in entries] == [1, 2, 2, 4]
        assert rank_of(session, add_player(session, ladder, "new", 40, 3)) is None


@pytest.mark.parametrize("cursor", ["", "x", "AAAA", "%%%", "ü", "W10", "x" * 1_000, "bnVsbA"])
def test_a_cursor_that_is_none_of_ours_is_refused(database: Database, cursor: str) -> None:
    with database.transaction() as session:
        ladder = add_ladder(session)
        with pytest.raises(InvalidError, match="no cursor of this list"):
            standings(session, ladder, PageRequest(10, cursor))
