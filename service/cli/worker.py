"""`malice worker`: the processes behind the queues."""

import os
import socket
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from service import queues
from service.cli.processes import configure_logging, load_no_terminal, load_settings, usable_home
from service.cli.supervisor.checks import SIGN_EVERY_S, give_sign
from service.cli.supervisor.home import Home
from service.settings import Settings

if TYPE_CHECKING:
    from celery import Celery


@click.command()
@click.argument("kind", type=click.Choice(["play", "ledger"]))
@click.option(
    "--only",
    type=click.Choice(["reports", "ledger"]),
    help="Of the ledger's two processes run this one alone.",
)
def worker(kind: str, only: str | None) -> None:
    """Run a worker until it is stopped.

    PLAY builds and plays strangers' programs in sandboxes: as many hosts as you like, which need the broker and the
    blob store, and must not be given the database. LEDGER is trusted: it records results, rates them and draws up
    fixtures; it runs two processes, one for each of its queues.

    \b
    Examples:
      export MALICE_BROKER_URL=redis://queue/0 MALICE_BLOBS_URL=/srv/blobs
      malice worker play
      MALICE_DATABASE_URL=postgresql://db/malice malice worker ledger
    """
    if only and kind != "ledger":
        raise click.UsageError("--only goes with `malice worker ledger`")
    settings = load_settings(needs_broker=True)
    home = usable_home(settings.home)
    if kind == "play":
        run_play(settings, home)
    elif only:
        run_trusted(only, settings, home)
    else:
        from service.cli.supervisor.ledger import run_both

        run_both(settings, home)


def run_play(settings: Settings, home: Home) -> None:
    """Consume builds and fixtures, one process per slot, none of which outlives this one."""
    # A warm shutdown, unlike the ledger's: the referees are told at once, and give up what they cannot finish soon.
    _prepare()
    from celery.signals import worker_process_init

    from service.cli.supervisor.child import death_pact
    from workers.apps.play import make_app

    sign_death_pact = death_pact()

    def tie_to_parent(**_: Any) -> None:
        sign_death_pact()

    worker_process_init.connect(tie_to_parent, weak=False)
    run_worker(
        make_app(settings),
        "play",
        home,
        pool_cls="prefork",
        queues=[queues.BUILD, queues.PLAY],
    )


def run_trusted(name: str, settings: Settings, home: Home) -> None:
    """Consume one of the ledger's queues, in this process alone."""
    # Read by billiard when it is imported: SIGTERM then ends a worker within the soft shutdown's time.
    os.environ["REMAP_SIGTERM"] = "SIGQUIT"
    _prepare()
    from workers.apps import ledger, reports

    make_app = reports.make_app if name == "reports" else ledger.make_app
    queue = queues.REPORTS if name == "reports" else queues.LEDGER
    run_worker(make_app(settings), name, home, pool_cls="solo", concurrency=1, queues=[queue])


def _prepare() -> None:
    load_no_terminal()
    configure_logging()
    # What Celery warns root about is pickled messages; only JSON is accepted here.
    warnings.filterwarnings("ignore", message="You're running the worker with superuser privileges")


def run_worker(app: "Celery", name: str, home: Home, **options: Any) -> None:
    """Run a Celery worker in this process to its end, giving signs of life."""
    from celery.signals import setup_logging

    def keep_our_logging(**_: Any) -> None:
        """Celery sets its own logging up only where nobody listens to this signal."""

    setup_logging.connect(keep_our_logging, weak=False)
    give = sign_unless_a_slot_is_stopped if name == "play" else give_sign
    app.steps["worker"].add(sign_of_life_step(home.sign_of_life(name), give))
    process = app.Worker(
        hostname=f"{name}@{socket.gethostname()}",
        loglevel="INFO",
        redirect_stdouts=False,
        quiet=True,
        without_mingle=True,
        without_gossip=True,
        without_heartbeat=True,
        **options,
    )
    process.start()
    raise SystemExit(process.exitcode)


def sign_unless_a_slot_is_stopped(path: Path) -> None:
    """Give a sign of life while no process of ours is stopped.

    A stopped one plays nothing, hears no alarm, and keeps its slot: whoever watches us must end us all.
    """
    from workers.sandbox.proc import children, is_stopped

    if not any(is_stopped(child) for child in children(os.getpid())):
        give_sign(path)


def sign_of_life_step(path: Path, give: Callable[[Path], None]) -> Callable[..., Any]:
    """Return a worker step that gives signs from the worker's own event loop, so that a frozen loop shows."""
    from celery import bootsteps

    class SignOfLife(bootsteps.StartStopStep):  # type: ignore[misc]
        requires = ("celery.worker.components:Timer",)

        def __init__(self, parent: Any, **options: Any) -> None:
            self.entry: Any = None

        def start(self, parent: Any) -> None:
            self.entry = parent.timer.call_repeatedly(SIGN_EVERY_S, give, (path,))

        def stop(self, parent: Any) -> None:
            if self.entry is not None:
                self.entry.cancel()

    return SignOfLife
