"""`malice alive`: whether a process of this machine lives, for containers' health checks."""

import click

from service.cli.processes import load_settings
from service.cli.supervisor.checks import fresh_sign, http_alive
from service.cli.supervisor.home import Home
from service.cli.supervisor.plan import BEAT, LEDGER, PLAY, REPORTS, WEB
from service.cli.text import fail, say

SIGNS = {PLAY: (PLAY,), LEDGER: (REPORTS, LEDGER), BEAT: (BEAT,)}


@click.command()
@click.argument("process", type=click.Choice([WEB, PLAY, LEDGER, BEAT]))
def alive(process: str) -> None:
    """Ask whether a process of this machine is alive: exit code 0 if it is, else 1.

    The web server is asked over HTTP; the others touch a file in <home>/run as long as their main loop turns.

    \b
    Example, a container's health check:
      test: [CMD, malice, alive, play]
    """
    settings = load_settings()
    if process == WEB:
        host = "127.0.0.1" if settings.host == "0.0.0.0" else settings.host
        silent = [] if http_alive(host, settings.port) else [WEB]
    else:
        home = Home(root=settings.home.absolute())
        silent = [name for name in SIGNS[process] if not fresh_sign(home.sign_of_life(name))]
    if silent:
        fail(f"{' and '.join(silent)} gives no sign of life")
    say(f"{process} is alive")
