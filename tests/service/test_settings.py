"""Settings: read from the environment, checked at start, each error naming its variable."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from service.cli import main
from service.settings import Settings, SettingsError, load


def test_what_is_not_set_has_its_default() -> None:
    settings = load({"PATH": "/usr/bin"})
    assert settings == Settings()
    assert (settings.port, settings.home) == (8_000, Path("var"))


def test_the_environment_is_read_and_flags_win() -> None:
    environment = {"MALICE_PORT": "9000", "MALICE_HOME": "/srv/malice", "MALICE_CORES": "3"}
    settings = load(environment, port=9_001, cores=None)
    assert (settings.port, settings.home, settings.play_slots) == (9_001, Path("/srv/malice"), 3)


@pytest.mark.parametrize(
    ("variable", "text", "why"),
    [
        ("MALICE_PORTT", "1", "MALICE_PORTT is not a setting"),
        ("MALICE_PORT", "http", "MALICE_PORT='http'"),
        ("MALICE_PORT", "70000", "MALICE_PORT="),
        ("MALICE_CORES", "-1", "MALICE_CORES="),
        ("MALICE_DISK_BUDGET_MB", "0", "MALICE_DISK_BUDGET_MB="),
        ("MALICE_SANDBOX", "none", "MALICE_SANDBOX='none'"),
        ("MALICE_REGISTRATION", "maybe", "MALICE_REGISTRATION='maybe'"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(variable: str, text: str, why: str) -> None:
    with pytest.raises(SettingsError, match=why):
        load({variable: text})


@pytest.mark.parametrize(
    ("settings", "policy"),
    [
        (Settings(), "open"),
        (Settings(host="0.0.0.0"), "invite"),
        (Settings(public_url="https://malice.example"), "invite"),
        (Settings(registration="closed"), "closed"),
        (Settings(host="0.0.0.0", registration="open"), "open"),
    ],
)
def test_only_a_service_nobody_else_can_reach_is_open_to_all(settings: Settings, policy: str) -> None:
    assert settings.resolved_registration == policy


def test_embedded_data_live_in_the_home() -> None:
    settings = Settings(home=Path("/srv/malice"))
    assert settings.resolved_database_url == "sqlite:////srv/malice/malice.db"
    assert settings.resolved_blobs == "/srv/malice/blobs"


@pytest.mark.parametrize("url", ["redis://broker/0", "rediss://broker/0", "unix:///run/broker.sock"])
def test_a_broker_is_a_redis_or_valkey(url: str) -> None:
    assert Settings(broker_url=url).required_broker_url == url


@pytest.mark.parametrize("url", ["", "amqp://broker", "broker:6379"])
def test_anything_else_is_no_broker(url: str) -> None:
    with pytest.raises(SettingsError, match="give the address of a Redis or Valkey"):
        _ = Settings(broker_url=url).required_broker_url


@pytest.mark.parametrize("command", [["worker", "play"], ["worker", "ledger"], ["beat"]])
def test_a_process_that_needs_a_broker_says_so_before_it_starts(command: list[str], tmp_path: Path) -> None:
    outcome = CliRunner().invoke(main, command, env={"MALICE_HOME": str(tmp_path), "MALICE_BROKER_URL": ""})
    assert outcome.exit_code == 2
    assert "MALICE_BROKER_URL" in outcome.output
