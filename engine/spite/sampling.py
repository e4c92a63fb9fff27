"""Deals a seat might be in, going by what it sees: for searches (`engine.game.Game.sample`)."""

from typing import Final

from engine.chance import shuffled_places
from engine.spite.deal import SpiteDeal
from engine.spite.moves import Moves
from engine.spite.plan import DISCARD_PILES, Plan
from engine.spite.table import Table
from engine.spite.view import SpiteView

_HIDDEN: Final = 0
_GOALS: Final = 1
_CENTRE: Final = 2
"""Numbers that keep the draws of one sample apart, as deal numbers do those of a match."""


def sampled(plan: Plan, moves: Moves, view: object, seat: int, seed: bytes) -> SpiteDeal:
    """Return a deal with `seat` to act that it cannot tell from its own; what it cannot see is dealt by `seed`.

    Which centre and dead cards are wild is drawn, too, as far as `spent` leaves that open. A drought or passes that went
    before are not known: the deal has none. Raises ValueError when no deal of the plan looks like the view.
    """
    if not isinstance(view, SpiteView):
        raise ValueError(f"a view of this game is a SpiteView, not a {type(view).__name__}")
    if not 0 <= seat < plan.players:
        raise ValueError(f"there is no seat {seat}")
    _check_shape(plan, view, seat)
    table = Table(plan)
    pool = _Pool(plan)
    _lay_tops(table, pool, view)
    _lay_seen(table, pool, view, seat)
    _lay_centre(table, pool, view, seed)
    _lay_hidden(table, pool, view, seat, seed)
    table.survey()
    deal = SpiteDeal(plan, moves, table, seed, _HIDDEN, view.dealer)
    deal.turn = view.turn
    deal.to_act = seat
    return deal


class _Pool:
    """The cards not yet placed, by rank; of each rank the dark ones come first."""

    def __init__(self, plan: Plan) -> None:
        deck = plan.deck
        self._texts: list[str] = deck.texts
        self._numbers: dict[str, int] = {text: rank for rank, text in enumerate(deck.texts) if text}
        self.left: list[list[int]] = [[] for _ in deck.texts]
        for card in range(len(deck.ranks)):
            self.left[deck.ranks[card]].append(card)

    def rank(self, text: str) -> int:
        """Return the rank of a card as printed."""
        rank = self._numbers.get(text, 0)
        if rank == 0:
            raise ValueError(f"there is no card {text!r} in this game")
        return rank

    def take(self, rank: int, first: bool = False) -> int:
        """Take the last card of a rank, or the first."""
        cards = self.left[rank]
        if not cards:
            raise ValueError(f"the view shows more cards {self._texts[rank]} than there are")
        return cards.pop(0) if first else cards.pop()


def _check_shape(plan: Plan, view: SpiteView, seat: int) -> None:
    """Refuse a view whose lists are not those of the plan."""
    if not plan.players == len(view.hand_sizes) == len(view.goals) == len(view.discards):
        raise ValueError(f"a view of this game has {plan.players} seats")
    if len(view.hand) != view.hand_sizes[seat]:
        raise ValueError(
            f"seat {seat} holds {len(view.hand)} cards, `hand_sizes` says {view.hand_sizes[seat]}"
        )
    for piles in view.goals:
        if len(piles) != plan.goal_piles or any((pile.top is None) != (pile.left == 0) for pile in piles):
            raise ValueError(f"a seat has {plan.goal_piles} goal piles, each with a top until it is empty")
    if any(len(piles) != DISCARD_PILES for piles in view.discards):
        raise ValueError(f"a seat has {DISCARD_PILES} discard piles")
    slots = len(view.centre)
    if not (1 <= slots <= plan.slots + 1 and view.centre[-1] == 0 if plan.unlimited else slots == plan.slots):
        raise ValueError("`centre` has not the piles of this game")
    if any(not 0 <= height < plan.top for height in view.centre):
        raise ValueError(f"a centre pile has less than {plan.top} cards")


def _lay_tops(table: Table, pool: _Pool, view: SpiteView) -> None:
    """Lay what is on top of the goal piles; where cards are dark or red those are dark."""
    pile = 0
    for piles in view.goals:
        for goal in piles:
            if goal.top is not None:
                table.lay_goals(pile, [pool.take(pool.rank(goal.top), first=True)])
            pile += 1


def _lay_seen(table: Table, pool: _Pool, view: SpiteView, seat: int) -> None:
    """Lay the seat's hand and all discards."""
    table.hands[seat] = sorted([pool.take(pool.rank(text)) for text in view.hand])
    for owner, piles in enumerate(view.discards):
        for number, pile in enumerate(piles):
            for text in pile:
                table.discard(owner, pool.take(pool.rank(text)), number)


def _lay_centre(table: Table, pool: _Pool, view: SpiteView, seed: bytes) -> None:
    """Lay centre piles and dead cards: naturals where `spent` has them, wilds in the places left."""
    plan = table.plan
    spent = [0] * len(plan.deck.texts)
    for text, count in view.spent.items():
        spent[pool.rank(text)] = count
    dead = (sum(spent) - sum(view.centre)) // plan.top
    wilds = [pool.take(rank) for rank in plan.wild_ranks for _ in range(spent[rank])]
    must = _slot_to_cover(plan, view)
    piles = [[-1] * height for height in view.centre]
    # Completed piles are places, too, behind those of the centre.
    piles += [[-1] * plan.top for _ in range(dead)]
    for rank in range(1, plan.top + 1):
        places = [number for number, pile in enumerate(piles) if len(pile) >= rank]
        if len(places) > spent[rank]:
            # Some of them are held by wilds: which is anybody's guess.
            places = [places[index] for index in _order(plan, len(places), seed, rank)]
        if must >= 0 and len(piles[must]) == rank:
            places.remove(must)
        if len(places) < spent[rank]:
            raise ValueError(f"`spent` has more cards {plan.deck.texts[rank]} than places for them")
        for number in places[: spent[rank]]:
            piles[number][rank - 1] = pool.take(rank)
    open_places = [
        (number, index) for number, pile in enumerate(piles) for index, card in enumerate(pile) if card < 0
    ]
    if len(open_places) != len(wilds):
        raise ValueError(f"`spent` has {len(wilds)} wilds for {len(open_places)} places")
    for (number, index), which in zip(open_places, _order(plan, len(wilds), seed, 0), strict=True):
        piles[number][index] = wilds[which]
    slots = len(view.centre)
    table.centre = piles[:slots]
    table.heights = list(view.centre)
    table.dead = [card for pile in piles[slots:] for card in pile]
    table.spent = spent
    table.must = must


def _slot_to_cover(plan: Plan, view: SpiteView) -> int:
    """Return the slot that `must` names, -1 for none."""
    if view.must is None:
        return -1
    for slot in range(len(view.centre)):
        if (
            plan.cover
            and view.must == f"c{slot}"
            and view.centre[slot]
            and plan.wild_at[view.centre[slot] - 1]
        ):
            return slot
    raise ValueError(f"nothing is bound to {view.must!r} in this game")


def _order(plan: Plan, count: int, seed: bytes, draw: int) -> list[int]:
    """Return 0 to count-1 in an order drawn by the seed."""
    if count < 2:
        return list(range(count))
    return shuffled_places(plan.deck.keys[:count], seed, _CENTRE, draw)


def _shuffled(plan: Plan, cards: list[int], seed: bytes, draw: int) -> list[int]:
    names = [plan.deck.keys[card] for card in cards]
    return [cards[place] for place in shuffled_places(names, seed, draw, 0)]


def _lay_hidden(table: Table, pool: _Pool, view: SpiteView, seat: int, seed: bytes) -> None:
    """Deal what the seat cannot see: face-down goal cards, cards set aside, other hands, the stock."""
    plan = table.plan
    for rank in range(1, len(pool.left)):
        if len(pool.left[rank]) != view.unseen.get(plan.deck.texts[rank], 0):
            raise ValueError(f"`unseen` has not the cards {plan.deck.texts[rank]} that are left")
    hidden = [card for cards in pool.left for card in cards]
    face_down = [max(goal.left - 1, 0) for piles in view.goals for goal in piles]
    aside = sum(plan.deck.dark) - plan.goal * plan.players if plan.deck.dark else 0
    others = sum(view.hand_sizes) - view.hand_sizes[seat]
    if len(hidden) != sum(face_down) + aside + others + view.stock:
        raise ValueError(f"`unseen` has {len(hidden)} cards, hands, goal piles and stock hold another number")
    if plan.deck.dark:
        dark = [card for card in hidden if plan.deck.dark[card]]
        goals = _shuffled(plan, dark, seed, _GOALS)[: sum(face_down) + aside]
        if len(goals) < sum(face_down) + aside:
            raise ValueError("`unseen` has too few cards that goal piles can be made of")
        dealt = set(goals)
        hidden = [card for card in hidden if card not in dealt]
        cards = _shuffled(plan, hidden, seed, _HIDDEN)
        table.aside = goals[:aside]
        cards = cards + goals[aside:]
    else:
        cards = _shuffled(plan, hidden, seed, _HIDDEN)
    for pile, count in enumerate(face_down):
        if count:
            table.goals[pile] = cards[len(cards) - count :] + table.goals[pile]
            del cards[len(cards) - count :]
    for other in range(plan.players):
        if other != seat:
            size = view.hand_sizes[other]
            table.hands[other] = sorted(cards[:size])
            del cards[:size]
    table.stock.refill(cards)
