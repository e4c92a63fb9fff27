"""What somebody at the terminal sees while everything runs: events as they happen, and below them the table."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from service.cli.supervisor.table import Table
from service.cli.text import console, harmless

if TYPE_CHECKING:
    from rich.console import RenderableType

REFRESH_S = 2.0


class PlainScreen:
    """For logs and pipes: events as lines, warnings when they begin and end, and the table's first movement.

    Neither screen minds that nobody can see it any more: what it tells of goes on.
    """

    def __init__(
        self,
        write: Callable[[str], None],
        fetch: Callable[[], Table | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._write = write
        self._fetch = fetch
        self._clock = clock
        self._next = 0.0
        self._moved = False
        self._warning = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def say(self, text: str) -> None:
        """Show text of our own."""
        with suppress(OSError):
            self._write(text)

    def event(self, text: str) -> None:
        """Show one line about what happened."""
        self.say(f"{time.strftime('%H:%M:%S')} {harmless(text)}")

    def tick(self, note: str, warning: str = "") -> None:
        """Look at the table now and then until it moves; `note` is for people who watch, `warning` for everybody."""
        if warning != self._warning:
            self.event(warning or f"no more: {self._warning}")
            self._warning = warning
        now = self._clock()
        if self._moved or now < self._next:
            return
        self._next = now + REFRESH_S
        table = self._fetch()
        if table and table.played:
            self._moved = True
            self.event(f"the table of {table.ladder} moves: {table.rows[0].bot} leads")


class LiveScreen:
    """For a terminal: the table below the events, redrawn every few seconds."""

    def __init__(self, address: str, fetch: Callable[[], Table | None]) -> None:
        from rich.live import Live

        self._address = address
        self._fetch = fetch
        self._next = 0.0
        self._table: Table | None = None
        # Refreshed by hand: a refreshing thread and fork do not go together.
        self._live = Live(console=console(), auto_refresh=False, transient=True)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._live.stop()

    def say(self, text: str) -> None:
        """Show text of our own above the table."""
        with suppress(OSError):
            self._live.console.print(text)

    def event(self, text: str) -> None:
        """Show one line about what happened above the table."""
        self.say(f"{time.strftime('%H:%M:%S')} {harmless(text)}")

    def tick(self, note: str, warning: str = "") -> None:
        """Redraw every few seconds; `note` says what the processes are about, `warning` what somebody must see to."""
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + REFRESH_S
        self._table = self._fetch() or self._table
        with suppress(OSError):
            status = f"{note}; {warning}" if warning else note
            self._live.update(draw(self._table, self._address, status), refresh=True)


def draw(table: Table | None, address: str, note: str) -> "RenderableType":
    """Return the table and the status line as rich draws them."""
    from rich import box
    from rich.console import Group
    from rich.table import Table as Grid
    from rich.text import Text

    status = Text(f"{address}  {note}  Ctrl-C stops", style="dim")
    if table is None or not table.rows:
        return status
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, title=table.ladder, title_justify="left")
    for name in ("rank", "bot", "owner", "mu", "sigma", "fixtures"):
        grid.add_column(name, justify="left" if name in ("bot", "owner") else "right")
    for row in table.rows:
        grid.add_row(
            Text(str(row.rank) if row.rank else "-"),
            *[Text(harmless(text)) for text in (row.bot, row.owner)],
            *[Text(text) for text in (f"{row.mu:.2f}", f"{row.sigma:.2f}", str(row.fixtures))],
        )
    return Group(grid, status)
