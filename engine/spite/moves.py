"""Moves of the family as text, in tables made once for a plan: the hot path only looks them up.

`g>c0` plays the top of the goal pile, `g1>c0` that of a second one, `h7>c2` a seven from the hand, `d1>c0` the top of
discard pile 1, `pg>c0` and `pd1>c0` the partner's; `h9>d2` discards a nine, `h99>d2` a pair of them; `pass` is the
only move of a seat that can do nothing else.
"""

from typing import Final

from engine.spite.cards import ACE
from engine.spite.plan import DISCARD_PILES, Plan

PLAY: Final = 0
DISCARD: Final = 1
PASSING: Final = 2

GOAL: Final = 0
HAND: Final = 1
PILE: Final = 2

PASS: Final = "pass"

NUMBER: Final = 15
"""Bits below the number of a move in an entry of a deal's history."""


class Move:
    """A move taken apart. Not changed once its table is made."""

    def __init__(self, kind: int, source: int, card: int, target: int, count: int, partner: bool) -> None:
        self.kind: int = kind
        """PLAY, DISCARD or PASSING."""
        self.source: int = source
        """GOAL, HAND or PILE, a discard pile."""
        self.card: int = card
        """The rank from a hand; else the number of the pile."""
        self.target: int = target
        """The centre slot or discard pile it goes to."""
        self.count: int = count
        """Cards moved: two of a pair."""
        self.partner: bool = partner
        """Whether the card is the partner's."""
        self.number: int = 0
        """Its place in `Moves.texts`, as a deal's history has it: shifted by NUMBER."""


class Moves:
    """All moves of a plan. Immutable.

    `goal_plays` by place in the seat's `goal_sources`, `hand_plays` by rank, `pile_plays` and `partner_plays` by discard
    pile: the texts by centre slot. `discards` and `pairs` by the set of empty discard piles (bit i for pile i) and rank:
    the texts that are listed, one for every pile in use and one for the lowest empty one; `all_discards` by cards
    moved less one, rank and pile. `named` has all there can be by
    text, those too that are never legal, `texts` the same in their order, `listed` only those that can be, in the order of
    legal lists.
    """

    def __init__(self, plan: Plan) -> None:
        texts = plan.deck.texts
        self.binding: bool = plan.cover or plan.forced_low
        """Whether a seat may be bound to certain plays."""
        self.free_discards: bool = not self.binding and not plan.pairs
        """Whether any card of a hand may be discarded, one at a time, but for banned ranks."""
        self.partners: bool = plan.sides < plan.players
        self.with_pairs: bool = plan.pairs
        self.goal_sources: list[list[int]] = plan.goal_sources
        self.named: dict[str, Move] = {PASS: Move(PASSING, HAND, 0, 0, 0, False)}
        self.listed: list[str] = []
        self.goal_plays: list[list[str]] = []
        for place in range(len(plan.goal_sources[0])):
            partner = self.partners and place == 1
            name = "pg" if partner else f"g{place}" if place else "g"
            self.goal_plays.append(self._plays(plan, name, GOAL, 0 if partner else place, partner))
        self.hand_plays: list[list[str]] = [[]]
        for rank in range(ACE, len(texts)):
            self.hand_plays.append(self._plays(plan, "h" + texts[rank], HAND, rank, False))
        self.pile_plays: list[list[str]] = []
        for pile in range(DISCARD_PILES):
            self.pile_plays.append(self._plays(plan, f"d{pile}", PILE, pile, False))
        self.partner_plays: list[list[str]] = []
        if self.partners:
            for pile in range(DISCARD_PILES):
                self.partner_plays.append(self._plays(plan, f"pd{pile}", PILE, pile, True))
        singles: list[list[str]] = [[]]
        pairs: list[list[str]] = [[]]
        for rank in range(ACE, len(texts)):
            banned = plan.ace_ban and rank == ACE
            singles.append(self._discards("h" + texts[rank], rank, 1, banned))
            pairs.append(self._discards("h" + texts[rank] * 2, rank, 2, banned) if plan.pairs else [])
        self.all_discards: list[list[list[str]]] = [singles.copy(), pairs.copy()]
        if plan.ace_ban:
            singles[ACE] = []
            pairs[ACE] = []
        self.discards: list[list[list[str]]] = _by_empty_piles(singles)
        self.pairs: list[list[list[str]]] = _by_empty_piles(pairs)
        self.listed.append(PASS)
        self.texts: list[str] = list(self.named)
        for number, text in enumerate(self.texts):
            self.named[text].number = number << NUMBER

    def parse(self, text: str) -> Move | None:
        """Return a move taken apart, None for what is none; the first goal pile may also be called by its number."""
        return self.named.get("g" + text[2:] if text.startswith("g0>") else text)

    def text_of(self, move: Move, target: int) -> str:
        """Return a play or discard as text, with another centre slot or discard pile as its target."""
        if move.kind == DISCARD:
            return self.all_discards[move.count - 1][move.card][target]
        if move.source == HAND:
            return self.hand_plays[move.card][target]
        if move.source == GOAL:
            return self.goal_plays[1 if move.partner else move.card][target]
        return self.partner_plays[move.card][target] if move.partner else self.pile_plays[move.card][target]

    def _plays(self, plan: Plan, name: str, source: int, card: int, partner: bool) -> list[str]:
        texts: list[str] = []
        for slot in range(plan.slots):
            text = f"{name}>c{slot}"
            self.named[text] = Move(PLAY, source, card, slot, 1, partner)
            texts.append(text)
        self.listed += texts
        return texts

    def _discards(self, name: str, rank: int, count: int, banned: bool) -> list[str]:
        texts: list[str] = []
        for pile in range(DISCARD_PILES):
            text = f"{name}>d{pile}"
            self.named[text] = Move(DISCARD, HAND, rank, pile, count, False)
            texts.append(text)
        if not banned:
            self.listed += texts
        return texts


def _by_empty_piles(rows: list[list[str]]) -> list[list[list[str]]]:
    """Return, for every set of empty discard piles, the rows with one empty pile standing for all."""
    tables: list[list[list[str]]] = []
    for empty in range(1 << DISCARD_PILES):
        others = empty & (empty - 1)
        tables.append([[text for pile, text in enumerate(row) if not others >> pile & 1] for row in rows])
    return tables
