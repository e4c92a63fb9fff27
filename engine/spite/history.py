"""What happened in a deal, noted as numbers, and the events that seats are told of it."""

from typing import Final

from engine.game import Event
from engine.spite.cards import Deck
from engine.spite.moves import NUMBER, Moves

DEAL: Final = 0
DRAW: Final = 1
PLAYED: Final = 2
DISCARDED: Final = 3
PAIRED: Final = 4
"""The second card of a pair discarded."""
PASSED: Final = 5
RECYCLED: Final = 6

SEAT: Final = 3
"""Bits an entry is shifted by to hold a seat, and a value: a card, a number of cards or, above a card, a move."""
VALUE: Final = 6

_SEAT_BITS: Final = 7
_CARD_BITS: Final = 511
_NAMES: Final = ("deal", "draw", "play", "discard", "discard", "pass", "recycle")


def events_of(notes: list[int], deck: Deck, moves: Moves, watcher: int) -> list[Event]:
    """Return what a seat is told of these entries; of others' draws only how many cards they took."""
    events: list[Event] = []
    place = 0
    while place < len(notes):
        note = notes[place]
        place += 1
        kind = note & _SEAT_BITS
        seat = note >> SEAT & _SEAT_BITS
        value = note >> VALUE
        if kind == DRAW:
            drawn = [deck.printed[value]]
            # One draw of several cards is an entry for each.
            while place < len(notes) and notes[place] & (1 << VALUE) - 1 == note & (1 << VALUE) - 1:
                drawn.append(deck.printed[notes[place] >> VALUE])
                place += 1
            events.append(Event("draw", seat, None, len(drawn), drawn if seat == watcher else None))
        elif kind == DEAL:
            events.append(Event("deal", seat, None, value))
        elif kind == RECYCLED:
            events.append(Event("recycle", None, None, value))
        else:
            move = moves.texts[note >> NUMBER]
            cards: list[str] | None = None
            if kind != PASSED:
                cards = [deck.printed[value & _CARD_BITS]]
                if place < len(notes) and notes[place] & _SEAT_BITS == PAIRED:
                    cards.append(deck.printed[notes[place] >> VALUE])
                    place += 1
            events.append(Event(_NAMES[kind], seat, move, None, cards))
    return events
