"""A second, quite different game on the engine's interface: one trick a deal, the highest card takes it."""

from collections.abc import Sequence

import msgspec

from engine.chance import shuffled
from engine.errors import IllegalMoveError
from engine.game import DealResult, Event, JsonObject


class HighCardView(msgspec.Struct, frozen=True):
    """The seat's hand and what has been played."""

    hand: list[int]
    played: list[tuple[int, int]]


class HighCardDeal:
    """Every seat plays its cards in turn; whoever played the highest takes `worth` points."""

    def __init__(self, hands: list[list[int]], dealer: int, worth: int) -> None:
        self.hands = hands
        self.to_act: int | None = dealer
        self.result: DealResult | None = None
        self._start = [list(hand) for hand in hands]
        self._worth = worth
        self._played: list[tuple[int, int]] = []

    def legal(self) -> Sequence[str]:
        """Any card held."""
        return [] if self.to_act is None else [str(card) for card in self.hands[self.to_act]]

    def resolve(self, move: str) -> str:
        """Only listed forms are accepted."""
        if move not in self.legal():
            raise IllegalMoveError(f"{move!r} is not in the hand")
        return move

    def apply(self, move: str) -> None:
        """Play a card."""
        card = int(self.resolve(move))
        seat = self.to_act or 0
        self.hands[seat].remove(card)
        self._played.append((card, seat))
        self.to_act = (seat + 1) % len(self.hands)
        if not any(self.hands):
            winner = max(self._played)[1]
            points = tuple(self._worth if other == winner else 0 for other in range(len(self.hands)))
            self.to_act = None
            self.result = DealResult(points, "won")

    def passive_move(self) -> str:
        """The first card."""
        return self.legal()[0]

    def view(self, seat: int) -> HighCardView:
        """Own hand and all played cards."""
        return HighCardView(list(self.hands[seat]), list(self._played))

    def take_events(self, seat: int) -> list[Event]:
        """Nothing happens that the view does not show."""
        return []

    def starting_cards(self) -> JsonObject:
        """The hands."""
        return {"hands": self._start}


class HighCard:
    """The game; `cards` in each hand, `worth` points to the winner of a deal."""

    name = "high-card"

    def __init__(self, players: int, cards: int = 1, worth: int = 1) -> None:
        self.players = players
        self._cards = cards
        self._worth = worth

    def document(self) -> JsonObject:
        """Not registered, so only descriptive."""
        return {"game": self.name, "rules_version": 1, "players": self.players, "options": {}}

    def deal(self, seed: bytes, number: int, dealer: int) -> HighCardDeal:
        """Deal every card there is."""
        deck = [str(card) for card in range(self.players * self._cards)]
        order = [int(card) for card in shuffled(deck, seed, number, 0)]
        size = self._cards
        return HighCardDeal(
            [order[seat * size : (seat + 1) * size] for seat in range(self.players)], dealer, self._worth
        )
