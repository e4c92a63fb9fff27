"""Which processes an installation has, what each is told, and how each shows that it lives."""

import os
import sys
from collections.abc import Collection
from functools import partial
from pathlib import Path
from time import strftime

import msgspec

from service.cli.supervisor.broker import answers, broker_command
from service.cli.supervisor.checks import fresh_sign, http_alive
from service.cli.supervisor.child import ChildSpec
from service.cli.supervisor.home import Home
from service.settings import ENGINE_VARIABLE, PREFIX, Settings

BROKER, WEB, BEAT, PLAY, REPORTS, LEDGER = "broker", "web", "beat", "play", "reports", "ledger"
STAGES = {WEB: 0, BEAT: 1, PLAY: 2, REPORTS: 3, LEDGER: 3, BROKER: 4}
"""The order of stopping: nothing new comes in, nothing new is triggered, what was played is still recorded."""

SECRETS_OF = {
    WEB: frozenset({"database_url", "secret_key"}),
    REPORTS: frozenset({"database_url"}),
    LEDGER: frozenset({"database_url"}),
    "migrate": frozenset({"database_url"}),
}
"""Who is told what must not be told to all: the processes that run strangers' programs get neither."""
SECRETS = frozenset({"database_url", "secret_key"})


def environment(settings: Settings, process: str) -> dict[str, str]:
    """Return a child's environment: this process's, but of our settings only those it may know, as resolved here."""
    inherited = {
        name: text
        for name, text in os.environ.items()
        if not name.startswith(PREFIX) or name == ENGINE_VARIABLE
    }
    hidden = SECRETS - SECRETS_OF.get(process, frozenset())
    return inherited | settings_environment(settings, hidden)


def settings_environment(settings: Settings, hidden: Collection[str]) -> dict[str, str]:
    """Return the variables that give these settings, without the hidden ones and those that are empty."""
    values = {field.name: getattr(settings, field.name) for field in msgspec.structs.fields(Settings)}
    return {
        PREFIX + name.upper(): str(value)
        for name, value in values.items()
        if value != "" and name not in hidden
    }


def malice(*arguments: str) -> list[str]:
    """Return the command line of a `malice` of this very installation, whatever PATH and the current folder hold."""
    return [sys.executable, "-P", "-m", "service.cli", *arguments]


def broker_child(home: Home, binary: Path, socket_file: Path) -> ChildSpec:
    """The embedded broker."""
    return ChildSpec(
        name=BROKER,
        argv=broker_command(binary, home.broker, socket_file),
        environ={"PATH": os.defpath},
        log=home.logs / "broker.log",
        check=partial(answers, socket_file),
        stage=STAGES[BROKER],
        start_within_s=20,
        frozen_after_s=10,
        stop_within_s=10,
        last_resort=partial(set_aside, home),
    )


def set_aside(home: Home) -> str:
    """Move the broker's data away so that it can start afresh; say so. The database can send all of it again."""
    aside = home.root / f"broker.damaged-{strftime('%Y%m%d-%H%M%S')}"
    home.broker.rename(aside)
    home.broker.mkdir(mode=0o700)
    return f"its data were moved to {aside} and it starts afresh; nothing is lost but a little time"


def web_child(home: Home, settings: Settings, fd: int) -> ChildSpec:
    """The web server, on a socket that outlives it: while it is restarted, browsers wait instead of failing."""
    return ChildSpec(
        name=WEB,
        argv=malice("web", "--fd", str(fd)),
        environ=environment(settings, WEB),
        log=home.logs / "web.log",
        check=partial(http_alive, settings.host, settings.port),
        stage=STAGES[WEB],
        frozen_after_s=10,
        stop_within_s=5,
        pass_fds=(fd,),
    )


def worker_child(
    home: Home, settings: Settings, name: str, *, needs: str | None = BROKER, log: Path | None = None
) -> ChildSpec:
    """A worker or beat, which touches a file as long as its loop turns. Without `log` it prints where we do."""
    arguments = {
        BEAT: ("beat",),
        PLAY: ("worker", "play"),
        REPORTS: ("worker", "ledger", "--only", "reports"),
        LEDGER: ("worker", "ledger", "--only", "ledger"),
    }[name]
    trusted = name in (REPORTS, LEDGER)
    return ChildSpec(
        name=name,
        argv=malice(*arguments),
        environ=environment(settings, name),
        log=log,
        check=partial(fresh_sign, home.sign_of_life(name)),
        sign=home.sign_of_life(name),
        stage=STAGES[name],
        # A trusted worker works in its own loop, so a long piece of work looks like silence.
        frozen_after_s=60 if trusted else 20,
        stop_within_s=15,
        needs=needs,
    )
