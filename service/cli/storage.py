"""The database, for commands that work on it directly."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from service.cli.text import fail
from service.settings import Settings

if TYPE_CHECKING:
    from service.storage.database import Database


@contextmanager
def open_database(settings: Settings) -> "Iterator[Database]":
    """The installation's database, checked to be there and up to date; else one line that says what to do."""
    from sqlalchemy.exc import SQLAlchemyError

    from service.storage.database import Database
    from service.storage.schema import pending

    embedded = settings.home / "malice.db"
    if not settings.database_url and not embedded.exists():
        fail(f"no database at {embedded}: run `malice up` once, or name its home with --home or MALICE_HOME")
    try:
        database = Database(settings.resolved_database_url)
    except (SQLAlchemyError, ImportError) as error:
        fail(refusal(error))
    try:
        with database.engine.connect() as connection:
            if pending(connection):
                fail("the database is older than this version of Malice: run `malice migrate` first")
        yield database
    except SQLAlchemyError as error:
        fail(refusal(error))
    finally:
        database.close()


def refusal(error: Exception) -> str:
    """Return in one line what the database, or its driver, refused."""
    cause = getattr(error, "orig", None) or error
    lines = str(cause).strip().splitlines() or [type(cause).__name__]
    return f"the database does not do as asked: {lines[0]}; see MALICE_DATABASE_URL"
