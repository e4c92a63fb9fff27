"""Identifiers: opaque strings that sort by the time they were made."""

from ulid import ULID

ID_CHARACTERS = 26


def new_id() -> str:
    """Return a new ULID in lower case, 26 characters."""
    return str(ULID()).lower()


def may_be_id(text: str) -> bool:
    """Whether a caller's text could be an identifier; no database is asked for one that could not.

    PostgreSQL takes a NUL in a text for an error.
    """
    return len(text) == ID_CHARACTERS and text.isalnum()
