"""The rules of moving said once more, slowly and from the rule text alone, to check the tables against."""

from engine.spite.cards import KING
from engine.spite.deal import SpiteDeal
from engine.spite.moves import DISCARDS, GOAL, MOVES, PASS, Move

_ORDER = {"play": 0, "discard": 1, "pass": 2}


def is_legal(deal: SpiteDeal, move: Move) -> bool:
    """Whether the seat to act may make a move, in any of its equivalent forms."""
    if move.kind == "pass":
        return not any(is_legal(deal, other) for other in MOVES.values() if other.kind != "pass")
    rank = _rank(deal, move)
    if rank is None:
        return False
    if move.kind == "discard":
        return rank != 1
    height = len(deal.table.centre[move.target])
    return height > 0 if rank >= KING else rank == height + 1


def expected_legal(deal: SpiteDeal) -> list[str]:
    """Return one form of every legal move, lowest slot first, in the order the rules name."""
    chosen: dict[tuple[object, ...], str] = {}
    for text, move in sorted(MOVES.items(), key=lambda item: _place_in_order(item[1])):
        if is_legal(deal, move):
            chosen.setdefault(_class(deal, move), text)
    return list(chosen.values())


def _place_in_order(move: Move) -> tuple[int, int, int, int]:
    return (_ORDER[move.kind], move.source, move.card, move.target)


def _class(deal: SpiteDeal, move: Move) -> tuple[object, ...]:
    """What makes two moves the same: source and rank, and a target that cannot be told from another."""
    if move.kind == "pass":
        return (PASS,)
    if move.kind == "discard":
        pile = deal.table.discards[_seat(deal)][move.target]
        return (move.kind, move.card, move.target if pile else "empty")
    return (move.kind, move.source, move.card, len(deal.table.centre[move.target]))


def _rank(deal: SpiteDeal, move: Move) -> int | None:
    """Return the rank of the card a move would move, None where there is no such card."""
    table = deal.table
    ranks = table.deck.ranks
    if move.source == GOAL:
        return ranks[table.goals[_seat(deal)][-1]]
    if move.source == DISCARDS:
        pile = table.discards[_seat(deal)][move.card]
        return ranks[pile[-1]] if pile else None
    return move.card if move.card in [ranks[card] for card in table.hands[_seat(deal)]] else None


def _seat(deal: SpiteDeal) -> int:
    assert deal.to_act is not None
    return deal.to_act
