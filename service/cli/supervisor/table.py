"""What the status line shows: the table of the ladder that is served first, asked of our own web server."""

import http.client
import json
from typing import Any
from urllib.parse import quote

import msgspec

TIMEOUT_S = 2.0
ROWS = 8


class Row(msgspec.Struct, frozen=True):
    """One line of the table, as the API gives it; unknown fields are ignored."""

    rank: int | None
    bot: str
    owner: str
    mu: float
    sigma: float
    fixtures: int
    provisional: bool


class Table(msgspec.Struct, frozen=True):
    """The top of a ladder's standings."""

    ladder: str
    rows: list[Row]

    @property
    def played(self) -> int:
        """Fixture places on the table: rises with every rated fixture."""
        return sum(row.fixtures for row in self.rows)


def fetch_table(host: str, port: int) -> Table | None:
    """Return the table, or None while the server has none to give."""
    try:
        ladder = _get(host, port, "/api/v1/ladders")["items"][0]["slug"]
        standings = _get(host, port, f"/api/v1/ladders/{quote(ladder)}/standings?limit={ROWS}")
        return Table(ladder=ladder, rows=msgspec.convert(standings["items"], list[Row]))
    except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError):
        return None


def _get(host: str, port: int, path: str) -> Any:
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_S)
    try:
        connection.request("GET", path)
        return json.loads(connection.getresponse().read())
    finally:
        connection.close()
