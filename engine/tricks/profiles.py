"""Trick games of the Spoil Five family in the register."""

from engine.game import GameFamily
from engine.profile import Profile

SPOIL_FIVE = "spoil-five"
FORTY_FIVE = "forty-five"
GAMES = (SPOIL_FIVE, FORTY_FIVE)
"""As the protocol names them."""

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


def family(game: str) -> GameFamily:
    """Return the family of one of `GAMES`, which makes it from rules documents."""
    # Not before it is asked for: a service has half a dozen processes, and most of them play no game.
    from engine.tricks.rules import FAMILIES

    return FAMILIES[game]
