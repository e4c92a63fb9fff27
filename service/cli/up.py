"""`malice up`: everything on this machine, in one command."""

import os
import shutil
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from service.cli.processes import load_settings, require_usable_addresses, usable_home
from service.cli.supervisor.child import ChildSpec
from service.cli.supervisor.embedded import Prepared, StartError, children, prepare, resolve
from service.cli.supervisor.home import Home, HomeError, HomeLock
from service.cli.supervisor.listening import ListenError, address_of, listen
from service.cli.supervisor.logs import MIB, log_limit
from service.cli.supervisor.plan import BEAT, LEDGER, REPORTS, WEB
from service.cli.supervisor.screen import LiveScreen, PlainScreen
from service.cli.supervisor.signals import Signals
from service.cli.supervisor.supervisor import Supervisor
from service.cli.supervisor.table import fetch_table
from service.cli.text import fail, on_a_terminal, say
from service.settings import Settings

LADDERS_NAMED = 3

USE_THE_DATABASE = frozenset({WEB, REPORTS, LEDGER, BEAT})
"""They wait until it is prepared; the broker starts at once, and the play worker proves its host fit meanwhile."""


@click.command()
@click.option("--home", type=click.Path(path_type=Path), help="Where all data live; default ./var.")
@click.option("--host", help="Address to serve on; default 127.0.0.1, this machine only.")
@click.option("--port", type=int, help="Port to serve on; default 8000; 0 takes a free one.")
@click.option("--cores", type=int, help="Fixtures to play at once; default half the cores.")
def up(home: Path | None, host: str | None, port: int | None, cores: int | None) -> None:
    """Run everything on this machine: broker, web server, workers, clock.

    The first start makes the database, the ladders and the house bots, and prints a token for the operator. The
    table moves within seconds. Ctrl-C stops everything cleanly; the next start goes on where this one ended.
    What the processes print is in <home>/logs.

    \b
    Examples:
      malice up
      malice up --home /srv/malice --port 8080 --cores 4
    """
    settings = load_settings(home=home, host=host, port=port, cores=cores)
    require_usable_addresses(settings)
    folders = usable_home(settings.home)
    try:
        lock = HomeLock(folders)
        listener = listen(settings.host, settings.port)
        settings, broker = resolve(settings, folders, listener)
    except (HomeError, ListenError, StartError) as error:
        fail(str(error))
    lock.announce(address_of(settings.host, settings.port))
    run_until_stopped(folders, settings, children(folders, settings, broker, listener.fileno()))
    lock.release()
    say("Malice has stopped.")


def run_until_stopped(home: Home, settings: Settings, specs: Sequence[ChildSpec]) -> None:
    """Prepare the database, keep all children running until a stop signal, stop them in order."""
    address = address_of(settings.host, settings.port)
    fetch = partial(fetch_table, settings.host, settings.port)
    screen = LiveScreen(address, fetch) if on_a_terminal() else PlainScreen(say, fetch)
    with Signals() as signals, screen:
        supervisor = Supervisor(
            specs,
            signals=signals,
            report=screen.event,
            log_limit=log_limit(settings.disk_budget_mb),
            held=[spec.name for spec in specs if spec.name in USE_THE_DATABASE],
        )

        def work_meanwhile(seconds: float) -> bool:
            supervisor.step(time.monotonic())
            signals.wait(seconds)
            return signals.stops > 0

        try:
            screen.say(welcome(address, home, prepare(home, settings, work_meanwhile)))
            supervisor.release()
            supervisor.run(lambda: screen.tick(state_of(supervisor), disk_warning(settings)))
            screen.event("stopping; fixtures being played now will be played again at the next start")
            supervisor.stop()
        except StartError as error:
            fail(str(error))
        finally:
            supervisor.kill()


def welcome(address: str, home: Home, prepared: Prepared) -> str:
    """Return what is said at the start: where it is, and on the first start what to do next."""
    malice = _own_command()
    lines = [f"Malice is at {address}   (data in {_short(home.root)}; Ctrl-C stops it)"]
    if prepared.operator_token:
        lines += [
            "",
            f"First start: made the ladders {_some(prepared.ladders)}, and the house bots.",
            f"You are the operator. This token sets the password of your account {prepared.operator}, once:",
            f"    {prepared.operator_token}",
            f"    {malice} login {prepared.operator} --server {address} --once TOKEN",
            "",
            f"Next: open {address}, or in another terminal:",
            f"    {malice} register ada --server {address}",
            f"    {malice} submit my_bot.py",
            "",
        ]
    return "\n".join(lines)


def state_of(supervisor: Supervisor) -> str:
    """Return the state of things in a few words: who is missing."""
    away = [child.spec.name for child in supervisor.children.values() if not child.healthy]
    return "all well" if not away else "waiting for " + ", ".join(away)


def disk_warning(settings: Settings) -> str:
    """Return a warning when the disk is short; empty when it is not."""
    disk = os.statvfs(settings.home)
    if disk.f_bavail * disk.f_frsize >= settings.disk_reserve_mb * MIB:
        return ""
    return f"DISK LOW: less than {settings.disk_reserve_mb} MiB free, nothing new is played"


def _own_command() -> str:
    """How a shell in this folder calls this very command: inside a checkout PATH does not know it."""
    called = sys.argv[0]
    return called if Path(called).name == "malice" and shutil.which("malice") is None else "malice"


def _some(names: Sequence[str]) -> str:
    """Return the first of many names, and how many there are beside them."""
    shown = ", ".join(names[:LADDERS_NAMED])
    return f"{shown} and {len(names) - LADDERS_NAMED} more" if len(names) > LADDERS_NAMED else shown


def _short(path: Path) -> str:
    here = Path.cwd()
    return f"./{path.relative_to(here)}" if path.is_relative_to(here) and path != here else str(path)
