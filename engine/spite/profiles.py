"""The Spite & Malice family in the register: its games and their named profiles."""

from engine.game import GameFamily
from engine.profile import Profile

COMMON = "spite-and-malice"
SKIP_BO = "skip-bo"
STARTURN = "starturn"
GAMES = (COMMON, SKIP_BO, STARTURN)
"""As the protocol names them."""

_TO_FOUR = (2, 3, 4)

PROFILES = (
    Profile("classic", "Spite & Malice, three packs, 26 goal cards", COMMON, _TO_FOUR, {}),
    Profile("short", "Spite & Malice, three packs, 13 goal cards", COMMON, _TO_FOUR, {"goal": 13}),
    Profile("two-pack", "Spite & Malice, two packs, 26 goal cards", COMMON, (2,), {"packs": 2}),
    Profile(
        "unlimited-centre",
        "Spite & Malice, any number of centre piles",
        COMMON,
        _TO_FOUR,
        {"centre": "unlimited"},
    ),
    Profile(
        "forced-low", "Spite & Malice, aces and twos must be played", COMMON, _TO_FOUR, {"forced_low": True}
    ),
    Profile(
        "misery", "Spite & Malice, two goal piles of 12 each, hands of six", COMMON, (2, 3), {"misery": True}
    ),
    Profile(
        "king-high",
        "Spite & Malice, centre piles to the king, jokers wild",
        COMMON,
        _TO_FOUR,
        {"jokers_to_king": True},
    ),
    Profile(
        "cover-wild", "Spite & Malice, a wild must be covered at once", COMMON, _TO_FOUR, {"cover_wild": True}
    ),
    Profile(
        "pack-per-player",
        "Spite & Malice, a pack for every player",
        COMMON,
        _TO_FOUR,
        {"pack_per_player": True},
    ),
    Profile(
        "natural-pairs",
        "Spite & Malice, aces and twos natural, pairs discarded",
        COMMON,
        _TO_FOUR,
        {"natural_low_pairs": True},
    ),
    Profile("skip-bo", "Skip-Bo", SKIP_BO, (2, 3, 4, 5, 6), {}),
    Profile("starturn", "Starturn", STARTURN, _TO_FOUR, {}),
)


def family(game: str) -> GameFamily:
    """Return the family of one of `GAMES`, which makes it from rules documents."""
    # Not before it is asked for: a service has half a dozen processes, and most of them play no game.
    from engine.spite.rules import FAMILIES

    return FAMILIES[game]
