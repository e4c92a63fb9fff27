"""Parlett's Spite & Malice in the register."""

from engine.game import GameFamily
from engine.profile import Profile

GAME = "parlett"
GAMES = (GAME,)
"""As the protocol names them."""

PROFILES = (Profile("parlett", "Parlett's Spite & Malice", GAME, (2,), {}),)


def family(game: str) -> GameFamily:
    """Return the family of one of `GAMES`, which makes it from rules documents."""
    # Not before it is asked for: a service has half a dozen processes, and most of them play no game.
    from engine.parlett.rules import FAMILIES

    return FAMILIES[game]
