"""The app that knocks at the ledger every second, and does nothing else."""

from celery import Celery

from service.publishing import HINT_EXPIRES_S
from service.queues import TASK_TICK, make_celery
from service.settings import Settings

TICK_EVERY_S = 1.0


def make_app(settings: Settings) -> Celery:
    """Return the app for `celery beat`; its plan is in memory, as nothing in it needs to be remembered."""
    app = make_celery("malice-beat", settings.required_broker_url)
    app.conf.beat_scheduler = "celery.beat:Scheduler"
    app.conf.beat_schedule = {
        "tick": {
            "task": TASK_TICK,
            "schedule": TICK_EVERY_S,
            # While nobody answers, old knocks vanish instead of piling up.
            "options": {"expires": HINT_EXPIRES_S},
        }
    }
    return app
