"""A deal of the family: whose turn it is, what may be moved, what follows from a move, how it ends."""

from engine.chance import shuffled_places
from engine.errors import IllegalMoveError
from engine.game import DealResult, Event, JsonObject
from engine.spite.history import (
    DEAL,
    DISCARDED,
    DRAW,
    PAIRED,
    PASSED,
    PLAYED,
    RECYCLED,
    SEAT,
    VALUE,
    events_of,
)
from engine.spite.legal import legal_moves
from engine.spite.moves import DISCARD, GOAL, HAND, PLAY, Move, Moves
from engine.spite.plan import DROUGHT_HANDS, DROUGHT_TURNS, Plan
from engine.spite.refusals import listed_form, shortened, why_illegal
from engine.spite.scoring import drawn_points, won_points
from engine.spite.showing import view_of
from engine.spite.table import Table
from engine.spite.view import SpiteView


class SpiteDeal:
    """One deal in progress. Implements `engine.game.Deal`; `engine.spite.dealing` makes one by shuffling.

    Card identities lie in `table`; everything that happens between two decisions (drawing, turning goal cards,
    recycling, passing the turn on) happens inside `apply`.
    """

    def __init__(self, plan: Plan, moves: Moves, table: Table, seed: bytes, number: int, dealer: int) -> None:
        self.table: Table = table
        self.to_act: int | None = None
        self.result: DealResult | None = None
        self.turn: int = 1
        self.drought: int = 0
        """Turns ended since a goal card was played."""
        self._plan: Plan = plan
        self._players: int = plan.players
        self._full_hand: int = plan.hand
        self._moves: Moves = moves
        self._seed: bytes = seed
        self._number: int = number
        self._dealer: int = dealer
        self._epoch: int = 0
        self._passes: int = 0
        self._refills: int = 0
        """Hands played out in the turn since a goal card was played."""
        self._legal: list[str] | None = None
        self._history: list[int] = []
        self._told: list[int] = [0] * plan.players
        self.dealt: list[int] = []
        """All cards in the order they were dealt in; empty for a deal that was set up."""

    def legal(self) -> list[str]:
        """Return the legal moves; empty once the deal is over."""
        moves = self._legal
        if moves is None:
            seat = self.to_act
            moves = [] if seat is None else legal_moves(self._moves, self.table, seat)
            self._legal = moves
        return moves

    def resolve(self, move: str) -> str:
        """Return the listed form of a legal move or of its equivalent. Raises IllegalMoveError with the reason."""
        legal = self.legal()
        if move in legal:
            return move
        seat = self.to_act
        if seat is None:
            raise IllegalMoveError(f"{shortened(move)}: the deal is over")
        parsed = self._moves.parse(move)
        if parsed is None:
            raise IllegalMoveError(
                f"{shortened(move)} is not a move of this game; one of `legal` is wanted, such as {legal[0]}"
            )
        listed = listed_form(self._moves, self.table, seat, parsed)
        if listed in legal:
            return listed
        raise IllegalMoveError(f"{shortened(move)}: {why_illegal(self.table, seat, parsed)}")

    def apply(self, move: str) -> None:
        """Make a listed move. Raises IllegalMoveError when it is not listed."""
        seat = self.to_act
        parsed = self._moves.named.get(move)
        if seat is None or parsed is None:
            raise self._refusal(move)
        if parsed.kind == DISCARD and self._moves.free_discards:
            # By far the most frequent move of a bad player, and the last to be found in a list.
            table = self.table
            rank = parsed.card
            place = table.place_in_hand(seat, rank)
            if place < 0 or move not in self._moves.discards[table.empties[seat]][rank]:
                raise self._refusal(move)
            self._legal = None
            card = table.lay_away(seat, rank, place, parsed.target)
            self._history.append(parsed.number | card << VALUE | seat << SEAT | DISCARDED)
            self._passes = 0
            self._end_turn(seat)
            return
        legal = self._legal
        if legal is None:
            legal = self.legal()
        if move not in legal:
            raise self._refusal(move)
        self._legal = None
        if parsed.kind == PLAY:
            self._play(seat, parsed)
        elif parsed.kind == DISCARD:
            self._discard(seat, parsed)
        else:
            self._pass(seat, parsed)

    def passive_move(self) -> str:
        """Return the first legal discard, else the first legal move."""
        legal = self.legal()
        for move in legal:
            if self._moves.named[move].kind == DISCARD:
                return move
        return legal[0]

    def view(self, seat: int) -> SpiteView:
        """Return what a seat sees."""
        return view_of(self.table, seat, self.turn, self._dealer)

    def take_events(self, seat: int) -> list[Event]:
        """Return what a seat has seen since this was last called, and forget it."""
        news = self._history[self._told[seat] :]
        self._told[seat] = len(self._history)
        return events_of(news, self._plan.deck, self._moves, seat)

    def starting_cards(self) -> JsonObject:
        """Return `goals`, pile by pile, bottom to top, and `stock`, front to back, before any hand was drawn.

        Where a seat has several goal piles they follow one another; `aside` are cards out of the deal, if there are any.
        Of a deal that was not dealt but set up: what lies there now.
        """
        plan = self._plan
        names = plan.deck.names
        piles = self.table.goals
        stock = self.table.stock.cards()
        if self.dealt:
            piles = [self.dealt[pile * plan.goal : (pile + 1) * plan.goal] for pile in range(len(piles))]
            stock = self.dealt[len(piles) * plan.goal :]
        cards: JsonObject = {
            "goals": [[names[card] for card in pile] for pile in piles],
            "stock": [names[card] for card in stock],
        }
        if self.table.aside:
            cards["aside"] = [names[card] for card in self.table.aside]
        return cards

    def copy(self) -> "SpiteDeal":
        """Return an independent deal in the same position, its event queues empty."""
        twin = SpiteDeal(self._plan, self._moves, self.table.copy(), self._seed, self._number, self._dealer)
        twin.to_act = self.to_act
        twin.result = self.result
        twin.turn = self.turn
        twin.drought = self.drought
        twin._epoch = self._epoch
        twin._passes = self._passes
        twin._refills = self._refills
        twin._legal = self._legal
        twin.dealt = self.dealt
        return twin

    def _refusal(self, move: str) -> IllegalMoveError:
        """Return why a move may not be applied: it is equivalent to a listed one, or else illegal, which this raises."""
        return IllegalMoveError(f"{move!r} is listed as {self.resolve(move)}")

    def begin(self, first: int) -> None:
        """Open the first turn of a deal just laid out; `first` takes it."""
        plan = self._plan
        self._history.append(plan.goal << VALUE | self._dealer << SEAT | DEAL)
        if plan.upfront:
            for offset in range(1, plan.players):
                self._fill_hand((first + offset) % plan.players)
        self.to_act = first
        self._fill_hand(first)

    def _play(self, seat: int, parsed: Move) -> None:
        table = self.table
        plan = self._plan
        source = parsed.source
        if source == HAND:
            hand = table.hands[seat]
            card = hand.pop(table.place_in_hand(seat, parsed.card))
        else:
            owner = plan.partner(seat) if parsed.partner else seat
            if source == GOAL:
                card = table.from_goal(owner * plan.goal_piles + parsed.card)
                # Minus one, so that the end of this turn makes it none.
                self.drought = -1
                self._refills = 0
            else:
                card = table.from_discards(owner, parsed.card)
        completed = table.build(card, parsed.target)
        self._passes = 0
        self._history.append(parsed.number | card << VALUE | seat << SEAT | PLAYED)
        if source == GOAL and self._played_out(seat):
            self._finish(won_points(seat % plan.sides, self._left_by_side(), plan.bonus, plan.value), "won")
            return
        if completed and 0 < plan.recycle_at <= len(table.dead):
            self._recycle()
        if plan.cover:
            table.must = parsed.target if plan.wild[table.ranks[card]] else -1
        if source == HAND and not table.hands[seat]:
            if plan.redraw:
                self._refill(seat)
            else:
                self._end_turn(seat)

    def _discard(self, seat: int, parsed: Move) -> None:
        table = self.table
        what = parsed.number | seat << SEAT | DISCARDED
        for _ in range(parsed.count):
            place = table.place_in_hand(seat, parsed.card)
            card = table.lay_away(seat, parsed.card, place, parsed.target)
            self._history.append(card << VALUE | what)
            what = PAIRED
        self._passes = 0
        self._end_turn(seat)

    def _pass(self, seat: int, parsed: Move) -> None:
        self._passes += 1
        self._history.append(parsed.number | seat << SEAT | PASSED)
        if self._passes == self._plan.players:
            self._draw_game("passed")
        else:
            self._end_turn(seat)

    def _end_turn(self, seat: int) -> None:
        self.drought += 1
        if self.drought >= DROUGHT_TURNS:
            self._draw_game("drought")
            return
        self.turn += 1
        self._refills = 0
        seat += 1
        if seat == self._players:
            seat = 0
        self.to_act = seat
        self._fill_hand(seat)

    def _refill(self, seat: int) -> None:
        """Fill a hand that was played out, unless that goes on for ever (A-STD-15)."""
        self._refills += 1
        if self._refills >= DROUGHT_HANDS:
            self._draw_game("drought")
        else:
            self._fill_hand(seat)

    def _fill_hand(self, seat: int) -> None:
        """Draw up to a full hand; end the deal where the cards do not suffice (A-STD-13)."""
        table = self.table
        hand = table.hands[seat]
        stock = table.stock
        wanted = self._full_hand - len(hand)
        if wanted == 1 and stock.count:
            card = stock.draw(seat)
            hand.append(card)
            hand.sort()
            self._history.append(card << VALUE | seat << SEAT | DRAW)
        elif wanted > 0:
            self._draw(seat, wanted)

    def _draw(self, seat: int, wanted: int) -> None:
        table = self.table
        drawn = table.stock.take(seat, wanted)
        if len(drawn) < wanted and table.dead:
            self._recycle()
            drawn += table.stock.take(seat, wanted - len(drawn))
        if drawn:
            hand = table.hands[seat]
            hand += drawn
            hand.sort()
            for card in drawn:
                self._history.append(card << VALUE | seat << SEAT | DRAW)
        if len(drawn) < wanted:
            exhaustion = self._plan.exhaustion
            if exhaustion == "on_short_draw" or (exhaustion == "on_failed_draw" and not drawn):
                self._draw_game("exhausted")

    def _recycle(self) -> None:
        """Shuffle all dead cards into what is left of the stock (A-STD-12)."""
        table = self.table
        dead = table.revive()
        self._epoch += 1
        self._history.append(len(dead) << VALUE | RECYCLED)
        cards = table.stock.cards() + dead
        keys = self._plan.deck.keys
        names = [keys[card] for card in cards]
        places = shuffled_places(names, self._seed, self._number, self._epoch)
        table.stock.refill([cards[place] for place in places])

    def _played_out(self, seat: int) -> bool:
        """Whether no card is left in any goal pile of the seat's side."""
        for pile in self._plan.goal_sources[seat]:
            if self.table.goals[pile]:
                return False
        return True

    def _left_by_side(self) -> list[int]:
        left = [0] * self._plan.sides
        for seat in range(self._plan.players):
            left[seat % self._plan.sides] += self.table.goals_left(seat)
        return left

    def _draw_game(self, reason: str) -> None:
        self._finish(drawn_points(self._left_by_side(), self._plan.value), reason)

    def _finish(self, points: tuple[int, ...], reason: str) -> None:
        """End the deal with these points by side."""
        plan = self._plan
        self.result = DealResult(tuple([points[seat % plan.sides] for seat in range(plan.players)]), reason)
        self.to_act = None
