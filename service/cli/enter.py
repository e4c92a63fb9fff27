"""`malice enter`: put a bot on one more ladder."""

import click

from service.cli.client import Client, segment, with_client
from service.cli.text import harmless, note, print_json, say


@click.command()
@click.argument("bot")
@click.argument("ladder")
@click.option("--json", "as_json", is_flag=True, help="Print the server's answer as JSON.")
@with_client
def enter(client: Client, bot: str, ladder: str, as_json: bool) -> None:
    """Enter a bot of yours on one more ladder, with its newest version.

    It plays there once it has passed validation. `malice ladders` lists the ladders.

    \b
    Example:
      malice enter my-bot short-50
    """
    client.needs_token()
    answer = client.post(f"/ladders/{segment(ladder)}/entries", {"bot": bot})
    if as_json:
        print_json(answer)
        return
    say(f"{harmless(answer['bot'])} on {harmless(answer['ladder'])}: {answer['status']}.")
    note(f"Next: `malice status {harmless(answer['bot'])}`, `malice standings {harmless(answer['ladder'])}`.")
