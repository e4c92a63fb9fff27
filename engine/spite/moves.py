"""Moves of the common game as text, in tables made once: the hot path only looks them up.

`g>c0` plays the top of the goal pile, `h7>c2` a seven from the hand, `d1>c0` the top of discard pile 1; `h9>d2`
discards a nine; `pass` is the only move of a seat that can do neither.
"""

from typing import Literal, NamedTuple

from engine.spite.cards import ACE, JOKER, KING, PRINTED, QUEEN
from engine.spite.options import CENTRE_SLOTS, DISCARD_PILES

GOAL = 0
HAND = 1
DISCARDS = 2

PASS = "pass"


class Move(NamedTuple):
    """A move taken apart. `source` is GOAL, HAND or DISCARDS; `card` the rank from a hand or the discard pile's index."""

    kind: Literal["play", "discard", "pass"]
    source: int
    card: int
    target: int
    """The centre slot or discard pile it goes to."""


GOAL_PLAYS = [f"g>c{slot}" for slot in range(CENTRE_SLOTS)]
HAND_PLAYS = [[f"h{text}>c{slot}" for slot in range(CENTRE_SLOTS)] for text in PRINTED]
PILE_PLAYS = [[f"d{pile}>c{slot}" for slot in range(CENTRE_SLOTS)] for pile in range(DISCARD_PILES)]
HAND_DISCARDS = [[f"h{text}>d{pile}" for pile in range(DISCARD_PILES)] for text in PRINTED]


def _all_moves() -> dict[str, Move]:
    moves = {PASS: Move("pass", HAND, 0, 0)}
    for slot in range(CENTRE_SLOTS):
        moves[GOAL_PLAYS[slot]] = Move("play", GOAL, 0, slot)
        for pile in range(DISCARD_PILES):
            moves[PILE_PLAYS[pile][slot]] = Move("play", DISCARDS, pile, slot)
        for rank in range(ACE, JOKER + 1):
            moves[HAND_PLAYS[rank][slot]] = Move("play", HAND, rank, slot)
    for rank in range(ACE, JOKER + 1):
        for pile in range(DISCARD_PILES):
            moves[HAND_DISCARDS[rank][pile]] = Move("discard", HAND, rank, pile)
    return moves


MOVES = _all_moves()
"""Every move there can be, by its text."""


def _discard_rows() -> list[list[tuple[str, ...]]]:
    """Discards by the set of empty piles (bit i for pile i) and rank: every pile in use and the lowest empty one."""
    rows = []
    for empty in range(1 << DISCARD_PILES):
        lowest_empty = empty & -empty
        piles = [pile for pile in range(DISCARD_PILES) if not (empty ^ lowest_empty) >> pile & 1]
        banned: list[tuple[str, ...]] = [()] * (ACE + 1)
        rows.append(banned + [tuple(texts[pile] for pile in piles) for texts in HAND_DISCARDS[ACE + 1 :]])
    return rows


_DISCARD_ROWS = _discard_rows()
_NOWHERE: list[int] = []


def legal_moves(goal: int, hand: list[int], tops: list[int], heights: list[int]) -> list[str]:
    """Return the legal moves in canonical form and order (A-STD-19); never empty.

    `goal` is the rank of the goal pile's top, `hand` the ranks held in ascending order, `tops` those of the discard
    piles (0: empty), `heights` those of the centre piles. Order: goal pile, hand by rank, discard piles, discards, else
    `pass`; ties by slot.
    """
    slots = _slots_by_rank(heights)
    ranks = list(dict.fromkeys(hand))
    moves = [GOAL_PLAYS[slot] for slot in slots[goal]]
    for rank in ranks:
        if slots[rank]:
            moves += [HAND_PLAYS[rank][slot] for slot in slots[rank]]
    empty = 0
    for pile in range(DISCARD_PILES):
        rank = tops[pile]
        if rank == 0:
            empty |= 1 << pile
        elif slots[rank]:
            moves += [PILE_PLAYS[pile][slot] for slot in slots[rank]]
    discards = _DISCARD_ROWS[empty]
    for rank in ranks:
        moves += discards[rank]
    if not moves:
        moves.append(PASS)
    return moves


def _slots_by_rank(heights: list[int]) -> list[list[int]]:
    """Return the centre slots each rank may go to; the lowest slot stands for all of equal height."""
    slots = [_NOWHERE] * (JOKER + 1)
    wild: list[int] = []
    for slot in range(CENTRE_SLOTS):
        height = heights[slot]
        if slots[height + 1] is _NOWHERE:
            slots[height + 1] = [slot]
            if height:
                wild.append(slot)
    slots[KING] = wild
    slots[JOKER] = wild
    return slots


def listed_form(move: Move, tops: list[int], heights: list[int]) -> str:
    """Return the form in which `legal_moves` would list a move: an equal centre pile or empty discard slot stands for it."""
    if move.kind == "pass":
        return PASS
    if move.kind == "discard":
        pile = move.target if tops[move.target] else tops.index(0)
        return HAND_DISCARDS[move.card][pile]
    slot = heights.index(heights[move.target])
    if move.source == GOAL:
        return GOAL_PLAYS[slot]
    if move.source == HAND:
        return HAND_PLAYS[move.card][slot]
    return PILE_PLAYS[move.card][slot]


def why_illegal(move: Move, goal: int, hand: list[int], tops: list[int], heights: list[int]) -> str:
    """Say why a move that is not legal is not."""
    if move.kind == "pass":
        return "a seat that can play or discard may not pass"
    if move.source == HAND and move.card not in hand:
        return f"there is no {PRINTED[move.card]} in the hand"
    if move.kind == "discard":
        return "an ace may not be discarded"
    rank = goal if move.source == GOAL else tops[move.card] if move.source == DISCARDS else move.card
    if rank == 0:
        return f"discard pile {move.card} is empty"
    height = heights[move.target]
    if rank > QUEEN:
        return f"a {PRINTED[rank]} cannot open a centre pile"
    return f"centre pile {move.target} needs {PRINTED[height + 1]}, not {PRINTED[rank]}"
