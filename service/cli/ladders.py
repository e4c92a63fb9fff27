"""`malice ladders`: what is played on a server."""

from typing import Any

import click

from service.cli.client import Client, with_client
from service.cli.text import note, print_json, print_table

COLUMNS = ("ladder", "what it is", "players", "match", "state", "entries")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the server's answer as JSON.")
@with_client
def ladders(client: Client, as_json: bool) -> None:
    """List the ladders of a server, the one served first at the top.

    `entries` counts the bots that play there now.

    \b
    Examples:
      malice ladders
      malice ladders --json | jq -r '.items[].slug'
    """
    found = client.get("/ladders")
    if as_json:
        print_json(found)
        return
    print_table(
        COLUMNS,
        [cells(ladder) for ladder in found["items"]],
        right=("entries",),
        folding=("what it is",),
    )
    note("`malice standings LADDER` shows a table, `malice enter BOT LADDER` puts a bot of yours on it.")


def cells(ladder: dict[str, Any]) -> list[str]:
    """Return a row of the list as text."""
    players, sides = ladder["players"], ladder["sides"]
    return [
        ladder["slug"],
        f"{ladder['title']} ({ladder['rules']['game']})",
        str(players) if sides == players else f"{players}, {sides} sides",
        f"to {ladder['target']}" if ladder["deals"] is None else f"{ladder['deals']} deals",
        ladder["state"],
        str(ladder["entries"]),
    ]
