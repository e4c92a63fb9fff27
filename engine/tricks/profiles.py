"""Trick games of the Spoil Five family in the register."""

from collections.abc import Mapping
from types import MappingProxyType

from engine.game import GameFamily
from engine.profile import Profile
from engine.tricks.rules import FORTY_FIVE, SPOIL_FIVE, FortyFiveFamily, SpoilFiveFamily

FAMILIES: Mapping[str, GameFamily] = MappingProxyType(
    {SPOIL_FIVE: SpoilFiveFamily(), FORTY_FIVE: FortyFiveFamily()}
)

_TWO_TO_TEN = (2, 3, 4, 5, 6, 7, 8, 9, 10)

PROFILES: tuple[Profile, ...] = (
    Profile("spoil-five", "Spoil Five", SPOIL_FIVE, _TWO_TO_TEN, {}),
    Profile(
        "spoil-five-simple",
        "Spoil Five, cards in the plain order",
        SPOIL_FIVE,
        _TWO_TO_TEN,
        {"order": "simple"},
    ),
    Profile("forty-five", "Forty-five", FORTY_FIVE, (2, 4, 6), {}),
)
