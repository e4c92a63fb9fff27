"""What the command prints: strangers' text made harmless, tables, JSON, and failures in one line."""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import click

from service.text import harmless as harmless

if TYPE_CHECKING:
    from rich.console import Console


WIDTH_WITHOUT_A_TERMINAL = 200
"""Columns: in a file or a pipe nothing needs to fit a window."""


def fail(message: str) -> NoReturn:
    """End with exit code 1 and one line that says what to do next."""
    raise click.ClickException(message)


def say(message: str = "") -> None:
    """Print a line for people."""
    click.echo(message)


def note(message: str) -> None:
    """Print a line beside the output proper, on stderr."""
    click.echo(message, err=True)


def print_json(value: Any) -> None:
    """Print a value for scripts; ASCII only, so that nothing in it reaches a terminal as a command."""
    click.echo(json.dumps(value, indent=2))


def console(*, stderr: bool = False) -> "Console":
    """A rich console that prints text as it is: no markup, no emoji, no guessing at highlights."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else WIDTH_WITHOUT_A_TERMINAL
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False, width=width)


def print_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    right: Sequence[str] = (),
    folding: Sequence[str] = (),
) -> None:
    """Print rows under headings; `right` names the columns of figures, `folding` those of prose.

    Cells are made harmless.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    # Eighty columns are what a terminal has: nothing is spent on the edges.
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True)
    for column in columns:
        table.add_column(
            column,
            justify="right" if column in right else "left",
            no_wrap=column not in folding,
            overflow="fold",
        )
    for row in rows:
        table.add_row(*[Text(harmless(cell)) for cell in row])
    console().print(table)


def on_a_terminal() -> bool:
    """Whether somebody watches the output."""
    return sys.stdout.isatty()
