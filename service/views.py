"""What all read models share. A read model is what the API sends and what the pages show: said once, here typed.

Times inside are integers, microseconds since 1970 UTC; they leave as RFC 3339.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, PlainSerializer, WithJsonSchema

from service.storage.clock import rfc3339

Time = Annotated[
    int,
    PlainSerializer(rfc3339, return_type=str, when_used="json"),
    WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-01-31T12:00:00.000Z"]}),
]
"""Microseconds here, such as `2026-01-31T12:00:00.000Z` in JSON."""


class View(BaseModel):
    """Plain, frozen data for readers; the docstrings under its fields are their descriptions in the OpenAPI."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)
