"""`malice login`: a new token for an account one has."""

import click

from service.cli.client import Client, with_client
from service.cli.register import ask_password, keep


@click.command()
@click.argument("name")
@click.option("--password-stdin", is_flag=True, help="Read the password from the first line of stdin.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@with_client
def login(client: Client, name: str, password_stdin: bool, as_json: bool) -> None:
    """Get a new token for an account you have, and keep it.

    \b
    Examples:
      malice login ada
      malice login ada --server https://ladder.example.org
    """
    password = ask_password(password_stdin, confirm=False)
    keep(client, client.post("/tokens", {"name": name, "password": password}), as_json)
