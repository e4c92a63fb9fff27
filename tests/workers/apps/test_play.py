"""The play worker as a real process on a real broker: tickets, builds, signs of life, stops and outages."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.games import game_from_profile
from engine.replay import replay
from service.bots.archive import canonical_zip
from service.messages import (
    BuildOrder,
    BuildReport,
    Clock,
    Progress,
    Report,
    Started,
    Ticket,
    TicketSeat,
    WorkerBye,
    WorkerHeartbeat,
    WorkerHello,
    encode,
)
from service.publishing import Publisher
from service.queues import TASK_BUILD, TASK_PLAY, Sender
from service.settings import Settings, SettingsError
from tests.servers import Valkey, running_valkey, wait_until
from tests.workers.apps.worker import Worker, gone, kill, running_worker, start_worker
from tests.workers.playing import SEED, bot, house
from workers.apps.play import make_app

PATIENCE_S = 40
SLOW = bot(act='time.sleep(0.25); say({"act": 0})')
PAUSES = bot(act='time.sleep(1 if message["id"] == 0 else 0); say({"act": 0})')
LONG_CLOCK = Clock(start_ms=5_000, bank_ms=30_000, increment_ms=1_000, leg_ms=60_000)


def ticket(worker: Worker, fixture: str, sources: list[bytes], attempt: int = 1) -> Ticket:
    """A fixture between programs, their bundles in the worker's blob store."""
    seats = [
        TicketSeat(
            f"v{number}", worker.blobs.put("bundle", canonical_zip({"main.py": source})), "python", "main.py"
        )
        for number, source in enumerate(sources)
    ]
    rules = game_from_profile("short").document()
    return Ticket(fixture, attempt, rules, SEED.hex(), 1, LONG_CLOCK, seats)


def reports(worker: Worker, fixture: str) -> list[Report]:
    """The reports of a fixture so far."""
    return [report for report in worker.inbox.of(Report) if report.fixture == fixture]


def wait_for_report(worker: Worker, fixture: str) -> Report:
    """The first report of a fixture, once it is there."""
    wait_until(lambda: bool(reports(worker, fixture)), PATIENCE_S, f"{fixture} is reported")
    return reports(worker, fixture)[0]


def wait_for_start(worker: Worker, fixture: str) -> None:
    """Wait until a fixture is being played."""
    wait_until(
        lambda: any(word.fixture == fixture for word in worker.inbox.of(Started)),
        PATIENCE_S,
        f"{fixture} starts",
    )


@pytest.fixture(scope="module")
def broker() -> Iterator[Valkey]:
    with running_valkey() as server:
        yield server


@pytest.fixture(scope="module")
def worker(broker: Valkey, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    with running_worker(broker, tmp_path_factory.mktemp("home")) as worker:
        yield worker


@pytest.fixture
def publisher(broker: Valkey) -> Iterator[Publisher]:
    publisher = Publisher(broker.url)
    yield publisher
    publisher.close()


@pytest.fixture
def sender(broker: Valkey) -> Iterator[Sender]:
    sender = Sender("test", broker.url)
    yield sender
    sender.close()


def test_it_says_what_it_can_do_before_it_takes_work(worker: Worker) -> None:
    hello = worker.inbox.of(WorkerHello)[0]
    assert (hello.slots, hello.layer, list(hello.runtimes)) == (1, "S3", ["python"])
    assert hello.speed > 1


def test_it_plays_a_ticket_and_reports_logs_that_replay(worker: Worker, publisher: Publisher) -> None:
    publisher.ticket(ticket(worker, "plain", [house("greedy"), house("uniform")]))
    report = wait_for_report(worker, "plain")
    name = worker.inbox.of(WorkerHello)[0].worker
    assert Started("plain", 1, name) in worker.inbox.of(Started)
    assert (report.attempt, report.worker, report.faults, len(report.legs)) == (1, name, [], 2)
    for leg in report.legs:
        assert list(replay(worker.blobs.get("log", leg.log)).points) == leg.points
    assert {word.leg for word in worker.inbox.of(Progress) if word.fixture == "plain"} <= {0, 1}


def test_a_repeated_ticket_is_played_once_and_a_stale_one_never(
    worker: Worker, publisher: Publisher, sender: Sender
) -> None:
    bots = [house("greedy"), house("greedy")]
    newest = ticket(worker, "fenced", bots, attempt=3)
    publisher.ticket(newest)
    publisher.ticket(newest)
    sender.send(TASK_PLAY, encode(ticket(worker, "fenced", bots, attempt=2)))
    publisher.ticket(ticket(worker, "after", bots))
    wait_for_report(worker, "after")
    assert [word.attempt for word in worker.inbox.of(Started) if word.fixture == "fenced"] == [3]
    assert [report.attempt for report in reports(worker, "fenced")] == [3]


def test_a_ticket_whose_attempt_nobody_remembers_is_played(worker: Worker, sender: Sender) -> None:
    """The broker may have lost its memory: no key means play."""
    lost = ticket(worker, "forgotten", [house("greedy"), house("greedy")])
    sender.send(TASK_PLAY, encode(lost))
    assert wait_for_report(worker, "forgotten").legs


def test_a_bad_bot_does_not_disturb_the_next_fixture(worker: Worker, publisher: Publisher) -> None:
    publisher.ticket(ticket(worker, "bad", [bot(act="bytearray(10**10)"), bot(act="os.fork()")]))
    publisher.ticket(ticket(worker, "good", [house("greedy"), house("greedy")]))
    assert {fault.kind for fault in wait_for_report(worker, "bad").faults} == {"memory", "crash"}
    assert wait_for_report(worker, "good").faults == []


def test_it_builds(worker: Worker, publisher: Publisher) -> None:
    source = worker.blobs.put("source", canonical_zip({"main.py": house("greedy")}))
    broken = worker.blobs.put("source", canonical_zip({"main.py": b"def ("}))
    rules = game_from_profile("classic").document()
    publisher.build_order(BuildOrder("version-1", 1, source, "python", "main.py", rules, 50))
    publisher.build_order(BuildOrder("version-2", 1, broken, "python", "main.py", rules, 50))
    wait_until(lambda: len(worker.inbox.of(BuildReport)) == 2, PATIENCE_S, "both builds are reported")
    found = {report.version: report for report in worker.inbox.of(BuildReport)}
    assert found["version-1"].bundle == source
    assert found["version-2"].bundle is None
    assert "SyntaxError" in found["version-2"].reason


def test_what_is_no_message_is_dropped(worker: Worker, publisher: Publisher, sender: Sender) -> None:
    sender.send(TASK_PLAY, "{}")
    sender.send(TASK_BUILD, "not JSON")
    publisher.ticket(ticket(worker, "unharmed", [house("greedy"), house("greedy")]))
    assert wait_for_report(worker, "unharmed").legs


def test_a_fixture_is_heard_of_while_its_referee_turns_and_no_longer(
    worker: Worker, publisher: Publisher
) -> None:
    def heard() -> int:
        return sum(("long", 1) in beat.held for beat in worker.inbox.of(WorkerHeartbeat))

    def idle() -> int:
        return sum(not beat.held for beat in worker.inbox.of(WorkerHeartbeat))

    publisher.ticket(ticket(worker, "long", [SLOW, SLOW]))
    wait_until(lambda: heard() > 0, PATIENCE_S, "the referee's heartbeat")
    (referee,) = [pid for pid in worker.descendants() if os.getpgid(pid) == os.getpgid(worker.process.pid)]
    os.kill(referee, signal.SIGSTOP)
    before, idle_before = heard(), idle()
    wait_until(lambda: idle() >= idle_before + 2, PATIENCE_S, "the parent goes on")
    assert heard() <= before + 1
    os.kill(referee, signal.SIGCONT)
    kill(referee)
    publisher.ticket(ticket(worker, "next", [house("greedy"), house("greedy")]))
    assert wait_for_report(worker, "next").legs
    assert reports(worker, "long") == []


def test_an_outage_of_the_broker_costs_nothing_that_is_being_played(tmp_path: Path, valkey: Valkey) -> None:
    with running_worker(valkey, tmp_path) as worker:
        publisher = Publisher(valkey.url)
        publisher.ticket(ticket(worker, "through", [PAUSES, house("greedy")]))
        wait_for_start(worker, "through")
        valkey.kill()
        logs = worker.blobs.root / "log"
        played_before = len(list(logs.glob("*/*")))
        wait_until(lambda: len(list(logs.glob("*/*"))) == played_before + 2, PATIENCE_S, "both legs are over")
        valkey.start()
        report = wait_for_report(worker, "through")
        assert (len(report.legs), report.faults) == (2, [])


def test_a_stop_abandons_what_it_cannot_finish_and_says_goodbye(tmp_path: Path, valkey: Valkey) -> None:
    with running_worker(valkey, tmp_path) as worker:
        Publisher(valkey.url).ticket(ticket(worker, "abandoned", [SLOW, SLOW]))
        wait_for_start(worker, "abandoned")
        below = worker.descendants()
        assert worker.stop() == 0
        assert gone(below)
        (report,) = reports(worker, "abandoned")
        assert [(fault.kind, fault.evidence) for fault in report.faults] == [
            ("infra", "InfraError: the worker is stopping")
        ]
        assert len(worker.inbox.of(WorkerBye)) == 1


def test_a_killed_worker_leaves_no_process_behind(tmp_path: Path, valkey: Valkey) -> None:
    with running_worker(valkey, tmp_path) as worker:
        Publisher(valkey.url).ticket(ticket(worker, "killed", [SLOW, SLOW]))
        wait_for_start(worker, "killed")
        wait_until(lambda: len(worker.descendants()) > 3, PATIENCE_S, "the bots run")
        below = worker.descendants()
        kill(worker.process.pid)
        wait_until(lambda: gone(below), 15, "everything below the worker is gone")


def test_a_host_without_the_sandbox_asked_for_takes_no_work_and_says_why(
    tmp_path: Path, valkey: Valkey
) -> None:
    process = start_worker(valkey.url, tmp_path, MALICE_SANDBOX="S2")
    _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 1
    assert b"takes no work: this host cannot isolate strangers' programs" in said


def test_it_needs_a_broker() -> None:
    with pytest.raises(SettingsError, match="MALICE_BROKER_URL is not set"):
        make_app(Settings())


def test_nothing_that_reaches_the_database_is_loaded() -> None:
    check = (
        "import sys, workers.apps.play; "
        "print([name for name in sys.modules if name.split('.')[0] in ('sqlalchemy', 'psycopg', 'sqlite3', 'alembic') "
        "or name.startswith(('service.models', 'service.storage'))])"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"
