"""What a move of the Spite & Malice family does: which cards, where from, where to, and what follows from it."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.replay import Step
from engine.spite.view import SpiteView

_TO_QUEEN = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q")
_TO_KING = (*_TO_QUEEN, "K")
_TO_TWELVE = tuple(str(number) for number in range(1, 13))
_TO_FIFTEEN = tuple(str(number) for number in range(1, 16))

_MOVE = re.compile(
    r"(?:h(?P<hand>[^>]+)|(?P<partner>p?)(?:g(?P<goal>\d*)|d(?P<pile>\d+)))>(?P<to>[cd])(?P<slot>\d+)"
)


@dataclass(frozen=True, slots=True)
class Deed:
    """A card, or a pair, that moves. Piles and places are numbered from 0, as in moves."""

    cards: tuple[str, ...]
    source: str
    """`hand`, `goal` or `discard`."""
    pile: int
    """Which goal or discard pile it leaves; 0 for the hand."""
    owner: int
    """Seat whose hand or pile it leaves: a partner's perhaps."""
    to_centre: bool
    slot: int
    stands_for: str = ""
    """The rank a wild card takes in a centre pile."""
    completes: bool = False
    """The centre pile is complete with it."""


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What followed from a move before the next decision."""

    drew: tuple[str, ...]
    """Cards that came into the mover's own hand."""
    shuffled: int
    """Cards from the centre, or finished before, that went back into the stock."""
    redealt: bool
    """Nobody could move: everything but the goal piles was shuffled and dealt anew."""


def ranks_of(rules: Mapping[str, Any]) -> Sequence[str]:
    """Return the ranks a centre pile is built of, lowest first, in the game a rules document describes."""
    match rules.get("game"):
        case "skip-bo":
            return _TO_TWELVE
        case "starturn":
            return _TO_FIFTEEN
        case "parlett":
            return _TO_KING
    return _TO_KING if rules.get("options", {}).get("jokers_to_king") else _TO_QUEEN


def deed_of(step: Step, ranks: Sequence[str]) -> Deed | None:
    """Return what a step moves; None where it moves no card."""
    seat = step.act.seat
    view = step.before[seat]
    found = _MOVE.fullmatch(step.act.move)
    if found is None or not isinstance(view, SpiteView):
        return None
    owner = (seat + len(view.hand_sizes) // 2) % len(view.hand_sizes) if found["partner"] else seat
    cards, source, pile = _cards(found, view, owner)
    slot = int(found["slot"])
    if found["to"] == "d":
        return Deed(cards, source, pile, owner, False, slot)
    needed = ranks[view.centre[slot]]
    return Deed(
        cards=cards,
        source=source,
        pile=pile,
        owner=owner,
        to_centre=True,
        slot=slot,
        stands_for="" if cards[0] == needed else needed,
        completes=needed == ranks[-1],
    )


def aftermath_of(step: Step, deed: Deed | None) -> Aftermath:
    """Return what followed from a step."""
    seat = step.act.seat
    before, after = step.before[seat], step.after[seat]
    if not isinstance(before, SpiteView) or not isinstance(after, SpiteView):
        return Aftermath((), 0, False)
    redealt = _is_redealt(step)
    kept = Counter() if redealt else Counter(before.hand)
    if deed and deed.source == "hand":
        kept -= Counter(deed.cards)
    played = len(deed.cards) if deed and deed.to_centre else 0
    return Aftermath(
        drew=in_order(Counter(after.hand) - kept, after.hand),
        shuffled=max(0, sum(before.spent.values()) + played - sum(after.spent.values())),
        redealt=redealt,
    )


def drawn_by_others(step: Step) -> Mapping[int, Counter[str]]:
    """Return by seat what came into the hands of those who did not act: all they hold where it was dealt anew."""
    redealt = _is_redealt(step)
    drawn: dict[int, Counter[str]] = {}
    for seat, (before, after) in enumerate(zip(step.before, step.after, strict=True)):
        if seat != step.act.seat and isinstance(before, SpiteView) and isinstance(after, SpiteView):
            drawn[seat] = Counter(after.hand) - (Counter() if redealt else Counter(before.hand))
    return drawn


def in_order(cards: Counter[str], hand: Sequence[str]) -> tuple[str, ...]:
    """Return these cards in the order a hand lists its ranks."""
    return tuple(rank for rank in dict.fromkeys(hand) for _ in range(cards[rank]))


def _cards(move: re.Match[str], view: SpiteView, owner: int) -> tuple[tuple[str, ...], str, int]:
    """Return the cards that move, and the kind and number of the pile they leave."""
    if text := move["hand"]:
        # What no hand holds is a pair: a rank written twice.
        return ((text,) if text in view.hand else (text[: len(text) // 2],) * 2), "hand", 0
    if move["pile"]:
        pile = int(move["pile"])
        return (view.discards[owner][pile][-1],), "discard", pile
    pile = int(move["goal"] or 0)
    return (view.goals[owner][pile].top or "",), "goal", pile


def _is_redealt(step: Step) -> bool:
    """Whether all was dealt anew: cards are gone from before a seat that did not act, which no `end` brings about else."""
    if step.act.move != "end":
        return False
    for seat, (before, after) in enumerate(zip(step.before, step.after, strict=True)):
        if seat == step.act.seat or not isinstance(before, SpiteView) or not isinstance(after, SpiteView):
            continue
        fewer = zip(before.discards[seat], after.discards[seat], strict=False)
        if Counter(before.hand) - Counter(after.hand) or any(len(new) < len(old) for old, new in fewer):
            return True
    return False
