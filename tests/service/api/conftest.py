"""The application on a real database, and a caller that signs in."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from apiflask import APIFlask
from werkzeug.test import TestResponse

from service.accounts.tokens import issue
from service.app import create_app
from service.settings import Settings
from service.storage.database import Database
from tests.service.api.contract import Contract
from tests.service.factories import add_account, add_ladder

ADDRESS = "http://127.0.0.1:8000"


@pytest.fixture
def app(settings: Settings, database: Database) -> APIFlask:
    """The application as a fresh installation on loopback runs it."""
    return create_app(settings, database)


@pytest.fixture(scope="session")
def contract(tmp_path_factory: pytest.TempPathFactory) -> Contract:
    """What the OpenAPI document says; every call of these tests is held against it."""
    return Contract(create_app(Settings(home=tmp_path_factory.mktemp("contract"))))


@pytest.fixture
def client(app: APIFlask, contract: Contract) -> "Caller":
    """A caller on this machine, not signed in."""
    return Caller(app, contract)


@pytest.fixture
def ladders(database: Database) -> None:
    """The ladders most tests play on."""
    with database.transaction() as session:
        add_ladder(session, "classic-50", priority=9)
        add_ladder(session, "classic-25")
        add_ladder(session, "autumn-cup", state="closed")


@dataclass
class Caller:
    """Somebody who calls the API from this machine, perhaps with a token."""

    app: APIFlask
    contract: Contract
    token: str | None = None

    def call(self, method: str, path: str, **options: Any) -> TestResponse:
        """Call a path below `/api/v1` and check that the answer is a described one."""
        headers = dict(options.pop("headers", {}))
        if self.token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        response = self.app.test_client().open(
            f"/api/v1{path}", method=method, headers=headers, base_url=ADDRESS, **options
        )
        self.contract.check(self.app, method, f"/api/v1{path}", response)
        return response

    def get(self, path: str, **options: Any) -> TestResponse:
        return self.call("GET", path, **options)

    def post(self, path: str, **options: Any) -> TestResponse:
        return self.call("POST", path, **options)

    def put(self, path: str, **options: Any) -> TestResponse:
        return self.call("PUT", path, **options)

    def delete(self, path: str, **options: Any) -> TestResponse:
        return self.call("DELETE", path, **options)

    def upload(self, path: str, filename: str, data: bytes, **fields: Any) -> TestResponse:
        """Send a file as a form does."""
        return self.post(path, data={**fields, "file": (io.BytesIO(data), filename)})


@pytest.fixture
def signed_in(app: APIFlask, contract: Contract, database: Database) -> Callable[..., Caller]:
    """Makes an account of the given name and returns a caller with its token."""

    def make(name: str, **values: object) -> Caller:
        with database.transaction() as session:
            return Caller(app, contract, issue(session, add_account(session, name, **values)).token)

    return make


@pytest.fixture
def ada(signed_in: Callable[..., Caller]) -> Caller:
    """A signed-in owner."""
    return signed_in("ada")


@pytest.fixture
def bob(signed_in: Callable[..., Caller]) -> Caller:
    """Somebody else."""
    return signed_in("bob")


@pytest.fixture
def operator(signed_in: Callable[..., Caller]) -> Caller:
    """An operator."""
    return signed_in("operator", is_operator=True)


def problem(response: TestResponse, status: int) -> dict[str, Any]:
    """Check that a response is a whole problem of this status, and return it."""
    assert response.status_code == status, response.text
    assert response.content_type == "application/problem+json"
    found: dict[str, Any] = response.get_json()
    assert found.keys() == {"type", "title", "status", "detail", "instance", "errors"}
    assert found["status"] == status
    assert found["detail"]
    assert found["title"]
    return found
