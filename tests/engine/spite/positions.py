"""Positions and whole deals for the tests of the common game."""

import hashlib
from collections.abc import Callable, Sequence

from engine.game import DealResult
from engine.spite.cards import ACE, KING, RANK_OF, Deck
from engine.spite.deal import SpiteDeal
from engine.spite.moves import MOVES, Move
from engine.spite.options import Options
from engine.spite.table import Table

SEED = hashlib.sha256(b"tests").digest()

Policy = Callable[[SpiteDeal], str]


def new_deal(
    players: int = 2, options: Options | None = None, seed: bytes = SEED, dealer: int = 0
) -> SpiteDeal:
    """Return a deal as dealt."""
    options = options or Options()
    return SpiteDeal(options, Deck(options.packs, options.jokers_wild), players, seed, 0, dealer)


def played_out(deal: SpiteDeal, policy: Policy, limit: int = 20_000) -> DealResult:
    """Play a deal to its end by one policy for all seats; fail after `limit` decisions."""
    for _ in range(limit):
        if deal.result is not None:
            return deal.result
        deal.apply(policy(deal))
    raise AssertionError(f"the deal has not ended after {limit} decisions")


class _Pool:
    """The cards of a deck not yet placed, by rank."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._left: dict[int, list[int]] = {}
        for card, rank in enumerate(deck.ranks):
            self._left.setdefault(rank, []).append(card)

    def take(self, rank: int) -> int:
        return self._left[rank].pop(0)

    def ranks(self, text: str) -> list[int]:
        return [self.take(RANK_OF[word]) for word in text.split()]

    def any(self, count: int) -> list[int]:
        """Return cards of the most plentiful ranks, so that none runs out."""
        return [max(self._left.values(), key=len).pop(0) for _ in range(count)]

    def rest(self) -> list[int]:
        return [card for cards in self._left.values() for card in cards]


def position(
    *,
    hand: str,
    goal: str,
    centre: Sequence[int] = (0, 0, 0, 0),
    discards: Sequence[str] = (),
    left: Sequence[int] = (10, 10),
    stock: int | None = None,
    dead: int = 0,
    options: Options | None = None,
) -> SpiteDeal:
    """Return a deal with seat 0 to act in the position described.

    `hand`, `goal` and `discards` (by pile, bottom to top) are seat 0's, as printed; `left` the sizes of all goal piles.
    The other seats hold no cards. Cards that `stock` and `dead` leave over lie on the discard piles of the last seat.
    """
    options = options or Options()
    deal = new_deal(len(left), options)
    deck = Deck(options.packs, options.jokers_wild)
    pool = _Pool(deck)
    table = Table(deck, len(left))
    table.hands[0] = sorted(pool.ranks(hand))
    top = pool.ranks(goal)
    piles = [[pool.take(RANK_OF[word]) for word in text.split()] for text in discards]
    for slot, height in enumerate(centre):
        for rank in range(ACE, height + 1):
            _shown(table, card := pool.take(rank))
            table.build(card, slot)
    for pile, cards in enumerate(piles):
        for card in cards:
            _shown(table, card)
            table.discard(0, card, pile)
    for seat, count in enumerate(left):
        table.lay_goals(seat, pool.any(count - 1) + top if seat == 0 else pool.any(count))
        table.turn_goal(seat)
    for card in pool.any(dead):
        _shown(table, card)
        table.spent[deck.printed[card]] += 1
        table.dead.append(card)
    rest = pool.rest()
    table.stock.refill(rest if stock is None else rest[:stock])
    for card in [] if stock is None else rest[stock:]:
        _shown(table, card)
        table.discard(len(left) - 1, card, 0)
    deal.table = table
    for seat in range(len(left)):
        deal.take_events(seat)
    return deal


def _shown(table: Table, card: int) -> None:
    table.hidden[table.deck.printed[card]] -= 1


def stacked(deal: SpiteDeal, draws: str) -> SpiteDeal:
    """Put cards of the stock where seat 0 draws them next, in this order; two seats only."""
    stock = deal.table.stock.cards()
    ranks = deal.table.deck.ranks
    front = []
    for word in draws.split():
        card = next(card for card in stock if ranks[card] == RANK_OF[word])
        stock.remove(card)
        front.append(card)
    deal.table.stock.refill(front + stock)
    return deal


def never_the_goal(deal: SpiteDeal) -> str:
    """An adversary that keeps the game flowing but plays a goal card only when nothing else is legal."""
    legal = deal.legal()
    plays = [move for move in legal if ">c" in move and not move.startswith("g")]
    discards = [move for move in legal if ">d" in move]
    if plays:
        return plays[0]
    if not discards or deal.to_act is None:
        return legal[0]
    tops = deal.table.tops(deal.to_act)
    return min(discards, key=lambda move: _disorder(MOVES[move], tops))


def _disorder(move: Move, tops: Sequence[int]) -> int:
    """How badly a discard fits its pile: best one below the top, so that the pile can be played off again."""
    top = tops[move.target]
    if top == 0:
        return 20 - move.card
    return (top - move.card - 1) % KING + (40 if move.card > top else 0)
