"""Who is told what: processes that run strangers' programs get no credentials."""

from pathlib import Path

import pytest

from service.cli.supervisor.plan import BEAT, LEDGER, PLAY, REPORTS, WEB, environment
from service.settings import Settings, load

SETTINGS = Settings(
    home=Path("/srv/home"),
    port=8123,
    database_url="postgresql://user:password@db/malice",
    broker_url="unix:///srv/home/run/broker.sock",
    secret_key="the-secret",
)


@pytest.mark.parametrize(
    ("process", "database", "secret"),
    [
        (WEB, True, True),
        (REPORTS, True, False),
        (LEDGER, True, False),
        (PLAY, False, False),
        (BEAT, False, False),
    ],
)
def test_each_process_is_told_only_the_secrets_it_needs(process: str, database: bool, secret: bool) -> None:
    told = environment(SETTINGS, process)
    assert ("MALICE_DATABASE_URL" in told) == database
    assert ("MALICE_SECRET_KEY" in told) == secret
    assert any("password" in text for text in told.values()) == database


def test_what_the_supervisor_inherited_is_not_passed_on_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MALICE_DATABASE_URL", "postgresql://other:credentials@db/malice")
    monkeypatch.setenv("MALICE_TOKEN", "my-own-token")
    told = environment(SETTINGS, PLAY)
    assert "MALICE_DATABASE_URL" not in told
    assert "MALICE_TOKEN" not in told


def test_a_child_reads_the_very_settings_it_was_given() -> None:
    assert load(environment(SETTINGS, WEB)) == SETTINGS
