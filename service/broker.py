"""The Redis transport with one repair, without which a worker can stop consuming for ever after an outage.

When an acknowledgement fails because the broker is away, kombu goes on counting the message as unacknowledged. With
nothing prefetched that is all a worker may hold: it never asks for another message, and so never notices either that
its connection is gone. Here the message is let go; the broker, which still has it, delivers it again much later, and
nothing of ours minds a message that comes twice.
"""

from typing import Any

from kombu.transport import TRANSPORT_ALIASES, redis
from kombu.transport.virtual import base

NAME = "malice"
PATH = f"{__name__}:Transport"


class QoS(redis.QoS):
    """Counts what a connection owes acknowledgements for."""

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge; count the message as dealt with even where the broker could not be told."""
        try:
            super().ack(delivery_tag)  # type: ignore[no-untyped-call]
        except self.channel.connection_errors:
            base.QoS.ack(self, delivery_tag)  # type: ignore[no-untyped-call]
            raise

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Reject; count the message as dealt with even where the broker could not be told."""
        try:
            super().reject(delivery_tag, requeue)  # type: ignore[no-untyped-call]
        except self.channel.connection_errors:
            base.QoS.ack(self, delivery_tag)  # type: ignore[no-untyped-call]
            raise


class Channel(redis.Channel):
    """A channel that counts by `QoS`."""

    QoS: Any = QoS


class Transport(redis.Transport):
    """Named in the Celery settings and in URLs of Unix sockets (`service.queues`)."""

    Channel: Any = Channel


# A name that can stand in a URL, which for a Unix socket is the only way to name a transport.
TRANSPORT_ALIASES[NAME] = PATH
