"""A deal of Parlett's game: whose turn it is, what follows from a move, how it ends."""

from typing import Final

from engine.chance import shuffled_places
from engine.errors import IllegalMoveError
from engine.game import DealResult, Event, JsonObject
from engine.parlett.moves import (
    DISCARD,
    END_TURN,
    HAND_DISCARDS,
    PARTS,
    PLAY_GOAL,
    PLAY_HAND,
    legal_moves,
    listed_form,
    why_illegal,
)
from engine.parlett.seen import History, seen_view
from engine.parlett.table import SEATS, Table
from engine.parlett.view import ParlettView
from engine.spite.cards import ACE, Deck

HAND_CARDS: Final = 5
PERSONAL_CARDS: Final = 26
LOW_STOCK: Final = 12
"""With fewer cards than this in the stock finished piles are shuffled into it."""
FORCED_IDLE: Final = 2
"""After so many idle turns in a row both seats count as frozen (A-PAR-12)."""
REDEAL_IDLE: Final = 4
MAX_REDEALS: Final = 20
MAX_TURNS: Final = 2_000
MAX_PLAYS: Final = 200
"""How long a deal, and one turn of it, may last (A-PAR-14).

Four aces, an empty stock and an empty centre are enough for a turn without end: played out, the aces are gathered and
drawn again.
"""

SHOWN_MOVE: Final = 40
"""Characters of a wrong move that an error message repeats."""


class ParlettDeal:
    """One deal in progress. Implements `engine.game.Deal`.

    It ends `won`, when a personal pack is empty, or is drawn and scored by difference after `turns`, `redeals` or, in
    one turn, `plays` (A-PAR-14). Cards lie in `table`; `idle` counts turns in a row in which nothing moved, `plays`
    the plays of this turn. All that happens between two decisions (drawing, turning personal cards, replenishing,
    redealing) happens inside `apply`.

    Shuffles are keyed by epochs: 0 for pack 0, 1 for the other; where the tops are equal the personal packs of seat 0
    and seat 1 take the next two, again and again; every later shuffle takes the next.
    """

    def __init__(self, table: Table, seed: bytes, number: int, dealer: int) -> None:
        self.table = table
        self.to_act: int | None = None
        self.result: DealResult | None = None
        self.idle = 0
        self.plays = 0
        self.redeals = 0
        self.turn = 1
        self.epoch = 0
        self._deck: Deck = table.deck
        self._seed = seed
        self._number = number
        self._dealer = dealer
        self._legal: list[str] | None = None
        self._history = History(table.deck)
        self._start_goals: list[list[int]] = [[], []]
        self._start_stock: list[int] = []

    def lay_out(self) -> None:
        """Shuffle both packs, deal, and let the higher top start; an empty table is wanted."""
        table = self.table
        ranks = self._deck.ranks
        packs = self._shuffled(table.packs.personal)
        table.goals = [packs[:PERSONAL_CARDS], packs[PERSONAL_CARDS:]]
        stock = self._shuffled(table.packs.common)
        while ranks[table.goals[0][-1]] == ranks[table.goals[1][-1]]:
            table.goals = [self._shuffled(table.goals[0]), self._shuffled(table.goals[1])]
        table.stock.refill(stock)
        self.begin(0 if ranks[table.goals[0][-1]] > ranks[table.goals[1][-1]] else 1)

    def begin(self, first: int) -> None:
        """Start from what lies in personal packs and stock: deal the hands, let `first` act."""
        self._start_goals = [pile.copy() for pile in self.table.goals]
        self._start_stock = self.table.stock.cards()
        self._history.dealt(self._dealer, PERSONAL_CARDS)
        for seat in range(SEATS):
            self._fill_hand(seat)
        self.to_act = first

    def resume(self, seat: int) -> None:
        """Let a seat act in the position that lies on the table."""
        self._start_goals = [pile.copy() for pile in self.table.goals]
        self._start_stock = self.table.stock.cards()
        self._legal = None
        self.to_act = seat

    def legal(self) -> list[str]:
        """Return the legal moves; empty once the deal is over."""
        moves = self._legal
        if moves is None:
            seat = self.to_act
            if seat is None:
                moves = []
            else:
                table = self.table
                ranks = self._deck.ranks
                moves = legal_moves(
                    ranks[table.goals[seat][-1]],
                    table.hands[seat],
                    ranks,
                    table.tops[seat],
                    table.fits[seat],
                    table.heights,
                    table.first,
                    self.idle >= FORCED_IDLE,
                )
            self._legal = moves
        return moves

    def resolve(self, move: str) -> str:
        """Return the listed form of a legal move or of its equivalent. Raises IllegalMoveError with the reason."""
        legal = self.legal()
        if move in legal:
            return move
        # The one personal pack may also be called by its number.
        plain = "g" + move[2:] if move.startswith("g0>") else move
        seat = self.to_act
        shown = repr(move if len(move) <= SHOWN_MOVE else move[:SHOWN_MOVE] + "…")
        if seat is None:
            raise IllegalMoveError(f"{shown}: the deal is over")
        if plain in HAND_DISCARDS[ACE]:
            raise IllegalMoveError(f"{shown}: an ace may not be discarded")
        if plain not in PARTS:
            raise IllegalMoveError(
                f"{shown} is not a move of this game; one of `legal` is wanted, such as {legal[0]}"
            )
        table = self.table
        tops = table.tops[seat]
        listed = listed_form(plain, tops, table.heights, table.first)
        if listed in legal:
            return listed
        ranks = self._deck.ranks
        held = [ranks[card] for card in table.hands[seat]]
        goal = ranks[table.goals[seat][-1]]
        reason = why_illegal(plain, goal, held, tops, table.heights, legal, self.idle >= FORCED_IDLE)
        raise IllegalMoveError(f"{shown}: {reason}")

    def apply(self, move: str) -> None:
        """Make a listed move. Raises IllegalMoveError when it is not listed."""
        seat = self.to_act
        legal = self._legal
        if legal is None:
            legal = self.legal()
        if seat is None or move not in legal:
            listed = self.resolve(move)
            raise IllegalMoveError(f"{move!r} is listed as {listed}")
        self._legal = None
        kind, source, target = PARTS[move]
        if kind == END_TURN:
            self._history.ended(seat)
            if not self.plays:
                self.idle += 1
            self._end_turn(seat)
            return
        self.idle = 0
        if kind == DISCARD:
            card = self.table.from_hand(seat, source)
            self.table.discard(seat, card, target)
            self._history.discarded(seat, move, card)
            self._end_turn(seat)
        else:
            self._play(seat, move, kind, source, target)

    def passive_move(self) -> str:
        """Return the first legal discard, else the first legal move."""
        legal = self.legal()
        for move in legal:
            if PARTS[move][0] == DISCARD:
                return move
        return legal[0]

    def view(self, seat: int) -> ParlettView:
        """Return what a seat sees."""
        must = "forced" if self.idle >= FORCED_IDLE else None
        return seen_view(self.table, seat, self.turn, self._dealer, must, self.idle, self.plays, self.redeals)

    def take_events(self, seat: int) -> list[Event]:
        """Return what a seat has seen since this was last called, and forget it."""
        return self._history.taken_by(seat)

    def starting_cards(self) -> JsonObject:
        """Return `goals` by seat, bottom to top, and `stock`, front to back, before the hands were dealt."""
        names = self._deck.names
        return {
            "goals": [[names[card] for card in pile] for pile in self._start_goals],
            "stock": [names[card] for card in self._start_stock],
        }

    def copy(self) -> "ParlettDeal":
        """Return an independent deal in the same position, with nothing to tell."""
        twin = ParlettDeal(self.table.copy(), self._seed, self._number, self._dealer)
        twin.to_act = self.to_act
        twin.result = self.result
        twin.idle = self.idle
        twin.plays = self.plays
        twin.redeals = self.redeals
        twin.turn = self.turn
        twin.epoch = self.epoch
        twin._start_goals = self._start_goals
        twin._start_stock = self._start_stock
        return twin

    def _play(self, seat: int, move: str, kind: int, source: int, slot: int) -> None:
        table = self.table
        if kind == PLAY_HAND:
            card = table.from_hand(seat, source)
        elif kind == PLAY_GOAL:
            card = table.goals[seat].pop()
        else:
            card = table.from_side(seat, source)
        finished = table.build(card, slot)
        self._history.played(seat, move, card)
        if kind == PLAY_GOAL and not table.goals[seat]:
            self._finish("won")
            return
        self.plays += 1
        if self.plays >= MAX_PLAYS:
            self._finish("plays")
            return
        if finished:
            self._replenish()
        if kind == PLAY_HAND and not table.hands[seat]:
            self._fill_hand(seat)

    def _end_turn(self, seat: int) -> None:
        if len(self.table.hands[seat]) < HAND_CARDS:
            self._fill_hand(seat)
        self.plays = 0
        if self.turn >= MAX_TURNS:
            self._finish("turns")
            return
        if self.idle >= REDEAL_IDLE:
            if self.redeals >= MAX_REDEALS:
                self._finish("redeals")
                return
            self._redeal()
        self.turn += 1
        self.to_act = 1 - seat

    def _fill_hand(self, seat: int) -> None:
        """Draw up to five; a hand stays short where stock and centre are empty (A-PAR-10)."""
        table = self.table
        stock = table.stock
        wanted = HAND_CARDS - len(table.hands[seat])
        drawn: list[int] = []
        while len(drawn) < wanted:
            # No further than to the card after which the stock may be replenished.
            count = stock.count - LOW_STOCK + 1 if table.dead else stock.count
            if count > wanted - len(drawn):
                count = wanted - len(drawn)
            if count > 0:
                drawn += table.take(seat, count)
            if stock.count < LOW_STOCK:
                self._replenish()
                if not stock.count:
                    break
        if drawn:
            self._history.drew(seat, drawn)

    def _replenish(self) -> None:
        """Shuffle finished piles into a low stock, or the whole centre into an empty one (A-PAR-09)."""
        table = self.table
        count = table.stock.count
        if count >= LOW_STOCK:
            return
        if table.dead:
            self._recycle(table.take_dead())
        elif not count and any(table.heights):
            self._recycle(table.take_centre())

    def _redeal(self) -> None:
        """Gather everything but the personal packs, shuffle, deal five each (A-PAR-12)."""
        self.redeals += 1
        self.idle = 0
        self._recycle(self.table.take_hands_and_sides() + self.table.take_centre())
        for seat in range(SEATS):
            self._fill_hand(seat)

    def _recycle(self, cards: list[int]) -> None:
        """Shuffle cards into what is left of the stock."""
        stock = self.table.stock
        self._history.recycled(len(cards))
        stock.refill(self._shuffled(stock.cards() + cards))

    def _shuffled(self, cards: list[int]) -> list[int]:
        keys = self._deck.keys
        order = shuffled_places([keys[card] for card in cards], self._seed, self._number, self.epoch)
        self.epoch += 1
        return [cards[place] for place in order]

    def _finish(self, reason: str) -> None:
        """End the deal: whoever has fewer personal cards left scores the difference."""
        left = [len(pile) for pile in self.table.goals]
        self.result = DealResult((max(0, left[1] - left[0]), max(0, left[0] - left[1])), reason)
        self.to_act = None
