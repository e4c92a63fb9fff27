"""Bringing a database to the newest tables, safely however many processes start at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import text

from service.storage.database import Database

FOLDER = Path(__file__).parent / "migrations"
LOCK_KEY = 0x4D414C494345
"""Of PostgreSQL's advisory lock; any number nobody else uses: `MALICE` in ASCII."""


def migrate(url: str, revision: str = "head") -> None:
    """Upgrade to `revision`; harmless when it is there already.

    Of several processes one works and the others wait for it: on PostgreSQL by an advisory lock, on SQLite because
    the transaction holds the write lock from its beginning.
    """
    with _locked(url) as config:
        command.upgrade(config, revision)


def downgrade(url: str, revision: str) -> None:
    """Go back to `revision` (`base`: no tables at all), losing what only newer tables hold."""
    with _locked(url) as config:
        command.downgrade(config, revision)


def head() -> str | None:
    """Return the newest revision, as Alembic finds it."""
    return ScriptDirectory.from_config(_config()).get_current_head()


@contextmanager
def _locked(url: str) -> Iterator[Config]:
    """Alembic's configuration with a connection in a transaction that keeps every other migration out."""
    database, config = Database(url), _config()
    try:
        with database.engine.begin() as connection:
            if not database.is_sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK_KEY})
            config.attributes["connection"] = connection
            yield config
    finally:
        database.close()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    return config
