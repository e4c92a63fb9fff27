"""`malice submit`: upload a bot, or a new version of it."""

import time
from pathlib import Path
from typing import Any

import click

from service.cli.client import Client, ServerError, segment, with_client
from service.cli.packing import bot_name, read_source
from service.cli.text import fail, harmless, note, print_json, say

POLL_S = 1.0
PLAYING = frozenset({"active", "validating"})
UNDER_WAY = frozenset({"queued", "building", "validating"})
NOT_FOUND = 404


@click.command()
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@click.option("--bot", "name", metavar="NAME", help="The bot's name; default: that of the file or folder.")
@click.option(
    "--ladder", "ladders", multiple=True, metavar="LADDER", help="Where it is to play; may be repeated."
)
@click.option("--language", metavar="LANGUAGE", help="Its language, where the files do not say.")
@click.option("--wait/--no-wait", default=True, help="Wait until it plays, or has failed; the default.")
@click.option("--json", "as_json", is_flag=True, help="Print what came of it as JSON.")
@with_client
def submit(
    client: Client,
    source: Path,
    name: str | None,
    ladders: tuple[str, ...],
    language: str | None,
    wait: bool,
    as_json: bool,
) -> None:
    """Upload a bot, or a new version of a bot you own.

    SOURCE is a single file, a zip, or a folder. The older version plays on until the new one has shown that it can
    play, and a new version enters the ladders the bot is on. The exit code is 1 when the version fails.

    \b
    Examples:
      malice submit my_bot.py
      malice submit my_bot/ --bot shark --ladder classic-50 --ladder short-50
    """
    client.needs_token()
    name = name or bot_name(source)
    answer = upload(client, name, source, ladders, language)
    if not as_json:
        say(f"{harmless(answer['bot'])} version {answer['version']} is {answer['status']}.")
    if wait:
        answer = wait_for_it(client, answer, quiet=as_json)
    elif not as_json:
        note(f"Next: `malice status {harmless(answer['bot'])}`.")
    if as_json:
        print_json(answer)
    if answer["status"] == "failed":
        raise SystemExit(1)


def upload(
    client: Client, name: str, source: Path, ladders: tuple[str, ...], language: str | None
) -> dict[str, Any]:
    """Upload a new bot, or a new version where the bot exists."""
    filename, data = read_source(source)
    fields: dict[str, Any] = {"language": language} if language else {}
    bot = find(client, name)
    if bot is not None:
        check_ladders(bot, ladders)
        answer = client.upload(f"/bots/{segment(name)}/versions", fields, filename, data)
    else:
        fields |= {"name": name} | ({"ladder": list(ladders)} if ladders else {})
        answer = client.upload("/bots", fields, filename, data)
    assert isinstance(answer, dict)
    return answer


def find(client: Client, name: str) -> dict[str, Any] | None:
    """Return the bot of this name, whoever owns it; None where there is none."""
    try:
        bot = client.get(f"/bots/{segment(name)}")
    except ServerError as error:
        if error.status != NOT_FOUND:
            raise
        return None
    assert isinstance(bot, dict)
    return bot


def check_ladders(bot: dict[str, Any], wanted: tuple[str, ...]) -> None:
    """Say how a bot that is there already gets on a ladder, where it is not on all those wanted."""
    there = {entry["ladder"] for entry in bot["entries"] if entry["status"] in PLAYING}
    missing = [ladder for ladder in wanted if ladder not in there]
    if missing:
        name = bot["bot"]
        commands = " and ".join(f"`malice enter {name} {ladder}`" for ladder in missing)
        fail(
            harmless(
                f"{name} is there already, and a new version enters the ladders it is on; leave out --ladder here: "
                f"{commands} will put it there"
            )
        )


def wait_for_it(client: Client, answer: dict[str, Any], *, quiet: bool) -> dict[str, Any]:
    """Show the version's way until it plays or has failed, and return it as the server shows it then."""
    bot, number = answer["bot"], answer["version"]
    status, since = answer["status"], time.monotonic()
    version = answer
    try:
        while status in UNDER_WAY:
            time.sleep(POLL_S)
            version = client.get(f"/bots/{segment(bot)}/versions/{number}")
            if version["status"] != status and not quiet:
                say(f"{version['status']} after {time.monotonic() - since:.0f} s")
            status = version["status"]
    except KeyboardInterrupt:
        note(f"The server goes on with it. See `malice status {bot}`.")
        raise SystemExit(1) from None
    if not quiet:
        tell(client, version)
    return version


def tell(client: Client, version: dict[str, Any]) -> None:
    """Say what came of it and what to do next."""
    if reason := version.get("reason"):
        say(harmless(reason))
    page = f"{client.server}/bots/{segment(version['bot'])}"
    if version["status"] == "active":
        tables = [
            f"`malice standings {entry['ladder']}`"
            for entry in version["entries"]
            if entry["status"] == "active"
        ]
        note(harmless(f"It plays: {', or '.join([page, *tables])}."))
    elif version["status"] == "failed":
        where = f" The matches it failed in are at {page}." if version["entries"] else ""
        note(f"Correct it and submit it again.{where}")
