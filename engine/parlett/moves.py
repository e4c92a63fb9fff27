"""Moves of Parlett's game as text, and which of them are legal: pure functions of ranks and tables made once.

`g>c0` plays the top of the personal pack, `h7>c2` a seven from the hand, `d1>c0` the top of side pile 1; `h9>d2`
discards a nine; `end` ends the turn without a discard.
"""

from typing import Final

from engine.parlett.sides import SIDE_PILES
from engine.spite.cards import ACE, JOKER, PRINTED, TWO

MOST_JOKERS: Final = 4
CENTRE_SLOTS: Final = 12
"""A centre pile starts with an ace or a joker, and there are eight and at most four."""

PLAY_GOAL: Final = 0
PLAY_HAND: Final = 1
PLAY_SIDE: Final = 2
DISCARD: Final = 3
END_TURN: Final = 4

END: Final = "end"

GOAL_PLAYS: Final[list[str]] = [f"g>c{slot}" for slot in range(CENTRE_SLOTS)]
HAND_PLAYS: Final[list[list[str]]] = [
    [f"h{text}>c{slot}" for slot in range(CENTRE_SLOTS)] for text in PRINTED
]
SIDE_PLAYS: Final[list[list[str]]] = [
    [f"d{pile}>c{slot}" for slot in range(CENTRE_SLOTS)] for pile in range(SIDE_PILES)
]
HAND_DISCARDS: Final[list[list[str]]] = [
    [f"h{text}>d{pile}" for pile in range(SIDE_PILES)] for text in PRINTED
]

_DISCARD_ROWS: Final[list[list[list[str]]]] = [
    [[texts[pile] for pile in range(SIDE_PILES) if piles >> pile & 1] for piles in range(1 << SIDE_PILES)]
    for texts in HAND_DISCARDS
]
"""Discards by rank and by the set of side piles that take it (bit i for pile i)."""


def _all_parts() -> dict[str, tuple[int, int, int]]:
    parts: dict[str, tuple[int, int, int]] = {}
    for slot in range(CENTRE_SLOTS):
        parts[GOAL_PLAYS[slot]] = (PLAY_GOAL, 0, slot)
    for rank in range(ACE, JOKER + 1):
        for slot in range(CENTRE_SLOTS):
            parts[HAND_PLAYS[rank][slot]] = (PLAY_HAND, rank, slot)
    for pile in range(SIDE_PILES):
        for slot in range(CENTRE_SLOTS):
            parts[SIDE_PLAYS[pile][slot]] = (PLAY_SIDE, pile, slot)
    for rank in range(TWO, JOKER + 1):
        for pile in range(SIDE_PILES):
            parts[HAND_DISCARDS[rank][pile]] = (DISCARD, rank, pile)
    parts[END] = (END_TURN, 0, 0)
    return parts


PARTS: Final[dict[str, tuple[int, int, int]]] = _all_parts()
"""Every move there can be with four jokers, taken apart.

Its kind; the rank it takes from the hand or the side pile it takes the top of; the slot or side pile it goes to.
"""


def all_moves(jokers: int) -> list[str]:
    """Return every move there can be with so many jokers: personal pack, hand, side piles, discards, `end`."""
    slots = CENTRE_SLOTS - MOST_JOKERS + jokers
    return [
        move for move, (kind, _, target) in PARTS.items() if kind in (DISCARD, END_TURN) or target < slots
    ]


def legal_moves(
    goal: int,
    hand: list[int],
    ranks: list[int],
    tops: list[int],
    fits: int,
    heights: list[int],
    first: list[int],
    forced: bool,
) -> list[str]:
    """Return the legal moves in canonical form and order (A-STD-19); never empty.

    `goal` is the rank on top of the personal pack; `hand` the cards held in ascending order, `ranks` the rank of each
    card; `tops` the ranks on the side piles (0: empty) and `fits` what they take (`engine.parlett.sides`); `heights`
    those of the centre piles and `first` the lowest slot by height (-1: none); `forced` whether both seats were frozen
    (A-PAR-12). Order: personal pack, hand by rank, side piles, discards, `end`; ties by slot.
    """
    twos = first[ACE]
    if goal == ACE or (twos >= 0 and (goal == TWO or TWO in tops)):
        return _compelled(goal, hand, ranks, tops, first)
    if forced:
        return _forced(goal, hand, ranks, tops, first)
    moves: list[str] = []
    slot = first[goal - 1]
    if slot >= 0:
        moves.append(GOAL_PLAYS[slot])
    discards: list[str] = []
    last = 0
    for card in hand:
        rank = ranks[card]
        if rank == last:
            continue
        last = rank
        if rank == JOKER:
            moves += _joker_plays(HAND_PLAYS[JOKER], heights, first)
        else:
            slot = first[rank - 1]
            if slot >= 0:
                moves.append(HAND_PLAYS[rank][slot])
        discards += _DISCARD_ROWS[rank][fits >> 4 * rank & 15]
    for pile in range(SIDE_PILES):
        rank = tops[pile]
        if rank == JOKER:
            moves += _joker_plays(SIDE_PLAYS[pile], heights, first)
        elif rank:
            slot = first[rank - 1]
            if slot >= 0:
                moves.append(SIDE_PLAYS[pile][slot])
    moves += discards
    moves.append(END)
    return moves


def _joker_plays(texts: list[str], heights: list[int], first: list[int]) -> list[str]:
    """Return a joker's plays: onto any pile and into an empty slot."""
    return [texts[slot] for slot in range(len(heights)) if first[heights[slot]] == slot]


def _compelled(goal: int, hand: list[int], ranks: list[int], tops: list[int], first: list[int]) -> list[str]:
    """Return the plays that satisfy a compulsion, of which there must be one (A-PAR-03).

    A natural ace or two on the personal pack must itself be played; an uncovered ace that a two on a side pile could
    cover must be covered by any natural two.
    """
    moves: list[str] = []
    if goal <= TWO and first[goal - 1] >= 0:
        moves.append(GOAL_PLAYS[first[goal - 1]])
    if TWO in tops and first[ACE] >= 0:
        moves += _twos(hand, ranks, tops, first[ACE])
    return moves


def _forced(goal: int, hand: list[int], ranks: list[int], tops: list[int], first: list[int]) -> list[str]:
    """Return the natural aces and twos that can be played, else the end of the turn (A-PAR-12)."""
    moves: list[str] = []
    if goal <= TWO and first[goal - 1] >= 0:
        moves.append(GOAL_PLAYS[first[goal - 1]])
    if hand and ranks[hand[0]] == ACE:
        moves.append(HAND_PLAYS[ACE][first[0]])
    if first[ACE] >= 0:
        moves += _twos(hand, ranks, tops, first[ACE])
    if not moves:
        moves.append(END)
    return moves


def _twos(hand: list[int], ranks: list[int], tops: list[int], slot: int) -> list[str]:
    """Return the plays of natural twos from hand and side piles onto an ace."""
    moves: list[str] = []
    for card in hand:
        if ranks[card] == TWO:
            moves.append(HAND_PLAYS[TWO][slot])
            break
    moves += [SIDE_PLAYS[pile][slot] for pile in range(SIDE_PILES) if tops[pile] == TWO]
    return moves


def listed_form(move: str, tops: list[int], heights: list[int], first: list[int]) -> str:
    """Return the form in which `legal_moves` would list a move: an equal centre pile or empty side slot stands for it."""
    kind, card, target = PARTS[move]
    if kind == END_TURN:
        return END
    if kind == DISCARD:
        return HAND_DISCARDS[card][target if tops[target] else tops.index(0)]
    slot = first[heights[target] if target < len(heights) else 0]
    if kind == PLAY_GOAL:
        return GOAL_PLAYS[slot]
    return HAND_PLAYS[card][slot] if kind == PLAY_HAND else SIDE_PLAYS[card][slot]


def why_illegal(
    move: str, goal: int, held: list[int], tops: list[int], heights: list[int], legal: list[str], forced: bool
) -> str:
    """Say why a move that is not legal is not; `held` are the ranks of the hand."""
    kind, card, target = PARTS[move]
    if kind in (PLAY_HAND, DISCARD) and card not in held:
        return f"there is no {PRINTED[card]} in the hand"
    if kind == PLAY_SIDE and not tops[card]:
        return f"side pile {card} is empty"
    if kind not in (DISCARD, END_TURN):
        rank = goal if kind == PLAY_GOAL else card if kind == PLAY_HAND else tops[card]
        height = heights[target] if target < len(heights) else 0
        if rank not in (height + 1, JOKER):
            return f"centre pile {target} needs {PRINTED[height + 1]}, not {PRINTED[rank]}"
    if legal == [END] and forced:
        return "both seats were frozen, and no ace or two can be played: only `end` is left"
    if END not in legal:
        why = "both seats were frozen" if forced else "an ace or two must go to the centre"
        return f"{why}, so one of {', '.join(legal)} is wanted"
    return f"side pile {target} does not take {PRINTED[card]}"
