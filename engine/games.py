"""The register of games: named profiles, games from rules documents, the hash of a rule set."""

import hashlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from engine.canonical import canonical
from engine.errors import RulesError
from engine.game import Game, GameFamily
from engine.spite.rules import GAME as SPITE
from engine.spite.rules import RULES_VERSION, SpiteFamily


class Profile(msgspec.Struct, frozen=True):
    """A rule set with a name, as ladders and the command line use it."""

    name: str
    title: str
    game: str
    players: tuple[int, ...]
    """The numbers of players it can be played with."""
    options: dict[str, Any]
    """Only what differs from the game's defaults."""
    rules_version: int = RULES_VERSION


_FAMILIES: Mapping[str, GameFamily] = MappingProxyType({SPITE: SpiteFamily()})

_PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        profile.name: profile
        for profile in (
            Profile("classic", "Spite & Malice, three packs, 26 goal cards", SPITE, (2, 3, 4), {}),
            Profile("short", "Spite & Malice, three packs, 13 goal cards", SPITE, (2, 3, 4), {"goal": 13}),
            Profile("two-pack", "Spite & Malice, two packs, 26 goal cards", SPITE, (2,), {"packs": 2}),
        )
    }
)


def profiles() -> Mapping[str, Profile]:
    """Return every profile by its name."""
    return _PROFILES


def game_from_profile(name: str, players: int = 2) -> Game:
    """Return the game a profile names. Raises RulesError for an unknown name or number of players."""
    profile = _PROFILES.get(name)
    if profile is None:
        raise RulesError(f"no profile {name!r}; there are {', '.join(_PROFILES)}")
    if players not in profile.players:
        numbers = " or ".join(str(number) for number in profile.players)
        raise RulesError(f"{name} is for {numbers} players, not {players}")
    return game_from_document(
        {
            "game": profile.game,
            "rules_version": profile.rules_version,
            "players": players,
            "options": profile.options,
        }
    )


def game_from_document(document: Mapping[str, Any]) -> Game:
    """Return the game a rules document describes (`engine.game.Game.document`). Raises RulesError."""
    name = document.get("game")
    family = _FAMILIES.get(name) if isinstance(name, str) else None
    if family is None:
        raise RulesError(f"no game {name!r}; there are {', '.join(_FAMILIES)}")
    return family.from_document(document)


def rules_hash(document: Mapping[str, Any]) -> str:
    """Return the hash of a rule set: sha256, hexadecimal, of its canonical document.

    Options given at their default value do not change it. Raises RulesError when the document describes no game.
    """
    return hashlib.sha256(canonical(game_from_document(document).document())).hexdigest()
