"""The register of games: named profiles, games from rules documents, the hash of a rule set."""

import hashlib
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from engine.canonical import canonical
from engine.errors import RulesError
from engine.game import Game, GameFamily
from engine.parlett import profiles as parlett
from engine.profile import Profile
from engine.spite import profiles as spite
from engine.tricks import profiles as tricks

_PACKAGES = (spite, parlett, tricks)

_FAMILY_OF: Mapping[str, Callable[[str], GameFamily]] = MappingProxyType(
    {name: package.family for package in _PACKAGES for name in package.GAMES}
)

_PROFILES: Mapping[str, Profile] = MappingProxyType(
    {profile.name: profile for package in _PACKAGES for profile in package.PROFILES}
)


def profiles() -> Mapping[str, Profile]:
    """Return every profile by its name."""
    return _PROFILES


def game_from_profile(name: str, players: int = 2, options: Mapping[str, Any] | None = None) -> Game:
    """Return the game a profile names, with single `options` changed where given.

    Raises RulesError for an unknown name, number of players or option.
    """
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
            "options": {**profile.options, **(options or {})},
        }
    )


def game_from_document(document: Mapping[str, Any]) -> Game:
    """Return the game a rules document describes (`engine.game.Game.document`). Raises RulesError."""
    name = document.get("game")
    family_of = _FAMILY_OF.get(name) if isinstance(name, str) else None
    if family_of is None or not isinstance(name, str):
        raise RulesError(f"no game {name!r}; there are {', '.join(_FAMILY_OF)}")
    return family_of(name).from_document(document)


def rules_hash(document: Mapping[str, Any]) -> str:
    """Return the hash of a rule set: sha256, hexadecimal, of its canonical document.

    Options given at their default value do not change it. Raises RulesError when the document describes no game.
    """
    return hashlib.sha256(canonical(game_from_document(document).document())).hexdigest()
