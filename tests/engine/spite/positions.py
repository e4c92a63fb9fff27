"""Positions and whole deals for the tests of the Spite & Malice family."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from engine.game import DealResult
from engine.games import game_from_document
from engine.spite.cards import KING
from engine.spite.deal import SpiteDeal
from engine.spite.moves import Moves
from engine.spite.options import Options, SkipBoOptions, StarturnOptions
from engine.spite.plan import Plan
from engine.spite.rules import SpiteGame
from engine.spite.table import Table

SEED = hashlib.sha256(b"tests").digest()

Policy = Callable[[SpiteDeal], str]
AnyOptions = Options | SkipBoOptions | StarturnOptions


def game_of(players: int = 2, options: AnyOptions | None = None) -> SpiteGame:
    """Return the game whose options these are."""
    options = options or Options()
    name = {Options: "spite-and-malice", SkipBoOptions: "skip-bo", StarturnOptions: "starturn"}[type(options)]
    document: dict[str, Any] = {"game": name, "rules_version": 1, "players": players}
    game = game_from_document({**document, "options": msgspec.to_builtins(options)})
    assert isinstance(game, SpiteGame)
    return game


def new_deal(
    players: int = 2, options: AnyOptions | None = None, seed: bytes = SEED, dealer: int = 0
) -> SpiteDeal:
    """Return a deal as dealt."""
    return game_of(players, options).deal(seed, 0, dealer)


def played_out(deal: SpiteDeal, policy: Policy, limit: int = 20_000) -> DealResult:
    """Play a deal to its end by one policy for all seats; fail after `limit` decisions."""
    for _ in range(limit):
        if deal.result is not None:
            return deal.result
        deal.apply(policy(deal))
    raise AssertionError(f"the deal has not ended after {limit} decisions")


class _Pool:
    """The cards of a deck not yet placed, by rank."""

    def __init__(self, plan: Plan) -> None:
        self._numbers = {text: rank for rank, text in enumerate(plan.deck.texts) if text}
        self._left: dict[int, list[int]] = {}
        for card, rank in enumerate(plan.deck.ranks):
            self._left.setdefault(rank, []).append(card)

    def take(self, rank: int) -> int:
        return self._left[rank].pop(0)

    def cards(self, text: str) -> list[int]:
        """Return cards as printed, in this order."""
        return [self.take(self._numbers[word]) for word in text.split()]

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
    options: AnyOptions | None = None,
    must: int | None = None,
    goals: Mapping[int, str] | None = None,
    hands: Mapping[int, str] | None = None,
    others: Mapping[int, Sequence[str]] | None = None,
) -> SpiteDeal:
    """Return a deal with seat 0 to act in the position described, in any game of the family.

    `hand`, `goal` and `discards` (by pile, bottom to top) are seat 0's, as printed; `goal` names the tops of all its goal
    piles that are not empty. `left` has the sizes of all goal piles, seat by seat, so with two each four for two
    players. `must` is the slot whose top is a wild to be covered. `goals` (tops by number of the pile), `hands` and
    `others` (discard piles) are those of other seats; else goal tops are any cards and hands and piles are empty. Centre
    piles are of natural cards; a place for another is added where the centre grows. Cards that `stock` and `dead` leave
    over lie on the first discard pile of the last seat.
    """
    plan_piles = 2 if isinstance(options, Options) and options.misery else 1
    game = game_of(len(left) // plan_piles, options)
    plan = game.plan
    pool = _Pool(plan)
    table = Table(plan)
    tops = dict(enumerate(goal.split()))
    if plan_piles == 2 and not left[0]:
        tops = {1: goal}
    tops.update(goals or {})
    for seat, text in {0: hand, **(hands or {})}.items():
        table.hands[seat] = sorted(pool.cards(text))
    top_cards = {pile: pool.cards(text) for pile, text in tops.items() if left[pile]}
    piles = {
        seat: [pool.cards(text) for text in texts] for seat, texts in {0: discards, **(others or {})}.items()
    }
    _lay_centre(table, pool, centre, must)
    for seat, cards_by_pile in piles.items():
        for pile, cards in enumerate(cards_by_pile):
            for card in cards:
                table.discard(seat, card, pile)
    for pile, count in enumerate(left):
        top = top_cards.get(pile, [])
        table.lay_goals(pile, pool.any(count - len(top)) + top)
    for card in pool.any(dead):
        table.spent[table.ranks[card]] += 1
        table.dead.append(card)
    rest = pool.rest()
    table.stock.refill(rest if stock is None else rest[:stock])
    for card in [] if stock is None else rest[stock:]:
        table.discard(plan.players - 1, card, 0)
    deal = SpiteDeal(plan, Moves(plan), table, SEED, 0, 0)
    deal.to_act = 0
    return deal


def _lay_centre(table: Table, pool: _Pool, centre: Sequence[int], must: int | None) -> None:
    heights = list(centre)
    if table.plan.unlimited and heights[-1]:
        heights.append(0)
    table.centre = [[] for _ in heights]
    for slot, height in enumerate(heights):
        for rank in range(1, height + 1):
            covers = slot == must and rank == height
            card = pool.take(table.plan.wild_ranks[0] if covers else rank)
            table.centre[slot].append(card)
            table.spent[table.ranks[card]] += 1
    table.heights = heights
    table.must = -1 if must is None else must
    table.survey()


def stacked(deal: SpiteDeal, draws: str) -> SpiteDeal:
    """Put cards of the stock where seat 0 draws them next, in this order; two seats only."""
    stock = deal.table.stock.cards()
    printed = deal.table.deck.printed
    front = []
    for word in draws.split():
        card = next(card for card in stock if printed[card] == word)
        stock.remove(card)
        front.append(card)
    deal.table.stock.refill(front + stock)
    return deal


def never_the_goal(deal: SpiteDeal) -> str:
    """An adversary that keeps the game flowing but plays a goal card only when nothing else is legal."""
    legal = deal.legal()
    plays = [move for move in legal if ">c" in move and not move.startswith(("g", "pg"))]
    discards = [move for move in legal if ">d" in move]
    if plays:
        return plays[0]
    if not discards or deal.to_act is None:
        return legal[0]
    texts = deal.table.deck.texts
    tops = deal.table.tops[deal.to_act]
    return min(
        discards, key=lambda move: _disorder(texts.index(move[1 : move.index(">")]), tops[int(move[-1])])
    )


def _disorder(rank: int, top: int) -> int:
    """How badly a discard fits its pile: best one below the top, so that the pile can be played off again."""
    if top == 0:
        return 20 - rank
    return (top - rank - 1) % KING + (40 if rank > top else 0)
