"""A hostile page or proxy gets nothing done: hosts, origins, content types and sizes."""

import io
from collections.abc import Callable

import pytest
from flask.testing import FlaskClient
from werkzeug.test import EnvironBuilder, run_wsgi_app

from service.settings import Settings
from service.web.hosts import HostPolicy, parse_origin

Made = Callable[..., FlaskClient]
LOCAL = "http://127.0.0.1:8000"


def get(client: FlaskClient, host: str, **headers: str) -> int:
    return client.get("/api/v1/ladders", headers={"Host": host, **headers}).status_code


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "LOCALHOST:8000", "[::1]:8000"])
def test_the_bound_address_is_answered_under_its_names(made: Made, host: str) -> None:
    assert get(made(), host) == 200


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8000", "127.0.0.1.evil.example:8000", "localhost.evil.example:8000"),
        *("127.0.0.1", "localhost", "127.0.0.1:80", "127.0.0.1:8001", "0.0.0.0:8000", "192.168.1.7:8000"),
        *("", " ", "127.0.0.1:8000@evil.example", "evil.example#127.0.0.1:8000", "127.0.0.1:", "127.0.0.1:x"),
        *("127.0.0.1:99999999", "[::1", "localhost:8000/x", "localhost:8000, evil.example"),
    ],
)
def test_any_other_host_is_misdirected(made: Made, host: str) -> None:
    response = made().get("/api/v1/ladders", headers={"Host": host})
    assert response.status_code == 421
    assert response.content_type == "application/problem+json"
    assert "MALICE_PUBLIC_URL" in response.get_json()["detail"]


def test_a_request_without_a_host_is_misdirected(made: Made) -> None:
    client = made()
    environ = EnvironBuilder(path="/api/v1/ladders").get_environ()
    del environ["HTTP_HOST"]
    assert run_wsgi_app(client.application, environ)[1].startswith("421")


def test_a_port_taken_by_the_server_itself_is_the_one_that_counts(made: Made) -> None:
    client = made(port=0)
    for host, status in (("localhost:4711", 200), ("localhost:4712", 421)):
        environ = {"SERVER_PORT": "4711", "HTTP_HOST": host}
        assert client.get("/api/v1/ladders", environ_overrides=environ).status_code == status


@pytest.mark.parametrize(
    ("host", "status"),
    [("10.0.0.7:8000", 200), ("[fe80::1]:9000", 200), ("localhost:8000", 200), ("evil.example:8000", 421)],
)
def test_a_server_on_all_addresses_answers_to_numbers_which_no_page_can_rebind(
    made: Made, host: str, status: int
) -> None:
    assert get(made(host="0.0.0.0"), host) == status


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("cards.example", 200),
        ("cards.example:443", 200),
        ("CARDS.example", 200),
        ("127.0.0.1:8000", 200),
        ("cards.example:80", 421),
        ("cards.example.evil.example", 421),
    ],
)
def test_the_public_url_is_answered_and_the_bound_address_still_is(
    made: Made, host: str, status: int
) -> None:
    assert get(made(public_url="https://cards.example/"), host) == status


@pytest.mark.parametrize(
    "url", ["cards.example", "ftp://cards.example", "https://", "https://cards.example/path"]
)
def test_a_public_url_that_is_none_is_said_at_the_start(made: Made, url: str) -> None:
    with pytest.raises(ValueError, match="MALICE_PUBLIC_URL"):
        made(public_url=url)


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "OPTIONS"])
@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "http://evil.example",
        "http://127.0.0.1",
        "https://127.0.0.1:8000",
        "http://127.0.0.1:8001",
        "",
        "x",
    ],
)
def test_a_foreign_origin_is_refused_whatever_it_asks(made: Made, method: str, origin: str) -> None:
    client = made()
    response = client.open("/api/v1/accounts", base_url=LOCAL, method=method, headers={"Origin": origin})
    assert response.status_code == 403
    assert "Access-Control-Allow-Origin" not in response.headers


@pytest.mark.parametrize("origin", ["http://127.0.0.1:8000", "http://localhost:8000"])
def test_our_own_pages_are_no_foreign_origin(made: Made, origin: str) -> None:
    assert get(made(), "127.0.0.1:8000", Origin=origin) == 200


def test_the_public_urls_pages_are_no_foreign_origin_but_only_over_its_scheme(made: Made) -> None:
    client = made(public_url="https://cards.example")
    assert get(client, "cards.example", Origin="https://cards.example") == 200
    assert get(client, "cards.example", Origin="http://cards.example") == 403


BODY = b'{"name": "ada", "password": "correct horse"}'


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "text/json",
        "",
        "application/xml",
    ],
)
def test_json_under_a_type_that_a_form_can_send_is_refused(made: Made, content_type: str) -> None:
    response = made().post("/api/v1/accounts", base_url=LOCAL, data=BODY, content_type=content_type)
    assert response.status_code == 415
    assert "send the body as application/json" in response.get_json()["detail"]


def test_json_under_its_own_type_is_taken(made: Made) -> None:
    client = made()
    content_type = "application/json; charset=utf-8"
    assert (
        client.post("/api/v1/accounts", base_url=LOCAL, data=BODY, content_type=content_type).status_code
        == 201
    )


@pytest.mark.parametrize("body", [b"", b"{", b"nonsense", b"\xff\xfe", b'{"name": "ada",}', b"[" * 100_000])
def test_malformed_json_is_a_400_that_says_where(made: Made, body: bytes) -> None:
    response = made().post("/api/v1/accounts", base_url=LOCAL, data=body, content_type="application/json")
    assert response.status_code == 400
    assert response.content_type == "application/problem+json"
    assert "the body is not JSON" in response.get_json()["detail"]


@pytest.mark.parametrize(
    "body", [b"null", b"[]", b"3", b'"text"', b'{"name": {"a": 1}}', b'{"name": "\\ud800"}']
)
def test_json_of_another_shape_is_a_422(made: Made, body: bytes) -> None:
    response = made().post("/api/v1/accounts", base_url=LOCAL, data=body, content_type="application/json")
    assert response.status_code == 422
    assert response.get_json()["errors"]


class Unread(io.BytesIO):
    """A body that must not be read."""

    def read(self, *args: object) -> bytes:
        raise AssertionError("the body was read")


def test_a_body_that_says_it_is_too_large_is_refused_unread(made: Made) -> None:
    client = made()
    for path, length in (("/api/v1/accounts", 300_000), ("/api/v1/bots", 11 << 20)):
        environ = {"CONTENT_LENGTH": str(length), "wsgi.input": Unread()}
        content_type = "application/json" if "accounts" in path else "multipart/form-data; boundary=x"
        response = client.post(path, base_url=LOCAL, content_type=content_type, environ_overrides=environ)
        assert response.status_code == 413
        assert f"{length:,} bytes; this call takes at most" in response.get_json()["detail"]


def test_a_body_of_unsaid_length_is_cut_off_at_the_limit(made: Made) -> None:
    builder = EnvironBuilder("/api/v1/accounts", LOCAL, method="POST", content_type="application/json")
    environ = builder.get_environ() | {
        "HTTP_TRANSFER_ENCODING": "chunked",
        "wsgi.input_terminated": True,
        "wsgi.input": io.BytesIO(b" " * 300_000),
    }
    environ.pop("CONTENT_LENGTH", None)
    assert run_wsgi_app(made().application, environ)[1].startswith("413")


def test_a_wall_of_form_fields_is_refused(made: Made) -> None:
    fields = {f"field{number}": "x" for number in range(2_000)}
    client = made()
    token = client.post("/api/v1/accounts", base_url=LOCAL, data=BODY, content_type="application/json")
    response = client.post(
        "/api/v1/bots",
        base_url=LOCAL,
        data=fields,
        content_type="multipart/form-data",
        headers={"Authorization": f"Bearer {token.get_json()['token']}"},
    )
    assert response.status_code == 413


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://a.example", ("http", "a.example", 80)),
        ("https://A.example:8443", ("https", "a.example", 8443)),
        ("http://[::1]:8000", ("http", "::1", 8000)),
        ("null", None),
        ("http://user@a.example", None),
        ("http://a.example/", None),
        ("http://a.example?x", None),
        ("http://a.example:", None),
        ("http://a example", None),
        ("http://ä.example", None),
        ("file:///etc/passwd", None),
    ],
)
def test_an_origin_is_scheme_host_and_port_and_nothing_else(
    text: str, expected: tuple[str, str, int] | None
) -> None:
    found = parse_origin(text)
    assert (found and (found.scheme, found.name, found.port)) == expected


@pytest.mark.parametrize(
    ("settings", "remote", "headers", "local"),
    [
        ({}, "127.0.0.1", [], True),
        ({}, "::1", ["Accept"], True),
        ({}, "10.0.0.7", [], False),
        ({}, None, [], False),
        ({}, "not an address", [], False),
        ({}, "127.0.0.1", ["x-forwarded-for"], False),
        ({}, "127.0.0.1", ["Forwarded"], False),
        ({"public_url": "http://localhost:8000"}, "127.0.0.1", [], False),
        ({"host": "0.0.0.0"}, "127.0.0.1", [], False),
    ],
)
def test_only_a_direct_call_from_this_machine_is_local(
    settings: dict[str, str], remote: str | None, headers: list[str], local: bool
) -> None:
    assert HostPolicy.of(Settings(**settings)).is_local(remote, headers) is local  # type: ignore[arg-type]
