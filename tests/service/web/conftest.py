"""Applications with settings of the test's choosing, called as they are."""

from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.settings import Settings
from service.storage.database import Database


@pytest.fixture
def made(settings: Settings, database: Database) -> Callable[..., FlaskClient]:
    """Makes a client of an installation with the given settings."""

    def make(**changes: object) -> FlaskClient:
        values = {"home": settings.home, "database_url": settings.database_url} | changes
        return create_app(Settings(**values), database).test_client()  # type: ignore[arg-type]

    return make
