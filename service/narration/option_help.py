"""What each option of a game is about, for whoever makes a rule set of his own."""

from collections.abc import Mapping
from types import MappingProxyType

_ORDER = "How cards rank: black cards upside down below the court, or every suit from ace down to two."

_HELP: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "spite-and-malice": {
            "packs": "Packs of 52 cards.",
            "goal": "Cards in each goal pile.",
            "jokers_wild": "Jokers in all, wild as kings are.",
            "first": "Who begins: the dealer, the player after him, or whoever has the highest goal card.",
            "hands_dealt_upfront": "All hands are dealt before the first turn.",
            "recycle": "When completed piles go back into the stock: as it runs out, at once, or at the threshold.",
            "threshold": "Only with recycle=threshold: the cards in completed piles at which they go back.",
            "exhaustion": "A draw that gets no card ends the deal, or one that gets too few does, or neither.",
            "centre": "Four piles in the middle, or any number.",
            "forced_low": "Natural aces and twos that can be played must be.",
            "misery": "Two goal piles of 12 each, hands of six, a pack for every player.",
            "jokers_to_king": "Piles run to the king; jokers are wild and kings are not.",
            "jokers_per_pack": "Only with jokers_to_king: jokers in each pack.",
            "cover_wild": "Whoever plays a wild card must cover it at once.",
            "pack_per_player": "As many packs as players.",
            "natural_low_pairs": "Aces and twos must be natural; two equal cards may be discarded together.",
        },
        "skip-bo": {
            "goal": "Cards in each stock pile; usually 30, for five and six players 20.",
            "partners": "Seats across from each other play together: for four or six players.",
        },
        "starturn": {
            "continue_on_empty": "A hand that is played out is drawn anew in the same turn.",
            "score": "A point for every card left to the others, or one for winning the deal.",
        },
        "parlett": {
            "jokers": "Jokers in the pack.",
            "joker_memory": "A joker laid aside stays what the cards on it made it, after they are gone.",
        },
        "spoil-five": {
            "scoring": "Points to a target; or chips, for a pool that grows until it is won, in five deals a seat.",
            "order": _ORDER,
        },
        "forty-five": {
            "scoring": "5 for three or four tricks and 10 for all; 5 a trick; or that and 5 for the best trump.",
            "order": _ORDER,
            "five_wins": "All five tricks win the match at once.",
        },
    }
)


def option_help(game: str, option: str) -> str:
    """Return a sentence on an option of a game; empty where there is none."""
    return _HELP.get(game, {}).get(option, "")
