"""What has happened in a deal, as integers while it is played and as events once somebody asks.

Events of the trick games: `deal` (the dealer; `n` cards each, `cards` the seat's own), `turn` (the card turned), `play`
(`move` and `cards` the card), `rob` (who took the turn-up, `cards`; the robber alone sees in `move` what was laid away),
`stand` (who left the turn-up or had it turned down), `trick` (its winner), `take`, `jink`.
"""

from typing import Final

from engine.game import Event
from engine.tricks.cards import TEXTS
from engine.tricks.moves import JINK_TEXT, ROBS, STAND_TEXT, TAKE_TEXT
from engine.tricks.scoring import HAND_CARDS

TURNED_UP: Final = 0
PLAYED: Final = 1
ROBBED: Final = 2
STOOD: Final = 3
LEFT: Final = 4
TOOK: Final = 5
JINKED: Final = 6
TRICK_WON: Final = 7


def entry(kind: int, seat: int, card: int) -> int:
    """Return something that happened as one integer."""
    return kind << 12 | seat << 6 | card


def events_of(watcher: int, entries: list[int], dealt: list[int], turn_up: int) -> list[Event]:
    """Return the entries as events, with what the watching seat, dealt the cards `dealt`, may see of them."""
    events: list[Event] = []
    for code in entries:
        kind = code >> 12
        seat = code >> 6 & 63
        card = code & 63
        if kind == TURNED_UP:
            hand = [TEXTS[own] for own in dealt]
            events.append(Event("deal", seat, None, HAND_CARDS, hand))
            events.append(Event("turn", None, None, None, [TEXTS[card]]))
        elif kind == PLAYED:
            events.append(Event("play", seat, TEXTS[card], None, [TEXTS[card]]))
        elif kind == ROBBED:
            own = ROBS[card] if seat == watcher else None
            events.append(Event("rob", seat, own, None, [TEXTS[turn_up]]))
        elif kind in (STOOD, LEFT):
            events.append(Event("stand", seat, STAND_TEXT))
        elif kind == TOOK:
            events.append(Event("take", seat, TAKE_TEXT))
        elif kind == JINKED:
            events.append(Event("jink", seat, JINK_TEXT))
        else:
            events.append(Event("trick", seat))
    return events
