"""A match as a person reads it: who drew what, played what and where it went, turn by turn.

Cards are named by rank, since suits mean nothing in this family of games. A game whose views are not known here is
still told, move by move, in its own notation.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import msgspec

from engine.replay import Step
from engine.spite.view import SpiteView

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_MOVE = re.compile(r"(?:(?P<goal>g)|h(?P<hand>[^>]+)|d(?P<pile>\d+))>(?P<to>[cd])(?P<slot>\d+)")


@dataclass(frozen=True, slots=True)
class Action:
    """One decision. `card` is empty where the move is told in the game's own notation alone."""

    move: str
    card: str = ""
    source: str = ""
    target: str = ""
    is_goal: bool = False
    stands_for: str = ""
    """The rank a wild card takes in a centre pile."""
    completes: bool = False
    """The centre pile is complete with it."""
    forced: bool = False
    """Made in the place of a bot that has forfeited."""
    drew: Sequence[str] = ()
    """New cards in the middle of the turn."""


@dataclass(slots=True)
class Turn:
    """What one seat did until it was another's turn."""

    seat: int
    drew: Sequence[str]
    """Cards that came into the hand since the seat's last turn."""
    hand: Sequence[str]
    """All it held when it began."""
    actions: list[Action] = field(default_factory=list)
    used_us: int = 0
    """Time charged."""
    goals_left: Sequence[int] = ()
    """By seat, after the turn."""


def tell(steps: Iterable[Step]) -> list[Turn]:
    """Return one deal's turns."""
    turns: list[Turn] = []
    drawn: dict[int, Counter[str]] = {}
    last = None
    for step in steps:
        seat = step.act.seat
        if (key := (seat, _turn_number(step))) != last:
            last = key
            hand = _hand(step.before[seat])
            # The first time a seat comes to act in a deal, its whole hand is new.
            turns.append(Turn(seat, _in_order(drawn.get(seat, Counter(hand)), hand), hand))
            drawn[seat] = Counter()
        turn = turns[-1]
        turn.actions.append(_action(step))
        turn.used_us += step.act.charge_us
        turn.goals_left = _goals_left(step.after)
        for other in drawn:
            if other != seat:
                drawn[other] += Counter(_hand(step.after[other])) - Counter(_hand(step.before[other]))
    return turns


def _action(step: Step) -> Action:
    before, after = step.before[step.act.seat], step.after[step.act.seat]
    found = _MOVE.fullmatch(step.act.move)
    if found is None or not isinstance(before, SpiteView) or not isinstance(after, SpiteView):
        return Action(step.act.move, forced=step.forced)
    slot = int(found["slot"])
    to_centre = found["to"] == "c"
    card, source = _card(found, before, step.act.seat)
    kept = Counter(before.hand) - Counter([card] if found["hand"] else [])
    return Action(
        move=step.act.move,
        card=card,
        source=source,
        target=f"{'centre' if to_centre else 'discard'} {slot}",
        is_goal=found["goal"] is not None,
        stands_for=_stands_for(card, before.centre[slot]) if to_centre else "",
        completes=to_centre and after.centre[slot] == 0 and step.result is None,
        forced=step.forced,
        drew=_in_order(Counter(after.hand) - kept, after.hand),
    )


def _card(move: re.Match[str], view: SpiteView, seat: int) -> tuple[str, str]:
    """Return the rank of the card that moves, and where it comes from."""
    if move["hand"]:
        return move["hand"], "hand"
    if move["pile"]:
        pile = int(move["pile"])
        return view.discards[seat][pile][-1], f"discard {pile}"
    return view.goals[seat][0].top or "", "goal"


def _stands_for(card: str, height: int) -> str:
    needed = RANKS[height]
    return "" if card == needed else needed


def _turn_number(step: Step) -> int:
    view = step.before[step.act.seat]
    return view.turn if isinstance(view, SpiteView) else 0


def _hand(view: msgspec.Struct) -> list[str]:
    return list(view.hand) if isinstance(view, SpiteView) else []


def _goals_left(views: Sequence[msgspec.Struct]) -> tuple[int, ...]:
    view = views[0]
    if not isinstance(view, SpiteView):
        return ()
    return tuple(sum(pile.left for pile in piles) for piles in view.goals)


def _in_order(cards: Counter[str], hand: Sequence[str]) -> tuple[str, ...]:
    """Return these cards in the order a hand lists its ranks."""
    return tuple(rank for rank in dict.fromkeys(hand) for _ in range(cards[rank]))
