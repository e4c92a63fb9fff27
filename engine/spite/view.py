"""What a seat may see of a deal (docs/rules/common.md, "What a bot sees")."""

import msgspec


class GoalPile(msgspec.Struct, frozen=True):
    """A goal pile from above: its top as printed, None once empty, and the cards left in it, top included."""

    top: str | None
    left: int


class SpiteView(msgspec.Struct, frozen=True):
    """The protocol's `view` object of the Spite & Malice family. Ranks are as printed: `A 2 … 10 J Q K *`.

    Own hand, goal tops, discards, `spent` and `unseen` together are the whole deck.
    """

    hand: list[str]
    """The seat's own cards, by rank."""
    hand_sizes: list[int]
    """By seat."""
    goals: tuple[tuple[GoalPile, ...], ...]
    """By seat, its goal piles."""
    discards: tuple[tuple[tuple[str, ...], ...], ...]
    """By seat, by pile, bottom to top."""
    centre: list[int]
    """Heights by slot: the next card needed is one higher. Where the centre grows the last one is 0."""
    stock: int
    spent: dict[str, int]
    """Count per rank of the cards in the centre and of completed piles not yet recycled."""
    unseen: dict[str, int]
    """Count per rank of what the seat cannot see: stock, other hands, face-down goal cards, cards set aside."""
    turn: int
    """Number of the turn in this deal, from 1."""
    dealer: int
    must: str | None = None
    """What the seat is bound to do, such as `c1`, the slot to be covered; null unless an option of the rules binds it."""
