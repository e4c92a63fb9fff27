"""Publishing to the broker. What is published is only a hint: the rows behind it are already in the database."""

import redis

from service.messages import BuildOrder, Ticket, encode
from service.queues import (
    SEND_TIMEOUT_S,
    TASK_BUILD,
    TASK_PLAY,
    TASK_RATE,
    TASK_TICK,
    VISIBILITY_TIMEOUT_S,
    PublishError,
    Sender,
    current_attempt_key,
)

__all__ = ["PublishError", "Publisher", "current_attempt_key"]

HINT_EXPIRES_S = 5
"""Hints older than this are worthless, so an outage of the ledger piles none up."""


class Publisher:
    """Sends tickets, build orders and hints. One per process; not to be shared between threads."""

    def __init__(self, broker_url: str) -> None:
        self._sender = Sender("malice-publisher", broker_url)
        self._keys = redis.Redis.from_url(
            broker_url, socket_timeout=SEND_TIMEOUT_S, socket_connect_timeout=SEND_TIMEOUT_S
        )

    def ticket(self, ticket: Ticket) -> None:
        """Make the ticket's attempt the fixture's current one and send it. Raises PublishError."""
        try:
            self._keys.set(current_attempt_key(ticket.fixture), ticket.attempt, ex=VISIBILITY_TIMEOUT_S)
        except redis.RedisError as error:
            raise PublishError(f"the broker did not take the attempt's key: {error}") from error
        self._sender.send(TASK_PLAY, encode(ticket))

    def build_order(self, order: BuildOrder) -> None:
        """Send a build order. Raises PublishError."""
        self._sender.send(TASK_BUILD, encode(order))

    def tick(self) -> None:
        """Hint that periodic work may be due. Raises PublishError."""
        self._sender.send(TASK_TICK, expires=HINT_EXPIRES_S)

    def rate(self, ladder_id: str) -> None:
        """Hint that a ladder has new results. Raises PublishError."""
        self._sender.send(TASK_RATE, ladder_id, expires=HINT_EXPIRES_S)

    def close(self) -> None:
        """Close all connections."""
        self._sender.close()
        self._keys.close()
