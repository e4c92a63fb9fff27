"""Identifiers: opaque strings that sort by the time they were made."""

from ulid import ULID


def new_id() -> str:
    """Return a new ULID in lower case, 26 characters."""
    return str(ULID()).lower()
