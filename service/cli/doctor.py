"""`malice doctor`: what this machine isolates, what it has, and what it lacks."""

import os
import platform
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import click
import msgspec

import engine
from service.cli.processes import load_settings
from service.cli.supervisor.broker import find_broker
from service.cli.supervisor.home import Home, HomeError, open_home, read_holder, socket_path
from service.cli.supervisor.listening import ListenError, listen
from service.cli.text import console, on_a_terminal, print_json, print_table, say
from service.settings import MIB, Settings


class Finding(msgspec.Struct, frozen=True):
    """One thing looked at."""

    name: str
    good: bool
    needed: bool
    """Without it the service cannot run here."""
    detail: str
    remedy: str = ""
    """What to do, where it is not good."""


@click.command()
@click.option("--home", type=click.Path(path_type=Path), help="The home to look at; default ./var.")
@click.option("--port", type=int, help="The port to look at; default 8000.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def doctor(home: Path | None, port: int | None, as_json: bool) -> None:
    """Say what this machine isolates and what it lacks, and what to do about it.

    Named attacks are tried, harmlessly, in the sandbox this machine would use; the same self-test decides whether a
    play worker takes work. The exit code is 1 when something the service needs is missing.

    \b
    Examples:
      malice doctor
      malice doctor --json | jq '.[] | select(.good | not)'
    """
    settings = load_settings(home=home, port=port)
    findings: list[Finding] = []
    watching = console(stderr=True).status("looking") if on_a_terminal() and not as_json else None
    if watching:
        watching.start()
    try:
        for look in (machine, place, isolation):
            findings += look(settings)
    finally:
        if watching:
            watching.stop()
    show(findings, as_json)
    if any(finding.needed and not finding.good for finding in findings):
        raise SystemExit(1)


def machine(settings: Settings) -> Iterator[Finding]:
    """Look at the machine: system, Python, cores, broker."""
    linux = sys.platform.startswith("linux")
    yield Finding(
        "system", linux, True, f"{platform.system()} {platform.release()}", "the service needs Linux or WSL2"
    )
    yield Finding("malice", True, True, f"{version('malice')}, Python {platform.python_version()}")
    yield engine_in_use()
    yield Finding("user", True, False, "root" if os.geteuid() == 0 else f"uid {os.geteuid()}")
    cores = len(os.sched_getaffinity(0)) if linux else os.cpu_count()
    yield Finding("cores", True, False, f"{cores}, of which {settings.play_slots if linux else 0} play")
    if settings.broker_url:
        yield Finding("broker", True, True, "elsewhere: MALICE_BROKER_URL")
        return
    broker = find_broker()
    yield Finding(
        "broker",
        broker is not None,
        True,
        str(broker or "none"),
        "install valkey-server or redis-server (on Debian: apt-get install valkey), or set MALICE_BROKER_URL",
    )


def engine_in_use() -> Finding:
    """Say whether the engine runs compiled; playing is right without, only slower."""
    return Finding(
        "engine",
        engine.compiled(),
        False,
        engine.LOADED,
        "install a C compiler and Python's headers (on Debian: apt-get install gcc python3-dev) and Malice again",
    )


def place(settings: Settings) -> Iterator[Finding]:
    """Look at the home, its disk, and the port."""
    free = shutil.disk_usage(_existing(settings.home)).free
    yield Finding(
        "disk",
        free >= settings.disk_reserve_mb * MIB,
        True,
        f"{free // MIB:,} MiB free",
        f"with less than {settings.disk_reserve_mb} MiB free nothing is played: free some, or set MALICE_DISK_RESERVE_MB",
    )
    home = Home(root=settings.home.absolute())
    if not settings.home.exists():
        yield Finding("home", True, True, f"{home.root}, made at the first start")
    else:
        try:
            socket_path(open_home(settings.home))
            yield Finding("home", True, True, str(home.root))
        except (HomeError, OSError) as error:
            yield Finding("home", False, True, str(error), "give a folder you may write to with --home")
    if holder := read_holder(home):
        yield Finding(
            "port", True, False, f"malice runs on this home: process {holder.pid}, {holder.address}"
        )
        return
    try:
        listen(settings.host, settings.port).close()
        yield Finding("port", True, True, f"{settings.host}:{settings.port} is free")
    except ListenError as error:
        yield Finding("port", False, True, str(error), "give another with --port")


def isolation(settings: Settings) -> Iterator[Finding]:
    """Try named attacks in the sandbox this machine would use."""
    from workers.places import NoPlaceError, take_place
    from workers.programs import SandboxError
    from workers.referee.fixture import MOST_SEATS
    from workers.sandbox import choose_sandbox
    from workers.sandbox.selftest import run_selftest

    try:
        # A slot of its own: a worker may be playing on this host meanwhile.
        place = take_place("local", 1)
        sandbox = choose_sandbox(settings.sandbox)
        guards = run_selftest(sandbox, place.slots[0] * MOST_SEATS)
        place.release()
    except (SandboxError, NoPlaceError) as error:
        yield Finding(
            "sandbox", False, True, str(error), "see docs/sandbox.md; until then nothing is played here"
        )
        return
    runtimes = ", ".join(f"{name} {number}" for name, number in sandbox.runtimes.items())
    yield Finding("sandbox", True, True, f"layer {sandbox.layer}; runs {runtimes}")
    for guard in guards:
        yield Finding(f"guard {guard.name}", guard.held, True, guard.detail, guard.remedy)


def show(findings: list[Finding], as_json: bool) -> None:
    """Print the findings, and below them what to do about those that are not good."""
    if as_json:
        print_json(msgspec.to_builtins(findings))
        return
    rows = [
        ["ok" if one.good else "MISSING" if one.needed else "no", one.name, one.detail] for one in findings
    ]
    print_table(("", "what", "found"), rows, folding=("found",))
    bad = [finding for finding in findings if not finding.good]
    for finding in bad:
        say(f"{finding.name}: {finding.remedy}")
    say("Everything the service needs is here." if not bad else f"{len(bad)} to mend.")


def _existing(path: Path) -> Path:
    path = path.absolute()
    while not path.exists():
        path = path.parent
    return path
