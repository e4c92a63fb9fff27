"""Cards: small integers that index the tables of a deck, in the order rank, pack, suit.

A hand kept sorted by card number is thus sorted by rank, and the first of several equal cards is the one that
moves (A-STD-19).
"""

ACE = 1
QUEEN = 12
KING = 13
JOKER = 14

PRINTED = ("", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "*")
"""How a rank is printed, by rank; index 0 stands for no card."""

RANK_OF = {text: rank for rank, text in enumerate(PRINTED) if text}

SUITS = "CDHS"


class Deck:
    """All cards of a rule set: packs of 52 and, beside them, jokers. Immutable.

    `names` holds each card's identity, `pack/suit/rank`: packs from 0, suits C D H S, ranks as printed; jokers are
    `0/*/*`, `1/*/*` and so on. `ranks` and `printed` hold its rank as a number and as text.
    """

    def __init__(self, packs: int, jokers: int) -> None:
        self.names: list[str] = []
        self.ranks: list[int] = []
        for rank in range(ACE, KING + 1):
            for pack in range(packs):
                for suit in SUITS:
                    self.names.append(f"{pack}/{suit}/{PRINTED[rank]}")
                    self.ranks.append(rank)
        for joker in range(jokers):
            self.names.append(f"{joker}/*/*")
            self.ranks.append(JOKER)
        self.printed = [PRINTED[rank] for rank in self.ranks]
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self.shown_ranks = PRINTED[ACE : JOKER + 1] if jokers else PRINTED[ACE : KING + 1]

    def __len__(self) -> int:
        return len(self.names)
