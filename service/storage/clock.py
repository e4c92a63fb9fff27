"""The database's own clock, so that leases compare alike whichever host asks.

Times are integers: microseconds since 1970-01-01 UTC.
"""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import BigInteger
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

SECOND_US = 1_000_000


class now_us(FunctionElement[int]):  # noqa: N801 - reads as the SQL function it is
    """`now_us()` in a statement is the database's time when the statement runs."""

    type = BigInteger()
    inherit_cache = True


@compiles(now_us, "sqlite")
def _sqlite(element: now_us, compiler: Any, **kw: Any) -> str:
    # julianday counts milliseconds; unixepoch('subsec') needs SQLite 3.42, newer than some hosts have.
    return "CAST((julianday('now') - 2440587.5) * 86400000.0 + 0.5 AS INTEGER) * 1000"


@compiles(now_us, "postgresql")
def _postgresql(element: now_us, compiler: Any, **kw: Any) -> str:
    return "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)"


def rfc3339(time_us: int) -> str:
    """Return a time as the API shows it, such as `2026-01-31T12:00:00.000Z`."""
    moment = datetime.fromtimestamp(time_us / SECOND_US, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
