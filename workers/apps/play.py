"""`malice worker play`: the Celery app behind the queues build and play.

Prefork, one process per slot, each pinned with its bots to one core. The parent proves that the host is fit before it
takes any work, and speaks for the worker. Nothing here imports what reaches the database.
"""

import gc
import os
import sys
from typing import Any

import structlog
from billiard.process import current_process
from celery import Celery, signals

from service.messages import BuildOrder, Clock, Ticket, WorkerHello, decode_to_worker
from service.queues import TASK_BUILD, TASK_PLAY, make_celery
from service.settings import Settings, SettingsError
from workers.apps.courier import Courier
from workers.apps.hand import FROZEN_S, Hand
from workers.apps.host import StopSign, UnfitError, prove_fit, slots
from workers.builder.compiling import TIMEOUT_S
from workers.places import NoPlaceError, Place, take_place
from workers.referee.clock import fixture_limit_s
from workers.referee.fixture import MOST_SEATS

log = structlog.get_logger(__name__)


def make_app(settings: Settings) -> Celery:
    """Return the app. Its worker proves the host fit when it starts, or exits with status 1 and says why not."""
    if not settings.broker_url:
        raise SettingsError("MALICE_BROKER_URL is not set; a play worker takes its work from there")
    app = make_celery("malice-play", settings.broker_url)
    app.conf.worker_concurrency = slots(settings)
    team = _Team(app, settings)
    _add_tasks(app, team)
    signals.worker_init.connect(team.on_init, weak=False)
    signals.worker_ready.connect(team.on_ready, weak=False)
    signals.worker_shutting_down.connect(team.on_stopping, weak=False)
    signals.worker_shutdown.connect(team.on_stopped, weak=False)
    return app


def _add_tasks(app: Celery, team: "_Team") -> None:
    def play(text: str) -> None:
        message = decode_to_worker(text)
        if isinstance(message, Ticket):
            team.hand().play(message)

    def build(text: str) -> None:
        message = decode_to_worker(text)
        if isinstance(message, BuildOrder):
            team.hand().build(message)

    # Acknowledged at once: a fixture lost with its worker is sent again from the database, under a new attempt.
    play_limit_s = fixture_limit_s(Clock(), MOST_SEATS, MOST_SEATS) + FROZEN_S
    app.task(name=TASK_PLAY, acks_late=False, time_limit=play_limit_s)(play)
    app.task(name=TASK_BUILD, time_limit=TIMEOUT_S + fixture_limit_s(Clock(), 1, 1))(build)


class _Team:
    """The worker's parent process and, after the fork, each of its children."""

    def __init__(self, app: Celery, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._courier = Courier(settings.broker_url)
        self._stopping = StopSign()
        self._place: Place | None = None
        self._hello: WorkerHello | None = None
        self._hand: Hand | None = None

    def hand(self) -> Hand:
        """Return this process's hand, made and pinned to its core at the first call."""
        if self._hand is None:
            assert self._place is not None  # the parent proved itself fit before it forked
            assert self._hello is not None
            index = current_process().index
            cores = sorted(os.sched_getaffinity(0))
            os.sched_setaffinity(0, {cores[self._place.slots[index] % len(cores)]})
            self._hand = Hand(self._settings, self._place, index, self._hello, self._courier, self._stopping)
        return self._hand

    def on_init(self, sender: Any, **_: Any) -> None:
        """In the parent, before anything is taken from a queue."""
        if sender.app is not self._app:
            return
        sender.concurrency = min(sender.concurrency, slots(self._settings))
        try:
            self._place = take_place("worker", sender.concurrency)
            self._hello = prove_fit(self._place, self._settings)
        except (NoPlaceError, UnfitError) as error:
            print(f"malice worker play takes no work: {error}", file=sys.stderr)  # noqa: T201
            raise SystemExit(1) from None
        # What is loaded by now stays shared with the children: their collector has no need to touch it.
        gc.collect()
        gc.freeze()
        log.info(
            "fit to play", worker=self._place.name, layer=self._hello.layer, speed=round(self._hello.speed)
        )

    def on_ready(self, sender: Any, **_: Any) -> None:
        """In the parent, once it takes work."""
        if self._hello is not None:
            self._courier.start(self._hello)

    def on_stopping(self, **_: Any) -> None:
        """In the parent's signal handler."""
        self._stopping.put_up()

    def on_stopped(self, **_: Any) -> None:
        """In the parent, when all children have ended."""
        self._courier.stop()
