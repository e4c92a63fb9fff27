"""A rule set with a name, as ladders and the command line use it."""

from typing import Any

import msgspec


class Profile(msgspec.Struct, frozen=True):
    """A named rule set. The register of all of them is `engine.games`."""

    name: str
    title: str
    game: str
    players: tuple[int, ...]
    """The numbers of players it can be played with."""
    options: dict[str, Any]
    """Only what differs from the game's defaults."""
    rules_version: int = 1
