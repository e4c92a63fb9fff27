"""`malice status`: how a bot is doing, or the server."""

from typing import Any

import click

from service.cli.client import Client, segment, with_client
from service.cli.text import harmless, print_json, print_table, say


@click.command()
@click.argument("bot", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the server's answer as JSON.")
@with_client
def status(client: Client, bot: str | None, as_json: bool) -> None:
    """Show a bot, its versions and where it plays; without BOT, the server's health.

    BOT@N shows one version with the reason why it failed, if it did. The exit code is 1 when the server is not ready.

    \b
    Examples:
      malice status
      malice status my-bot
      malice status my-bot@3 --json
    """
    if bot is None:
        show_server(client, as_json)
        return
    name, _, number = bot.partition("@")
    answer = client.get(f"/bots/{segment(name)}" + (f"/versions/{segment(number)}" if number else ""))
    if as_json:
        print_json(answer)
    elif number:
        show_version(answer)
    else:
        show_bot(answer)


def show_server(client: Client, as_json: bool) -> None:
    """Print the readiness checks; exit with 1 when one fails."""
    found = client.readiness()
    if as_json:
        print_json(found)
    else:
        rows = [
            [check["name"], "ok" if check["ok"] else "FAILED", check["detail"]] for check in found["checks"]
        ]
        print_table(("check", "", "detail"), rows, folding=("detail",))
    if not found["ready"]:
        raise SystemExit(1)


def show_bot(bot: dict[str, Any]) -> None:
    """Print a bot, its versions and its entries."""
    say(harmless(f"{bot['bot']} of {bot['owner']}: version {bot['version']} is {bot['status']}"))
    if bot["reason"]:
        say(harmless(f"  {bot['reason']}"))
    rows = [[str(one["version"]), one["status"], one["created"], one["reason"]] for one in bot["versions"]]
    print_table(("version", "status", "uploaded", "reason"), rows, right=("version",), folding=("reason",))
    failed = {one["version"] for one in bot["versions"] if one["status"] == "failed"}
    show_entries([entry for entry in bot["entries"] if entry["version"] not in failed])


def show_version(version: dict[str, Any]) -> None:
    """Print a version's state, the reason for it, and its entries."""
    say(harmless(f"{version['bot']} version {version['version']}: {version['status']}"))
    if version["reason"]:
        say(harmless(f"  {version['reason']}"))
    show_entries(version["entries"])


def show_entries(entries: list[dict[str, Any]]) -> None:
    """Print where it plays and how it does there."""
    rows = [
        [
            *(entry["ladder"], str(entry["version"]), entry["status"], str(entry["rank"] or "-")),
            *(f"{entry['mu']:.2f}", str(entry["fixtures"]), entry["reason"] or _waiting(entry)),
        ]
        for entry in entries
    ]
    if rows:
        columns = ("ladder", "version", "status", "rank", "mu", "fixtures", "reason")
        print_table(columns, rows, right=("version", "rank", "mu", "fixtures"), folding=("reason",))


def _waiting(entry: dict[str, Any]) -> str:
    """What the ladder of an entry without a rank waits for, as whoever has one is not waiting to play."""
    return str(entry["waiting"]) if entry["provisional"] else ""
