"""Every error as a problem of RFC 9457: `application/problem+json` with a `detail` that says what to do next."""

import math
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import structlog
from apiflask import APIFlask, HTTPError
from flask import Request, Response, json, request
from werkzeug.exceptions import BadRequest, HTTPException, RequestEntityTooLarge

from service.blobs import BlobDamagedError
from service.refusals import (
    ConflictError,
    ForbiddenError,
    GoneError,
    InvalidError,
    QuotaError,
    RefusedError,
    TooLargeError,
    UnauthenticatedError,
    UnknownError,
)
from service.views import View

CONTENT_TYPE = "application/problem+json"

STATUSES: Mapping[type[RefusedError], HTTPStatus] = {
    InvalidError: HTTPStatus.UNPROCESSABLE_ENTITY,
    UnauthenticatedError: HTTPStatus.UNAUTHORIZED,
    ForbiddenError: HTTPStatus.FORBIDDEN,
    UnknownError: HTTPStatus.NOT_FOUND,
    ConflictError: HTTPStatus.CONFLICT,
    GoneError: HTTPStatus.GONE,
    QuotaError: HTTPStatus.TOO_MANY_REQUESTS,
    TooLargeError: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
}

QUOTA_RETRY_AFTER_S = 3_600
"""Quotas count the last 24 hours: an hour later there may be room again."""

_FRAMEWORK_DETAILS = {
    404: "there is nothing at {path}; GET /api/v1/openapi.json describes what there is",
    405: "{method} is not possible here; use {allowed}",
    413: "the request's body is larger than this call takes",
    429: "too many requests: {description}; wait as long as Retry-After says",
}

_PYDANTIC_PREFIX = "Value error, "
"""What pydantic puts before a check's own words."""

_log = structlog.get_logger(__name__)


class FieldProblem(View):
    """What is wrong with one input."""

    field: str
    detail: str


class Problem(View):
    """An error (RFC 9457)."""

    type: str
    """`about:blank`: the status says what kind of problem it is."""
    title: str
    status: int
    detail: str
    """What was wrong with which input, and what to do next."""
    instance: str
    """The path that was asked for."""
    errors: Sequence[FieldProblem]
    """Per input, where several may be wrong; else empty."""


class ApiRequest(Request):
    """A request whose malformed JSON is answered with where it is malformed."""

    def get_json(self, force: bool = False, silent: bool = False, cache: bool = True) -> Any:
        """Parse the body.

        Raises BadRequest for what is no JSON or is nested beyond all use, RequestEntityTooLarge.
        """
        # A body that does not say its length is silently cut off at the limit: that is not the caller's JSON.
        if self.content_length is None and len(self.get_data()) >= (self.max_content_length or math.inf):
            raise RequestEntityTooLarge
        try:
            return super().get_json(force, silent, cache)
        except RecursionError:
            raise BadRequest("the body is not JSON of any use: it is nested too deep") from None

    def on_json_loading_failed(self, e: ValueError | None) -> Any:
        """Refuse the body. Raises BadRequest."""
        raise BadRequest(f"the body is not JSON: {e}" if e else "the body is not JSON")


def problem_response(
    status: int, detail: str, errors: Sequence[FieldProblem] = (), headers: Mapping[str, str] | None = None
) -> Response:
    """Return a problem as a response."""
    problem = Problem(
        type="about:blank",
        title=HTTPStatus(status).phrase,
        status=status,
        detail=detail,
        instance=request.path,
        errors=list(errors),
    )
    response = Response(json.dumps(problem.model_dump(mode="json")), status, content_type=CONTENT_TYPE)
    response.headers.extend(dict(headers or {}))
    if status == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = 'Bearer realm="malice"'
    return response


def register(app: APIFlask) -> None:
    """Answer every error of the app, ours, the framework's and the unforeseen, as a problem."""
    app.request_class = ApiRequest
    app.register_error_handler(RefusedError, _refused)
    app.register_error_handler(HTTPError, _invalid_input)
    app.register_error_handler(HTTPException, _framework_error)
    app.register_error_handler(BlobDamagedError, _damaged)
    app.register_error_handler(Exception, _unforeseen)


def _refused(error: RefusedError) -> Response:
    status = STATUSES[type(error)]
    errors = [FieldProblem(field=error.field, detail=error.message)] if error.field else []
    headers = {"Retry-After": str(QUOTA_RETRY_AFTER_S)} if isinstance(error, QuotaError) else {}
    return problem_response(status, error.message, errors, headers)


def _invalid_input(error: HTTPError) -> Response:
    """Answer input that APIFlask's validation refused: `detail` is {location: {field: [messages]}}."""
    errors = [
        FieldProblem(field=field, detail=message.removeprefix(_PYDANTIC_PREFIX))
        for fields in (error.detail or {}).values()
        for field, messages in fields.items()
        for message in messages
    ]
    detail = "; ".join(f"{one.field}: {one.detail}" for one in errors) or str(error.message)
    return problem_response(error.status_code, detail, errors)


def _framework_error(error: HTTPException) -> Response:
    status = error.code or 500
    template = _FRAMEWORK_DETAILS.get(status)
    description = re.sub(r"\s+", " ", error.description or error.name)
    headers = {name: value for name, value in error.get_headers() if name.lower() != "content-type"}
    detail = description
    if template:
        detail = template.format(
            path=request.path,
            method=request.method,
            allowed=" or ".join(sorted(set(headers.get("Allow", "").split(", ")) - {"HEAD", "OPTIONS"})),
            description=description,
        )
    return problem_response(status, detail, headers=headers)


def _damaged(error: BlobDamagedError) -> Response:
    """Say that it is no use to try again; which file it is only the log says."""
    _log.error("a blob is damaged", path=request.path, error=str(error))
    return problem_response(
        500,
        "this is damaged where it is stored and cannot be served; tell the operator, whose log names the file",
    )


def _unforeseen(error: Exception) -> Response:
    _log.exception("request failed", method=request.method, path=request.path)
    return problem_response(
        500, "something failed on our side and was logged; try again, and tell the operator if it stays"
    )
