"""Deals a seat might be in, drawn from what it sees."""

from typing import Final

from engine.chance import shuffled, shuffled_places
from engine.parlett.cards import Packs
from engine.parlett.deal import HAND_CARDS, ParlettDeal
from engine.parlett.sides import SIDE_PILES, fits_of, is_narrowed, taken_on
from engine.parlett.table import SEATS, Table, first_slots
from engine.parlett.view import ParlettView
from engine.spite.cards import JOKER, KING, PRINTED, RANK_OF

_SPLIT_EPOCH: Final = 0
"""Which hidden cards lie in the personal packs."""
_ORDER_EPOCH: Final = 1
"""Their order there, and that of the others in hand and stock."""
_JOKERS_EPOCH: Final = 2
_EPOCHS_USED: Final = 3
"""Later shuffles take the next epochs."""


def sampled(packs: Packs, memory: bool, view: ParlettView, seat: int, seed: bytes) -> ParlettDeal:
    """Return a deal that `seat` might be in when it is to act and sees `view`.

    Hidden cards are dealt at random under what is known: personal packs hold no joker and no more than four cards of a
    rank, those turned included. Where several centre piles may hold a joker, one of them does. Raises ValueError when
    the view is of no such deal.
    """
    if seat not in range(SEATS):
        raise ValueError(f"there is no seat {seat}")
    try:
        table = _Maker(packs, memory, view, seat, seed).laid_out()
    except LookupError as error:
        raise ValueError(f"the view has a card or a list that this game has not: {error}") from None
    deal = ParlettDeal(table, seed, 0, view.dealer)
    deal.idle = view.idle
    deal.plays = view.plays
    deal.redeals = view.redeals
    deal.turn = view.turn
    deal.epoch = _EPOCHS_USED
    deal.resume(seat)
    if deal.view(seat) != view:
        raise ValueError("the parts of the view contradict each other")
    return deal


class _Maker:
    """Takes cards out of the deck and lays them where the view shows them."""

    def __init__(self, packs: Packs, memory: bool, view: ParlettView, seat: int, seed: bytes) -> None:
        self.table = Table(packs, memory)
        self._packs = packs
        self._view = view
        self._seat = seat
        self._seed = seed
        # By rank, cards not yet placed: those of the personal packs in front, to be taken last.
        self._left: list[list[int]] = [[] for _ in range(JOKER + 1)]
        for card in packs.personal + packs.common:
            self._left[packs.deck.ranks[card]].append(card)

    def laid_out(self) -> Table:
        self._turn_goals()
        self._lay_hand_and_sides()
        self._lay_centre()
        self._deal_hidden()
        return self.table

    def _turn_goals(self) -> None:
        for owner in range(SEATS):
            top = self._view.goals[owner][0].top
            if top is None:
                raise ValueError("a personal pack is empty: the deal is over")
            cards = self._left[RANK_OF[top]]
            if not cards or RANK_OF[top] == JOKER:
                raise ValueError(f"a personal pack shows {top}, which it cannot hold")
            self.table.goals[owner] = [cards.pop(0)]

    def _lay_hand_and_sides(self) -> None:
        table, view = self.table, self._view
        table.hands[self._seat] = sorted([self._take(RANK_OF[text]) for text in view.hand])
        for owner in range(SEATS):
            for pile in range(SIDE_PILES):
                for text in view.discards[owner][pile]:
                    self._discard(owner, pile, RANK_OF[text])
        if table.memory:
            self._remember()

    def _lay_centre(self) -> None:
        """Lay the piles, and finished ones beside them; jokers stand where natural cards are too few."""
        table, view = self.table, self._view
        heights = list(view.centre)
        spent = [0] + [view.spent[PRINTED[rank]] for rank in range(1, JOKER + 1)]
        finished, rest = divmod(sum(spent) - sum(heights), KING)
        if rest or finished < 0 or not heights or heights[-1] or max(heights) >= KING:
            raise ValueError("the centre piles do not fit the cards spent")
        piles = heights + [KING] * finished
        laid: list[list[int]] = [[] for _ in piles]
        for rank in range(1, KING + 1):
            places = [place for place, height in enumerate(piles) if height >= rank]
            jokers = self._joker_places(places, len(places) - spent[rank], rank)
            for place in places:
                laid[place].append(self._take(JOKER if place in jokers else rank))
        table.centre = laid[: len(heights)]
        table.heights = heights
        table.first = first_slots(heights)
        table.dead = [card for pile in laid[len(heights) :] for card in pile]
        table.spent = spent
        if sum([table.deck.ranks[card] == JOKER for pile in laid for card in pile]) != spent[JOKER]:
            raise ValueError("the jokers spent do not fit the centre piles")

    def _deal_hidden(self) -> None:
        """Deal what is left to the face-down personal cards, the other hand and the stock."""
        table, view = self.table, self._view
        sizes = [view.goals[owner][0].left - 1 for owner in range(SEATS)]
        personal, others = self._split(sum(sizes))
        other = 1 - self._seat
        held = view.hand_sizes[other]
        if len(others) != held + view.stock or held > HAND_CARDS or min(sizes) < 0:
            raise ValueError(f"{len(others)} cards do not make a hand of {held} and a stock of {view.stock}")
        table.goals[0] = personal[: sizes[0]] + table.goals[0]
        table.goals[1] = personal[sizes[0] :] + table.goals[1]
        table.hands[other] = sorted(others[:held])
        table.stock.refill(others[held:])
        for rank in range(1, JOKER + 1):
            if len(self._left[rank]) != view.unseen[PRINTED[rank]]:
                raise ValueError(f"{view.unseen[PRINTED[rank]]} cards {PRINTED[rank]} cannot be unseen")

    def _split(self, wanted: int) -> tuple[list[int], list[int]]:
        """Return so many hidden cards, in random order, that may lie in the personal packs, and all others likewise."""
        personal_pack = set(self._packs.personal)
        room = [[card for card in cards if card in personal_pack] for cards in self._left]
        # Any card of a rank may be the one that is hidden, so ranks are drawn by all their hidden cards.
        order = self._shuffled([card for cards in self._left for card in cards], _SPLIT_EPOCH)
        chosen: set[int] = set()
        for card in order:
            rank = self._packs.deck.ranks[card]
            if len(chosen) < wanted and room[rank]:
                chosen.add(room[rank].pop())
        if len(chosen) < wanted:
            raise ValueError(f"there are not {wanted} cards that can lie face down in the personal packs")
        order = self._shuffled(order, _ORDER_EPOCH)
        return [card for card in order if card in chosen], [card for card in order if card not in chosen]

    def _shuffled(self, cards: list[int], epoch: int) -> list[int]:
        keys = self._packs.deck.keys
        return [
            cards[place] for place in shuffled_places([keys[card] for card in cards], self._seed, 0, epoch)
        ]

    def _joker_places(self, places: list[int], count: int, rank: int) -> set[int]:
        if count < 0:
            raise ValueError(f"more cards {PRINTED[rank]} are spent than the centre piles can hold")
        if not count:
            return set()
        order = shuffled([f"{place}/{rank}" for place in places], self._seed, 0, _JOKERS_EPOCH)
        return {int(name.split("/")[0]) for name in order[:count]}

    def _discard(self, owner: int, pile: int, rank: int) -> None:
        sets = self.table.sets[owner][pile]
        if rank != JOKER and (rank < 2 or (sets and not taken_on(sets[-1]) >> rank & 1)):
            raise ValueError(f"a {PRINTED[rank]} cannot lie there on a side pile")
        self.table.discard(owner, self._take(rank), pile)

    def _remember(self) -> None:
        """Take over what the jokers on side piles may still stand for."""
        if self._view.stands_for is None:
            raise ValueError("under `joker_memory` a view says what cards on side piles stand for")
        table = self.table
        for owner, piles in enumerate(self._view.stands_for):
            for pile, cards in enumerate(piles):
                sets = [sum([1 << RANK_OF[text] for text in card]) for card in cards]
                allowed = table.sets[owner][pile]
                if len(sets) != len(allowed) or not all(map(is_narrowed, sets, allowed)):
                    raise ValueError(f"the cards of side pile {pile} of seat {owner} cannot stand for that")
                table.sets[owner][pile] = sets
            table.fits[owner] = fits_of(table.sets[owner])

    def _take(self, rank: int) -> int:
        if not self._left[rank]:
            raise ValueError(f"there are not so many cards {PRINTED[rank]} in the packs")
        return self._left[rank].pop()
