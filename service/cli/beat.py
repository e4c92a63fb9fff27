"""`malice beat`: the clock that triggers periodic work."""

from pathlib import Path
from typing import Any

import click

from service.cli.processes import configure_logging, load_no_terminal, load_settings, usable_home
from service.cli.supervisor.checks import SIGN_EVERY_S, give_sign


@click.command()
def beat() -> None:
    """Run the clock that triggers periodic work; exactly one per installation.

    It only knocks: the work itself runs in a ledger worker that holds a lease in the database. While it is away,
    nothing is lost; while two run, nothing is done twice.

    \b
    Example:
      MALICE_BROKER_URL=redis://queue/0 malice beat
    """
    settings = load_settings(needs_broker=True)
    home = usable_home(settings.home)
    load_no_terminal()
    configure_logging()
    from workers.apps.beat import make_app

    app = make_app(settings)
    app.Beat(
        scheduler_cls=living_scheduler(home.sign_of_life("beat")),
        max_interval=SIGN_EVERY_S,
        loglevel="INFO",
        quiet=True,
    ).run()


def living_scheduler(path: Path) -> type:
    """Return a scheduler, its plan in memory, that touches `path` every time it turns."""
    from celery.beat import Scheduler

    class LivingScheduler(Scheduler):  # type: ignore[misc]
        def tick(self, *arguments: Any, **options: Any) -> Any:
            give_sign(path)
            return super().tick(*arguments, **options)

    return LivingScheduler
