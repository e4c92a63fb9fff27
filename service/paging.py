"""Cursors: where the next page of a list begins, as an opaque string; never an offset."""

import base64
import binascii
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from service.refusals import InvalidError

DEFAULT_LIMIT = 50
MAX_LIMIT = 200

_MAX_CURSOR_CHARS = 400
_T = TypeVar("_T")


@dataclass(frozen=True)
class PageRequest:
    """How many items, and from where on."""

    limit: int = DEFAULT_LIMIT
    cursor: str | None = None


def encode_cursor(key: msgspec.Struct) -> str:
    """Return the cursor that stands for a sort key."""
    return base64.urlsafe_b64encode(msgspec.json.encode(key)).decode().rstrip("=")


def decode_cursor(cursor: str | None, kind: type[_T]) -> _T | None:
    """Return the sort key a cursor stands for, None for none. Raises InvalidError for anything we did not make."""
    if cursor is None:
        return None
    try:
        if len(cursor) > _MAX_CURSOR_CHARS:
            raise ValueError("too long")
        text = base64.b64decode(
            cursor.encode("ascii") + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True
        )
        return msgspec.json.decode(text, type=kind)
    except (ValueError, binascii.Error, msgspec.MsgspecError):
        raise InvalidError(
            "this is no cursor of this list; take `next` of its last page as it is", "cursor"
        ) from None
