"""Cards of both packs: small integers that index the tables of a deck, in the order rank, pack, suit.

A hand kept sorted by card number is thus sorted by rank, and the first of several equal cards is the one that
moves (A-STD-19).
"""

from typing import Final

ACE: Final = 1
TWO: Final = 2
KING: Final = 13
JOKER: Final = 14

PRINTED: Final = ("", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "*")
"""How a rank is printed, by rank; index 0 stands for no card."""

SUITS: Final = "CDHS"
PACKS: Final = 2
PERSONAL_PACK: Final = 0
"""Pack 0 makes the personal packs; pack 1 and the jokers make hands and stock."""


class Deck:
    """All cards of both packs. Immutable.

    `names` holds each card's identity, `pack/suit/rank`: packs 0 and 1, suits C D H S, ranks as printed; jokers are
    `0/*/*`, `1/*/*` and so on. `ranks` and `printed` hold its rank as a number and as text; `totals` the cards there
    are of each rank, by rank; `keys` the identities as ASCII. `personal` are the cards of pack 0, `common` all others.
    """

    def __init__(self, jokers: int) -> None:
        self.jokers = jokers
        self.names: list[str] = []
        self.ranks: list[int] = []
        self.personal: list[int] = []
        self.common: list[int] = []
        for rank in range(ACE, KING + 1):
            for pack in range(PACKS):
                for suit in SUITS:
                    (self.personal if pack == PERSONAL_PACK else self.common).append(len(self.names))
                    self.names.append(f"{pack}/{suit}/{PRINTED[rank]}")
                    self.ranks.append(rank)
        for joker in range(jokers):
            self.common.append(len(self.names))
            self.names.append(f"{joker}/*/*")
            self.ranks.append(JOKER)
        self.printed: list[str] = [PRINTED[rank] for rank in self.ranks]
        self.keys: list[bytes] = [name.encode("ascii") for name in self.names]
        self.totals: list[int] = [self.ranks.count(rank) for rank in range(JOKER + 1)]

    def __len__(self) -> int:
        return len(self.names)
