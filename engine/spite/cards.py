"""Cards: small integers that index the tables of a deck, in the order rank, pack, suit.

A hand kept sorted by card number is thus sorted by rank, and the first of several equal cards is the one that
moves (A-STD-19).
"""

from typing import Final

ACE: Final = 1
TWO: Final = 2
QUEEN: Final = 12
KING: Final = 13
JOKER: Final = 14

PRINTED = ("", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "*")
"""How a rank of the common packs is printed, by rank; index 0 stands for no card."""

RANK_OF = {text: rank for rank, text in enumerate(PRINTED) if text}

SUITS = "CDHS"

SKIP_BO_TOP: Final = 12
SKIP_BO_WILD: Final = 13
SKIP_BO_COPIES: Final = 12
SKIP_BO_WILDS: Final = 18

STARTURN_TOP: Final = 15


class Deck:
    """All cards of a rule set. Immutable.

    `names` holds each card's identity, `ranks` its rank as a number, `printed` as text; `texts` the text by rank.
    `dark` says which cards goal piles are dealt from, where there are two colours of back; else it is empty.
    """

    def __init__(self, names: list[str], ranks: list[int], texts: list[str], dark: list[bool]) -> None:
        self.names: list[str] = names
        self.ranks: list[int] = ranks
        self.texts: list[str] = texts
        self.dark: list[bool] = dark
        self.keys: list[bytes] = [name.encode("ascii") for name in names]
        self.printed: list[str] = [texts[rank] for rank in ranks]
        self.counts: list[int] = [0] * len(texts)
        for rank in ranks:
            self.counts[rank] += 1
        self.numbers: dict[str, int] = {name: number for number, name in enumerate(names)}

    def __len__(self) -> int:
        return len(self.names)


def common_deck(packs: int, jokers: int) -> Deck:
    """Return packs of 52 and, beside them, jokers.

    Identities are `pack/suit/rank`: packs from 0, suits C D H S, ranks as printed; jokers are `0/*/*`, `1/*/*` and so on.
    """
    names: list[str] = []
    ranks: list[int] = []
    for rank in range(ACE, KING + 1):
        for pack in range(packs):
            for suit in SUITS:
                names.append(f"{pack}/{suit}/{PRINTED[rank]}")
                ranks.append(rank)
    for joker in range(jokers):
        names.append(f"{joker}/*/*")
        ranks.append(JOKER)
    return Deck(names, ranks, list(PRINTED if jokers else PRINTED[:JOKER]), [])


def skip_bo_deck() -> Deck:
    """Return the 162 cards of Skip-Bo: twelve each of 1 to 12, `0/N/1` to `11/N/12`, and 18 wilds, `0/*/*` to `17/*/*`."""
    names: list[str] = []
    ranks: list[int] = []
    for rank in range(1, SKIP_BO_TOP + 1):
        for copy in range(SKIP_BO_COPIES):
            names.append(f"{copy}/N/{rank}")
            ranks.append(rank)
    for wild in range(SKIP_BO_WILDS):
        names.append(f"{wild}/*/*")
        ranks.append(SKIP_BO_WILD)
    return Deck(names, ranks, ["", *[str(rank) for rank in range(1, SKIP_BO_TOP + 1)], "*"], [])


def starturn_deck() -> Deck:
    """Return the 96 cards of Starturn (A-ST-1): 44 dark, such as `0/dark/15`, and 52 red, such as `3/red/7`.

    Which ranks there were how often is not handed down. Both colours run round and round from 1 to 15.
    """
    names: list[str] = []
    ranks: list[int] = []
    dark: list[bool] = []
    for rank in range(1, STARTURN_TOP + 1):
        for colour, cards in (("dark", 44), ("red", 52)):
            copies = cards // STARTURN_TOP + (rank <= cards % STARTURN_TOP)
            for copy in range(copies):
                names.append(f"{copy}/{colour}/{rank}")
                ranks.append(rank)
                dark.append(colour == "dark")
    return Deck(names, ranks, ["", *[str(rank) for rank in range(1, STARTURN_TOP + 1)]], dark)
