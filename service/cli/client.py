"""Talking to a Malice server from the command line: the address, the token, and errors in one line."""

import os
import tempfile
from collections.abc import Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar
from urllib.parse import quote, urlsplit

import click
import msgspec

from service.cli.text import fail, harmless

if TYPE_CHECKING:
    from collections.abc import Callable

    import httpx

DEFAULT_SERVER = "http://127.0.0.1:8000"
API = "/api/v1"
TIMEOUT_S = 30.0

P = ParamSpec("P")
R = TypeVar("R")


class Login(msgspec.Struct, frozen=True):
    """An account's token on one server."""

    account: str
    token: str


class ClientFile(msgspec.Struct, frozen=True):
    """What is kept between commands: the server last used, and a login per server."""

    server: str = DEFAULT_SERVER
    logins: dict[str, Login] = {}


class ServerError(click.ClickException):
    """What the server refused. `status` is the HTTP status, `problem` its problem document."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        self.status = status
        self.problem = problem
        detail = problem.get("detail") or problem.get("title") or f"the server answered {status}"
        super().__init__(harmless(str(detail)))


def client_file() -> Path:
    """Where the client keeps its server and tokens: `malice/client.json` in the user's configuration folder."""
    base = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    return Path(base).expanduser() / "malice" / "client.json"


def read_client_file(path: Path) -> ClientFile:
    """Read it; an absent file is an empty one, a damaged one is named."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=ClientFile)
    except FileNotFoundError:
        return ClientFile()
    except (msgspec.MsgspecError, OSError) as error:
        fail(f"cannot read {path}: {error}; mend it, or remove it and use `malice login`")


def remember(path: Path, server: str, login: Login) -> None:
    """Keep a login, readable by its owner only, and make its server the default one."""
    known = read_client_file(path)
    new = ClientFile(server=server, logins={**known.logins, server: login})
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent)  # made 0600
    with os.fdopen(descriptor, "wb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(new)))
    os.replace(temporary, path)


class Client:
    """One server, as one account or nobody. Every failure is a ClickException in one line."""

    def __init__(self, server: str, token: str | None) -> None:
        import httpx  # 0.1 s to import: only commands that talk to a server pay for it

        self.server = server
        self.token = token
        headers = {"User-Agent": "malice"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self._http = httpx.Client(base_url=server, headers=headers, timeout=TIMEOUT_S)

    def get(self, path: str, **parameters: Any) -> Any:
        """GET a JSON document under the API."""
        query = {name: value for name, value in parameters.items() if value is not None}
        return self._json(self._request("GET", API + path, params=query))

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """POST a JSON document and return the answer."""
        return self._json(self._request("POST", API + path, json=body))

    def put(self, path: str, body: Mapping[str, Any]) -> None:
        """PUT a JSON document."""
        self._request("PUT", API + path, json=body)

    def delete(self, path: str) -> None:
        """DELETE something under the API."""
        self._request("DELETE", API + path)

    def upload(self, path: str, fields: Mapping[str, Any], filename: str, data: bytes) -> Any:
        """POST a file with form fields and return the answer."""
        response = self._request("POST", API + path, data=fields, files={"file": (filename, data)})
        return self._json(response)

    def download(self, path: str, **parameters: Any) -> bytes:
        """GET bytes under the API."""
        return self._request("GET", API + path, params=parameters).content

    def readiness(self) -> Any:
        """GET /readyz, whose document matters whether it says ready (200) or not (503)."""
        return self._json(self._send("GET", "/readyz"))

    def needs_token(self) -> None:
        """Say how to get a token when there is none."""
        if not self.token:
            fail(
                f"no token for {self.server}: use `malice register NAME` or `malice login NAME` first, "
                "or set MALICE_TOKEN"
            )

    def _request(self, method: str, path: str, **options: Any) -> "httpx.Response":
        response = self._send(method, path, **options)
        if response.is_error:
            raise ServerError(response.status_code, self._problem(response))
        return response

    def _send(self, method: str, path: str, **options: Any) -> "httpx.Response":
        import httpx

        try:
            return self._http.request(method, path, **options)
        except httpx.ConnectError:
            fail(
                f"nothing answers at {self.server}: start a server with `malice up`, "
                "or name another with --server"
            )
        except httpx.HTTPError as error:
            fail(f"{self.server} did not answer as it should: {harmless(str(error))}; try again")

    def _json(self, response: "httpx.Response") -> Any:
        try:
            return response.json()
        except ValueError:
            fail(f"{self.server} answered {response.status_code} without JSON: is it a Malice server?")

    @staticmethod
    def _problem(response: "httpx.Response") -> Mapping[str, Any]:
        try:
            problem = response.json()
        except ValueError:
            problem = None
        return problem if isinstance(problem, dict) else {}


def segment(text: str) -> str:
    """Return a user's text as one segment of a path, whatever is in it."""
    return quote(text, safe="")


def parse_server(text: str) -> str:
    """Return a server's address without a trailing slash. Raises click.BadParameter."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise click.BadParameter(f"{text!r} is not an address such as {DEFAULT_SERVER}")
    return text.rstrip("/")


def with_client(command: "Callable[Concatenate[Client, P], R]") -> "Callable[..., R]":
    """Give a command `--server` and `--token`, and the client they make as its first argument."""

    @click.option(
        "--server",
        envvar="MALICE_SERVER",
        metavar="URL",
        help=f"The server; else the one last logged in to, else {DEFAULT_SERVER}.",
    )
    @click.option(
        "--token",
        envvar="MALICE_TOKEN",
        metavar="TOKEN",
        help="Your token; better in MALICE_TOKEN, or kept by register and login.",
    )
    @wraps(command)
    def wrapper(*args: Any, server: str | None, token: str | None, **options: Any) -> R:
        known = read_client_file(client_file())
        address = parse_server(server or known.server)
        login = known.logins.get(address)
        client = Client(address, token or (login.token if login else None))
        return command(client, *args, **options)

    return wrapper
