"""Where the cards of a deal lie, by family: for tests of what must hold in every game."""

import random
import re
from collections.abc import Iterator
from typing import Any

from engine.game import Deal
from engine.parlett.deal import ParlettDeal
from engine.spite.deal import SpiteDeal
from engine.tricks.cards import CARD_OF, NAMES
from engine.tricks.deal import TrickDeal
from engine.tricks.scoring import HAND_CARDS


def starting_names(deal: Deal) -> list[str]:
    """Return the identities of all cards as the log has them dealt."""
    return list(_strings(deal.starting_cards()))


def all_cards(deal: Deal) -> list[str]:
    """Return the identities of all cards, wherever they lie now."""
    if isinstance(deal, TrickDeal):
        cards = [card for hand in deal.hands for card in hand]
        cards += [card & 63 for card in deal.cards]
        cards.append(deal.laid if deal.robbed >= 0 else deal.turn_up)
        return [NAMES[card] for card in [*cards, *_stock(deal)]]
    names = _table(deal).deck.names
    return [names[card] for card in _on_table(deal)]


def shuffle_hidden(deal: Deal, seat: int, source: random.Random, move: str = "") -> None:
    """Let the cards a seat cannot see, nor infer from what is public, change places at random.

    Cards that a `move` of the seat to act names stay where they are, so that it can still be made.
    """
    if isinstance(deal, TrickDeal):
        _shuffle_tricks(deal, seat, source, move)
    else:
        _shuffle_piles(deal, seat, source, move)


def _table(deal: Deal) -> Any:
    assert isinstance(deal, (SpiteDeal, ParlettDeal))
    return deal.table


def _shuffle_tricks(deal: TrickDeal, seat: int, source: random.Random, move: str) -> None:
    # Everybody knows that who took the turn-up still holds it.
    kept = {deal.turn_up, *(CARD_OF[word] for word in re.split("[ >]", move) if word in CARD_OF)}
    places = [
        (other, index)
        for other, hand in enumerate(deal.hands)
        for index, card in enumerate(hand)
        if other != seat and card not in kept
    ]
    stock = _stock(deal)
    cards = [deal.hands[other][index] for other, index in places] + stock
    hides_laid = deal.robbed >= 0 and deal.robbed != seat
    if hides_laid:
        cards.append(deal.laid)
    source.shuffle(cards)
    if hides_laid:
        deal.laid = cards.pop()
    for other, index in places:
        deal.hands[other][index] = cards.pop()
    deal.hands = [sorted(hand) for hand in deal.hands]
    deal._order = deal._order[: len(deal._order) - len(stock)] + cards
    deal._legal = None


def _on_table(deal: Deal) -> list[int]:
    table = _table(deal)
    cards: list[int] = table.stock.cards() + table.dead
    for pile in (*table.hands, *table.goals, *table.centre):
        cards += pile
    for piles in table.discards:
        for pile in piles:
            cards += pile
    return cards + _aside(deal)


def _shuffle_piles(deal: Deal, seat: int, source: random.Random, move: str) -> None:
    """Exchange the stock, the other hands and the face-down goal cards."""
    table = _table(deal)
    printed = table.deck.printed
    word = move.partition(">")[0].removeprefix("h")
    kept = {word, word[: len(word) // 2]}
    places = [(pile, index) for pile in table.goals for index in range(len(pile) - 1)]
    for other, hand in enumerate(table.hands):
        if other != seat:
            places += [(hand, index) for index, card in enumerate(hand) if printed[card] not in kept]
    stock, aside = table.stock.cards(), _aside(deal)
    cards = [pile[index] for pile, index in places] + stock + aside
    source.shuffle(cards)
    for pile, index in places:
        pile[index] = cards.pop()
    for hand in table.hands:
        hand.sort()
    if isinstance(deal, SpiteDeal):
        deal.table.aside = [cards.pop() for _ in aside]
    table.stock.refill(cards)


def _aside(deal: Deal) -> list[int]:
    """Return the cards that are out of the deal for they could not be shared out (Starturn for three)."""
    return deal.table.aside if isinstance(deal, SpiteDeal) else []


def _stock(deal: TrickDeal) -> list[int]:
    return deal._order[HAND_CARDS * deal.terms.players + 1 :]


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _strings(part)
    else:
        for part in value:
            yield from _strings(part)
