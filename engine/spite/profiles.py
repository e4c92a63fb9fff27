"""The Spite & Malice family in the register: its games and their named profiles."""

from collections.abc import Mapping
from types import MappingProxyType

from engine.game import GameFamily
from engine.profile import Profile
from engine.spite.rules import GAME, SpiteFamily

FAMILIES: Mapping[str, GameFamily] = MappingProxyType({GAME: SpiteFamily()})

PROFILES = (
    Profile("classic", "Spite & Malice, three packs, 26 goal cards", GAME, (2, 3, 4), {}),
    Profile("short", "Spite & Malice, three packs, 13 goal cards", GAME, (2, 3, 4), {"goal": 13}),
    Profile("two-pack", "Spite & Malice, two packs, 26 goal cards", GAME, (2,), {"packs": 2}),
)
