"""The rules of moving of the whole family said once more, slowly and from the rule text alone, to check the engine against.

Everything is worked out from what a bot is given, the rules document and a seat's view, so nothing of the engine's
tables is used, and a move that could only be judged with memory would show.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.spite.view import SpiteView

COURTS = {"A": 1, "J": 11, "Q": 12, "K": 13, "*": 99}
PILES = 4

PLAY, DISCARD, PASS = range(3)
GOAL, PARTNERS_GOAL, HAND, DISCARDS, PARTNERS_DISCARDS = range(5)
_LETTERS = {GOAL: "g", PARTNERS_GOAL: "pg", HAND: "h", DISCARDS: "d", PARTNERS_DISCARDS: "pd"}


class Source(NamedTuple):
    """Where a card comes from; sources compare in the order in which moves are listed."""

    place: int
    which: int
    """Number of the pile; for the hand the card's rank."""


class Move(NamedTuple):
    """A move; moves compare in the order in which they are listed."""

    kind: int
    source: Source
    pair: bool
    slot: int
    card: str
    text: str


def rank_of(card: str) -> int:
    """Return the rank of a card as printed; a joker's is above all others."""
    return COURTS.get(card) or int(card)


def top_rank(document: Mapping[str, Any]) -> int:
    """Return the rank that completes a centre pile."""
    if document["game"] == "starturn":
        return 15
    return 13 if document["options"].get("jokers_to_king") else 12


def is_wild(document: Mapping[str, Any], card: str) -> bool:
    """Whether a card may stand for others."""
    if document["game"] != "spite-and-malice":
        return card == "*"
    return card == "*" or (card == "K" and not document["options"].get("jokers_to_king"))


def wild_ranks(document: Mapping[str, Any]) -> set[int]:
    """Return the ranks a wild may stand for."""
    options, top = document["options"], top_rank(document)
    if document["game"] == "skip-bo":
        return set(range(1, 13))
    ranks = set(range(2, top + 1))
    if options.get("jokers_to_king"):
        ranks -= {2, 7, 11}
    if options.get("cover_wild"):
        ranks -= {7, top}
    if options.get("natural_low_pairs"):
        ranks -= {2}
    return ranks


@dataclass(frozen=True)
class Naive:
    """One position of the seat to act."""

    document: Mapping[str, Any]
    view: SpiteView
    seat: int

    def legal(self) -> list[str]:
        """Return one form of every legal move, lowest slot first, in the order the rules name."""
        return list(dict.fromkeys(self.listed_forms().values()))

    def listed_forms(self) -> dict[str, str]:
        """Return, for every form of every legal move, the form in which it is listed."""
        chosen: dict[tuple[object, ...], str] = {}
        forms: dict[str, str] = {}
        for move in sorted(self.allowed()):
            forms[move.text] = chosen.setdefault(self.likeness(move), move.text)
        return forms or {"pass": "pass"}

    def allowed(self) -> list[Move]:
        """Return every move the rules allow, in all its forms."""
        fitting = [move for move in self.candidates() if self.fits(move)]
        if self.view.must is not None:
            slot = int(self.view.must.removeprefix("c"))
            return [move for move in fitting if self.covers(move, slot)]
        low = [move for move in fitting if self.is_low(move)]
        return low if low and self.document["options"].get("forced_low") else fitting

    def candidates(self) -> Iterator[Move]:
        """Every way to take a card the seat may touch to a slot or a pile of its own."""
        for source, card in self.sources().items():
            for slot in range(len(self.view.centre)):
                yield Move(PLAY, source, False, slot, card, f"{_name(source, card)}>c{slot}")
        for card in set(self.view.hand):
            source = Source(HAND, rank_of(card))
            for pile in range(PILES):
                yield Move(DISCARD, source, False, pile, card, f"h{card}>d{pile}")
                yield Move(DISCARD, source, True, pile, card, f"h{card}{card}>d{pile}")

    def sources(self) -> dict[Source, str]:
        """Return the cards that may be moved, by where they lie."""
        cards: dict[Source, str] = {}
        for place, owner in self.owners(GOAL, PARTNERS_GOAL):
            for number, goal in enumerate(self.view.goals[owner]):
                if goal.top is not None:
                    cards[Source(place, number)] = goal.top
        for place, owner in self.owners(DISCARDS, PARTNERS_DISCARDS):
            for number, pile in enumerate(self.view.discards[owner]):
                if pile:
                    cards[Source(place, number)] = pile[-1]
        for card in self.view.hand:
            cards[Source(HAND, rank_of(card))] = card
        return cards

    def owners(self, own: int, partners: int) -> list[tuple[int, int]]:
        """Return whose piles may be used: the seat's and, in a partnership, those of who sits opposite."""
        if not self.document["options"].get("partners"):
            return [(own, self.seat)]
        players = self.document["players"]
        return [(own, self.seat), (partners, (self.seat + players // 2) % players)]

    def fits(self, move: Move) -> bool:
        """Whether the card may go there, whatever else the seat is bound to do."""
        if move.kind == DISCARD:
            return self.may_be_discarded(move)
        rank = self.view.centre[move.slot] + 1
        if not is_wild(self.document, move.card):
            return rank_of(move.card) == rank
        if rank not in wild_ranks(self.document):
            return False
        return not self.document["options"].get("cover_wild") or self.can_be_covered(move, rank)

    def may_be_discarded(self, move: Move) -> bool:
        """A natural ace may not, where aces are; two cards only as a pair, which is an option."""
        if move.card == "A":
            return False
        if not move.pair:
            return True
        return (
            bool(self.document["options"].get("natural_low_pairs")) and self.view.hand.count(move.card) >= 2
        )

    def is_low(self, move: Move) -> bool:
        """Whether it plays a natural ace or two."""
        return move.kind == PLAY and move.card in ("A", "2")

    def covers(self, move: Move, slot: int) -> bool:
        """Whether it covers a wild with a natural card."""
        return move.kind == PLAY and move.slot == slot and not is_wild(self.document, move.card)

    def can_be_covered(self, move: Move, rank: int) -> bool:
        """Whether the next card is in sight once the wild has left its place, or nothing is wanted any more."""
        goals = [goal for goal in self.view.goals[self.seat] if goal.left]
        if move.source.place == GOAL and sum(goal.left for goal in goals) == 1:
            return True
        seen = list(self.view.hand)
        if move.source.place == HAND:
            seen.remove(move.card)
        for number, goal in enumerate(self.view.goals[self.seat]):
            if goal.top is not None and move.source != Source(GOAL, number):
                seen.append(goal.top)
        for number, pile in enumerate(self.view.discards[self.seat]):
            left = pile[:-1] if move.source == Source(DISCARDS, number) else pile
            seen += left[-1:]
        return any(not is_wild(self.document, card) and rank_of(card) == rank + 1 for card in seen)

    def likeness(self, move: Move) -> tuple[object, ...]:
        """What moves have in common that cannot be told apart."""
        if move.kind == DISCARD:
            pile = self.view.discards[self.seat][move.slot]
            return (DISCARD, move.card, move.pair, move.slot if pile else "empty")
        return (PLAY, move.source, self.view.centre[move.slot])


def expected_legal(document: Mapping[str, Any], view: SpiteView, seat: int) -> list[str]:
    """Return the legal list the rule text gives for the seat to act."""
    return Naive(document, view, seat).legal()


def _name(source: Source, card: str) -> str:
    letters = _LETTERS[source.place]
    if source.place == HAND:
        return letters + card
    first_goal = source.place in (GOAL, PARTNERS_GOAL) and source.which == 0
    return letters if first_goal else f"{letters}{source.which}"
