"""`malice leave`: take a bot off a ladder."""

import click

from service.cli.client import Client, segment, with_client
from service.cli.text import note, say


@click.command()
@click.argument("bot")
@click.argument("ladder")
@with_client
def leave(client: Client, bot: str, ladder: str) -> None:
    """Take a bot of yours off a ladder; what is drawn up already is still played and rated.

    \b
    Example:
      malice leave my-bot short-50
    """
    client.needs_token()
    client.delete(f"/ladders/{segment(ladder)}/entries/{segment(bot)}")
    say(f"{bot} has left {ladder}.")
    note(f"It comes back with `malice enter {bot} {ladder}`.")
