"""Tables of cards as lines of text, for a terminal."""

from collections.abc import Iterator, Sequence

from service.cli.local.story import seat_and_name
from service.narration.narrators import Table
from service.narration.spite_table import SpiteSeat, SpiteTable
from service.narration.trick_table import Trick, TrickSeat, TrickTable

NOTHING = "-"
TOUCHED = "*"
"""Marks where the last move ended."""


def lines_of(table: Table, names: Sequence[str]) -> list[str]:
    """Return a table as lines; `names` by seat."""
    if isinstance(table, TrickTable):
        return list(_tricks(table, names))
    return list(_spite(table, names))


def _spite(table: SpiteTable, names: Sequence[str]) -> Iterator[str]:
    piles = [
        f"{_mark(pile.is_touched)}{pile.slot}: {pile.top or NOTHING} (next {pile.needs})"
        for pile in table.centre
    ]
    yield "centre   " + "   ".join(piles)
    yield f"stock    {table.stock} cards, {table.finished} of completed piles"
    for seat in table.seats:
        yield ""
        yield from _spite_seat(seat, table.pile_name, names[seat.seat])


def _spite_seat(seat: SpiteSeat, pile_name: str, name: str) -> Iterator[str]:
    yield _heading(seat.seat, name, acts=seat.acts)
    goals = ", ".join(f"{goal.top or NOTHING} ({goal.left} left)" for goal in seat.goals)
    yield f"  goal     {goals}"
    yield f"  hand     {_cards(seat.hand)}"
    for pile in seat.discards:
        yield f"  {pile_name} {pile.number}{TOUCHED if pile.is_touched else ''}: {_cards(pile.cards)}"


def _tricks(table: TrickTable, names: Sequence[str]) -> Iterator[str]:
    facts = [f"trumps {table.trump}", f"turned up {table.turn_up}"]
    if table.robbed is not None:
        facts.append(f"taken by {names[table.robbed]}")
    if table.stood is not None:
        facts.append(f"turned down by {names[table.stood]}")
    if table.ace_fell:
        facts.append("the trump ace is the lowest trump")
    if table.pool is not None:
        facts.append(f"pool {table.pool}")
    yield ", ".join(facts)
    for trick in (*table.earlier, table.trick):
        yield _trick(trick, names)
    yield ""
    for seat in table.seats:
        yield _trick_seat(seat, table, names[seat.seat])


def _trick(trick: Trick, names: Sequence[str]) -> str:
    cards = ", ".join(f"{names[played.seat]} {played.card}" for played in trick.cards) or NOTHING
    won = f"; {names[trick.winner]} wins" if trick.winner is not None else ""
    return f"trick {trick.number}  {cards}{won}"


def _trick_seat(seat: TrickSeat, table: TrickTable, name: str) -> str:
    remarks = [f"{seat.tricks} won"]
    if table.has_partners:
        remarks.append(f"side {seat.side}")
    remarks += [word for word, holds in (("deals", seat.is_dealer), ("jinks", seat.is_jinker)) if holds]
    return f"{_heading(seat.seat, name, acts=seat.acts)}: {_cards(seat.hand)}   ({', '.join(remarks)})"


def _heading(seat: int, name: str, *, acts: bool) -> str:
    return f"{'>' if acts else ' '} {seat_and_name(seat, name)}"


def _cards(cards: Sequence[str]) -> str:
    return " ".join(cards) or NOTHING


def _mark(touched: bool) -> str:
    return TOUCHED if touched else ""
