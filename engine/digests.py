"""SHA-256 of many short messages with one beginning: what a shuffle asks for. `digests.c` is its compiled twin."""

import hashlib

LONGEST = 119
"""Bytes of beginning and name together: two blocks of SHA-256 with their padding."""


def digests(beginning: bytes, names: list[bytes]) -> list[bytes]:
    """Return the SHA-256 of `beginning` followed by each of `names`. Raises ValueError beyond `LONGEST` bytes."""
    key = hashlib.sha256(beginning)
    room = LONGEST - len(beginning)
    found: list[bytes] = []
    for name in names:
        if len(name) > room:
            raise ValueError("beginning and name are longer than 119 bytes together")
        digest = key.copy()
        digest.update(name)
        found.append(digest.digest())
    return found


portable_digests = digests
"""What the compiled twin does on processors without instructions for SHA-256."""
