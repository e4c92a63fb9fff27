"""Parlett's Spite & Malice in the register."""

from collections.abc import Mapping
from types import MappingProxyType

from engine.game import GameFamily
from engine.parlett.rules import GAME, ParlettFamily
from engine.profile import Profile

FAMILIES: Mapping[str, GameFamily] = MappingProxyType({GAME: ParlettFamily()})

PROFILES = (Profile("parlett", "Parlett's Spite & Malice", GAME, (2,), {}),)
