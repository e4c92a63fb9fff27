"""The embedded broker is a real one, started as `malice up` starts it."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from service.cli.supervisor.broker import answers, broker_command, broker_url, find_broker
from service.cli.supervisor.home import Home, open_home, socket_path
from service.cli.supervisor.plan import broker_child, set_aside
from tests.servers import wait_until


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return open_home(tmp_path)


@pytest.fixture
def running(home: Home) -> Iterator[Path]:
    binary = find_broker()
    assert binary is not None
    socket_file = socket_path(home)
    server = subprocess.Popen(broker_command(binary, home.broker, socket_file), stdout=subprocess.DEVNULL)
    wait_until(lambda: answers(socket_file), 10, "the broker answers")
    yield socket_file
    server.kill()
    server.wait()


def test_the_brokers_settings_are_those_that_lose_nothing(running: Path) -> None:
    client = redis.Redis.from_url(broker_url(running), decode_responses=True)
    settings = client.config_get("*")
    assert settings["appendonly"] == "yes"
    assert settings["appendfsync"] == "everysec"
    assert settings["maxmemory-policy"] == "noeviction"
    assert settings["port"] == "0"


def test_only_its_owner_may_speak_to_it(running: Path) -> None:
    assert running.stat().st_mode & 0o077 == 0


def test_nobody_answers_where_no_broker_is(home: Home) -> None:
    assert not answers(socket_path(home))


def test_without_the_wheel_one_on_path_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_broker() is None
    server = tmp_path / "redis-server"
    shutil.copy("/bin/true", server)
    assert find_broker() == server


def test_damaged_data_are_set_aside_not_deleted(home: Home) -> None:
    (home.broker / "appendonlydir").mkdir()
    words = set_aside(home)
    (aside,) = home.root.glob("broker.damaged-*")
    assert (aside / "appendonlydir").is_dir()
    assert str(aside) in words
    assert list(home.broker.iterdir()) == []


def test_the_broker_is_told_no_secret(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MALICE_SECRET_KEY", "secret")
    assert "secret" not in broker_child(home, Path("/bin/true"), Path("/s")).environ.values()
