"""Positions and whole deals for the tests of Parlett's game."""

import hashlib
import random
from collections.abc import Callable, Sequence

from engine.game import DealResult
from engine.parlett.cards import Packs
from engine.parlett.deal import ParlettDeal
from engine.parlett.options import Options
from engine.parlett.rules import ParlettGame
from engine.parlett.sides import OPEN, fits_of
from engine.parlett.table import Table, first_slots
from engine.spite.cards import JOKER, KING, RANK_OF

SEED = hashlib.sha256(b"tests").digest()

Policy = Callable[[ParlettDeal], str]


def new_deal(number: int = 0, options: Options | None = None) -> ParlettDeal:
    """Return a deal as dealt; the cards depend on the number alone."""
    return ParlettGame(options or Options()).deal(SEED, number, number % 2)


def played_out(deal: ParlettDeal, policy: Policy, limit: int = 20_000) -> DealResult:
    """Play a deal to its end by one policy for both seats; fail after `limit` decisions."""
    for _ in range(limit):
        if deal.result is not None:
            return deal.result
        deal.apply(policy(deal))
    raise AssertionError(f"the deal has not ended after {limit} decisions")


def after(deal: ParlettDeal, *moves: str) -> ParlettDeal:
    """Make moves and return the deal."""
    for move in moves:
        deal.apply(move)
    return deal


class _Pool:
    """The cards of a deck not yet placed, by rank; those of the personal packs come last."""

    def __init__(self, packs: Packs) -> None:
        self._left: list[list[int]] = [[] for _ in range(JOKER + 1)]
        for card in packs.personal + packs.common:
            self._left[packs.deck.ranks[card]].append(card)

    def take(self, rank: int) -> int:
        """Return a card of the rank, a joker where none is left."""
        return (self._left[rank] or self._left[JOKER]).pop()

    def words(self, text: str) -> list[int]:
        return [self.take(RANK_OF[word]) for word in text.split()]

    def personal(self, text: str) -> int:
        return self._left[RANK_OF[text]].pop(0)

    def any(self, count: int) -> list[int]:
        """Return cards of the personal packs, of the ranks most left."""
        return [max(self._left[:JOKER], key=len).pop(0) for _ in range(count)]

    def rest(self) -> list[int]:
        return [card for cards in self._left for card in cards]


def position(
    *,
    hand: str = "",
    goal: str = "9",
    sides: Sequence[str] = (),
    centre: Sequence[int] = (),
    other_hand: str = "",
    other_goal: str = "9",
    other_sides: Sequence[str] = (),
    left: tuple[int, int] = (10, 10),
    finished: int = 0,
    stock: int | None = None,
    idle: int = 0,
    options: Options | None = None,
) -> ParlettDeal:
    """Return a deal with seat 0 to act in the position described.

    Hands, personal tops and side piles (bottom to top) are as printed; `left` the sizes of the personal packs. Jokers
    stand in the centre where natural cards have run out. Cards that `stock` leaves over lie on seat 1's side pile 3,
    which then holds what no rule would allow.
    """
    options = options or Options()
    packs = Packs(options.jokers)
    deck = packs.deck
    table = Table(packs, options.joker_memory)
    pool = _Pool(packs)
    tops = [pool.personal(goal), pool.personal(other_goal)]
    table.hands = [sorted(pool.words(hand)), sorted(pool.words(other_hand))]
    for seat, piles in enumerate((sides, other_sides)):
        for pile, text in enumerate(piles):
            for card in pool.words(text):
                table.discard(seat, card, pile)
    table.centre = [*([pool.take(rank) for rank in range(1, height + 1)] for height in centre), []]
    table.heights = [*centre, 0]
    table.first = first_slots(table.heights)
    for card in (card for pile in table.centre for card in pile):
        table.spent[deck.ranks[card]] += 1
    for _ in range(finished):
        for rank in range(1, KING + 1):
            table.dead.append(card := pool.take(rank))
            table.spent[deck.ranks[card]] += 1
    table.goals = [[*pool.any(size - 1), top] for size, top in zip(left, tops, strict=True)]
    rest = pool.rest()
    table.stock.refill(rest if stock is None else rest[len(rest) - stock :])
    if stock is not None:
        _park(table, rest[: len(rest) - stock])
    deal = ParlettDeal(table, SEED, 0, 0)
    deal.idle = idle
    deal.resume(0)
    return deal


def _park(table: Table, cards: list[int]) -> None:
    ranks = table.deck.ranks
    table.discards[1][3] += cards
    table.sets[1][3] += [OPEN if ranks[card] == JOKER else 1 << ranks[card] for card in cards]
    table.tops[1][3] = ranks[cards[-1]] if cards else 0
    table.fits[1] = fits_of(table.sets[1])


def stacked(deal: ParlettDeal, draws: str) -> ParlettDeal:
    """Put cards of the stock where seat 0 draws them next, in this order."""
    stock = deal.table.stock.cards()
    front = []
    for word in draws.split():
        card = next(card for card in stock if deal.table.deck.ranks[card] == RANK_OF[word])
        stock.remove(card)
        front.append(card)
    deal.table.stock.refill(front + stock)
    return deal


def all_cards(deal: ParlettDeal) -> list[int]:
    """Return all cards, wherever they lie."""
    table = deal.table
    cards = table.stock.cards() + table.dead
    for pile in (*table.hands, *table.goals, *table.centre, *table.discards[0], *table.discards[1]):
        cards += pile
    return cards


def shuffle_hidden(deal: ParlettDeal, seat: int, source: random.Random) -> None:
    """Let the cards a seat cannot see change places at random; personal packs keep to their own cards.

    Which cards those are is known to everybody who has counted.
    """
    table = deal.table
    personal = table.goals[0][:-1] + table.goals[1][:-1]
    source.shuffle(personal)
    for pile in table.goals:
        pile[:-1] = [personal.pop() for _ in pile[:-1]]
    other = table.hands[1 - seat]
    cards = table.stock.cards() + other
    source.shuffle(cards)
    table.hands[1 - seat] = sorted(cards[: len(other)])
    table.stock.refill(cards[len(other) :])
    deal.resume(deal.to_act if deal.to_act is not None else 0)
