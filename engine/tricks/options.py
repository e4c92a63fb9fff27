"""Options of the trick games. A default never changes within a rules version, or old hashes would."""

from typing import Literal

import msgspec


class SpoilFiveOptions(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a rule set of Spoil Five may choose."""

    scoring: Literal["points", "pool"] = "points"
    """Points to a target, or chips: a pool that grows until it is won, in a match of five deals for each seat (A-SF-17)."""
    order: Literal["traditional", "simple"] = "traditional"
    """How cards rank: black cards below the court rise downwards, or A K Q J … 2 in every suit."""


class FortyFiveOptions(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a rule set of Forty-five may choose."""

    scoring: Literal["side", "trick", "best_trump"] = "side"
    """5 for the greater part of the tricks and 10 for all (A-45-1); 5 a trick; or that and 5 for the best trump."""
    order: Literal["traditional", "simple"] = "traditional"
    """How cards rank, as in Spoil Five."""
    five_wins: bool = False
    """Whether all five tricks win the match at once (A-45-3)."""
