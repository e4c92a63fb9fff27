"""`malice login`: a new token for an account one has."""

import click

from service.cli.client import Client, with_client
from service.cli.register import ask_password, keep


@click.command()
@click.argument("name")
@click.option(
    "--once", "one_time_token", metavar="TOKEN", help="The operator's one-time token: set a password first."
)
@click.option("--password-stdin", is_flag=True, help="Read the password from the first line of stdin.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@with_client
def login(client: Client, name: str, one_time_token: str | None, password_stdin: bool, as_json: bool) -> None:
    """Get a new token for an account you have, and keep it.

    The operator's first login sets the account's password, with the one-time token the first start printed.

    \b
    Examples:
      malice login ada
      malice login ada --server https://ladder.example.org
      malice login operator --once TOKEN
    """
    password = ask_password(password_stdin, confirm=one_time_token is not None)
    if one_time_token is not None:
        Client(client.server, one_time_token).put("/me/password", {"password": password})
    keep(client, client.post("/tokens", {"name": name, "password": password}), as_json)
