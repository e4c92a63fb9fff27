"""Publishing to the broker. What is published is only a hint: the rows behind it are already in the database."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import redis
from kombu.exceptions import KombuError, OperationalError

from service.messages import BuildOrder, Ticket, encode
from service.queues import (
    TASK_BUILD,
    TASK_PLAY,
    TASK_RATE,
    TASK_TICK,
    VISIBILITY_TIMEOUT_S,
    make_celery,
)

CONNECT_TRIES = 1
"""Publishing never waits for an absent broker: the sweeper publishes again."""
HINT_EXPIRES_S = 5
"""Hints older than this are worthless, so an outage of the ledger piles none up."""
SOCKET_TIMEOUT_S = 5


class PublishError(RuntimeError):
    """The broker did not confirm a message. It may have been sent all the same."""


def current_attempt_key(fixture: str) -> str:
    """Return the broker's key that holds a fixture's newest attempt; play workers drop any other."""
    return f"play:current:{fixture}"


class Publisher:
    """Sends tickets, build orders and hints. One per process; not to be shared between threads."""

    def __init__(self, broker_url: str) -> None:
        self._celery = make_celery("malice-publisher", broker_url)
        self._celery.conf.broker_transport_options = self._celery.conf.broker_transport_options | {
            "max_retries": CONNECT_TRIES,
            "interval_start": 0,
            "interval_step": 0,
            "interval_max": 0,
            "socket_timeout": SOCKET_TIMEOUT_S,
        }
        self._keys = redis.Redis.from_url(
            broker_url, socket_timeout=SOCKET_TIMEOUT_S, socket_connect_timeout=SOCKET_TIMEOUT_S
        )

    def ticket(self, ticket: Ticket) -> None:
        """Make the ticket's attempt the fixture's current one and send it. Raises PublishError."""
        with _as_publish_error():
            self._keys.set(current_attempt_key(ticket.fixture), ticket.attempt, ex=VISIBILITY_TIMEOUT_S)
        self._send(TASK_PLAY, encode(ticket))

    def build_order(self, order: BuildOrder) -> None:
        """Send a build order. Raises PublishError."""
        self._send(TASK_BUILD, encode(order))

    def tick(self) -> None:
        """Hint that periodic work may be due. Raises PublishError."""
        self._send(TASK_TICK, expires=HINT_EXPIRES_S)

    def rate(self, ladder_id: str) -> None:
        """Hint that a ladder has new results. Raises PublishError."""
        self._send(TASK_RATE, ladder_id, expires=HINT_EXPIRES_S)

    def close(self) -> None:
        """Close all connections."""
        self._celery.close()
        self._keys.close()

    def _send(self, task: str, *arguments: str, **options: Any) -> None:
        with _as_publish_error():
            self._celery.send_task(task, args=arguments, retry=False, **options)


@contextmanager
def _as_publish_error() -> Iterator[None]:
    try:
        yield
    except (OSError, redis.RedisError, KombuError, OperationalError) as error:
        raise PublishError(f"the broker did not take the message: {error}") from error
