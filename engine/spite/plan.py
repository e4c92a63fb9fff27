"""A rule set of the family as the engine reads it: every option turned into numbers, tables and switches."""

from dataclasses import dataclass
from typing import Final

from engine.spite.cards import Deck

DISCARD_PILES: Final = 4
DROUGHT_TURNS: Final = 500
"""Consecutive turns without a goal card played after which a deal is drawn (A-STD-15)."""
DROUGHT_HANDS: Final = 100
"""Hands played out in one turn, without a goal card, after which a deal is drawn (A-STD-15).

With few cards in stock and dead piles the same hand may complete piles, be drawn again, and so on for ever.
"""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a deal of the family is played by. Immutable; made by `engine.spite.planning` from a game's options.

    Goal piles are numbered seat by seat: pile k of seat s is s * `goal_piles` + k.
    """

    deck: Deck
    players: int
    sides: int
    """Seat s is on side s mod `sides`; where there are fewer sides than seats, two seats are partners."""
    hand: int
    """Cards of a full hand."""
    goal: int
    """Cards in each goal pile."""
    goal_piles: int
    """Goal piles of each seat."""
    top: int
    """The rank that completes a centre pile."""
    slots: int
    """Centre piles there can be at once."""
    unlimited: bool
    """Whether the centre begins with one place and grows (V1)."""
    wild: list[bool]
    """By rank: whether it is wild."""
    wild_at: list[bool]
    """By the height of a centre pile: whether a wild may go on it."""
    ace_ban: bool
    """Whether natural aces may not be discarded (A-STD-08)."""
    pairs: bool
    """Whether a pair may be discarded (V7)."""
    forced_low: bool
    """Whether natural aces and twos must be played (V2)."""
    cover: bool
    """Whether a wild must be covered at once (V5)."""
    first: str
    """Who takes the first turn: dealer, eldest or high_goal (A-STD-03)."""
    upfront: bool
    """Whether all hands are drawn before the first turn (A-STD-04)."""
    recycle_at: int
    """The number of dead cards from which a completion recycles them; 0 where they wait for an empty stock (A-STD-12)."""
    exhaustion: str
    """What a draw does that the cards do not suffice for: on_failed_draw, on_short_draw or play_on (A-STD-13)."""
    redraw: bool
    """Whether a hand played out is refilled at once (A-STD-05) rather than ending the turn (A-ST-3)."""
    bonus: int
    """Points for playing out the goal piles."""
    value: int
    """Points for every card left in the goal piles of another side."""
    goal_sources: list[list[int]]
    """By seat: the goal piles it may play from, which its side wins by playing out."""
    wild_ranks: list[int]
    singles: list[list[int]]
    """By slot: the list of that slot alone."""

    def partner(self, seat: int) -> int:
        """Return who plays with a seat; the seat itself where each plays for himself."""
        return (seat + self.sides) % self.players
