"""Accounts, tokens, invitations."""

from collections.abc import Callable

import pytest
from apiflask import APIFlask
from sqlalchemy import select

from service.accounts.registration import make_operator
from service.app import create_app
from service.models import Account, Notice, Token
from service.settings import Settings
from service.storage.database import Database
from tests.service.api.conftest import Caller, problem
from tests.service.api.contract import Contract
from tests.service.factories import add_account, add_bot

PASSWORD = "correct horse"


def register(caller: Caller, name: str = "ada", **fields: str) -> dict[str, str]:
    response = caller.post("/accounts", json={"name": name, "password": PASSWORD, **fields})
    assert response.status_code == 201, response.text
    token: dict[str, str] = response.get_json()
    return token


def test_registering_gives_a_token_that_works_at_once(client: Caller) -> None:
    token = register(client)
    assert token["name"] == "ada"
    client.token = token["token"]
    assert client.get("/me").get_json()["name"] == "ada"


def test_neither_token_nor_password_is_stored_as_it_is(client: Caller, database: Database) -> None:
    token = register(client)["token"]
    with database.reading() as session:
        row, account = session.scalars(select(Token)).one(), session.scalars(select(Account)).one()
        stored = [*vars(row).values(), *vars(account).values()]
    assert token not in stored
    assert PASSWORD not in str(stored)
    assert token.startswith(row.prefix)
    assert len(row.prefix) == 12


def test_a_name_and_password_give_further_tokens_and_each_can_be_ended(client: Caller) -> None:
    register(client)
    first = client.post("/tokens", json={"name": "ada", "password": PASSWORD}).get_json()
    second = client.post("/tokens", json={"name": "ada", "password": PASSWORD}).get_json()
    client.token = first["token"]
    assert client.delete(f"/tokens/{second['token_id']}").status_code == 204
    client.token = second["token"]
    assert "not good here" in problem(client.get("/me"), 401)["detail"]
    client.token = first["token"]
    assert client.get("/me").status_code == 200


@pytest.mark.parametrize(
    ("name", "password"), [("ada", "wrong horse"), ("nobody", PASSWORD), ("A\0", ""), ("", "")]
)
def test_a_wrong_name_or_password_is_one_and_the_same_401(client: Caller, name: str, password: str) -> None:
    register(client)
    found = problem(client.post("/tokens", json={"name": name, "password": password}), 401)
    assert found["detail"] == "no account has this name and password; POST /api/v1/accounts makes one"


def test_an_account_without_a_password_cannot_sign_in_with_one(client: Caller, database: Database) -> None:
    with database.transaction() as session:
        add_account(session, "house", is_house=True)
    problem(client.post("/tokens", json={"name": "house", "password": ""}), 401)


def test_a_taken_name_is_a_conflict(client: Caller) -> None:
    register(client)
    found = problem(client.post("/accounts", json={"name": "ada", "password": PASSWORD}), 409)
    assert found["detail"] == "there is an account named 'ada' already; choose another name"
    assert found["errors"][0]["field"] == "name"


@pytest.mark.parametrize("name", ["Ada Lovelace", "-ada", "a", "ada\n", "a" * 33])
def test_what_is_no_name_is_refused_with_what_a_name_is(client: Caller, name: str) -> None:
    found = problem(client.post("/accounts", json={"name": name, "password": PASSWORD}), 422)
    words = "use 2 to 32 lower-case letters, digits and '-', beginning with a letter or digit"
    assert found["errors"] == [{"field": "name", "detail": words}]


@pytest.mark.parametrize("name", ["operator", "house", "admin", "malice"])
def test_nobody_registers_as_those_who_run_the_place(client: Caller, name: str) -> None:
    found = problem(client.post("/accounts", json={"name": name, "password": PASSWORD}), 409)
    assert f"the name '{name}' is reserved" in found["detail"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": "ada"}, "password"),
        ({"password": PASSWORD}, "name"),
        ({"name": "A da", "password": PASSWORD}, "name"),
        ({"name": "ada\n", "password": PASSWORD}, "name"),
        ({"name": "ada", "password": "short"}, "password"),
        ({"name": "ada", "password": "x" * 201}, "password"),
        ({"name": "ada", "password": 12345678}, "password"),
        ({"name": ["ada"], "password": PASSWORD}, "name"),
        ({"name": "ada", "password": PASSWORD, "pasword": "typo"}, "pasword"),
    ],
)
def test_a_wrong_field_is_named(client: Caller, body: dict[str, object], field: str) -> None:
    found = problem(client.post("/accounts", json=body), 422)
    assert [error["field"] for error in found["errors"]] == [field]
    assert field in found["detail"]


@pytest.mark.parametrize(
    ("method", "path", "body", "field"),
    [
        ("post", "/tokens", {"name": "ada", "password": "\ud800"}, "password"),
        ("post", "/tokens", {"name": "\ud800", "password": PASSWORD}, "name"),
        ("post", "/accounts", {"name": "eve", "password": PASSWORD, "invite": "\ud800"}, "invite"),
        ("put", "/me/password", {"password": PASSWORD, "current": "\ud800"}, "current"),
    ],
)
def test_half_a_surrogate_pair_is_no_text(
    ada: Caller, method: str, path: str, body: dict[str, str], field: str
) -> None:
    found = problem(getattr(ada, method)(path, json=body), 422)
    assert [error["field"] for error in found["errors"]] == [field]


def test_a_token_of_somebody_else_cannot_be_ended(ada: Caller, bob: Caller, database: Database) -> None:
    with database.reading() as session:
        of_bob = session.scalar(select(Token.id).join(Account).where(Account.name == "bob"))
    problem(ada.delete(f"/tokens/{of_bob}"), 404)
    assert bob.get("/me").status_code == 200
    problem(ada.delete("/tokens/%00"), 404)


@pytest.mark.parametrize(
    "header",
    ["Bearer nonsense", "Bearer", "Bearer ", "Basic YWRhOng=", "nonsense", "Bearer \xff", "malice_x"],
)
def test_a_bad_token_is_a_401_that_says_so(client: Caller, header: str) -> None:
    response = client.get("/me", headers={"Authorization": header})
    problem(response, 401)
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="malice"'


def test_no_token_is_a_401_that_says_where_to_get_one(client: Caller) -> None:
    assert "POST /api/v1/accounts" in problem(client.get("/me"), 401)["detail"]


def test_a_caller_without_a_token_is_turned_away_before_the_body_is_read(client: Caller) -> None:
    problem(client.put("/me/password", json={"nonsense": 1}), 401)


def test_an_expired_token_is_no_longer_good(ada: Caller, database: Database) -> None:
    with database.transaction() as session:
        session.scalars(select(Token)).one().expires_us = 1
    problem(ada.get("/me"), 401)


def test_changing_a_password_needs_the_one_so_far(client: Caller) -> None:
    client.token = register(client)["token"]
    new = "another horse"
    assert "current" in problem(client.put("/me/password", json={"password": new}), 403)["detail"]
    problem(client.put("/me/password", json={"password": new, "current": "wrong one"}), 403)
    assert client.put("/me/password", json={"password": new, "current": PASSWORD}).status_code == 204
    client.token = None
    problem(client.post("/tokens", json={"name": "ada", "password": PASSWORD}), 401)
    assert client.post("/tokens", json={"name": "ada", "password": new}).status_code == 201


def test_the_operators_one_time_token_sets_a_password_once_and_does_nothing_else(
    client: Caller, database: Database
) -> None:
    with database.transaction() as session:
        client.token = make_operator(session).token
    assert "PUT /api/v1/me/password" in problem(client.get("/me"), 403)["detail"]
    problem(client.put("/me/password", json={"password": "short"}), 422)
    assert client.put("/me/password", json={"password": PASSWORD}).status_code == 204
    problem(client.put("/me/password", json={"password": "once more please"}), 401)
    client.token = None
    client.token = client.post("/tokens", json={"name": "operator", "password": PASSWORD}).get_json()["token"]
    assert client.get("/me").get_json()["is_operator"] is True


def test_making_the_operator_again_gives_a_new_token_of_the_same_account(database: Database) -> None:
    with database.transaction() as session:
        first, second = make_operator(session), make_operator(session)
        assert first.token != second.token
        assert session.scalars(select(Account.name)).all() == ["operator"]


def test_me_lists_ones_bots(ada: Caller, database: Database) -> None:
    with database.transaction() as session:
        account = session.scalars(select(Account).where(Account.name == "ada")).one()
        for name in ("sharp", "blunt"):
            add_bot(session, account, name)
    found = ada.get("/me").get_json()
    assert (found["bots"], found["is_operator"]) == (["blunt", "sharp"], False)
    assert found["created"].endswith("Z")


def test_notices_come_newest_first_in_pages_and_only_ones_own(
    ada: Caller, bob: Caller, database: Database
) -> None:
    with database.transaction() as session:
        account = session.scalars(select(Account).where(Account.name == "ada")).one()
        for number in range(3):
            session.add(Notice(account_id=account.id, text=f"notice {number}"))
            session.flush()
    first = ada.get("/me/notices?limit=2").get_json()
    second = ada.get(f"/me/notices?limit=2&cursor={first['next']}").get_json()
    texts = [item["text"] for item in first["items"] + second["items"]]
    assert sorted(texts) == ["notice 0", "notice 1", "notice 2"]
    assert second["next"] is None
    assert bob.get("/me/notices").get_json() == {"items": [], "next": None}


@pytest.fixture
def called(database: Database, settings: Settings, contract: Contract) -> Callable[..., Caller]:
    """A caller of an installation with other settings."""

    def make(**changes: object) -> Caller:
        values = {"home": settings.home, "database_url": settings.database_url} | changes
        return Caller(create_app(Settings(**values), database), contract)  # type: ignore[arg-type]

    return make


def test_registration_can_be_closed(called: Callable[..., Caller]) -> None:
    closed = called(registration="closed")
    assert (
        "closed"
        in problem(closed.post("/accounts", json={"name": "ada", "password": PASSWORD}), 403)["detail"]
    )


def test_an_invitation_is_good_for_one_account(
    called: Callable[..., Caller], operator: Caller, ada: Caller
) -> None:
    problem(ada.post("/invites"), 403)
    by_invitation = called(registration="invite")
    problem(by_invitation.post("/accounts", json={"name": "eve", "password": PASSWORD}), 403)
    invite = operator.post("/invites").get_json()["invite"]
    register(by_invitation, "eve", invite=invite)
    again = problem(
        by_invitation.post("/accounts", json={"name": "mal", "password": PASSWORD, "invite": invite}), 403
    )
    assert "not good (any more)" in again["detail"]


def test_a_taken_name_uses_no_invitation_up(
    called: Callable[..., Caller], operator: Caller, ada: Caller
) -> None:
    by_invitation = called(registration="invite")
    invite = operator.post("/invites").get_json()["invite"]
    body = {"name": "ada", "password": PASSWORD, "invite": invite}
    problem(by_invitation.post("/accounts", json=body), 409)
    register(by_invitation, "eve", invite=invite)


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "CF-Connecting-IP", "Via"])
def test_a_forwarding_header_ends_the_trust_in_loopback(client: Caller, header: str) -> None:
    response = client.post(
        "/accounts", json={"name": "ada", "password": PASSWORD}, headers={header: "203.0.113.7"}
    )
    assert "by invitation" in problem(response, 403)["detail"]


def test_a_public_url_ends_the_trust_in_loopback(called: Callable[..., Caller]) -> None:
    public = called(public_url="https://cards.example")
    problem(public.post("/accounts", json={"name": "ada", "password": PASSWORD}), 403)


def test_registration_can_be_opened_to_everybody(called: Callable[..., Caller]) -> None:
    public = called(public_url="https://cards.example", registration="open")
    register(public, "ada")


def test_guessing_passwords_is_slowed_down(called: Callable[..., Caller], app: APIFlask) -> None:
    caller = called()
    body = {"name": "\0", "password": "x"}
    answers = [caller.post("/tokens", json=body) for _ in range(21)]
    assert [answer.status_code for answer in answers[:20]] == [401] * 20
    assert "wait as long as Retry-After says" in problem(answers[20], 429)["detail"]
    assert int(answers[20].headers["Retry-After"]) > 0
