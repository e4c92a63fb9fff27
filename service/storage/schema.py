"""Whether a database has the tables this version of Malice needs: asked by every process as it starts.

Alembic, which brings them there (`service.storage.migrate`), takes 12 MB and is not needed to look.
"""

from functools import cache
from pathlib import Path

from sqlalchemy import Connection, inspect, text

VERSIONS = Path(__file__).parent / "migrations" / "versions"
VERSION_TABLE = "alembic_version"


def pending(connection: Connection) -> bool:
    """Whether the database lacks a revision this version of Malice needs."""
    return _current(connection) != newest()


@cache
def newest() -> str:
    """Return the newest revision. A revision's file begins with its name, and they are numbered in order."""
    return max(path.name.partition("_")[0] for path in VERSIONS.glob("[0-9]*.py"))


def _current(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()
