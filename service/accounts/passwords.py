"""Passwords: kept as Argon2 hashes, checked only where one is typed, never per request (a third of a second each)."""

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from service.refusals import InvalidError

SHORTEST, LONGEST = 8, 200
"""Characters. The upper bound keeps hashing from becoming a way to load the machine."""


def hash_password(password: str, field: str = "password") -> str:
    """Return the hash to store. Raises InvalidError for a password too short or too long."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise InvalidError(f"the password has {len(password)} characters; use {SHORTEST} to {LONGEST}", field)
    return _hasher().hash(password)


def is_password(password_hash: str | None, password: str) -> bool:
    """Whether a password is the one that was hashed; takes as long when there is none to compare with."""
    try:
        return _hasher().verify(password_hash or _hash_of_nothing(), password) and bool(password_hash)
    except (VerifyMismatchError, InvalidHashError):
        return False


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _hash_of_nothing() -> str:
    return _hasher().hash("")
