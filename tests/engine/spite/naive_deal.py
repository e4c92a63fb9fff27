"""What follows from a move, said once more from the rule text alone: draws, turns, recycling, ends, points.

Slow and plain: cards are their identities, piles are lists of them. What may be moved is `naive.py`'s business.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from engine.chance import shuffled
from engine.spite.view import SpiteView
from tests.engine.spite.naive import is_wild, rank_of, top_rank


class NaiveDeal:
    """A deal that is told every move. `order` are all identities, lowest first: of equal cards the lowest moves."""

    def __init__(
        self,
        document: Mapping[str, Any],
        start: Mapping[str, Any],
        order: Sequence[str],
        seed: bytes,
        number: int,
    ) -> None:
        self.document = document
        self.options = document["options"]
        self.players: int = document["players"]
        self.sides = self.players // 2 if self.options.get("partners") else self.players
        self.full = 6 if self.options.get("misery") else 5
        piles = [list(pile) for pile in start["goals"]]
        each = len(piles) // self.players
        self.goals = [piles[seat * each : (seat + 1) * each] for seat in range(self.players)]
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        self.discards: list[list[list[str]]] = [[[], [], [], []] for _ in range(self.players)]
        self.centre: list[list[str]] = [[], [], [], []]
        self.dead: list[str] = []
        self.stock: list[list[str]] = []
        self.order = {card: place for place, card in enumerate(order)}
        self.seed, self.number, self.epoch = seed, number, 0
        self.seat = 0
        self.turn = 1
        self.passes = 0
        self.drought = 0
        self.refills = 0
        self.must: int | None = None
        self.reason: str | None = None
        self.points: tuple[int, ...] | None = None
        self.cut(list(start["stock"]))

    def begin(self, first: int, slots: int) -> None:
        """Let the first seat draw; `slots` is the number of centre piles shown at the start."""
        self.centre = [[] for _ in range(slots)]
        self.seat = first
        if self.options.get("first") == "high_goal":
            assert self.highest() in (first, None)
        if self.options.get("hands_dealt_upfront") or self.document["game"] == "starturn":
            for step in range(1, self.players):
                self.draw((first + step) % self.players)
        self.draw(first)

    def highest(self) -> int | None:
        """Return who has the highest goal card; those who tie bury theirs and turn the next, at most once round."""
        for _ in range(len(self.goals[0][0])):
            tops = [rank_of(printed(piles[0][-1])) for piles in self.goals]
            best = [seat for seat, top in enumerate(tops) if top == max(tops)]
            if len(best) == 1:
                return best[0]
            for seat in best:
                pile = self.goals[seat][0]
                pile.insert(0, pile.pop())
        return None

    def cut(self, cards: list[str]) -> None:
        """Lay the stock out: in one row for two seats, else in a segment per seat, the remainder to the lowest."""
        if self.players == 2:
            self.stock = [cards]
            return
        size, more = divmod(len(cards), self.players)
        self.stock = []
        for seat in range(self.players):
            count = size + (1 if seat < more else 0)
            self.stock.append(cards[:count])
            cards = cards[count:]

    def next_card(self, seat: int) -> str:
        """Take a card of the stock for a seat."""
        if self.players == 2:
            return self.stock[0].pop(0 if seat == 0 else -1)
        if self.stock[seat]:
            return self.stock[seat].pop(0)
        return max(self.stock, key=len).pop()

    def draw(self, seat: int) -> None:
        """Fill a hand; recycle when a card is wanted and the stock is out; end the deal where the rules say so."""
        drawn = 0
        missing = self.full - len(self.hands[seat])
        while len(self.hands[seat]) < self.full:
            if not any(self.stock):
                if not self.dead:
                    break
                self.recycle()
            self.hands[seat].append(self.next_card(seat))
            drawn += 1
        exhaustion = self.options.get("exhaustion", "on_failed_draw")
        short = drawn < missing and exhaustion == "on_short_draw"
        failed = missing > 0 and drawn == 0 and exhaustion == "on_failed_draw"
        if short or failed:
            self.end_drawn("exhausted")

    def recycle(self) -> None:
        """Shuffle the dead cards with what is left of the stock."""
        self.epoch += 1
        cards = [card for segment in self.stock for card in segment] + self.dead
        self.dead = []
        self.cut(shuffled(cards, self.seed, self.number, self.epoch))

    def make(self, move: str) -> None:
        """Make a listed move."""
        if move == "pass":
            self.passes += 1
            if self.passes == self.players:
                self.end_drawn("passed")
            else:
                self.end_turn()
            return
        self.passes = 0
        source, _, target = move.partition(">")
        slot = int(target[1:])
        if target.startswith("d"):
            for card in self.discarded(source[1:]):
                self.discards[self.seat][slot].append(self.from_hand(card))
            self.end_turn()
        else:
            self.play(source, slot)

    def discarded(self, word: str) -> list[str]:
        """Return the card a discard names, or both of a pair: `QQ`; an 11 is printed only where there are no pairs."""
        half = word[: len(word) // 2]
        pair = word == half + half and self.options.get("natural_low_pairs")
        return [half, half] if pair else [word]

    def play(self, source: str, slot: int) -> None:
        """Move a card to the centre, with all that follows."""
        card = self.taken(source)
        pile = self.centre[slot]
        pile.append(card)
        covering = self.options.get("cover_wild") and is_wild(self.document, printed(card))
        self.must = slot if covering else None
        completed = len(pile) == top_rank(self.document)
        if completed:
            self.dead += pile
            self.centre[slot] = []
        if self.options.get("centre") == "unlimited" and self.centre[-1]:
            self.centre.append([])
        if source.startswith(("g", "pg")):
            self.drought = -1
            self.refills = 0
        if self.left(self.seat % self.sides) == 0:
            self.end_won()
            return
        if completed and self.recycles():
            self.recycle()
        if source.startswith("h") and not self.hands[self.seat]:
            if self.document["game"] == "starturn" and not self.options.get("continue_on_empty"):
                self.end_turn()
            else:
                self.refill()

    def refill(self) -> None:
        """Draw a new hand, but not for ever without a goal card."""
        self.refills += 1
        if self.refills >= 100:
            self.end_drawn("drought")
        else:
            self.draw(self.seat)

    def recycles(self) -> bool:
        """Whether a completed pile goes back at once."""
        if self.document["game"] == "starturn" or self.options.get("recycle") == "immediate":
            return True
        threshold: int = self.options.get("threshold", 0)
        return self.options.get("recycle") == "threshold" and len(self.dead) >= threshold

    def taken(self, source: str) -> str:
        """Take the card a play names."""
        if source.startswith("h"):
            return self.from_hand(source[1:])
        owner = self.seat
        if source.startswith("p"):
            owner = (owner + self.sides) % self.players
            source = source[1:]
        piles = self.goals[owner] if source.startswith("g") else self.discards[owner]
        return piles[int(source[1:] or 0)].pop()

    def from_hand(self, rank: str) -> str:
        """Take the lowest card of a rank."""
        card = min(
            (card for card in self.hands[self.seat] if printed(card) == rank), key=self.order.__getitem__
        )
        self.hands[self.seat].remove(card)
        return card

    def end_turn(self) -> None:
        """Let the next seat draw and act, unless nothing has moved for too long."""
        self.drought += 1
        self.refills = 0
        if self.drought >= 500:
            self.end_drawn("drought")
            return
        self.turn += 1
        self.seat = (self.seat + 1) % self.players
        self.draw(self.seat)

    def left(self, side: int) -> int:
        """Return the goal cards a side has left."""
        return sum(len(pile) for seat in range(side, self.players, self.sides) for pile in self.goals[seat])

    def end_won(self) -> None:
        """Pay the side that has played out."""
        winner = self.seat % self.sides
        others = sum(self.left(side) for side in range(self.sides) if side != winner)
        game = self.document["game"]
        if game == "skip-bo":
            won = 25 + 5 * others
        elif game == "starturn":
            won = 1 if self.options.get("score") == "win" else others
        else:
            won = 5 + others
        self.finish("won", [won if side == winner else 0 for side in range(self.sides)])

    def end_drawn(self, reason: str) -> None:
        """Pay the side with the fewest goal cards the differences; nobody when several have the fewest."""
        left = [self.left(side) for side in range(self.sides)]
        fewest = min(left)
        unit = 5 if self.document["game"] == "skip-bo" else 1
        if self.options.get("score") == "win":
            unit = 0
        paid = 0 if left.count(fewest) > 1 else unit * sum(count - fewest for count in left)
        self.finish(reason, [paid if count == fewest else 0 for count in left])

    def finish(self, reason: str, by_side: Sequence[int]) -> None:
        """End the deal."""
        self.reason = reason
        self.points = tuple(by_side[seat % self.sides] for seat in range(self.players))

    def shown(self) -> dict[str, Any]:
        """Return what everybody sees, and all hands."""
        spent = Counter(printed(card) for pile in [*self.centre, self.dead] for card in pile)
        return {
            "hands": [sorted(map(printed, hand), key=rank_of) for hand in self.hands],
            "goals": [
                [(printed(pile[-1]) if pile else None, len(pile)) for pile in piles] for piles in self.goals
            ],
            "discards": [[[printed(card) for card in pile] for pile in piles] for piles in self.discards],
            "centre": [len(pile) for pile in self.centre],
            "stock": sum(map(len, self.stock)),
            "spent": dict(spent),
            "turn": self.turn,
            "must": None if self.must is None else f"c{self.must}",
        }


def shown_by(views: Sequence[SpiteView]) -> dict[str, Any]:
    """Return the same of an engine's views, by seat; what everybody sees must be alike in all of them."""
    first = views[0]
    for view in views:
        for field in (
            "hand_sizes",
            "goals",
            "discards",
            "centre",
            "stock",
            "spent",
            "turn",
            "dealer",
            "must",
        ):
            assert getattr(view, field) == getattr(first, field)
    assert first.hand_sizes == [len(view.hand) for view in views]
    return {
        "hands": [view.hand for view in views],
        "goals": [[(goal.top, goal.left) for goal in piles] for piles in first.goals],
        "discards": [[list(pile) for pile in piles] for piles in first.discards],
        "centre": first.centre,
        "stock": first.stock,
        "spent": {card: count for card, count in first.spent.items() if count},
        "turn": first.turn,
        "must": first.must,
    }


def printed(card: str) -> str:
    """Return an identity's rank as printed."""
    return card.rpartition("/")[2]
