"""`malice worker ledger` where no `malice up` looks after its two processes."""

from service.cli.supervisor.home import Home
from service.cli.supervisor.logs import log_limit
from service.cli.supervisor.plan import LEDGER, REPORTS, worker_child
from service.cli.supervisor.signals import Signals
from service.cli.supervisor.supervisor import Supervisor
from service.cli.text import note
from service.settings import Settings


def run_both(settings: Settings, home: Home) -> None:
    """Run the two processes until stopped; what they print goes to the home's logs and stays in bounds."""
    specs = [worker_child(home, settings, name, needs=None) for name in (REPORTS, LEDGER)]
    with Signals() as signals:
        supervisor = Supervisor(
            specs, signals=signals, report=note, log_limit=log_limit(settings.disk_budget_mb)
        )
        try:
            supervisor.run(lambda: None)
            supervisor.stop()
        finally:
            supervisor.kill()
