"""Deals of trick games for tests: laid out card by card, or played until the tricks fall as wanted."""

import hashlib
from collections.abc import Iterable
from typing import Any

from engine.game import DealResult
from engine.games import game_from_profile
from engine.tricks.cards import CARD_OF, CARDS
from engine.tricks.deal import TrickDeal, dealt
from engine.tricks.moves import JINK_TEXT
from engine.tricks.rules import TrickGame
from engine.tricks.scoring import HAND_CARDS

SEED = hashlib.sha256(b"tricks").digest()
SEARCHED_MOVES = 400
"""Moves tried in a deal before another is taken."""


def new_game(name: str = "spoil-five", players: int = 4, **options: Any) -> TrickGame:
    game = game_from_profile(name, players, options)
    assert isinstance(game, TrickGame)
    return game


def dealt_hands(
    hands: Iterable[str], turn_up: str, game: TrickGame | None = None, dealer: int = 0, carry: int = 0
) -> TrickDeal:
    """Deal hands by seat such as `JD 2C`; hands short of five are filled with cards named nowhere, lowest clubs first."""
    named = [[CARD_OF[text] for text in hand.split()] for hand in hands]
    turned = CARD_OF[turn_up]
    taken = {turned, *(card for hand in named for card in hand)}
    others = [card for card in range(CARDS) if card not in taken]
    full = [hand + [others.pop(0) for _ in range(HAND_CARDS - len(hand))] for hand in named]
    order = [card for hand in full for card in hand] + [turned, *others]
    assert sorted(order) == list(range(CARDS))
    return dealt((game or new_game(players=len(full))).terms, order, dealer, carry)


def late(hands: Iterable[str], turn_up: str, game: TrickGame | None = None, leader: int = 0) -> TrickDeal:
    """Return a deal in which only the cards given are left, equally many to a seat; what came before does not count."""
    named = [hand.split() for hand in hands]
    players = len(named)
    deal = dealt_hands(hands, turn_up, game or new_game(players=players), (leader - 1) % players)
    past = HAND_CARDS - len(named[0])
    for _ in range(past):
        for seat in range(players):
            # The fillers were dealt last.
            spare = [card for card in deal.hands[seat] if card not in [CARD_OF[t] for t in named[seat]]]
            deal.hands[seat].remove(spare[0])
            deal.cards.append(seat << 6 | spare[0])
    if past:
        deal.to_act = leader
    return deal


def to_follow(hand: str, led: str, turn_up: str, order: str = "traditional") -> list[str]:
    """Return the legal moves of a seat with such a hand (of fewer than five) after such a lead."""
    size = len(hand.split())
    spare = [text for text in CARD_OF if text not in {*hand.split(), led, turn_up}][-size + 1 :]
    first = " ".join([led, *(spare if size > 1 else [])])
    deal = late([first, hand], turn_up, new_game(players=2, order=order))
    deal.apply(led)
    return list(deal.legal())


def winner_of(cards: str, trump: str, order: str = "traditional", fallen: bool = False) -> str:
    """Return the card that takes the trick of cards such as `10C 2C`, the first being led."""
    texts = cards.split()
    # Any card of the suit can be the one turned, but not one that is played, nor the ace.
    turn_up = next(f"{rank}{trump}" for rank in ("K", "Q", "9", "8", "7") if f"{rank}{trump}" not in texts)
    deal = late(texts, turn_up, new_game(players=len(texts), order=order))
    if fallen:
        deal._let_fall(texts.index(f"A{trump}"))
    for text in texts:
        deal.apply(text)
    return texts[deal.won.index(1)]


def with_tricks(game: TrickGame, winners: list[int], dealer: int = 0, carry: int = 0) -> TrickDeal:
    """Return a deal played, by legal and silent moves, until the first tricks have gone to these seats."""
    for number in range(200):
        found = _steered(game.deal(SEED, number, dealer, carry), winners, [SEARCHED_MOVES])
        if found is not None:
            return found
    raise AssertionError(f"no deal with tricks to {winners}")


def result_of(game: TrickGame, winners: list[int], dealer: int = 0, carry: int = 0) -> DealResult:
    """Return how a deal ends whose tricks go to these seats; who wins the first three of more jinks."""
    result = with_tricks(game, winners, dealer, carry).result
    assert result is not None
    return result


def _steered(deal: TrickDeal, winners: list[int], budget: list[int]) -> TrickDeal | None:
    done = sum(deal.won)
    if done and deal.leader != winners[done - 1]:
        return None
    if done == len(winners):
        return deal
    if deal.is_jink_asked():
        deal.apply(JINK_TEXT)
    for move in deal.legal():
        if ">" in move or move.startswith("rob"):
            continue
        budget[0] -= 1
        if budget[0] < 0:
            return None
        twin = deal.copy()
        twin.apply(move)
        # Only a completed trick tells whether this way leads anywhere.
        found = _steered(twin, winners, budget)
        if found is not None:
            return found
    return None
