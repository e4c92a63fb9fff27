"""What a request must be before anything looks at it: addressed to us, from us, of a known type, not too large."""

from typing import cast

from flask import Flask, Response, request

from service.settings import MIB, Settings
from service.web.problems import problem_response
from service.web.site import site

API_PREFIX = "/api/"
UPLOADS = frozenset({"bots.submit_bot", "bots.submit_bot_version"})
"""Endpoints that take multipart/form-data with a file in it; all others take JSON."""
LARGEST_JSON_BYTES = 256 << 10
_UPLOAD_SLACK_BYTES = 64 << 10
"""What a multipart body needs beside the file."""


def register(app: Flask) -> None:
    """Check every request of the app before its view."""
    app.before_request(_check_host)
    app.before_request(_check_origin)
    app.before_request(_check_size)
    app.before_request(_check_content_type)


def largest_body(settings: Settings) -> int:
    """Return the bytes of the largest body any call takes: what a web server may refuse unread."""
    return settings.upload_mb * MIB + _UPLOAD_SLACK_BYTES


def is_local_request() -> bool:
    """Whether the request was made on this machine, without a proxy or tunnel in between."""
    return site().hosts.is_local(request.remote_addr, request.headers.keys())


def _check_host() -> Response | None:
    host = request.environ.get("HTTP_HOST", "")
    if site().hosts.knows_host(host, _server_port()):
        return None
    return problem_response(
        421,
        f"this service does not answer to the host {host!r}; use the address it is bound to,"
        " or have the operator set MALICE_PUBLIC_URL",
    )


def _check_origin() -> Response | None:
    origin = request.headers.get("Origin")
    if origin is None or site().hosts.knows_origin(origin, _server_port()):
        return None
    return problem_response(
        403, f"calls from pages of {origin!r} are not taken; call from a program or our own pages"
    )


def _check_size() -> Response | None:
    limit = largest_body(site().settings) if _is_upload() else LARGEST_JSON_BYTES
    request.max_content_length = limit  # also ends a body that does not say its length
    if (request.content_length or 0) <= limit:
        return None
    return problem_response(
        413, f"the body is {request.content_length:,} bytes; this call takes at most {limit:,}"
    )


def _check_content_type() -> Response | None:
    has_body = bool(request.content_length) or "Transfer-Encoding" in request.headers
    if not has_body or not request.path.startswith(API_PREFIX) or request.method in ("GET", "HEAD"):
        return None
    wanted = "multipart/form-data" if _is_upload() else "application/json"
    if request.mimetype == wanted:
        return None
    sent = f"not {request.mimetype}" if request.mimetype else "which this body does not say it is"
    return problem_response(415, f"send the body as {wanted}, {sent}")


def _is_upload() -> bool:
    return request.endpoint in UPLOADS


def _server_port() -> int:
    return int(cast(str, request.environ.get("SERVER_PORT")) or 0)
