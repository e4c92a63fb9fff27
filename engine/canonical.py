"""Canonical JSON: the one way to write a value as bytes (RFC 8785), so that hashes of it mean something."""

from typing import Any

import msgspec

from engine.errors import EngineError

LARGEST_INTEGER = 2**53 - 1
"""Beyond this JSON readers that use doubles lose digits (RFC 8785, section 3.2.2.3)."""

_encoder = msgspec.json.Encoder(order="sorted")


class CanonicalError(EngineError):
    """A value that has no canonical form here: a fraction, a huge integer, a key that is not ASCII."""


def canonical(value: Any) -> bytes:
    """Return the canonical JSON of a value made of objects, arrays, strings, integers, booleans and null.

    Keys sorted, no spaces, strings as UTF-8 with the shortest escapes. Fractions do not occur in anything we
    hash and are refused, as are keys outside ASCII, whose order would depend on the encoding. Raises CanonicalError.
    """
    _check(value)
    return encode(value)


def encode(value: Any) -> bytes:
    """Write a value known to have a canonical form, such as a struct of integers and strings, without checks."""
    return _encoder.encode(value)


def _check(value: Any) -> None:
    if value is None or isinstance(value, str | bool):
        return
    if isinstance(value, int):
        if abs(value) > LARGEST_INTEGER:
            raise CanonicalError(f"{value} is too large for an exact JSON number")
    elif isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str) or not key.isascii():
                raise CanonicalError(f"the key {key!r} is not an ASCII string")
            _check(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _check(item)
    else:
        raise CanonicalError(f"{value!r} is neither text, integer, boolean, null, array nor object")
