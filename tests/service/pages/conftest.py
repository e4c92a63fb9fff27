"""The site with a club to show, for a test client and for a browser."""

import shutil
import threading
from collections.abc import Callable, Iterator

import msgspec
import pytest
from apiflask import APIFlask
from werkzeug.serving import make_server
from werkzeug.test import TestResponse

from service.app import create_app
from service.settings import Settings
from service.storage.database import Database
from tests.service.pages.club import Club, found_club

ADDRESS = "http://127.0.0.1:8000"
AS_A_BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}

Get = Callable[..., TestResponse]


@pytest.fixture
def club(database: Database, settings: Settings) -> Club:
    """Two bots on a ladder, no fixtures."""
    return found_club(database, settings)


@pytest.fixture
def app(settings: Settings, database: Database) -> APIFlask:
    """The site as a fresh installation on loopback serves it."""
    return create_app(settings, database)


@pytest.fixture
def get(app: APIFlask) -> Get:
    """Asks for a path as a browser does."""
    client = app.test_client()

    def ask(path: str, **headers: str) -> TestResponse:
        return client.get(path, base_url=ADDRESS, headers=AS_A_BROWSER | headers)

    return ask


@pytest.fixture
def address(settings: Settings, database: Database) -> Iterator[str]:
    """The address of a real server with the site."""
    app = create_app(msgspec.structs.replace(settings, port=0), database)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium; without one there is nothing to look at pages with."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium")
    return found
