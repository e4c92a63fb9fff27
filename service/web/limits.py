"""Rate limits, counted on the broker's Redis; in this process's memory while that is away."""

from typing import Any, cast

from flask import Flask, Response, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

from service.accounts.tokens import token_digest
from service.settings import Settings
from service.web.site import site

DEFAULT_LIMIT = "3000 per minute"
"""Per token, else per address: a whole class behind one address reads standings every few seconds."""

LIMITS = {
    # A password check costs a third of a second of processor time.
    "accounts.register_account": "20 per minute; 300 per hour",
    "accounts.make_token": "20 per minute; 300 per hour",
    "accounts.change_password": "10 per minute",
    # An upload is unpacked in memory.
    "bots.submit_bot": "30 per minute",
    "bots.submit_bot_version": "30 per minute",
    # A whole match is replayed to show the moves of one deal.
    "pages.match": "240 per minute",
    # So it is here, but somebody who steps through a deal asks at every key press.
    "pages.match_table": "480 per minute",
}
"""By endpoint, in place of the default."""

UNLIMITED = ("health.healthz", "health.readyz")
"""Asked by supervisors, which must hear the truth."""

_STORAGE_TIMEOUT_S = 1


def register(app: Flask, settings: Settings) -> Limiter:
    """Limit the app's views; call it when all are registered."""
    app.after_request(_say_when_to_retry_only_if_refused)
    limiter = Limiter(
        key_func=_client,
        app=app,
        default_limits=[DEFAULT_LIMIT],
        headers_enabled=True,
        storage_uri=storage_url(settings.broker_url),
        storage_options=_storage_options(settings.broker_url),
        in_memory_fallback_enabled=True,
        swallow_errors=True,
        key_prefix="malice-limit",
    )
    for endpoint, limit in LIMITS.items():
        app.view_functions[endpoint] = cast(Any, limiter.limit(limit)(app.view_functions[endpoint]))
    for endpoint in UNLIMITED:
        limiter.exempt(app.view_functions[endpoint])
    return limiter


def storage_url(broker_url: str) -> str:
    """Return the broker's URL as the limiter wants it; memory where no broker is set."""
    if not broker_url:
        return "memory://"
    if broker_url.startswith("unix://"):
        return "redis+unix://" + broker_url.removeprefix("unix://")
    return broker_url


def _storage_options(broker_url: str) -> dict[str, str | int]:
    if not broker_url:
        return {}
    return {"socket_timeout": _STORAGE_TIMEOUT_S, "socket_connect_timeout": _STORAGE_TIMEOUT_S}


def _say_when_to_retry_only_if_refused(response: Response) -> Response:
    """The limiter sends Retry-After with every answer, where it would mean that something failed."""
    if response.status_code < 400:
        response.headers.pop("Retry-After", None)
    return response


def _client() -> str:
    authorization = request.authorization
    if authorization and authorization.type == "bearer" and authorization.token:
        return token_digest(authorization.token)[:16]
    return _address()


def _address() -> str:
    """Where the request comes from; behind the proxy that MALICE_PUBLIC_URL implies, the last hop before it."""
    forwarded = request.headers.get("X-Forwarded-For", "")
    if site().hosts.public and forwarded:
        return forwarded.rpartition(",")[2].strip()
    return get_remote_address()
