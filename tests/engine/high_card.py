"""A second, quite different game on the engine's interface: one trick a deal, the highest card takes it."""

import random
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
    """Every seat plays its cards in turn; whoever played the highest takes what `game` has it pay."""

    def __init__(self, game: "HighCard", hands: list[list[int]], dealer: int, carry: int) -> None:
        self.hands = hands
        self.to_act: int | None = dealer
        self.result: DealResult | None = None
        self.carry = carry
        self._start = [list(hand) for hand in hands]
        self._game = game
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
            self.to_act = None
            self.result = self._game.result(max(self._played)[1], self.carry)

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

    def copy(self) -> "HighCardDeal":
        """The same position."""
        twin = HighCardDeal(self._game, [list(hand) for hand in self.hands], self.to_act or 0, self.carry)
        twin.to_act, twin.result = self.to_act, self.result
        twin._start, twin._played = self._start, list(self._played)
        return twin


class HighCard:
    """The game; `cards` in each hand, `worth` points to the side that wins a deal, every deal's `carry` one more."""

    name = "high-card"

    def __init__(
        self,
        players: int,
        cards: int = 1,
        worth: int = 1,
        sides: int | None = None,
        fixed_deals: int | None = None,
        wins_match_from: int | None = None,
    ) -> None:
        self.players = players
        self.sides = sides or players
        self.fixed_deals = fixed_deals
        self._cards = cards
        self._worth = worth
        self._wins_match_from = wins_match_from

    def document(self) -> JsonObject:
        """Not registered, so only descriptive."""
        return {"game": self.name, "rules_version": 1, "players": self.players, "options": {}}

    def deal(self, seed: bytes, number: int, dealer: int, carry: int = 0) -> HighCardDeal:
        """Deal every card there is."""
        deck = [str(card) for card in range(self.players * self._cards)]
        order = [int(card) for card in shuffled(deck, seed, number, 0)]
        return self._lay(order, dealer, carry)

    def result(self, winner: int, carry: int) -> DealResult:
        """Pay the winner's side; from the deal `wins_match_from` on it wins the match."""
        points = tuple(
            self._worth if seat % self.sides == winner % self.sides else 0 for seat in range(self.players)
        )
        wins = self._wins_match_from is not None and carry >= self._wins_match_from
        return DealResult(points, "won", carry + 1, wins)

    def sample(self, view: msgspec.Struct, seat: int, seed: bytes) -> HighCardDeal:
        """Deal what the seat does not hold at random, before anything is played."""
        if not isinstance(view, HighCardView) or view.played:
            raise ValueError("only a deal not yet begun is sampled")
        others = [card for card in range(self.players * self._cards) if card not in view.hand]
        random.Random(seed).shuffle(others)
        size = self._cards
        order = others[: seat * size] + view.hand + others[seat * size :]
        return self._lay(order, seat, 0)

    def moves(self) -> Sequence[str]:
        """Every card."""
        return [str(card) for card in range(self.players * self._cards)]

    def _lay(self, order: list[int], dealer: int, carry: int) -> HighCardDeal:
        size = self._cards
        hands = [order[seat * size : (seat + 1) * size] for seat in range(self.players)]
        return HighCardDeal(self, hands, dealer, carry)
