"""Where all cards of a deal lie, and the counts that views show, kept up to date card by card."""

from bisect import insort

from engine.spite.cards import Deck
from engine.spite.options import CENTRE_SLOTS, DISCARD_PILES
from engine.spite.stock import Stock
from engine.spite.view import GoalPile, SpiteView

FULL_HEIGHT = 12


class Table:
    """All cards on the table, by number in the deck. Knows where cards may lie, not when they may move.

    Hands are sorted by card number; goal and discard piles run bottom to top. `spent` counts the ranks of centre and
    dead cards, `hidden` those that nobody sees but perhaps the seat whose hand they are in.
    """

    def __init__(self, deck: Deck, players: int) -> None:
        self.deck = deck
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.goals: list[list[int]] = [[] for _ in range(players)]
        self.discards: list[list[list[int]]] = [[[] for _ in range(DISCARD_PILES)] for _ in range(players)]
        self.centre: list[list[int]] = [[] for _ in range(CENTRE_SLOTS)]
        self.heights = [0] * CENTRE_SLOTS
        self.dead: list[int] = []
        self.stock = Stock(players)
        self.spent = dict.fromkeys(deck.shown_ranks, 0)
        self.hidden = dict.fromkeys(deck.shown_ranks, 0)
        for text in deck.printed:
            self.hidden[text] += 1
        # Views share these tuples until a pile changes.
        self._seen_goals: list[tuple[GoalPile, ...]] = [() for _ in range(players)]
        empty: tuple[tuple[str, ...], ...] = ((),) * DISCARD_PILES
        self._seen_discards: list[tuple[tuple[str, ...], ...]] = [empty] * players

    def lay_goals(self, seat: int, cards: list[int]) -> None:
        """Give a seat its goal pile, bottom first; `turn_goal` shows the top."""
        self.goals[seat] = cards

    def turn_goal(self, seat: int) -> None:
        """Turn the top of a seat's goal pile face up, if a card is left."""
        pile = self.goals[seat]
        top = None
        if pile:
            top = self.deck.printed[pile[-1]]
            self.hidden[top] -= 1
        self._seen_goals[seat] = (GoalPile(top, len(pile)),)

    def bury_goal(self, seat: int) -> None:
        """Put the top of a seat's goal pile face down to its bottom."""
        pile = self.goals[seat]
        top = pile.pop()
        self.hidden[self.deck.printed[top]] += 1
        pile.insert(0, top)

    def take(self, seat: int) -> int:
        """Move the seat's next card from the stock, which must not be empty, to its hand; return it."""
        card = self.stock.draw(seat)
        insort(self.hands[seat], card)
        return card

    def from_hand(self, seat: int, rank: int) -> int:
        """Take the lowest card of a rank out of a hand that has one."""
        ranks = self.deck.ranks
        hand = self.hands[seat]
        for index, card in enumerate(hand):
            if ranks[card] == rank:
                del hand[index]
                self.hidden[self.deck.printed[card]] -= 1
                return card
        raise LookupError(f"no card of rank {rank} in the hand of seat {seat}")

    def from_goal(self, seat: int) -> int:
        """Take the top of a seat's goal pile and turn the next."""
        card = self.goals[seat].pop()
        self.turn_goal(seat)
        return card

    def from_discards(self, seat: int, pile: int) -> int:
        """Take the top of a seat's discard pile."""
        card = self.discards[seat][pile].pop()
        self._show_pile(seat, pile)
        return card

    def discard(self, seat: int, card: int, pile: int) -> None:
        """Put a card in the air on a seat's discard pile."""
        self.discards[seat][pile].append(card)
        self._show_pile(seat, pile)

    def build(self, card: int, slot: int) -> bool:
        """Put a card in the air on a centre pile; return whether that completed it: it is dead, the slot is free."""
        pile = self.centre[slot]
        pile.append(card)
        self.spent[self.deck.printed[card]] += 1
        if len(pile) < FULL_HEIGHT:
            self.heights[slot] += 1
            return False
        self.dead += pile
        self.centre[slot] = []
        self.heights[slot] = 0
        return True

    def revive(self) -> None:
        """Turn all dead cards face down; the caller puts them into the stock."""
        for card in self.dead:
            text = self.deck.printed[card]
            self.spent[text] -= 1
            self.hidden[text] += 1
        self.dead = []

    def tops(self, seat: int) -> list[int]:
        """Return the ranks on top of a seat's discard piles, 0 for an empty one."""
        ranks = self.deck.ranks
        return [ranks[pile[-1]] if pile else 0 for pile in self.discards[seat]]

    def view(self, seat: int, turn: int, dealer: int) -> SpiteView:
        """Return what a seat sees."""
        printed = self.deck.printed
        hand = [printed[card] for card in self.hands[seat]]
        unseen = self.hidden.copy()
        for text in hand:
            unseen[text] -= 1
        return SpiteView(
            hand,
            [len(cards) for cards in self.hands],
            tuple(self._seen_goals),
            tuple(self._seen_discards),
            self.heights.copy(),
            self.stock.count,
            self.spent.copy(),
            unseen,
            turn,
            dealer,
        )

    def _show_pile(self, seat: int, pile: int) -> None:
        printed = self.deck.printed
        shown = tuple([printed[card] for card in self.discards[seat][pile]])
        piles = self._seen_discards[seat]
        self._seen_discards[seat] = (*piles[:pile], shown, *piles[pile + 1 :])
