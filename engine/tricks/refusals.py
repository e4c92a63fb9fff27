"""Why a move that is not legal is not: messages for the authors of bots."""

from typing import TYPE_CHECKING

from engine.tricks.cards import TEXTS, TRUMP, Ranking, ranking
from engine.tricks.moves import MOVES, PLAY, ROB, ROB_PLAY, STAND, STAND_PLAY, exchanged, playable

if TYPE_CHECKING:
    from engine.tricks.deal import TrickDeal

SHOWN_MOVE = 40
"""Characters of a wrong move that a message repeats."""

SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")


def refusal(deal: "TrickDeal", move: str, led: int, order: Ranking) -> str:
    """Return the message for a move that is not legal; `led` is the card led, or -1, `order` how cards rank now."""
    shown = repr(move if len(move) <= SHOWN_MOVE else move[:SHOWN_MOVE] + "…")
    seat = deal.to_act
    if seat is None:
        return f"{shown}: the deal is over"
    code = MOVES.get(move)
    if code is None:
        wanted = deal.legal()[0]
        return f"{shown} is not a move of this game; one of `legal` is wanted, such as {wanted}"
    return f"{shown}: {_Refusal(deal, seat, led, order).why(code >> 12, code >> 6 & 63, code & 63)}"


class _Refusal:
    """Explains moves of a seat to act."""

    def __init__(self, deal: "TrickDeal", seat: int, led: int, order: Ranking) -> None:
        self._deal = deal
        self._seat = seat
        self._led = led
        self._ranking = order
        self._hand = deal.hands[seat]

    def why(self, kind: int, laid: int, card: int) -> str:
        deal = self._deal
        if deal.is_dealer_asked():
            return self._to_dealer(kind, laid)
        if deal.is_jink_asked():
            return "the first three tricks are won: `take` or `jink` is wanted before the lead"
        if kind == PLAY:
            # To play a card silently is to play it with the ace as the lowest trump.
            silent = deal.may_declare(self._seat)
            return self._card(self._hand, card, ranking(deal.trump, deal.terms.simple, silent))
        if kind in (ROB_PLAY, STAND_PLAY):
            return self._declared(kind, laid, card)
        if kind in (ROB, STAND):
            return (
                "only the dealer says it without a card, before the first lead, when an ace was turned; the holder of the "
                "ace of trumps says it with his first card"
            )
        return "only who has won the first three tricks may take or jink, before he leads to the fourth"

    def _to_dealer(self, kind: int, laid: int) -> str:
        if kind == ROB:
            return f"there is no {TEXTS[laid]} in the hand to lay away"
        return "an ace was turned: the dealer says `stand`, or `rob` and the card he lays away, before anything is played"

    def _declared(self, kind: int, laid: int, card: int) -> str:
        deal = self._deal
        if not deal.may_declare(self._seat):
            if deal.turn_up == deal.ace:
                return "an ace was turned: only the dealer might take it, before the first lead"
            return f"only who was dealt {TEXTS[deal.ace]}, the ace of trumps, may rob or stand, with his first card"
        if kind == STAND_PLAY:
            return self._card(self._hand, card, self._ranking)
        if laid not in self._hand:
            return f"there is no {TEXTS[laid]} in the hand to lay away"
        if laid == deal.ace:
            return f"{TEXTS[laid]}, the ace of trumps, may not be laid away: it is what takes the turn-up"
        return self._card(exchanged(self._hand, laid, deal.turn_up), card, self._ranking)

    def _card(self, hand: list[int], card: int, order: Ranking) -> str:
        """Say why a card cannot be played from a hand."""
        deal = self._deal
        text = TEXTS[card]
        if card not in hand:
            if card == deal.laid and self._seat == deal.robbed:
                return f"the {text} was laid away for the turn-up"
            if self._seat << 6 | card in deal.cards:
                return f"the {text} has been played already"
            return f"there is no {text} in the hand"
        led = TEXTS[self._led]
        fitting = " ".join(TEXTS[other] for other in playable(hand, self._led, order))
        if order.suits[self._led] == TRUMP:
            return f"you must follow trumps: {led}, a trump, was led, and you hold {fitting}"
        suit = SUIT_NAMES[order.suits[self._led]]
        return f"you must follow {suit} or trump: {led} was led, and you may play {fitting}"
