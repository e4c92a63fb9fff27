"""A deal of the common game: whose turn it is, what may be moved, what follows from a move, how it ends."""

from collections.abc import Sequence

from engine.chance import shuffled
from engine.errors import IllegalMoveError
from engine.game import DealResult, Event, JsonObject
from engine.spite.cards import Deck
from engine.spite.moves import (
    GOAL,
    HAND,
    MOVES,
    Move,
    legal_moves,
    listed_form,
    why_illegal,
)
from engine.spite.options import DROUGHT_TURNS, HAND_CARDS, Options
from engine.spite.scoring import drawn_points, won_points
from engine.spite.table import Table
from engine.spite.view import SpiteView

SHOWN_MOVE = 40
"""Characters of a wrong move that an error message repeats."""


class SpiteDeal:
    """One deal in progress. Implements `engine.game.Deal`.

    Card identities lie in `table`; everything that happens between two decisions (drawing, turning goal cards,
    recycling, passing the turn on) happens inside `apply`.
    """

    def __init__(
        self, options: Options, deck: Deck, players: int, seed: bytes, number: int, dealer: int
    ) -> None:
        self.table = Table(deck, players)
        self.to_act: int | None = None
        self.result: DealResult | None = None
        self._options = options
        self._deck = deck
        self._players = players
        self._seed = seed
        self._number = number
        self._dealer = dealer
        self._epoch = 0
        self._turn = 1
        self._passes = 0
        self._drought = 0
        self._legal: list[str] | None = None
        self._events: list[list[Event]] = [[] for _ in range(players)]
        self._start = self._lay_out()
        self._begin()

    def legal(self) -> Sequence[str]:
        """Return the legal moves; empty once the deal is over."""
        moves = self._legal
        if moves is None:
            seat = self.to_act
            if seat is None:
                moves = []
            else:
                ranks = self._deck.ranks
                table = self.table
                moves = legal_moves(
                    ranks[table.goals[seat][-1]],
                    [ranks[card] for card in table.hands[seat]],
                    table.tops(seat),
                    table.heights,
                )
            self._legal = moves
        return moves

    def resolve(self, move: str) -> str:
        """Return the listed form of a legal move or of its equivalent. Raises IllegalMoveError with the reason."""
        legal = self.legal()
        if move in legal:
            return move
        # The one goal pile may also be called by its number.
        parsed = MOVES.get("g" + move[2:] if move.startswith("g0>") else move)
        seat = self.to_act
        shown = repr(move if len(move) <= SHOWN_MOVE else move[:SHOWN_MOVE] + "…")
        if seat is None:
            raise IllegalMoveError(f"{shown}: the deal is over")
        if parsed is None:
            raise IllegalMoveError(
                f"{shown} is not a move of this game; one of `legal` is wanted, such as {legal[0]}"
            )
        tops = self.table.tops(seat)
        listed = listed_form(parsed, tops, self.table.heights)
        if listed in legal:
            return listed
        ranks = self._deck.ranks
        hand = [ranks[card] for card in self.table.hands[seat]]
        goal = ranks[self.table.goals[seat][-1]]
        raise IllegalMoveError(f"{shown}: {why_illegal(parsed, goal, hand, tops, self.table.heights)}")

    def apply(self, move: str) -> None:
        """Make a listed move. Raises IllegalMoveError when it is not listed."""
        seat = self.to_act
        if seat is None or move not in self.legal():
            listed = self.resolve(move)
            raise IllegalMoveError(f"{move!r} is listed as {listed}")
        self._legal = None
        parsed = MOVES[move]
        if parsed.kind == "play":
            self._play(seat, move, parsed)
        elif parsed.kind == "discard":
            card = self.table.from_hand(seat, parsed.card)
            self.table.discard(seat, card, parsed.target)
            self._passes = 0
            self._tell(Event("discard", seat, move, None, [self._deck.printed[card]]))
            self._end_turn(seat)
        else:
            self._passes += 1
            self._tell(Event("pass", seat, move))
            if self._passes == self._players:
                self._draw_game("passed")
            else:
                self._end_turn(seat)

    def passive_move(self) -> str:
        """Return the first legal discard, else the first legal move."""
        legal = self.legal()
        for move in legal:
            if MOVES[move].kind == "discard":
                return move
        return legal[0]

    def view(self, seat: int) -> SpiteView:
        """Return what a seat sees."""
        return self.table.view(seat, self._turn, self._dealer)

    def take_events(self, seat: int) -> list[Event]:
        """Return what a seat has seen since this was last called, and forget it."""
        events = self._events[seat]
        if events:
            self._events[seat] = []
        return events

    def starting_cards(self) -> JsonObject:
        """Return `goals` by seat, bottom to top, and `stock`, front to back, before any hand was drawn."""
        names = self._deck.names
        goals, stock = self._start
        return {
            "goals": [[names[card] for card in pile] for pile in goals],
            "stock": [names[card] for card in stock],
        }

    def _lay_out(self) -> tuple[list[list[int]], list[int]]:
        cards = self._shuffled(list(range(len(self._deck))))
        size = self._options.goal
        table = self.table
        for seat in range(self._players):
            table.lay_goals(seat, cards[seat * size : (seat + 1) * size])
            table.turn_goal(seat)
        stock = cards[self._players * size :]
        table.stock.refill(stock)
        return [pile.copy() for pile in table.goals], stock

    def _begin(self) -> None:
        self._tell(Event("deal", self._dealer, None, self._options.goal))
        first = self._first_seat()
        if self._options.hands_dealt_upfront:
            for offset in range(1, self._players):
                self._fill_hand((first + offset) % self._players)
        self.to_act = first
        self._fill_hand(first)

    def _first_seat(self) -> int:
        """Return who takes the first turn (A-STD-03)."""
        first = self._options.first
        if first == "dealer":
            return self._dealer
        if first == "eldest":
            return (self._dealer + 1) % self._players
        table = self.table
        for _ in range(self._options.goal):
            tops = [self._deck.ranks[pile[-1]] for pile in table.goals]
            highest = [seat for seat, top in enumerate(tops) if top == max(tops)]
            if len(highest) == 1:
                return highest[0]
            for seat in highest:
                table.bury_goal(seat)
                table.turn_goal(seat)
        return self._dealer

    def _play(self, seat: int, move: str, parsed: Move) -> None:
        table = self.table
        if parsed.source == HAND:
            card = table.from_hand(seat, parsed.card)
        elif parsed.source == GOAL:
            card = table.from_goal(seat)
            # Minus one, so that the end of this turn makes it none.
            self._drought = -1
        else:
            card = table.from_discards(seat, parsed.card)
        completed = table.build(card, parsed.target)
        self._passes = 0
        self._tell(Event("play", seat, move, None, [self._deck.printed[card]]))
        if not table.goals[seat]:
            self._finish(won_points(seat, [len(pile) for pile in table.goals]), "won")
            return
        if completed and self._is_recycling_due():
            self._recycle()
        if parsed.source == HAND and not table.hands[seat]:
            self._fill_hand(seat)

    def _end_turn(self, seat: int) -> None:
        self._drought += 1
        if self._drought >= DROUGHT_TURNS:
            self._draw_game("drought")
            return
        self._turn += 1
        self.to_act = (seat + 1) % self._players
        self._fill_hand(self.to_act)

    def _fill_hand(self, seat: int) -> None:
        """Draw up to a full hand; end the deal where the cards do not suffice (A-STD-13)."""
        table = self.table
        wanted = HAND_CARDS - len(table.hands[seat])
        if wanted <= 0:
            return
        drawn: list[str] = []
        while len(drawn) < wanted:
            if not table.stock.count:
                if not table.dead:
                    break
                self._recycle()
            drawn.append(self._deck.printed[table.take(seat)])
        if drawn:
            seen = Event("draw", seat, None, len(drawn))
            own = Event("draw", seat, None, len(drawn), drawn)
            for watcher, events in enumerate(self._events):
                events.append(own if watcher == seat else seen)
        if len(drawn) < wanted:
            exhaustion = self._options.exhaustion
            if exhaustion == "on_short_draw" or (exhaustion == "on_failed_draw" and not drawn):
                self._draw_game("exhausted")

    def _is_recycling_due(self) -> bool:
        recycle = self._options.recycle
        if recycle == "lazy":
            return False
        return recycle == "immediate" or len(self.table.dead) >= self._options.threshold

    def _recycle(self) -> None:
        """Shuffle all dead cards into what is left of the stock (A-STD-12)."""
        table = self.table
        cards = table.stock.cards() + table.dead
        self._epoch += 1
        self._tell(Event("recycle", None, None, len(table.dead)))
        table.revive()
        table.stock.refill(self._shuffled(cards))

    def _shuffled(self, cards: list[int]) -> list[int]:
        names = self._deck.names
        numbers = self._deck.numbers
        order = shuffled([names[card] for card in cards], self._seed, self._number, self._epoch)
        return [numbers[name] for name in order]

    def _draw_game(self, reason: str) -> None:
        self._finish(drawn_points([len(pile) for pile in self.table.goals]), reason)

    def _finish(self, points: tuple[int, ...], reason: str) -> None:
        self.result = DealResult(points, reason)
        self.to_act = None

    def _tell(self, event: Event) -> None:
        for events in self._events:
            events.append(event)
