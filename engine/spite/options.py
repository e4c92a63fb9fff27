"""Options of the family's games. A default never changes within a rules version, or old hashes would."""

from typing import Annotated, Literal

import msgspec


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
    centre: Literal["four", "unlimited"] = "four"
    """How many centre piles there may be (V1)."""
    forced_low: bool = False
    """Whether natural aces and twos that can be played must be (V2)."""
    misery: bool = False
    """Two goal piles of twelve each, hands of six, a pack for every player (V3)."""
    jokers_to_king: bool = False
    """Whether centre piles run to the king, jokers being wild and kings not (V4)."""
    jokers_per_pack: Annotated[int, msgspec.Meta(ge=1, le=4)] = 2
    """With jokers_to_king: jokers in each pack (A-V4a)."""
    cover_wild: bool = False
    """Whether who plays a wild must cover it at once (V5)."""
    pack_per_player: bool = False
    """As many packs as players (V6)."""
    natural_low_pairs: bool = False
    """Whether aces and twos must be natural and pairs may be discarded (V7)."""


class SkipBoOptions(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a rule set of Skip-Bo may choose."""

    goal: Annotated[int, msgspec.Meta(ge=1, le=75)] | None = None
    """Cards in each goal pile; left out 30, for five and six players 20."""
    partners: bool = False
    """Whether seats facing each other play together."""


class StarturnOptions(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a rule set of Starturn may choose."""

    continue_on_empty: bool = False
    """Whether who has played out his hand draws anew and goes on (A-ST-3)."""
    score: Literal["cards", "win"] = "cards"
    """A point for every card left to the others, or one for winning (A-ST-6)."""
