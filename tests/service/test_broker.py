"""What the queues are made of: exchanges, encryption, and a transport that outlives an outage."""

import ssl

import pytest
import redis
from kombu.message import Message

from service.messages import WorkerBye, encode
from service.queues import REPORTS, TASK_REPORT, TASK_TICK, PublishError, Sender, make_celery
from tests.servers import Valkey


def test_a_message_goes_to_its_own_queue_alone(shared_valkey: Valkey) -> None:
    broker = redis.Redis(unix_socket_path=str(shared_valkey.socket))
    broker.flushall()
    sender = Sender("test", shared_valkey.url)
    sender.send(TASK_REPORT, encode(WorkerBye("w1")))
    assert [broker.llen(queue) for queue in ("build", "play", "reports", "ledger")] == [0, 0, 1, 0]
    sender.close()


def test_sending_to_an_absent_broker_fails_at_once_and_works_again_after_it(valkey: Valkey) -> None:
    sender = Sender("test", valkey.url)
    sender.send(TASK_TICK)
    valkey.kill()
    with pytest.raises(PublishError, match="did not take the message"):
        sender.send(TASK_TICK)
    valkey.start()
    sender.send(TASK_TICK)
    sender.close()


@pytest.mark.parametrize("how", ["ack", "reject"])
def test_a_message_whose_broker_died_does_not_block_the_next_one(valkey: Valkey, how: str) -> None:
    sender = Sender("test", valkey.url)
    sender.send(TASK_REPORT, "1")
    received: list[Message] = []
    with make_celery("test", valkey.url).connection_for_read() as connection:
        channel = connection.default_channel
        channel.basic_qos(0, 1, False)
        with connection.Consumer(
            [queue for queue in make_celery("test", valkey.url).conf.task_queues if queue.name == REPORTS],
            channel=channel,
            on_message=received.append,
            accept=["json"],
        ):
            connection.drain_events(timeout=5)
            assert not channel.qos.can_consume(), "one message is all it may hold"
            valkey.kill()
            with pytest.raises(connection.connection_errors):
                getattr(received[0], how)()
            assert channel.qos.can_consume()
            valkey.start()
    sender.close()


@pytest.mark.parametrize(
    ("url", "verify"),
    [
        ("redis://broker/0", None),
        ("rediss://broker/0", ssl.CERT_REQUIRED),
        ("rediss://broker/0?ssl_cert_reqs=none", ssl.CERT_NONE),
    ],
)
def test_an_encrypted_connection_checks_the_certificate_unless_told_otherwise(
    url: str, verify: ssl.VerifyMode | None
) -> None:
    connection = make_celery("test", url).connection_for_write()
    assert (connection.ssl or {}).get("ssl_cert_reqs") == verify
