"""The optional `malice.toml` of an upload: language, entry, ladders; anything else in it is an error."""

import tomllib
from typing import Annotated

import msgspec

from service.refusals import InvalidError

MANIFEST = "malice.toml"
MAX_BYTES = 16 << 10

Slug = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,47}$")]


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an author may say about an upload; everything has a default."""

    language: str | None = None
    entry: str | None = None
    """The program's first file, relative to the archive's top folder."""
    ladders: Annotated[list[Slug], msgspec.Meta(max_length=50)] = []
    """Slugs of the ladders to enter once built."""


def read_manifest(data: bytes) -> Manifest:
    """Parse and check a manifest. Raises InvalidError naming the key or line that is wrong."""
    if len(data) > MAX_BYTES:
        raise InvalidError(f"{MANIFEST} is {len(data):,} bytes; at most {MAX_BYTES:,} are read", "file")
    try:
        # Editors on Windows put a byte order mark in front, which TOML does not know.
        document = tomllib.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidError(f"{MANIFEST} is not TOML: {error}", "file") from None
    try:
        return msgspec.convert(document, Manifest)
    except msgspec.ValidationError as error:
        raise InvalidError(f"{MANIFEST}: {error}; the keys are language, entry and ladders", "file") from None
