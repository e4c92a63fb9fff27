"""Where all cards of a deal lie."""

from engine.spite.cards import Deck
from engine.spite.plan import DISCARD_PILES, Plan
from engine.spite.stock import Stock

NOWHERE: list[int] = []
"""The slots of a card that fits on none; never changed."""

_ALL_EMPTY = (1 << DISCARD_PILES) - 1


class Table:
    """All cards on the table, by number in the deck. Knows where cards may lie, not when they may move.

    Hands are sorted by card number; goal and discard piles run bottom to top. Beside the cards it keeps what legal moves
    are looked up by: `goal_tops` and `tops`, the ranks on top of goal and discard piles (0: empty), `empties`, by seat the
    set of empty discard piles, `heights` and `ways`, by rank the centre slots it fits on, each the lowest of its height.
    `spent` counts the ranks of centre and dead cards. `must` is the slot to be covered at once, else -1. `aside` holds
    cards that are out of the deal.
    """

    def __init__(self, plan: Plan) -> None:
        players = plan.players
        self.plan: Plan = plan
        self.deck: Deck = plan.deck
        self.ranks: list[int] = plan.deck.ranks
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.goals: list[list[int]] = [[] for _ in range(players * plan.goal_piles)]
        self.goal_tops: list[int] = [0] * (players * plan.goal_piles)
        self.discards: list[list[list[int]]] = [[[] for _ in range(DISCARD_PILES)] for _ in range(players)]
        self.tops: list[list[int]] = [[0] * DISCARD_PILES for _ in range(players)]
        self.empties: list[int] = [_ALL_EMPTY] * players
        slots = 1 if plan.unlimited else plan.slots
        self.centre: list[list[int]] = [[] for _ in range(slots)]
        self.heights: list[int] = [0] * slots
        self.ways: list[list[int]] = []
        self.dead: list[int] = []
        self.aside: list[int] = []
        self.stock: Stock = Stock(players)
        self.spent: list[int] = [0] * len(plan.deck.texts)
        self.must: int = -1
        # Discards as views show them, and how many of each rank, by seat; None once they have changed.
        self.shown: list[tuple[tuple[str, ...], ...] | None] = [None] * players
        self.shown_counts: list[list[int]] = [[] for _ in range(players)]
        self.survey()

    def lay_goals(self, pile: int, cards: list[int]) -> None:
        """Lay a goal pile, bottom first, its top turned up."""
        self.goals[pile] = cards
        self.turn_goal(pile)

    def turn_goal(self, pile: int) -> None:
        """Turn the top of a goal pile face up, if a card is left."""
        cards = self.goals[pile]
        self.goal_tops[pile] = self.ranks[cards[-1]] if cards else 0

    def bury_goal(self, pile: int) -> None:
        """Put the top of a goal pile face down to its bottom and turn the next."""
        cards = self.goals[pile]
        cards.insert(0, cards.pop())
        self.turn_goal(pile)

    def place_in_hand(self, seat: int, rank: int) -> int:
        """Return where the lowest card of a rank lies in a hand, -1 where there is none."""
        ranks = self.ranks
        place = 0
        for card in self.hands[seat]:
            if ranks[card] == rank:
                return place
            place += 1
        return -1

    def from_goal(self, pile: int) -> int:
        """Take the top of a goal pile and turn the next."""
        cards = self.goals[pile]
        card = cards.pop()
        self.goal_tops[pile] = self.ranks[cards[-1]] if cards else 0
        return card

    def from_discards(self, seat: int, pile: int) -> int:
        """Take the top of a seat's discard pile."""
        cards = self.discards[seat][pile]
        card = cards.pop()
        if cards:
            self.tops[seat][pile] = self.ranks[cards[-1]]
        else:
            self.tops[seat][pile] = 0
            self.empties[seat] |= 1 << pile
        self.shown[seat] = None
        return card

    def lay_away(self, seat: int, rank: int, place: int, pile: int) -> int:
        """Move a card of a rank from its place in a hand to a discard pile of the seat; return it."""
        card = self.hands[seat].pop(place)
        cards = self.discards[seat][pile]
        if not cards:
            self.empties[seat] -= 1 << pile
        cards.append(card)
        self.tops[seat][pile] = rank
        self.shown[seat] = None
        return card

    def discard(self, seat: int, card: int, pile: int) -> None:
        """Put a card in the air on a seat's discard pile."""
        cards = self.discards[seat][pile]
        if not cards:
            self.empties[seat] -= 1 << pile
        cards.append(card)
        self.tops[seat][pile] = self.ranks[card]
        self.shown[seat] = None

    def build(self, card: int, slot: int) -> bool:
        """Put a card in the air on a centre pile; return whether that completed it: it is dead, the slot is free."""
        pile = self.centre[slot]
        pile.append(card)
        self.spent[self.ranks[card]] += 1
        height = len(pile)
        completed = height == self.plan.top
        if completed:
            self.dead += pile
            self.centre[slot] = []
            height = 0
        self.heights[slot] = height
        if self.plan.unlimited and self.heights[-1]:
            self.heights.append(0)
            self.centre.append([])
        self.survey()
        return completed

    def survey(self) -> None:
        """Look anew which slots each rank fits on."""
        plan = self.plan
        singles = plan.singles
        wild_at = plan.wild_at
        ways = [NOWHERE] * len(plan.wild)
        wild: list[int] = []
        slot = 0
        for height in self.heights:
            if ways[height + 1] is NOWHERE:
                ways[height + 1] = singles[slot]
                if wild_at[height]:
                    wild.append(slot)
            slot += 1
        if wild:
            for rank in plan.wild_ranks:
                ways[rank] = wild
        self.ways = ways

    def revive(self) -> list[int]:
        """Take up all dead cards; the caller puts them into the stock."""
        cards = self.dead
        for card in cards:
            self.spent[self.ranks[card]] -= 1
        self.dead = []
        return cards

    def hand_ranks(self, seat: int) -> list[int]:
        """Return the ranks in a hand, ascending."""
        return [self.ranks[card] for card in self.hands[seat]]

    def goals_left(self, seat: int) -> int:
        """Return how many cards are left in a seat's goal piles."""
        left = 0
        for pile in range(seat * self.plan.goal_piles, (seat + 1) * self.plan.goal_piles):
            left += len(self.goals[pile])
        return left

    def copy(self) -> "Table":
        """Return a table of its own with the same cards in the same places."""
        twin = Table(self.plan)
        twin.hands = [hand.copy() for hand in self.hands]
        twin.goals = [pile.copy() for pile in self.goals]
        twin.goal_tops = self.goal_tops.copy()
        twin.discards = [[pile.copy() for pile in piles] for piles in self.discards]
        twin.tops = [tops.copy() for tops in self.tops]
        twin.empties = self.empties.copy()
        twin.centre = [pile.copy() for pile in self.centre]
        twin.heights = self.heights.copy()
        twin.ways = self.ways
        twin.dead = self.dead.copy()
        twin.aside = self.aside
        twin.stock = self.stock.copy()
        twin.spent = self.spent.copy()
        twin.must = self.must
        twin.shown = self.shown.copy()
        twin.shown_counts = self.shown_counts.copy()
        return twin
