"""`malice log`: a match's log, as a file."""

import sys
from pathlib import Path

import click

from service.cli.client import Client, segment, with_client
from service.cli.text import fail, note


@click.command()
@click.argument("match")
@click.option(
    "--output", "-o", type=click.Path(path_type=Path, allow_dash=True), help="Where to; default MATCH.ndjson."
)
@click.option(
    "--stderr", "seat", type=click.IntRange(min=0), metavar="SEAT", help="Your bot's own log instead."
)
@with_client
def log(client: Client, match: str, output: Path | None, seat: int | None) -> None:
    """Download the log of a match; -o - writes it to stdout.

    With --stderr SEAT, what your own bot in that seat wrote to its stderr.

    \b
    Examples:
      malice log 01kb3r2c9v0000000000000000
      malice verify 01kb3r2c9v0000000000000000.ndjson
      malice log 01kb3r2c9v0000000000000000 -o - | malice verify -
    """
    if seat is None:
        data = client.download(f"/matches/{segment(match)}/log")
        name = f"{match}.ndjson"
    else:
        client.needs_token()
        data = client.download(f"/matches/{segment(match)}/stderr", seat=seat)
        name = f"{match}.seat{seat}.txt"
    target = output or Path(name)
    if str(target) == "-":
        sys.stdout.buffer.write(data)
        return
    try:
        target.write_bytes(data)
    except OSError as error:
        fail(f"cannot write {target} ({(error.strerror or str(error)).lower()}): give another place with -o")
    note(f"{target}: {len(data):,} bytes")
