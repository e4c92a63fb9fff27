"""`malice standings`: a ladder's table."""

from typing import Any

import click

from service.cli.client import Client, segment, with_client
from service.cli.text import fail, harmless, note, print_json, print_table, say

COLUMNS = ("rank", "bot", "owner", "mu", "sigma", "ranks", "fixtures", "w-d-l", "faults")
FIGURES = tuple(column for column in COLUMNS if column not in ("bot", "owner"))


@click.command()
@click.argument("ladder", required=False)
@click.option("--limit", type=click.IntRange(1, 200), default=50, show_default=True, help="How many rows.")
@click.option("--cursor", metavar="CURSOR", help="Where to go on: `next` of the page before.")
@click.option("--json", "as_json", is_flag=True, help="Print the server's answer as JSON.")
@with_client
def standings(client: Client, ladder: str | None, limit: int, cursor: str | None, as_json: bool) -> None:
    """Show a ladder's table; without LADDER, that of the ladder served first. `malice ladders` lists them all.

    Ranks count bots with 30 fixtures or more; `ranks` is the 95 % interval of the rank. The others follow without
    a rank. `w-d-l` counts fixtures won, drawn and lost.

    \b
    Examples:
      malice standings
      malice standings classic-25 --limit 10
      malice standings classic-50 --json | jq -r '.items[].bot'
    """
    ladder = ladder or first_ladder(client)
    page = client.get(f"/ladders/{segment(ladder)}/standings", limit=limit, cursor=cursor)
    if as_json:
        print_json(page)
        return
    say(harmless(f"{client.get(f'/ladders/{segment(ladder)}')['title']} ({ladder})"))
    print_table(COLUMNS, [cells(row) for row in page["items"]], right=FIGURES, folding=("bot", "owner"))
    if page["next"]:
        note(f"There is more: --cursor {harmless(page['next'])}")


def first_ladder(client: Client) -> str:
    """Return the slug of the ladder the server lists first."""
    ladders = client.get("/ladders")["items"]
    if not ladders:
        fail(f"{client.server} has no ladders yet; an operator makes them with `malice migrate`")
    return str(ladders[0]["slug"])


def cells(row: dict[str, Any]) -> list[str]:
    """Return a row of the table as text."""
    low, high = row["rank_low"], row["rank_high"]
    return [
        str(row["rank"] or "-"),
        row["bot"],
        row["owner"],
        f"{row['mu']:.2f}",
        f"{row['sigma']:.2f}",
        f"{low}-{high}" if low else "-",
        str(row["fixtures"]),
        f"{row['wins']}-{row['draws']}-{row['losses']}",
        str(row["faults"]),
    ]
