"""The two packs of Parlett's game, kept apart: one makes the personal packs, the other hands and stock."""

from typing import Final

from engine.spite.cards import Deck, common_deck

_PACKS: Final = 2
_PERSONAL: Final = "0/"
"""How the identities of the pack begin that makes the personal packs."""


class Packs:
    """All cards of both packs in one `deck`; identities are those of the common game. Immutable.

    `personal` are the cards of pack 0, by number in the deck; `common` those of pack 1 and the jokers, which are
    `0/*/*`, `1/*/*` and so on.
    """

    def __init__(self, jokers: int) -> None:
        self.deck: Deck = common_deck(_PACKS, jokers)
        self.personal: list[int] = []
        self.common: list[int] = []
        for card in range(len(self.deck)):
            name = self.deck.names[card]
            if name.startswith(_PERSONAL) and not name.endswith("*"):
                self.personal.append(card)
            else:
                self.common.append(card)
