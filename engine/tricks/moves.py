"""Moves of the trick games as text, and which of them the rules allow.

`5D` plays a card; whoever was dealt the trump ace may also play his first card as `stand>5D` (the turn-up is turned
down) or `rob 8C>5D` (lay 8C away, take the turn-up, play 5D). `stand` and `rob 8C` are the dealer's answers under a
turned ace; `take` and `jink` those of whoever has won the first three tricks.
"""

from typing import Final

from engine.tricks.cards import CARDS, TEXTS, TRUMP, Ranking

PLAY: Final = 0
STAND_PLAY: Final = 1
ROB_PLAY: Final = 2
STAND: Final = 3
ROB: Final = 4
TAKE: Final = 5
JINK: Final = 6

STAND_TEXT: Final = "stand"
TAKE_TEXT: Final = "take"
JINK_TEXT: Final = "jink"

STAND_PLAYS: Final[list[str]] = [f"stand>{text}" for text in TEXTS]
ROBS: Final[list[str]] = [f"rob {text}" for text in TEXTS]


def move_code(kind: int, laid: int, card: int) -> int:
    """Return a move as one integer: its kind, the card laid away and the card played (0 where there is none)."""
    return kind << 12 | laid << 6 | card


def _all_moves() -> dict[str, int]:
    moves: dict[str, int] = {}
    for card in range(CARDS):
        moves[TEXTS[card]] = move_code(PLAY, 0, card)
    for card in range(CARDS):
        moves[STAND_PLAYS[card]] = move_code(STAND_PLAY, 0, card)
    moves[STAND_TEXT] = move_code(STAND, 0, 0)
    for laid in range(CARDS):
        moves[ROBS[laid]] = move_code(ROB, laid, 0)
    for laid in range(CARDS):
        for card in range(CARDS):
            if card != laid:
                moves[f"rob {TEXTS[laid]}>{TEXTS[card]}"] = move_code(ROB_PLAY, laid, card)
    moves[TAKE_TEXT] = move_code(TAKE, 0, 0)
    moves[JINK_TEXT] = move_code(JINK, 0, 0)
    return moves


MOVES: Final[dict[str, int]] = _all_moves()
"""Every move there can be by its text, as `move_code` gives it, in the order of `Game.moves`."""


def playable(hand: list[int], led: int, ranking: Ranking) -> list[int]:
    """Return the cards of a hand that may be played; `led` is -1 for who leads (3.4 of the rules).

    A trump led asks for a trump, except of who holds only such trumps as outrank it and may be kept (A-SF-06). A plain
    card led asks of who holds its suit for a card of it or a trump.
    """
    if led < 0:
        return hand
    suits = ranking.suits
    suit = suits[led]
    if suit == TRUMP:
        kept = ranking.renege[led]
        trumps: list[int] = []
        bound = False
        for card in hand:
            if suits[card] == TRUMP:
                trumps.append(card)
                if not kept >> card & 1:
                    bound = True
        return trumps if bound else hand
    fitting: list[int] = []
    follows = False
    for card in hand:
        if suits[card] == suit:
            follows = True
            fitting.append(card)
        elif suits[card] == TRUMP:
            fitting.append(card)
    return fitting if follows else hand


def card_moves(hand: list[int], led: int, ranking: Ranking) -> list[str]:
    """Return the legal moves of a seat that has but to play a card, in the deck's order."""
    return [TEXTS[card] for card in playable(hand, led, ranking)]


def ace_moves(
    hand: list[int], led: int, ace: int, turn_up: int, ranking: Ranking, fallen: Ranking
) -> list[str]:
    """Return the legal moves of the trump ace's holder at his first card (A-SF-12): silent, standing, robbing.

    Silence costs the ace its rank from that very card on, so that `fallen` ranks the cards of a silent play (A-SF-07).
    Any card but the ace may be laid away (A-SF-08).
    """
    moves = card_moves(hand, led, fallen)
    moves += [STAND_PLAYS[card] for card in playable(hand, led, ranking)]
    for laid in hand:
        if laid != ace:
            head = ROBS[laid] + ">"
            moves += [head + TEXTS[card] for card in playable(exchanged(hand, laid, turn_up), led, ranking)]
    return moves


def dealer_moves(hand: list[int]) -> list[str]:
    """Return the dealer's answers under a turned ace: `stand`, else a card to lay away for it."""
    return [STAND_TEXT] + [ROBS[laid] for laid in hand]


def exchanged(hand: list[int], laid: int, taken: int) -> list[int]:
    """Return a hand, sorted, with one card exchanged for another."""
    cards = [card for card in hand if card != laid]
    cards.append(taken)
    cards.sort()
    return cards
