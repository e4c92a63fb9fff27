"""The one interface every game implements.

A `Game` is a rule set bound to a number of players; it makes `Deal`s. A `Deal` is one hand of cards from
shuffle to score: mutable, deterministic, driven by moves that are short ASCII strings. Nothing here knows what
a discard pile or a trick is, so matches, logs, replay, the referee and the service work for any card game.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec

JsonObject = dict[str, Any]


class DealResult(msgspec.Struct, frozen=True):
    """How a deal ended: points won by each seat, and why it ended; each game's page lists its reasons.

    Partners each carry their side's points.
    """

    points: tuple[int, ...]
    reason: str
    carry: int = 0
    """What the next deal of the match takes over, such as the chips of a pool nobody won."""
    wins_match: bool = False
    """The seats with the most points of this deal win the match with it, however far the target is (`engine.match`)."""


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something a seat saw happen; `cards`, as printed, only where that seat may see them.

    `e` is one of draw, play, discard, pass, end, recycle, deal, in trick games also of turn, rob, stand, trick, take,
    jink; each game's page under docs/rules says which fields go with which. `n` counts cards.
    """

    e: str
    seat: int | None = None
    move: str | None = None
    n: int | None = None
    cards: list[str] | None = None


class Deal(Protocol):
    """One deal in progress.

    Every method but `apply` leaves the deal unchanged, except that `take_events` empties the seat's queue.
    """

    @property
    def to_act(self) -> int | None:
        """The seat that must act next; None when the deal is over."""

    @property
    def result(self) -> DealResult | None:
        """The result once the deal is over, else None."""

    def legal(self) -> Sequence[str]:
        """The legal moves of the seat to act, in canonical form and order; never empty before the deal is over."""

    def resolve(self, move: str) -> str:
        """Return the listed form of a legal move or of one equivalent to it (A-STD-19).

        Raises IllegalMoveError, with a reason its author can act on.
        """

    def apply(self, move: str) -> None:
        """Make a move listed by `legal()`, with all that follows from it before the next decision.

        Raises IllegalMoveError when it is not listed.
        """

    def passive_move(self) -> str:
        """What stands in for a seat that has forfeited: the first legal discard, else the first legal move."""

    def view(self, seat: int) -> msgspec.Struct:
        """All the seat may see, and nothing else; encodes to the protocol's `view` object."""

    def take_events(self, seat: int) -> list[Event]:
        """What the seat has seen since it was last asked, oldest first."""

    def starting_cards(self) -> JsonObject:
        """All cards as dealt, for the log: every card's identity (pack, suit, rank) and where it lies."""

    def copy(self) -> "Deal":
        """An independent deal in the same position, its event queues empty; for searches."""


class Game(Protocol):
    """A rule set bound to a number of players. Immutable; may be shared."""

    @property
    def name(self) -> str:
        """The game as the protocol names it, such as `spite-and-malice`."""

    @property
    def players(self) -> int:
        """Number of seats."""

    @property
    def sides(self) -> int:
        """Number of sides; seat s is on side s mod `sides`. Equals `players` where each plays for himself."""

    @property
    def fixed_deals(self) -> int | None:
        """Deals of a match that is not played to a target; None where the target decides."""

    def document(self) -> JsonObject:
        """`{game, rules_version, players, options}`, options only where they differ from the game's defaults."""

    def deal(self, seed: bytes, number: int, dealer: int, carry: int = 0) -> Deal:
        """Shuffle and deal.

        `seed` is the fixture's 32 bytes; `number` the deal's index in its match, from 0; `dealer` a seat; `carry`
        what the deal before left (`DealResult.carry`). The first three always give the same cards.
        """

    def sample(self, view: msgspec.Struct, seat: int, seed: bytes) -> Deal:
        """Return a deal that `seat` might be in when it is to act and sees `view`: what it cannot see is dealt at random.

        The draw, and every later shuffle of the deal, is keyed by `seed` (32 bytes): the same seed, the same deal.
        Raises ValueError when no deal of this game looks like that.
        """

    def moves(self) -> Sequence[str]:
        """Every move there can be in this game, in a fixed order: the action space of a learner."""


class GameFamily(Protocol):
    """How rule sets of one family are made from data: registered by name in `engine.games`."""

    def from_document(self, document: Mapping[str, Any]) -> Game:
        """Build the game a document describes. Raises RulesError with the reason."""
