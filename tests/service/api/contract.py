"""Checks a response against the OpenAPI document: the status, the content type and the body must be described."""

from typing import Any

import jsonschema
from apiflask import APIFlask
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse


class Contract:
    """The document of one app."""

    def __init__(self, app: APIFlask) -> None:
        spec = app.spec
        assert isinstance(spec, dict)
        self.spec: dict[str, Any] = spec

    def check(self, app: APIFlask, method: str, path: str, response: TestResponse) -> None:
        """Raise AssertionError unless the document describes this answer to this call."""
        operation = self._operation(app, method, path)
        if operation is None:
            assert response.status_code in (403, 404, 405, 415, 421), f"{method} {path} is in no document"
            return
        call = f"{method} {path}"
        described = operation["responses"].get(str(response.status_code))
        assert described is not None, f"{call} answers {response.status_code}, which is not described"
        if response.status_code in (204, 304):
            assert response.data == b""
            return
        media = described["content"].get(response.mimetype)
        assert media is not None, f"{call} answers with {response.mimetype}, which is not described"
        if response.is_json:
            schema = {**media["schema"], "components": self.spec["components"]}
            jsonschema.validate(response.get_json(), schema, jsonschema.Draft202012Validator)

    def _operation(self, app: APIFlask, method: str, path: str) -> dict[str, Any] | None:
        try:
            rule, _ = app.url_map.bind("localhost").match(path.partition("?")[0], method, return_rule=True)
        except HTTPException:
            return None
        plain = rule.rule.replace("<int:", "<").replace("<", "{").replace(">", "}")
        found: dict[str, Any] | None = self.spec["paths"].get(plain, {}).get(method.lower())
        return found
