"""Migrations give the tables the models describe, once, however many start them."""

import subprocess
import sys

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect, text

from service.models import Account, Base, Ladder
from service.storage.database import Database
from service.storage.migrate import downgrade, head, migrate
from service.storage.schema import newest, pending


def tables(database: Database) -> set[str]:
    return set(inspect(database.engine).get_table_names())


def test_migrations_make_exactly_the_tables_of_the_models(database_url: str) -> None:
    migrate(database_url)
    database = Database(database_url)
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, Base.metadata) == []
        assert not pending(connection)
    database.close()


def test_the_newest_revision_is_alembics_head() -> None:
    assert newest() == head()


def test_a_database_without_tables_is_behind(database_url: str) -> None:
    database = Database(database_url)
    with database.engine.connect() as connection:
        assert pending(connection)
    database.close()


def test_looking_whether_tables_are_missing_does_not_load_alembic() -> None:
    script = (
        "import sys, service.app, service.cli.storage, workers.apps.ledger; print('alembic' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


def test_a_second_migration_changes_nothing(database_url: str) -> None:
    migrate(database_url)
    database = Database(database_url)
    with database.transaction() as session:
        session.add(Account(name="ada"))
    migrate(database_url)
    with database.reading() as session:
        assert session.query(Account).one().name == "ada"
    database.close()


def test_a_downgrade_takes_everything_away_and_an_upgrade_brings_it_back(database_url: str) -> None:
    database = Database(database_url)
    migrate(database_url)
    before = tables(database)
    downgrade(database_url, "base")
    assert tables(database) == {"alembic_version"}
    with database.engine.connect() as connection:
        assert pending(connection)
    migrate(database_url)
    assert tables(database) == before
    database.close()


def test_ladders_of_the_first_release_get_as_many_sides_as_players(database_url: str) -> None:
    migrate(database_url, "0001")
    database = Database(database_url)
    columns = [column["name"] for column in inspect(database.engine).get_columns("ladders")]
    values = dict.fromkeys(columns, 0) | {
        "slug": "cup", "title": "Cup", "profile": "short", "rules": "{}", "rules_hash": "", "clock": "{}",
        "state": "open", "id": "l", "ranks_due": False,
    }  # fmt: skip
    insert = f"INSERT INTO ladders ({', '.join(columns)}) VALUES (:{', :'.join(columns)})"
    with database.engine.begin() as connection:
        connection.execute(text(insert), values | {"players": 2})
        connection.execute(text(insert), values | {"id": "m", "slug": "quartet", "players": 4})
    migrate(database_url)
    with database.reading() as session:
        found = session.query(Ladder.players, Ladder.sides, Ladder.deals).order_by(Ladder.id).all()
    assert [tuple(row) for row in found] == [(2, 2, None), (4, 4, None)]
    downgrade(database_url, "0001")
    assert [column["name"] for column in inspect(database.engine).get_columns("ladders")] == columns
    database.close()


def test_processes_that_migrate_at_once_all_succeed(database_url: str) -> None:
    program = f"from service.storage.migrate import migrate; migrate({database_url!r})"
    running = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(3)]
    assert [process.wait(timeout=60) for process in running] == [0, 0, 0]
    database = Database(database_url)
    assert tables(database) == {*Base.metadata.tables, "alembic_version"}
    database.close()
