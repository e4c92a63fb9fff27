"""What a request works with: the installation's settings, database and blobs, kept on the app, never global."""

from dataclasses import dataclass
from typing import cast

from flask import Flask, current_app

from service.blobs import BlobStore
from service.settings import Settings
from service.storage.database import Database
from service.web.hosts import HostPolicy

_EXTENSION = "malice"


@dataclass(frozen=True)
class Site:
    """One per app."""

    settings: Settings
    database: Database
    blobs: BlobStore
    hosts: HostPolicy


def attach(app: Flask, site: Site) -> None:
    """Put the site on its app."""
    app.extensions[_EXTENSION] = site


def site() -> Site:
    """Return the current app's site."""
    return cast(Site, current_app.extensions[_EXTENSION])
