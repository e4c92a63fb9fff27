"""What every response carries, and what an error looks like."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from service.accounts.tokens import issue
from service.refusals import RefusedError
from service.settings import Settings
from service.storage.database import Database
from service.web import problems
from tests.servers import Valkey
from tests.service.factories import add_account

Made = Callable[..., FlaskClient]
LOCAL = "http://127.0.0.1:8000"


def test_every_response_keeps_foreign_things_out(made: Made) -> None:
    client = made()
    for path in ("/api/v1/ladders", "/api/v1/nowhere", "/healthz"):
        headers = client.get(path, base_url=LOCAL).headers
        assert "default-src 'self'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert "Access-Control-Allow-Origin" not in headers
        assert headers["Cache-Control"] == "no-cache"
        assert "Strict-Transport-Security" not in headers


def test_https_is_insisted_on_where_it_is_public(made: Made) -> None:
    client = made(public_url="https://cards.example")
    headers = client.get("/healthz", headers={"Host": "cards.example"}).headers
    assert "max-age" in headers["Strict-Transport-Security"]


@pytest.mark.parametrize(
    ("method", "path", "status", "words"),
    [
        ("GET", "/api/v1/nowhere", 404, "there is nothing at /api/v1/nowhere; GET /api/v1/openapi.json"),
        ("DELETE", "/api/v1/ladders", 405, "DELETE is not possible here; use GET"),
        ("PATCH", "/api/v1/me", 405, "PATCH is not possible here"),
        ("TRACE", "/api/v1/me", 405, "TRACE is not possible here"),
    ],
)
def test_the_frameworks_own_errors_are_problems_too(
    made: Made, method: str, path: str, status: int, words: str
) -> None:
    response = made().open(path, method=method, base_url=LOCAL)
    assert (response.status_code, response.content_type) == (status, "application/problem+json")
    problem = response.get_json()
    assert problem["detail"].startswith(words)
    assert (problem["type"], problem["status"], problem["instance"]) == ("about:blank", status, path)


def test_the_unforeseen_is_a_500_that_tells_nothing_and_is_logged(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object) -> None:
        raise OperationalError("SELECT secret", {}, Exception("password=hunter2"))

    monkeypatch.setattr("service.api.ladders.ladder_views", fail)
    with capture_logs() as logs:
        response = made().get("/api/v1/ladders", base_url=LOCAL)
    assert (response.status_code, response.content_type) == (500, "application/problem+json")
    assert "hunter2" not in response.text
    assert "secret" not in response.text
    assert [entry["path"] for entry in logs] == ["/api/v1/ladders"]


def test_every_kind_of_refusal_has_a_status() -> None:
    assert set(problems.STATUSES) == set(RefusedError.__subclasses__())


def test_the_forms_key_is_made_once_and_kept_for_its_owner(made: Made, settings: Settings) -> None:
    first = made().application.config["SECRET_KEY"]
    assert made().application.config["SECRET_KEY"] == first
    assert len(first) >= 32
    path: Path = settings.home / "secret_key"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in settings.home.glob(".secret-*")] == []
    assert made(secret_key="told").application.config["SECRET_KEY"] == "told"


def limit_left(client: FlaskClient) -> int:
    return int(client.get("/api/v1/ladders", base_url=LOCAL).headers["X-RateLimit-Remaining"])


def test_limits_are_counted_on_the_broker_for_all_processes(made: Made, valkey: Valkey) -> None:
    one, other = made(broker_url=valkey.url), made(broker_url=valkey.url)
    left = limit_left(one)
    assert limit_left(other) == left - 1
    assert limit_left(one) == left - 2


def test_requests_go_on_and_are_still_limited_while_the_broker_is_away(made: Made, valkey: Valkey) -> None:
    client = made(broker_url=valkey.url)
    limit_left(client)
    valkey.kill()
    body = {"name": "nobody", "password": ""}
    statuses = [client.post("/api/v1/tokens", json=body, base_url=LOCAL).status_code for _ in range(22)]
    assert set(statuses) == {401, 429}
    assert statuses[0] == 401


def test_behind_a_proxy_every_reader_is_counted_alone_and_cannot_pose_as_another(made: Made) -> None:
    client = made(public_url="https://cards.example")

    def left(forwarded: str) -> int:
        headers = {"Host": "cards.example", "X-Forwarded-For": forwarded}
        return int(client.get("/api/v1/ladders", headers=headers).headers["X-RateLimit-Remaining"])

    first = left("203.0.113.7")
    assert left("203.0.113.8") == first
    assert left("203.0.113.9, 203.0.113.7") == first - 1


def test_only_a_refusal_says_when_to_try_again(made: Made) -> None:
    headers = made().get("/api/v1/ladders", base_url=LOCAL).headers
    assert "X-RateLimit-Limit" in headers
    assert "Retry-After" not in headers


def test_supervisors_are_not_limited(made: Made) -> None:
    assert "X-RateLimit-Limit" not in made().get("/healthz", base_url=LOCAL).headers


def test_the_views_named_in_tables_exist(made: Made, app_endpoints: set[str]) -> None:
    from service.web.guards import UPLOADS
    from service.web.limits import LIMITS, UNLIMITED

    assert {*UPLOADS, *LIMITS, *UNLIMITED} <= app_endpoints


@pytest.fixture
def app_endpoints(made: Made) -> set[str]:
    app: Flask = made().application
    return set(app.view_functions)


def test_healthz_needs_nothing(made: Made) -> None:
    response = made().get("/healthz", base_url=LOCAL)
    assert (response.status_code, response.get_json()) == (200, {"ok": True})


def metric(text: str, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    assert found, f"{name} is not among the metrics"
    return float(found[1])


def test_metrics_are_for_this_machine_or_an_operators_token(made: Made, database: Database) -> None:
    client = made()
    response = client.get("/metrics", base_url=LOCAL)
    assert response.status_code == 200
    assert metric(response.text, "malice_live_slots") == 0
    forwarded = {"X-Forwarded-For": "203.0.113.7"}
    assert client.get("/metrics", base_url=LOCAL, headers=forwarded).status_code == 401


@pytest.mark.parametrize(("is_operator", "status"), [(True, 200), (False, 403)])
def test_elsewhere_metrics_are_for_operators_alone(
    made: Made, database: Database, is_operator: bool, status: int
) -> None:
    with database.transaction() as session:
        token = issue(session, add_account(session, "somebody", is_operator=is_operator)).token
    headers = {"Host": "cards.example", "Authorization": f"Bearer {token}"}
    client = made(public_url="https://cards.example")
    assert client.get("/metrics", headers=headers).status_code == status
