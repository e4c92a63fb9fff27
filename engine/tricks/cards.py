"""Cards of one pack as small integers, and how they rank: tables made once, which the hot path looks up.

A card is its suit (C D H S) times thirteen plus its rank, ace low, less one: the deck's order is AC 2C … KC AD … KS.
"""

from typing import Final

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = "CDHS"
SUIT_CARDS: Final = 13
CARDS: Final = 52

HEARTS: Final = 2
DIAMONDS: Final = 1
TRUMP: Final = 4
"""What `Ranking.suits` says of every trump, the ace of hearts included."""

FIVE: Final = 4
JACK: Final = 10
ACE_OF_HEARTS: Final = HEARTS * SUIT_CARDS

_LOWEST_TRUMP: Final = 20
"""Power of the lowest trump; that of every plain card is below it."""
_LOW_UPWARDS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10")


def _texts() -> list[str]:
    return [rank + suit for suit in SUITS for rank in RANKS]


def _names() -> list[str]:
    return [f"0/{suit}/{rank}" for suit in SUITS for rank in RANKS]


TEXTS: Final[list[str]] = _texts()
"""Cards as printed, such as `10C`, by number."""
NAMES: Final[list[str]] = _names()
"""Identities as logs and shuffles use them, `pack/suit/rank`, by number."""
NUMBERS: Final[dict[str, int]] = {name: number for number, name in enumerate(NAMES)}
CARD_OF: Final[dict[str, int]] = {text: number for number, text in enumerate(TEXTS)}


def trumps_upwards(trump: int, simple: bool, fallen: bool) -> list[int]:
    """Return the trumps of a suit from the lowest to the five: 13 where hearts are trumps, else 14.

    `simple` is the plain A K Q … 2 order below the three best; `fallen` makes the trump ace the lowest (3.3 of the rules).
    """
    first = trump * SUIT_CARDS
    ace = first
    top = [first + JACK, first + FIVE]
    if trump != HEARTS or not fallen:
        top.insert(0, ACE_OF_HEARTS)
    below = [first + RANKS.index(rank) for rank in _plain_ranks_upwards(trump, simple)]
    cards = [card for card in below if card not in top and card != ace]
    if fallen:
        cards.insert(0, ace)
    elif trump != HEARTS:
        cards.append(ace)
    return cards + top


def plain_upwards(suit: int, simple: bool) -> list[int]:
    """Return the cards of a suit that is not trumps from the lowest to the highest; never the ace of hearts."""
    first = suit * SUIT_CARDS
    cards = [first + RANKS.index(rank) for rank in _plain_ranks_upwards(suit, simple)]
    return [card for card in cards if card != ACE_OF_HEARTS]


def _plain_ranks_upwards(suit: int, simple: bool) -> list[str]:
    """Return the ranks of a plain suit from the lowest: red cards fall from ten to ace, black ones rise (3.2)."""
    low = list(_LOW_UPWARDS)
    if simple:
        return [*low, "J", "Q", "K", "A"]
    if suit in (DIAMONDS, HEARTS):
        return ["A", *low, "J", "Q", "K"]
    low.reverse()
    return [*low, "A", "J", "Q", "K"]


class Ranking:
    """How cards rank under one trump suit. `suits` by card: its suit for following, TRUMP for every trump.

    `power` by card: a higher one of the same `suits` wins, and TRUMP wins over the rest. `renege` by the trump led: the
    bits (1 << card) of those trumps that need not follow it.
    """

    def __init__(self, trump: int, simple: bool, fallen: bool) -> None:
        self.suits: list[int] = [card // SUIT_CARDS for card in range(CARDS)]
        self.power: list[int] = [0] * CARDS
        self.renege: list[int] = [0] * CARDS
        for suit in range(len(SUITS)):
            for place, card in enumerate(plain_upwards(suit, simple)):
                self.power[card] = 1 + place
        trumps = trumps_upwards(trump, simple, fallen)
        for place, card in enumerate(trumps):
            self.suits[card] = TRUMP
            self.power[card] = _LOWEST_TRUMP + place
        # An ace of hearts that has fallen outranks nothing, so that its privilege has gone with its rank.
        privileged = [trump * SUIT_CARDS + FIVE, trump * SUIT_CARDS + JACK, ACE_OF_HEARTS]
        for led in trumps:
            for card in privileged:
                if self.power[card] > self.power[led]:
                    self.renege[led] |= 1 << card

    def beats(self, card: int, best: int) -> bool:
        """Whether a card played later takes a trick from the best one so far, which was led or is a trump."""
        if self.suits[card] == self.suits[best]:
            return self.power[card] > self.power[best]
        return self.suits[card] == TRUMP


def _rankings() -> list[Ranking]:
    return [
        Ranking(trump, simple, fallen)
        for simple in (False, True)
        for trump in range(len(SUITS))
        for fallen in (False, True)
    ]


_RANKINGS: Final[list[Ranking]] = _rankings()


def ranking(trump: int, simple: bool, fallen: bool) -> Ranking:
    """Return the ranking of a trump suit; `simple` and `fallen` as for `trumps_upwards`."""
    return _RANKINGS[(8 if simple else 0) + 2 * trump + (1 if fallen else 0)]
