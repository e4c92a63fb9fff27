"""The web application: API and pages on one Flask app, made from settings."""

import os
import secrets
import tempfile
from contextlib import suppress
from importlib.metadata import version

from apiflask import APIFlask

from service.api import accounts, bots, fixtures, health, ladders, openapi
from service.blobs import open_blobs
from service.pages import blueprint as pages
from service.settings import Settings
from service.storage.database import Database
from service.web import etags, guards, headers, limits, problems
from service.web.hosts import HostPolicy
from service.web.site import Site, attach

API_PREFIX = "/api/v1"


def create_app(settings: Settings, database: Database | None = None) -> APIFlask:
    """Make the application. It opens the database its settings name, unless one is handed over.

    Make one per process, after any fork. Raises ValueError for a PUBLIC_URL or BLOBS_URL that cannot be used.
    """
    app = APIFlask(
        "service",
        title="Malice",
        version=version("malice"),
        spec_path=f"{API_PREFIX}/openapi.json",
        docs_path=None,
    )
    app.config["SECRET_KEY"] = settings.secret_key or _kept_secret(settings)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    attach(
        app,
        Site(
            settings=settings,
            database=database or Database(settings.resolved_database_url),
            blobs=open_blobs(settings.resolved_blobs),
            hosts=HostPolicy.of(settings),
        ),
    )
    for part in (problems, guards, headers, etags, openapi):
        part.register(app)
    for feature in (accounts, bots, ladders, fixtures):
        app.register_blueprint(feature.bp, url_prefix=API_PREFIX)
    app.register_blueprint(health.bp)
    app.register_blueprint(pages)
    limits.register(app, settings)
    return app


def _kept_secret(settings: Settings) -> str:
    """The key that signs forms and sessions: made at the first start and kept in `home`, for its owner alone."""
    path = settings.home / "secret_key"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".secret-")
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(32))
        # Of several processes that start at once the first one's key holds, and nobody reads half of it.
        with suppress(FileExistsError):
            os.link(temporary, path)
        os.unlink(temporary)
    return path.read_text()
