"""Moves that are not listed: the listed form of an equivalent one, or why there is none."""

from typing import Final

from engine.spite.cards import ACE, TWO
from engine.spite.moves import DISCARD, GOAL, HAND, PASS, PASSING, Move, Moves
from engine.spite.table import Table

SHOWN_MOVE: Final = 40
"""Characters of a wrong move that an error message repeats."""


def shortened(move: str) -> str:
    """Return a wrong move as an error message shows it."""
    return repr(move if len(move) <= SHOWN_MOVE else move[:SHOWN_MOVE] + "…")


def listed_form(moves: Moves, table: Table, seat: int, move: Move) -> str:
    """Return the form in which a move would be listed: an equal centre pile or empty discard pile stands for it.

    A pile that must be covered has no equal. Returns "" for a move to a centre pile that is not there.
    """
    if move.kind == PASSING:
        return PASS
    if move.kind == DISCARD:
        tops = table.tops[seat]
        pile = move.target if tops[move.target] else tops.index(0)
        return moves.text_of(move, pile)
    if move.target >= len(table.heights):
        return ""
    slot = move.target if table.must >= 0 else table.heights.index(table.heights[move.target])
    return moves.text_of(move, slot)


def why_illegal(table: Table, seat: int, move: Move) -> str:
    """Say why a move that is not legal is not."""
    texts = table.plan.deck.texts
    if move.kind == PASSING:
        return "a seat that can play or discard may not pass"
    if move.source == HAND:
        held = table.hand_ranks(seat).count(move.card)
        if held == 0:
            return f"there is no {texts[move.card]} in the hand"
        if held < move.count:
            return f"there is only one {texts[move.card]} in the hand"
    if table.must >= 0:
        needed = texts[table.heights[table.must] + 1]
        return f"the wild on centre pile {table.must} must be covered first, with a {needed}"
    problem = _why_not_discarded(table, move) if move.kind == DISCARD else _why_not_played(table, seat, move)
    return problem or "an ace or a two that can be played must be played first"


def _why_not_discarded(table: Table, move: Move) -> str:
    if table.plan.ace_ban and move.card == ACE:
        return "an ace may not be discarded"
    return ""


def _why_not_played(table: Table, seat: int, move: Move) -> str:
    plan = table.plan
    texts = plan.deck.texts
    rank = _rank_moved(table, seat, move)
    if rank == 0:
        return f"{_called(plan.goal_piles, move)} is empty"
    if move.target >= len(table.heights):
        return f"there is no centre pile {move.target}"
    height = table.heights[move.target]
    if not plan.wild[rank]:
        if rank == height + 1:
            return ""
        return f"centre pile {move.target} needs {texts[height + 1]}, not {texts[rank]}"
    if plan.wild_at[height]:
        if not plan.cover or _is_low_forced(table, seat):
            return ""
        return f"there is no {texts[height + 2]} in sight to cover the {texts[rank]} with"
    if height == 0:
        return f"a {texts[rank]} cannot open a centre pile"
    return f"a {texts[rank]} cannot stand for {texts[height + 1]}"


def _is_low_forced(table: Table, seat: int) -> bool:
    """Whether the seat can play a natural ace or two and is bound to (V2)."""
    plan = table.plan
    tops = [table.goal_tops[pile] for pile in plan.goal_sources[seat]]
    ranks = [*tops, *table.hand_ranks(seat), *table.tops[seat]]
    return plan.forced_low and any(rank in ranks and table.ways[rank] for rank in (ACE, TWO))


def _rank_moved(table: Table, seat: int, move: Move) -> int:
    """Return the rank of the card a play would move, 0 where its pile is empty."""
    if move.source == HAND:
        return move.card
    owner = table.plan.partner(seat) if move.partner else seat
    if move.source == GOAL:
        return table.goal_tops[owner * table.plan.goal_piles + move.card]
    return table.tops[owner][move.card]


def _called(goal_piles: int, move: Move) -> str:
    """Name the pile a play would come from."""
    whose = "the partner's " if move.partner else ""
    if move.source == GOAL:
        return f"{whose or 'the '}goal pile" if goal_piles == 1 else f"goal pile {move.card}"
    return f"{whose}discard pile {move.card}"
