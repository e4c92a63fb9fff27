"""What a seat may see of a deal of a trick game. Cards are as printed: `5D`, `10C`."""

import msgspec


class Played(msgspec.Struct, frozen=True):
    """A card in a trick and the seat that played it."""

    seat: int
    card: str


class TrickView(msgspec.Struct, frozen=True):
    """The protocol's `view` object of Spoil Five and Forty-five."""

    hand: list[str]
    """The seat's own cards in the deck's order: suits C D H S, ranks A 2 … 10 J Q K."""
    trump: str
    """The letter of the trump suit. The ace of hearts is a trump whatever it is."""
    turn_up: str
    """The card turned for trumps; it stays here when it has been taken or turned down."""
    trick: list[Played]
    """The trick in progress, in the order played."""
    played: list[list[Played]]
    """The tricks completed."""
    tricks_won: list[int]
    """By seat."""
    pool: int | None
    """Chips in the pool, this deal's stakes included; null where none is played for."""
    robbed: int | None
    """The seat that took the turn-up."""
    stood: int | None
    """The seat that declared the trump ace and had the turn-up turned down."""
    ace_fell: bool
    """Whether the trump ace was not declared and is the lowest trump: true only where the seat can know it."""
    jinker: int | None
    """The seat that has won the first three tricks and plays for all five."""
    dealer: int
    leader: int
    """The seat that leads, or has led, the trick in progress."""
    turn: int
    """Number of the trick in progress, from 1; of the last one when the deal is over."""
    laid: str | None = None
    """The card the seat itself has laid away for the turn-up; null to all others."""
