"""A deal of a trick game: whose turn it is, what follows from a move, how it ends."""

from collections.abc import Sequence

from engine.errors import IllegalMoveError
from engine.game import DealResult, Event, JsonObject
from engine.tricks.cards import NAMES, SUIT_CARDS, SUITS, TEXTS, Ranking, ranking
from engine.tricks.history import (
    JINKED,
    LEFT,
    PLAYED,
    ROBBED,
    STOOD,
    TOOK,
    TRICK_WON,
    TURNED_UP,
    entry,
    events_of,
)
from engine.tricks.moves import (
    JINK,
    JINK_TEXT,
    MOVES,
    PLAY,
    ROB,
    ROB_PLAY,
    STAND,
    STAND_PLAY,
    TAKE,
    TAKE_TEXT,
    ace_moves,
    card_moves,
    dealer_moves,
    exchanged,
)
from engine.tricks.refusals import refusal
from engine.tricks.scoring import (
    ENOUGH_TRICKS,
    HAND_CARDS,
    TRICKS,
    Terms,
    forty_five_result,
    pool_at_start,
    spoil_five_result,
)
from engine.tricks.trick import NOBODY, Trick
from engine.tricks.view import Played, TrickView


class TrickDeal:
    """One deal in progress. Implements `engine.game.Deal`; make it with `dealt`.

    `cards` holds what has been played, oldest first, as seat * 64 + card: every completed trick has as many as there
    are seats. Hands are sorted. A deal ends with the reason `won`, `taken`, `jinked`, `jink_failed` or `spoiled`
    (Spoil Five), `won` or `five` (Forty-five).
    """

    def __init__(self, terms: Terms, order: list[int], dealer: int, carry: int) -> None:
        self.to_act: int | None = None
        self.result: DealResult | None = None
        self.terms = terms
        self.dealer = dealer
        self.carry = carry
        self.hands: list[list[int]] = []
        self.cards: list[int] = []
        self.won: list[int] = []
        self.turn_up = order[HAND_CARDS * terms.players]
        self.trump = self.turn_up // SUIT_CARDS
        self.ace = self.trump * SUIT_CARDS
        self.leader = (dealer + 1) % terms.players
        self.robbed = NOBODY
        self.stood = NOBODY
        self.fell = NOBODY
        """The seat that kept silent about the trump ace."""
        self.laid = NOBODY
        """The card laid away for the turn-up."""
        self.jinker = NOBODY
        self._order = order
        self._ranking: Ranking = ranking(self.trump, terms.simple, False)
        self._trick = Trick()
        self._asked_dealer = False
        self._asked_jink = False
        self._legal: list[str] | None = None
        self._history: list[int] = []
        self._told: list[int] = []

    def legal(self) -> Sequence[str]:
        """Return the legal moves; empty once the deal is over.

        Order: cards by suit C D H S and rank; before them what declines (silence, `stand`, `take`), after them what does not.
        """
        moves = self._legal
        if moves is None:
            seat = self.to_act
            moves = [] if seat is None else self._moves_of(seat)
            self._legal = moves
        return moves

    def resolve(self, move: str) -> str:
        """Return a legal move as it is. Raises IllegalMoveError with the reason."""
        if move in self.legal():
            return move
        raise IllegalMoveError(refusal(self, move, self._trick.led, self._ranking))

    def apply(self, move: str) -> None:
        """Make a listed move. Raises IllegalMoveError when it is not listed."""
        seat = self.to_act
        if seat is None or move not in self.legal():
            raise IllegalMoveError(refusal(self, move, self._trick.led, self._ranking))
        self._legal = None
        code = MOVES[move]
        kind = code >> 12
        laid = code >> 6 & 63
        card = code & 63
        if kind == PLAY:
            if self.may_declare(seat):
                self._let_fall(seat)
            self._play(seat, card)
        elif kind == ROB_PLAY:
            self._rob(seat, laid)
            self._play(seat, card)
        elif kind == STAND_PLAY:
            self.stood = seat
            self._note(STOOD, seat, card)
            self._play(seat, card)
        elif kind == TAKE:
            self._asked_jink = False
            self._note(TOOK, seat, 0)
            self._pay(seat, "taken")
        elif kind == JINK:
            self._asked_jink = False
            self.jinker = seat
            self._note(JINKED, seat, 0)
        else:
            self._answer(seat, kind, laid)

    def passive_move(self) -> str:
        """Return the first legal move, which declines whatever can be declined."""
        return self.legal()[0]

    def view(self, seat: int) -> TrickView:
        """Return what a seat sees."""
        players = self.terms.players
        shown = [Played(card >> 6, TEXTS[card & 63]) for card in self.cards]
        tricks = len(shown) // players
        over = self.to_act is None
        return TrickView(
            [TEXTS[card] for card in self.hands[seat]],
            SUITS[self.trump],
            TEXTS[self.turn_up],
            shown[tricks * players :],
            [shown[trick * players : (trick + 1) * players] for trick in range(tricks)],
            self.won.copy(),
            pool_at_start(self.terms, self.carry) if self.terms.has_pool() else None,
            _seat_or_none(self.robbed),
            _seat_or_none(self.stood),
            self._knows_of_fall(seat),
            _seat_or_none(self.jinker),
            self.dealer,
            self.leader,
            tricks if over and tricks else tricks + 1,
            TEXTS[self.laid] if seat == self.robbed else None,
        )

    def take_events(self, seat: int) -> list[Event]:
        """Return what a seat has seen since this was last called, and forget it."""
        told = self._told[seat]
        if told == len(self._history):
            return []
        self._told[seat] = len(self._history)
        return events_of(seat, self._history[told:], self.starting_hand(seat), self.turn_up)

    def starting_cards(self) -> JsonObject:
        """Return `hands` by seat, `turn_up`, and `stock`, the rest, as dealt."""
        names = [NAMES[card] for card in self._order]
        players = self.terms.players
        return {
            "hands": [names[HAND_CARDS * seat : HAND_CARDS * (seat + 1)] for seat in range(players)],
            "turn_up": names[HAND_CARDS * players],
            "stock": names[HAND_CARDS * players + 1 :],
        }

    def starting_hand(self, seat: int) -> list[int]:
        """Return the cards a seat was dealt."""
        return sorted(self._order[HAND_CARDS * seat : HAND_CARDS * (seat + 1)])

    def last_dealt(self, seat: int) -> int:
        """Return the last card a seat was dealt."""
        return self._order[HAND_CARDS * (seat + 1) - 1]

    def copy(self) -> "TrickDeal":
        """Return an independent deal in the same position, its event queues empty."""
        twin = TrickDeal(self.terms, self._order, self.dealer, self.carry)
        twin.to_act = self.to_act
        twin.result = self.result
        twin.hands = [hand.copy() for hand in self.hands]
        twin.cards = self.cards.copy()
        twin.won = self.won.copy()
        twin.leader = self.leader
        twin.robbed = self.robbed
        twin.stood = self.stood
        twin.fell = self.fell
        twin.laid = self.laid
        twin.jinker = self.jinker
        twin._ranking = self._ranking
        twin._trick = self._trick.copy()
        twin._asked_dealer = self._asked_dealer
        twin._asked_jink = self._asked_jink
        twin._legal = self._legal
        twin._told = [0] * self.terms.players
        return twin

    def begin(self) -> None:
        """Deal the hands and ask for the first move."""
        players = self.terms.players
        self.hands = [self.starting_hand(seat) for seat in range(players)]
        self.won = [0] * players
        self._told = [0] * players
        self._note(TURNED_UP, self.dealer, self.turn_up)
        self._asked_dealer = self.turn_up == self.ace
        self.to_act = self.dealer if self._asked_dealer else self.leader

    def is_dealer_asked(self) -> bool:
        """Whether the dealer has yet to say if he takes the turned ace (A-SF-09)."""
        return self._asked_dealer

    def is_jink_asked(self) -> bool:
        """Whether the seat to act has yet to take or jink (A-SF-02)."""
        return self._asked_jink

    def may_declare(self, seat: int) -> bool:
        """Whether a seat holds the trump ace and has not played: only its own legal list may depend on this (A-SF-12)."""
        return (
            len(self.cards) < self.terms.players and self.turn_up != self.ace and self.ace in self.hands[seat]
        )

    def _moves_of(self, seat: int) -> list[str]:
        hand = self.hands[seat]
        if self._asked_dealer:
            return dealer_moves(hand)
        if self._asked_jink:
            return [TAKE_TEXT, JINK_TEXT]
        if self.may_declare(seat):
            fallen = ranking(self.trump, self.terms.simple, True)
            return ace_moves(hand, self._trick.led, self.ace, self.turn_up, self._ranking, fallen)
        return card_moves(hand, self._trick.led, self._ranking)

    def _answer(self, seat: int, kind: int, laid: int) -> None:
        """Do as the dealer says under a turned ace, and let the eldest lead."""
        self._asked_dealer = False
        if kind == ROB:
            self._rob(seat, laid)
        elif kind == STAND:
            self._note(LEFT, seat, 0)
        self.to_act = self.leader

    def _rob(self, seat: int, laid: int) -> None:
        self.robbed = seat
        self.laid = laid
        self.hands[seat] = exchanged(self.hands[seat], laid, self.turn_up)
        self._note(ROBBED, seat, laid)

    def _let_fall(self, seat: int) -> None:
        """Make the trump ace the lowest trump; nobody else is told (3.3 of the rules)."""
        self.fell = seat
        self._ranking = ranking(self.trump, self.terms.simple, True)

    def _play(self, seat: int, card: int) -> None:
        """Put a card into the trick, and complete the trick when it is the last."""
        self.hands[seat].remove(card)
        self.cards.append(seat << 6 | card)
        self._note(PLAYED, seat, card)
        self._trick.add(seat, card, self._ranking)
        players = self.terms.players
        if len(self.cards) % players == 0:
            self._finish_trick(len(self.cards) // players)
        else:
            self.to_act = (seat + 1) % players

    def _finish_trick(self, tricks: int) -> None:
        winner = self._trick.best_seat
        self.won[winner] += 1
        self._trick.clear()
        self._note(TRICK_WON, winner, 0)
        self.leader = winner
        self.to_act = winner
        if not self.terms.is_spoil_five():
            if tricks == TRICKS:
                self._end(forty_five_result(self.terms, self.won, self._trick.best_trump_seat))
        elif self.jinker >= 0:
            if winner != self.jinker:
                self._pay(NOBODY, "jink_failed")
            elif tricks == TRICKS:
                self._pay(winner, "jinked")
        elif self.won[winner] == ENOUGH_TRICKS:
            if tricks == ENOUGH_TRICKS:
                self._asked_jink = True
            else:
                self._pay(winner, "won")
        elif tricks == TRICKS:
            self._pay(NOBODY, "spoiled")

    def _pay(self, winner: int, reason: str) -> None:
        jinked = winner == self.jinker and winner >= 0
        self._end(spoil_five_result(self.terms, winner, reason, jinked, self.dealer, self.carry))

    def _end(self, result: DealResult) -> None:
        self.result = result
        self.to_act = None

    def _knows_of_fall(self, seat: int) -> bool:
        if self.fell < 0:
            return False
        return seat == self.fell or self.fell << 6 | self.ace in self.cards

    def _note(self, kind: int, seat: int, card: int) -> None:
        self._history.append(entry(kind, seat, card))


def dealt(terms: Terms, order: list[int], dealer: int, carry: int) -> TrickDeal:
    """Deal a shuffled pack: five cards to each seat from seat 0 on (A-SF-11), the next is turned, the rest is the stock."""
    deal = TrickDeal(terms, order, dealer, carry)
    deal.begin()
    return deal


def _seat_or_none(seat: int) -> int | None:
    return None if seat < 0 else seat
