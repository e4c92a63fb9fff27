"""`malice register`: make an account and keep its token."""

import sys
from typing import Any

import click

from service.cli.client import Client, Login, client_file, remember, with_client
from service.cli.text import harmless, note, print_json, say


@click.command()
@click.argument("name")
@click.option("--invite", metavar="CODE", help="The invitation, where the server asks for one.")
@click.option("--password-stdin", is_flag=True, help="Read the password from the first line of stdin.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@with_client
def register(client: Client, name: str, invite: str | None, password_stdin: bool, as_json: bool) -> None:
    """Make an account on a server and keep its token.

    The token goes to ~/.config/malice/client.json, readable by you only; the other commands use it.

    \b
    Examples:
      malice register ada
      malice register ada --server https://ladder.example.org --invite CODE
    """
    body = {"name": name, "password": ask_password(password_stdin, confirm=True)}
    if invite:
        body["invite"] = invite
    keep(client, client.post("/accounts", body), as_json)


def ask_password(from_stdin: bool, *, confirm: bool) -> str:
    """Read a password without showing it: from a terminal, or the first line of stdin."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise click.UsageError(
            "there is no terminal to type a password at; pipe it in and add --password-stdin"
        )
    password = click.prompt("Password", hide_input=True, confirmation_prompt=confirm, err=True)
    return str(password)


def keep(client: Client, answer: Any, as_json: bool) -> None:
    """Store the token of a new account or login, and say so."""
    path = client_file()
    remember(path, client.server, Login(account=answer["name"], token=answer["token"]))
    if as_json:
        print_json(answer)
        return
    say(f"You are {harmless(answer['name'])} on {client.server}.")
    note(f"Your token is kept in {path}. Next: `malice submit my_bot.py`.")
