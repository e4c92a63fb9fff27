"""The commands that run one process each: signs of life, and clear words where they cannot start."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from service.cli.supervisor.checks import SIGN_STALE_S, fresh_sign, give_sign
from service.cli.supervisor.listening import listen
from service.cli.worker import sign_unless_a_slot_is_stopped
from tests.servers import wait_until
from tests.service.cli.conftest import Malice
from workers.sandbox.proc import is_stopped


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MALICE_HOME", str(tmp_path))
    (tmp_path / "run").mkdir()
    return tmp_path


def test_a_process_that_touched_its_sign_lately_is_alive(malice: Malice, home: Path) -> None:
    give_sign(home / "run" / "play.alive")
    result = malice("alive", "play")
    assert result.exit_code == 0
    assert result.output == "play is alive\n"


def test_a_process_that_has_not_is_not(malice: Malice, home: Path) -> None:
    assert malice("alive", "beat").exit_code == 1
    sign = home / "run" / "beat.alive"
    give_sign(sign)
    old = time.time() - SIGN_STALE_S - 1
    os.utime(sign, (old, old))
    result = malice("alive", "beat")
    assert result.exit_code == 1
    assert "beat gives no sign of life" in result.output


def test_the_ledger_lives_only_if_both_its_processes_do(malice: Malice, home: Path) -> None:
    give_sign(home / "run" / "ledger.alive")
    result = malice("alive", "ledger")
    assert result.exit_code == 1
    assert "reports gives no sign of life" in result.output
    give_sign(home / "run" / "reports.alive")
    assert malice("alive", "ledger").exit_code == 0


def test_a_sign_that_cannot_be_given_ends_nothing(tmp_path: Path) -> None:
    give_sign(tmp_path / "nowhere" / "play.alive")
    assert not fresh_sign(tmp_path / "nowhere" / "play.alive")


def test_a_play_worker_with_a_stopped_slot_gives_no_sign(tmp_path: Path) -> None:
    sign = tmp_path / "play.alive"
    with subprocess.Popen(["sleep", "60"]) as slot:
        try:
            slot.send_signal(signal.SIGSTOP)
            wait_until(lambda: is_stopped(slot.pid), 10, "the slot is stopped")
            sign_unless_a_slot_is_stopped(sign)
            assert not sign.exists()
            slot.send_signal(signal.SIGCONT)
            wait_until(lambda: not is_stopped(slot.pid), 10, "the slot goes on")
            sign_unless_a_slot_is_stopped(sign)
            assert sign.exists()
        finally:
            slot.kill()


def test_a_web_server_that_does_not_answer_is_not_alive(
    malice: Malice, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with listen("127.0.0.1", 0) as silent:
        monkeypatch.setenv("MALICE_PORT", str(silent.getsockname()[1]))
        assert malice("alive", "web").exit_code == 1


def test_a_web_server_on_a_taken_port_says_so(malice: Malice, home: Path) -> None:
    with listen("127.0.0.1", 0) as taken:
        result = malice("web", "--port", str(taken.getsockname()[1]))
    assert result.exit_code == 1
    assert "is taken by another program" in result.output


@pytest.mark.parametrize(
    "command", [("worker", "play"), ("worker", "ledger", "--only", "reports"), ("beat",)], ids=" ".join
)
def test_a_process_without_a_broker_says_which_setting_to_give(
    malice: Malice, home: Path, command: tuple[str, ...]
) -> None:
    result = malice(*command)
    assert result.exit_code == 2
    assert "MALICE_BROKER_URL" in result.output


@pytest.mark.parametrize("command", ["up", "web"])
@pytest.mark.parametrize(
    ("name", "value"),
    [("MALICE_PUBLIC_URL", "ladder.example"), ("MALICE_BLOBS_URL", "ftp://elsewhere/blobs")],
)
def test_an_address_no_process_could_use_is_wrong_usage(
    malice: Malice, home: Path, monkeypatch: pytest.MonkeyPatch, command: str, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    result = malice(command, "--port", "0")
    assert result.exit_code == 2
    assert value in result.output


def test_up_without_any_broker_says_how_to_get_one(
    malice: Malice, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.cli.supervisor.embedded.find_broker", lambda: None)
    result = malice("up", "--port", "0")
    assert result.exit_code == 1
    assert "no broker here" in result.output
    assert "MALICE_BROKER_URL" in result.output


def test_up_with_a_database_that_is_not_there_says_so_and_leaves_nothing_running(
    malice: Malice, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MALICE_DATABASE_URL", "postgresql://127.0.0.1:1/malice")
    result = malice("up", "--port", "0")
    assert result.exit_code == 1
    assert "the database could not be prepared" in result.output
    assert "Connection refused" in result.output
    assert malice("up", "--port", "0").exit_code == 1, "the home is free again"


def test_only_goes_with_the_ledger(malice: Malice, home: Path) -> None:
    assert malice("worker", "play", "--only", "reports").exit_code == 2
