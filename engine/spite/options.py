"""Options of the common game. A default never changes within a rules version, or old hashes would."""

from typing import Annotated, Literal

import msgspec

HAND_CARDS = 5
CENTRE_SLOTS = 4
DISCARD_PILES = 4
DROUGHT_TURNS = 500
"""Consecutive turns without a goal card played after which a deal is drawn (A-STD-15)."""


class Options(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a rule set of the common game may choose; each with the item of docs/rules/common.md it belongs to."""

    packs: Annotated[int, msgspec.Meta(ge=1, le=8)] = 3
    """Packs of 52 (A-STD-01)."""
    goal: Annotated[int, msgspec.Meta(ge=1, le=100)] = 26
    """Cards in each goal pile."""
    jokers_wild: Annotated[int, msgspec.Meta(ge=0, le=32)] = 0
    """Jokers beside the packs, wild as kings are."""
    first: Literal["dealer", "eldest", "high_goal"] = "dealer"
    """Who takes the first turn (A-STD-03)."""
    hands_dealt_upfront: bool = False
    """Whether all hands are drawn before the first turn rather than each at its owner's first (A-STD-04)."""
    recycle: Literal["lazy", "immediate", "threshold"] = "lazy"
    """When completed piles go back into the stock (A-STD-12)."""
    threshold: Annotated[int, msgspec.Meta(ge=0, le=416)] = 0
    """With recycle=threshold: as soon as this many cards are dead."""
    exhaustion: Literal["on_failed_draw", "on_short_draw", "play_on"] = "on_failed_draw"
    """What a draw the cards do not suffice for does (A-STD-13)."""
