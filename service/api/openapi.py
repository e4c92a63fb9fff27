"""The OpenAPI document: what APIFlask makes of the views, made true of what every call has in common."""

import json
import re
from collections.abc import Mapping
from typing import Any

from apiflask import APIFlask

from service.api.inputs import SLUG
from service.bots.queries import LARGEST_NUMBER
from service.bots.submission import BOT_NAME
from service.web.problems import CONTENT_TYPE, Problem

SECURITY_SCHEME = "bearer"
SIGNED_IN = SECURITY_SCHEME
SIGNED_IN_OR_NOT: list[str | dict[str, list[Any]]] = [{}, {SECURITY_SCHEME: []}]

DESCRIPTION = """\
The HTTP API of a Malice installation; docs/api.md is the guided tour.

Every error is a problem (RFC 9457) whose `detail` says what was wrong with which input and what to do next.
Lists come in pages: `next` of one page is the `cursor` of the next, `null` at the end.
"""

_Operation = dict[str, Any]

_COMMON = {
    400: "The request cannot be read.",
    403: "The request comes from a foreign page, or the account may not do this.",
    421: "The request is addressed to a host this is not.",
    429: "Too many requests, or a quota is used up; Retry-After says when to try again.",
}
_WITH_BODY = {
    413: "The body is too large.",
    415: "The body is of another type.",
    422: "An input cannot be used.",
}
_ID: dict[str, Any] = {"type": "string", "pattern": "^[0-9a-z]{26}$"}
_PATH_PARAMETERS: Mapping[str, dict[str, Any]] = {
    "bot": {"type": "string", "pattern": f"^{BOT_NAME.pattern}$"},
    "ladder": {"type": "string", "pattern": SLUG},
    "n": {"type": "integer", "minimum": 1, "maximum": LARGEST_NUMBER},
    "fixture": _ID,
    "match": _ID,
    "token_id": _ID,
}


def register(app: APIFlask) -> None:
    """Describe the app."""
    app.config["SECURITY_SCHEMES"] = {
        SECURITY_SCHEME: {
            "type": "http",
            "scheme": "bearer",
            "description": "A token from POST /api/v1/accounts or POST /api/v1/tokens.",
        }
    }
    app.config["DESCRIPTION"] = DESCRIPTION
    app.config["AUTO_SERVERS"] = False
    app.config["AUTO_OPERATION_ID"] = True
    app.spec_processor(_complete)


def file_response(content_type: str, description: str) -> dict[int, Any]:
    """Return the `responses` of a call that answers with a file."""
    schema = {"type": "string"} if content_type.startswith("text/") else {}
    found = {"description": description, "content": {content_type: {"schema": schema}}}
    return {200: found, 410: "No longer kept.", 500: "Damaged where it is stored."}


def _complete(spec: dict[Any, Any] | str) -> dict[Any, Any] | str:
    """Add to every operation the problems any call may answer with, and give all of them the one shape."""
    if isinstance(spec, str):
        return spec
    spec = _with_plain_names(spec)
    schemas = spec["components"]["schemas"]
    for name in ("HTTPError", "ValidationError"):
        schemas.pop(name, None)
    problem = Problem.model_json_schema(ref_template="#/components/schemas/{model}", mode="serialization")
    schemas.update(problem.pop("$defs"))
    schemas["Problem"] = problem
    for path in spec["paths"].values():
        for method, operation in path.items():
            _complete_operation(operation)
            if method == "get":
                operation["responses"].setdefault("304", {"description": "It is as it was (If-None-Match)."})
    return spec


def _with_plain_names(spec: dict[Any, Any]) -> dict[Any, Any]:
    """Name a schema within another by its own name alone: `SeatView`, not `FixtureView.SeatView`."""
    plain: dict[Any, Any] = json.loads(
        re.sub(r'"#/components/schemas/\w+\.(\w+)"', r'"#/components/schemas/\1"', json.dumps(spec))
    )
    schemas = plain["components"]["schemas"]
    plain["components"]["schemas"] = {name.rpartition(".")[2]: schema for name, schema in schemas.items()}
    return plain


def _complete_operation(operation: _Operation) -> None:
    problems = dict(_COMMON)
    if "requestBody" in operation:
        operation["requestBody"]["required"] = True
        problems |= _WITH_BODY
    if operation.get("security"):
        problems[401] = "There is no token, or not a good one."
    for parameter in operation["parameters"]:
        if parameter["in"] == "path":
            parameter["required"] = True
            problems[404] = "There is no such thing, or it is another's private part."
            parameter["schema"] = dict(_PATH_PARAMETERS[parameter["name"]])
        else:
            parameter["schema"] = _without_null(parameter["schema"])
            problems[422] = "An input cannot be used."
    for status, description in problems.items():
        operation["responses"].setdefault(str(status), {"description": description})
    for status, response in operation["responses"].items():
        if status >= "400":
            response["content"] = _PROBLEM_CONTENT
            response.setdefault("description", "")


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A query parameter is there or not; there is no way to send null."""
    kinds = [kind for kind in schema.get("anyOf", []) if kind != {"type": "null"}]
    if len(kinds) != 1:
        return schema
    rest: dict[str, Any] = {key: value for key, value in schema.items() if key not in ("anyOf", "default")}
    return rest | dict(kinds[0])


_PROBLEM_CONTENT: Mapping[str, Any] = {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
