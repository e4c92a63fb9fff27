"""Where all cards of a deal lie, what the centre needs and what the side piles take, kept up to date card by card."""

from typing import Final

from engine.parlett.cards import Packs
from engine.parlett.sides import OPEN, SIDE_PILES, fits_of, narrow, taken_on
from engine.spite.cards import JOKER, KING, Deck
from engine.spite.stock import Stock

SEATS: Final = 2


def first_slots(heights: list[int]) -> list[int]:
    """Return the lowest slot of each height from 0 to 12, -1 where no pile has it."""
    first = [-1] * KING
    for slot in range(len(heights) - 1, -1, -1):
        first[heights[slot]] = slot
    return first


class Table:
    """All cards on the table, by number in the deck. Knows where cards may lie, not when they may move.

    Hands are sorted by card number; personal packs (`goals`) and side piles (`discards`) run bottom to top. `sets` holds
    for each card on a side pile the ranks it may stand for, `tops` the rank on each pile (0: empty), `fits` what a
    seat's piles take. The centre always has an empty slot at its end; `first` is the lowest slot of each height.
    `dead` are the cards of finished piles, `spent` the count by rank of those and of the centre's. With `memory`
    jokers on side piles stay what cards laid on them made them (A-PAR-06).
    """

    def __init__(self, packs: Packs, memory: bool) -> None:
        self.packs = packs
        self.deck: Deck = packs.deck
        self.memory = memory
        self.hands: list[list[int]] = [[], []]
        self.goals: list[list[int]] = [[], []]
        self.discards: list[list[list[int]]] = [[[], [], [], []], [[], [], [], []]]
        self.sets: list[list[list[int]]] = [[[], [], [], []], [[], [], [], []]]
        self.tops: list[list[int]] = [[0] * SIDE_PILES, [0] * SIDE_PILES]
        self.fits: list[int] = [fits_of(self.sets[0]), fits_of(self.sets[1])]
        self.centre: list[list[int]] = [[]]
        self.heights: list[int] = [0]
        self.first: list[int] = first_slots(self.heights)
        self.dead: list[int] = []
        self.spent: list[int] = [0] * (JOKER + 1)
        self.stock = Stock(SEATS)

    def take(self, seat: int, count: int) -> list[int]:
        """Move the seat's next cards from the stock, which must have them, to its hand; return them as drawn."""
        cards = self.stock.take(seat, count)
        hand = self.hands[seat]
        hand += cards
        hand.sort()
        return cards

    def from_hand(self, seat: int, rank: int) -> int:
        """Take the lowest card of a rank out of a hand that has one."""
        ranks = self.deck.ranks
        hand = self.hands[seat]
        for index in range(len(hand)):
            card = hand[index]
            if ranks[card] == rank:
                del hand[index]
                return card
        raise LookupError(f"no card of rank {rank} in the hand of seat {seat}")

    def from_side(self, seat: int, pile: int) -> int:
        """Take the top of a seat's side pile."""
        cards = self.discards[seat][pile]
        card = cards.pop()
        self.sets[seat][pile].pop()
        self.tops[seat][pile] = self.deck.ranks[cards[-1]] if cards else 0
        self.fits[seat] = fits_of(self.sets[seat])
        return card

    def discard(self, seat: int, card: int, pile: int) -> None:
        """Put a card in the air on a seat's side pile that takes it."""
        rank = self.deck.ranks[card]
        sets = self.sets[seat][pile]
        if rank == JOKER:
            sets.append(taken_on(sets[-1]) if sets else OPEN)
        else:
            sets.append(1 << rank)
            if self.memory:
                narrow(sets)
        self.discards[seat][pile].append(card)
        self.tops[seat][pile] = rank
        self.fits[seat] = fits_of(self.sets[seat])

    def build(self, card: int, slot: int) -> bool:
        """Put a card in the air on the centre pile of a slot that is the lowest of its height.

        Return whether that finished the pile: it is dead, the slot free.
        """
        heights = self.heights
        first = self.first
        height = heights[slot]
        self.centre[slot].append(card)
        self.spent[self.deck.ranks[card]] += 1
        if slot == len(heights) - 1:
            heights.append(0)
            self.centre.append([])
        if height == KING - 1:
            self.dead += self.centre[slot]
            self.centre[slot] = []
            heights[slot] = 0
            first[height] = heights.index(height) if height in heights else -1
            if slot < first[0]:
                first[0] = slot
            return True
        heights[slot] = height + 1
        first[height] = heights.index(height) if height in heights else -1
        lowest = first[height + 1]
        if lowest < 0 or slot < lowest:
            first[height + 1] = slot
        return False

    def take_dead(self) -> list[int]:
        """Take up the cards of all finished piles."""
        cards = self.dead
        self.dead = []
        for card in cards:
            self.spent[self.deck.ranks[card]] -= 1
        return cards

    def take_centre(self) -> list[int]:
        """Take up all cards of the centre, finished piles included."""
        cards = self.dead
        for pile in self.centre:
            cards += pile
        self.dead = []
        self.centre = [[]]
        self.heights = [0]
        self.first = first_slots(self.heights)
        self.spent = [0] * (JOKER + 1)
        return cards

    def take_hands_and_sides(self) -> list[int]:
        """Take up all hands and side piles."""
        cards = self.hands[0] + self.hands[1]
        for seat in range(SEATS):
            for pile in self.discards[seat]:
                cards += pile
            self.hands[seat] = []
            self.discards[seat] = [[], [], [], []]
            self.sets[seat] = [[], [], [], []]
            self.tops[seat] = [0] * SIDE_PILES
            self.fits[seat] = fits_of(self.sets[seat])
        return cards

    def unseen_by(self, seat: int) -> list[int]:
        """Return the count by rank of what a seat cannot see: stock, the other hand, face-down cards of both packs."""
        ranks = self.deck.ranks
        unseen = self.deck.counts.copy()
        for rank in range(len(unseen)):
            unseen[rank] -= self.spent[rank]
        for card in self.hands[seat]:
            unseen[ranks[card]] -= 1
        for owner in range(SEATS):
            if self.goals[owner]:
                unseen[ranks[self.goals[owner][-1]]] -= 1
            for pile in self.discards[owner]:
                for card in pile:
                    unseen[ranks[card]] -= 1
        return unseen

    def copy(self) -> "Table":
        """Return an independent table with the same cards in the same places."""
        twin = Table(self.packs, self.memory)
        twin.hands = [self.hands[0].copy(), self.hands[1].copy()]
        twin.goals = [self.goals[0].copy(), self.goals[1].copy()]
        twin.discards = [[pile.copy() for pile in piles] for piles in self.discards]
        twin.sets = [[sets.copy() for sets in piles] for piles in self.sets]
        twin.tops = [self.tops[0].copy(), self.tops[1].copy()]
        twin.fits = self.fits.copy()
        twin.centre = [pile.copy() for pile in self.centre]
        twin.heights = self.heights.copy()
        twin.first = self.first.copy()
        twin.dead = self.dead.copy()
        twin.spent = self.spent.copy()
        twin.stock = self.stock.copy()
        return twin
