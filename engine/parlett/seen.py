"""What seats see of a table: what happened, told once to each, and the view of the moment."""

from typing import Final

from engine.game import Event
from engine.parlett.moves import END
from engine.parlett.table import SEATS, Table
from engine.parlett.view import ParlettView
from engine.spite.cards import ACE, JOKER, KING, PRINTED, TWO, Deck
from engine.spite.view import GoalPile

_DEAL: Final = 0
_PLAY: Final = 1
_DISCARD: Final = 2
_END: Final = 3
_DRAW: Final = 4
_RECYCLE: Final = 5

_NAMES: Final = ("deal", "play", "discard", "end", "draw", "recycle")


class History:
    """What happened in a deal, in the shortest form; events are made of it only when a seat asks."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        # What, the seat, the move, the cards, how many.
        self._entries: list[tuple[int, int, str, list[int], int]] = []
        self._told: list[int] = [0] * SEATS

    def dealt(self, dealer: int, personal: int) -> None:
        """Note the deal, and the cards in each personal pack."""
        self._entries.append((_DEAL, dealer, "", [], personal))

    def played(self, seat: int, move: str, card: int) -> None:
        """Note a play to the centre."""
        self._entries.append((_PLAY, seat, move, [card], 0))

    def discarded(self, seat: int, move: str, card: int) -> None:
        """Note a discard."""
        self._entries.append((_DISCARD, seat, move, [card], 0))

    def ended(self, seat: int) -> None:
        """Note the end of a turn without a discard."""
        self._entries.append((_END, seat, END, [], 0))

    def drew(self, seat: int, cards: list[int]) -> None:
        """Note cards drawn; only their owner will be shown them."""
        self._entries.append((_DRAW, seat, "", cards, len(cards)))

    def recycled(self, count: int) -> None:
        """Note cards shuffled into the stock."""
        self._entries.append((_RECYCLE, -1, "", [], count))

    def taken_by(self, seat: int) -> list[Event]:
        """Return what a seat has not been told yet, oldest first."""
        entries = self._entries
        start = self._told[seat]
        end = len(entries)
        self._told[seat] = end
        return [self._event(entries[index], seat) for index in range(start, end)]

    def _event(self, entry: tuple[int, int, str, list[int], int], watcher: int) -> Event:
        kind, seat, move, cards, count = entry
        shown: list[str] | None = None
        if cards and (kind != _DRAW or seat == watcher):
            printed = self._deck.printed
            shown = [printed[card] for card in cards]
        return Event(_NAMES[kind], seat if seat >= 0 else None, move or None, count or None, shown)


def seen_view(
    table: Table, seat: int, turn: int, dealer: int, must: str | None, idle: int, plays: int, redeals: int
) -> ParlettView:
    """Return what a seat sees of a table."""
    printed = table.deck.printed
    texts = table.deck.texts
    spent = table.spent
    unseen = table.unseen_by(seat)
    return ParlettView(
        hand=[printed[card] for card in table.hands[seat]],
        hand_sizes=[len(hand) for hand in table.hands],
        goals=tuple([(_goal_pile(table, owner),) for owner in range(SEATS)]),
        discards=tuple(
            [tuple([tuple([printed[card] for card in pile]) for pile in piles]) for piles in table.discards]
        ),
        centre=table.heights.copy(),
        stock=table.stock.count,
        spent={texts[rank]: spent[rank] for rank in range(ACE, JOKER + 1)},
        unseen={texts[rank]: unseen[rank] for rank in range(ACE, JOKER + 1)},
        turn=turn,
        dealer=dealer,
        must=must,
        idle=idle,
        plays=plays,
        redeals=redeals,
        stands_for=_stands_for(table) if table.memory else None,
    )


def _goal_pile(table: Table, seat: int) -> GoalPile:
    pile = table.goals[seat]
    return GoalPile(table.deck.printed[pile[-1]] if pile else None, len(pile))


def _stands_for(table: Table) -> tuple[tuple[tuple[tuple[str, ...], ...], ...], ...]:
    return tuple(
        [tuple([tuple([_printed_set(ranks) for ranks in sets]) for sets in piles]) for piles in table.sets]
    )


def _printed_set(ranks: int) -> tuple[str, ...]:
    return tuple([PRINTED[rank] for rank in range(TWO, KING + 1) if ranks >> rank & 1])
