"""The queues, the tasks' names and the Celery settings every process shares.

The service names tasks and never imports them; the workers implement them under these names.
"""

import ssl
from typing import Any

import redis
from celery import Celery
from kombu.entity import Exchange, Queue
from kombu.exceptions import KombuError, OperationalError

from service import broker

BUILD = "build"
PLAY = "play"
REPORTS = "reports"
LEDGER = "ledger"

TASK_BUILD = "malice.build"
"""One argument: an encoded `BuildOrder`. Queue `build`."""
TASK_PLAY = "malice.play"
"""One argument: an encoded `Ticket`. Queue `play`."""
TASK_REPORT = "malice.report"
"""One argument: any encoded message from a worker. Queue `reports`."""
TASK_TICK = "malice.tick"
"""No argument: run what is due of the periodic work. Queue `ledger`."""
TASK_RATE = "malice.rate"
"""One argument: a ladder's id; bring its ratings up to date. Queue `ledger`."""

VISIBILITY_TIMEOUT_S = 10_800
"""How long the broker waits for an acknowledgement before it gives a message to somebody else.

Above every task's time limit, or a long task would run twice (celery 5935)."""


SEND_TIMEOUT_S = 5
"""How long sending may wait for a broker that does not answer."""


class PublishError(RuntimeError):
    """The broker did not confirm a message. It may have been sent all the same."""


class Sender:
    """Sends messages without ever waiting long for an absent broker. One per process and thread."""

    def __init__(self, name: str, broker_url: str) -> None:
        self._celery = make_celery(name, broker_url)
        self._celery.conf.broker_transport_options = self._celery.conf.broker_transport_options | {
            "max_retries": 1,
            "interval_start": 0,
            "interval_step": 0,
            "interval_max": 0,
            "socket_timeout": SEND_TIMEOUT_S,
        }

    def send(self, task: str, *arguments: str, **options: Any) -> None:
        """Send a task by name. Raises PublishError; never tries again."""
        try:
            self._celery.send_task(task, args=arguments, retry=False, **options)
        except (OSError, redis.RedisError, KombuError, OperationalError) as error:
            raise PublishError(f"the broker did not take the message: {error}") from error

    def close(self) -> None:
        """Close all connections."""
        self._celery.close()


def current_attempt_key(fixture: str) -> str:
    """Return the broker's key that holds a fixture's newest attempt; play workers drop any other."""
    return f"play:current:{fixture}"


def taken_key(fixture: str, attempt: int) -> str:
    """Return the broker's key that says which worker has taken an attempt of a fixture."""
    return f"play:{fixture}:{attempt}"


def make_celery(name: str, broker_url: str) -> Celery:
    """Return a Celery app with the settings that survived the outage tests (docs/operating.md)."""
    app = Celery(name, broker=celery_url(broker_url), set_as_current=False)
    app.conf.update(celery_settings())
    if broker_url.startswith("rediss://"):
        # Only kombu's own transport reads this from the scheme, and then without checking the certificate.
        app.conf.broker_use_ssl = {"ssl_cert_reqs": ssl.CERT_REQUIRED}
    return app


def celery_settings() -> dict[str, Any]:
    """Return the settings all apps share: JSON only, nothing prefetched, no results kept."""
    return {
        "task_serializer": "json",
        "accept_content": ["json"],
        "task_ignore_result": True,
        "result_backend": None,
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "worker_prefetch_multiplier": 1,
        "task_queues": [
            # With an exchange of its own, or Celery binds all four to the default one.
            Queue(name, Exchange(name), routing_key=name)  # type: ignore[no-untyped-call]
            for name in (BUILD, PLAY, REPORTS, LEDGER)
        ],
        "task_create_missing_queues": False,
        # Celery needs a default that exists; every task of ours is routed by name below.
        "task_default_queue": REPORTS,
        "task_routes": {
            TASK_BUILD: {"queue": BUILD},
            TASK_PLAY: {"queue": PLAY},
            TASK_REPORT: {"queue": REPORTS},
            TASK_TICK: {"queue": LEDGER},
            TASK_RATE: {"queue": LEDGER},
        },
        "broker_transport": broker.PATH,
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "broker_transport_options": {
            "visibility_timeout": VISIBILITY_TIMEOUT_S,
            "unacked_restore_interval": 5,
            "unacked_restore_throttle": 1,
            "socket_timeout": 10,
            "socket_connect_timeout": 5,
            "socket_keepalive": True,
        },
        "worker_enable_remote_control": False,
        "worker_send_task_events": False,
        "worker_hijack_root_logger": False,
        "worker_soft_shutdown_timeout": 10,
        "timezone": "UTC",
    }


def celery_url(broker_url: str) -> str:
    """Return the broker URL as kombu wants it: a unix socket is `<transport>+socket://` there, elsewhere `unix://`."""
    if broker_url.startswith("unix://"):
        return f"{broker.NAME}+socket://" + broker_url.removeprefix("unix://")
    return broker_url
