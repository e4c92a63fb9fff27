"""`malice replay`: a match told from its log, deal by deal, or stepped through move by move."""

from typing import TYPE_CHECKING, Any

import click

from service.cli.client import Client, ServerError, parse_server, segment
from service.cli.text import fail, note, on_a_terminal, print_json, say

if TYPE_CHECKING:
    from service.cli.local.story import LogStory


@click.command()
@click.argument("log", metavar="LOG")
@click.option("--deal", type=click.IntRange(min=0), metavar="N", help="Only this deal, from 0.")
@click.option(
    "--step/--list",
    "stepping",
    default=None,
    help="Step through it with keys, as at a terminal; or list it, as elsewhere.",
)
@click.option("--server", metavar="URL", help="The server it comes from, which knows the bots' names.")
@click.option("--json", "as_json", is_flag=True, help="Print what happened as JSON.")
def replay(log: str, deal: int | None, stepping: bool | None, server: str | None, as_json: bool) -> None:
    """Show a match from its log.

    At a terminal one key goes a move on and another a move back, with the table in between; elsewhere the match is
    listed. Every decision is made again on the engine, so a log that is wrong is found out. LOG is a file as
    downloaded, plain or zstd, or - for stdin. A log of a server holds no names: seats are called by number, unless
    --server says whom to ask.

    \b
    Examples:
      malice replay match.ndjson
      malice replay match.ndjson --deal 2 --list
      malice replay match.ndjson --server http://127.0.0.1:8000
      malice log 01kb3r2c9v0000000000000000 -o - | malice replay -
    """
    from engine.errors import LogError
    from service.cli.local.stepping import Stepper
    from service.cli.local.story import LogStory
    from service.cli.verify import read_bytes

    try:
        data = read_bytes(log)
    except OSError as error:
        fail(f"{log}: cannot be read ({(error.strerror or str(error)).lower()})")
    except LogError as error:
        fail(f"{log}: {error}")
    try:
        story = LogStory(data)
        if server:
            story.call(_names(Client(parse_server(server), token=None), story))
        if deal is not None and deal >= story.deals:
            raise click.UsageError(f"{log} has {story.deals} deals: 0 to {story.deals - 1}")
        if as_json:
            print_json(_document(story, deal))
        elif stepping if stepping is not None else on_a_terminal() and log != "-":
            Stepper(story, deal or 0).run()
        else:
            _list(story, deal)
    except LogError as error:
        fail(f"{log}: does not replay: {error}")


def _names(client: Client, story: "LogStory") -> list[str]:
    """Return the bots' names by seat, as the server has them; none where it does not know the match."""
    header = story.header
    try:
        legs = client.get(f"/fixtures/{segment(header.fixture)}")["legs"]
    except ServerError as error:
        note(f"{client.server} does not know the bots' names: {error.message}")
        return []
    return next((leg["bots"] for leg in legs if leg["leg"] == header.leg), [])


def _list(story: "LogStory", deal: int | None) -> None:
    for line in story.title():
        say(line)
    for told in story.all_deals() if deal is None else [story.deal(deal)]:
        say()
        for line in story.listing(told):
            say(line)
    if deal is None:
        say()
        for line in story.outcome():
            say(line)


def _document(story: "LogStory", deal: int | None) -> dict[str, Any]:
    told = story.all_deals() if deal is None else [story.deal(deal)]
    return {
        "fixture": story.header.fixture,
        "leg": story.header.leg,
        "rules": story.header.rules,
        "target": story.header.target,
        "seats": [seat.version for seat in story.header.seats],
        "deals": [story.document(one) for one in told],
        "scores": story.over.scores,
        "places": story.over.places,
        "reason": story.over.reason,
    }
