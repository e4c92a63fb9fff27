"""Operators' commands work on the installation's own database."""

import json
from pathlib import Path

import pytest
from sqlalchemy import select, update

from service.blobs import FolderBlobs
from service.cli.migrate import bring_up_to_date
from service.models import Account, Entry, Fixture, Invite, Ladder, Token
from service.ratings.rater import rate
from service.settings import Settings
from service.storage.database import Database
from tests.service.cli.conftest import Malice
from tests.service.factories import add_account, add_bot, add_entry, add_fixture, add_version, finish


@pytest.fixture
def installation(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A migrated and seeded installation, named by the environment as an operator would."""
    monkeypatch.setenv("MALICE_HOME", str(settings.home))
    monkeypatch.setenv("MALICE_DATABASE_URL", settings.database_url)
    bring_up_to_date(settings)
    return settings


@pytest.fixture
def fixtures(installation: Settings) -> list[str]:
    """Three rated fixtures between two bots on classic-25."""
    database = Database(installation.database_url)
    blobs = FolderBlobs(Path(installation.resolved_blobs))
    with database.transaction() as session:
        ladder = session.scalars(select(Ladder).where(Ladder.slug == "classic-25")).one()
        owner = add_account(session, "bob")
        entries = []
        for name in ("sharp", "blunt"):
            bot = add_bot(session, owner, name)
            entries.append(add_entry(session, ladder, bot, add_version(session, bot)))
        drawn = [add_fixture(session, ladder, entries) for _ in range(3)]
        for fixture in drawn:
            finish(session, blobs, fixture, [[25, 3], [25, 9]])
            fixture.state, fixture.done_us = "done", 1
        ladder_id, ids = ladder.id, [fixture.id for fixture in drawn]
    rate(database, ladder_id)
    database.close()
    return ids


def ratings(settings: Settings) -> dict[str, tuple[float, float, int]]:
    database = Database(settings.database_url)
    with database.reading() as session:
        rows = session.scalars(select(Entry).where(Entry.fixtures > 0)).all()
        found = {row.id: (row.mu, row.sigma, row.fixtures) for row in rows}
    database.close()
    return found


def test_the_first_migration_makes_ladders_and_gives_the_operator_a_token_and_the_next_does_nothing(
    malice: Malice, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MALICE_HOME", str(settings.home))
    monkeypatch.setenv("MALICE_DATABASE_URL", settings.database_url)
    first = json.loads(malice("migrate", "--json").stdout)
    assert first["ladders"][0] == "classic-50"
    assert first["operator_token"].startswith("malice_")
    again = json.loads(malice("migrate", "--json").stdout)
    assert again["ladders"] == []
    assert again["operator_token"] is None


def test_rebuilding_finds_ratings_identical_to_the_last_bit(
    malice: Malice, installation: Settings, fixtures: list[str]
) -> None:
    result = malice("admin", "rebuild-ratings", "classic-25")
    assert result.exit_code == 0, result.output
    assert "classic-25: 3 fixtures, " in result.output
    assert "identical to the last bit" in result.output


def test_rebuilding_puts_right_what_is_not_what_results_say_and_fails(
    malice: Malice, installation: Settings, fixtures: list[str]
) -> None:
    right = ratings(installation)
    database = Database(installation.database_url)
    with database.transaction() as session:
        session.execute(update(Entry).where(Entry.fixtures > 0).values(mu=Entry.mu + 1e-12))
    database.close()
    result = malice("admin", "rebuild-ratings", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["classic-25"]["identical"] is False
    assert ratings(installation) == right


def test_a_void_takes_a_fixture_out_of_the_ratings_for_good(
    malice: Malice, installation: Settings, fixtures: list[str]
) -> None:
    before = ratings(installation)
    result = malice("admin", "void", fixtures[0], "--reason", "the host was out of memory")
    assert result.exit_code == 0, result.output
    after = ratings(installation)
    assert {count for _, _, count in after.values()} == {2}
    assert after != before
    database = Database(installation.database_url)
    with database.reading() as session:
        voided = session.get_one(Fixture, fixtures[0])
    database.close()
    assert (voided.state, voided.reason) == ("void", "the host was out of memory")
    assert malice("admin", "rebuild-ratings").exit_code == 0


@pytest.mark.parametrize("reason", [[], ["--reason", "  "]])
def test_a_void_needs_a_reason(malice: Malice, installation: Settings, reason: list[str]) -> None:
    assert malice("admin", "void", "x", *reason).exit_code == 2


def test_voiding_what_is_not_there_voids_nothing(
    malice: Malice, installation: Settings, fixtures: list[str]
) -> None:
    result = malice("admin", "void", fixtures[0], "nothing", "--reason", "a test")
    assert result.exit_code == 1
    assert "there is no fixture nothing; nothing was voided" in result.output
    assert {count for _, _, count in ratings(installation).values()} == {3}


def test_invitations_are_printed_once_and_kept_as_digests(malice: Malice, installation: Settings) -> None:
    result = malice("admin", "invite", "--count", "3")
    codes = result.stdout.split()
    assert len(set(codes)) == 3
    database = Database(installation.database_url)
    with database.reading() as session:
        kept = session.scalars(select(Invite.digest)).all()
    database.close()
    assert len(kept) == 3
    assert not set(kept) & set(codes)


def test_a_lost_operators_token_is_replaced(malice: Malice, installation: Settings) -> None:
    result = malice("admin", "operator")
    assert result.stdout.startswith("malice_")
    database = Database(installation.database_url)
    with database.reading() as session:
        operators = session.scalars(select(Account).where(Account.is_operator)).all()
        tokens = session.scalars(select(Token).where(Token.once)).all()
    database.close()
    assert len(operators) == 1
    assert len(tokens) == 2


def test_an_unknown_ladder_is_refused_with_those_there_are(malice: Malice, installation: Settings) -> None:
    result = malice("admin", "rebuild-ratings", "classic-51")
    assert result.exit_code == 1
    assert "classic-50" in result.output


def test_a_home_without_a_database_is_not_given_one(malice: Malice, tmp_path: Path) -> None:
    result = malice("admin", "--home", tmp_path / "elsewhere", "invite")
    assert result.exit_code == 1
    assert "run `malice up` once, or name its home" in result.output
    assert not (tmp_path / "elsewhere").exists()


def test_an_older_database_is_sent_to_migrate(
    malice: Malice, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.home.mkdir(parents=True, exist_ok=True)
    monkeypatch.setenv("MALICE_HOME", str(settings.home))
    monkeypatch.setenv("MALICE_DATABASE_URL", settings.database_url)
    result = malice("admin", "invite")
    assert result.exit_code == 1
    assert "run `malice migrate` first" in result.output
