"""Parlett's Spite & Malice in the register."""

from collections.abc import Mapping
from types import MappingProxyType

from engine.game import GameFamily
from engine.profile import Profile

FAMILIES: Mapping[str, GameFamily] = MappingProxyType({})

PROFILES: tuple[Profile, ...] = ()
