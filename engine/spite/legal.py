"""The legal moves of a position, in canonical form and order (A-STD-19)."""

from engine.spite.cards import TWO
from engine.spite.moves import PASS, Moves
from engine.spite.table import Table


def legal_moves(moves: Moves, table: Table, seat: int) -> list[str]:
    """Return the legal moves of the seat to act; never empty.

    Order: goal piles, hand by rank, discard piles, discards by rank, else `pass`; ties by slot. The lowest of several
    equal centre piles stands for all, and so does the lowest empty discard pile.
    """
    if moves.binding:
        return _bound_moves(moves, table, seat)
    ways = table.ways
    legal: list[str] = []
    sources = moves.goal_sources[seat]
    slots = ways[table.goal_tops[sources[0]]]
    if slots:
        _add(legal, moves.goal_plays[0], slots)
    if len(sources) > 1:
        _add(legal, moves.goal_plays[1], ways[table.goal_tops[sources[1]]])
    ranks = table.ranks
    discard_rows = moves.discards[table.empties[seat]]
    discards: list[str] = []
    last = 0
    for card in table.hands[seat]:
        rank = ranks[card]
        if rank != last:
            slots = ways[rank]
            if slots:
                _add(legal, moves.hand_plays[rank], slots)
            discards += discard_rows[rank]
            last = rank
    first, second, third, fourth = table.tops[seat]
    # Mostly none of them fits.
    if ways[first] or ways[second] or ways[third] or ways[fourth]:
        _add_pile_plays(legal, table.tops[seat], moves.pile_plays, ways)
    if moves.partners:
        _add_pile_plays(legal, table.tops[table.plan.partner(seat)], moves.partner_plays, ways)
    if moves.with_pairs:
        discards = _discards_and_pairs(moves, table, seat)
    legal += discards
    if not legal:
        legal.append(PASS)
    return legal


def _add(legal: list[str], plays: list[str], slots: list[int]) -> None:
    for slot in slots:
        legal.append(plays[slot])


def _add_pile_plays(legal: list[str], tops: list[int], rows: list[list[str]], ways: list[list[int]]) -> None:
    for pile, top in enumerate(tops):
        _add(legal, rows[pile], ways[top])


def _discards_and_pairs(moves: Moves, table: Table, seat: int) -> list[str]:
    """Return the discards where pairs may be discarded, too (V7): those of a rank before its pairs."""
    singles = moves.discards[table.empties[seat]]
    pairs = moves.pairs[table.empties[seat]]
    held = table.hand_ranks(seat)
    discards: list[str] = []
    for index in range(len(held)):
        rank = held[index]
        if index == 0 or held[index - 1] != rank:
            discards += singles[rank]
            if index + 1 < len(held) and held[index + 1] == rank:
                discards += pairs[rank]
    return discards


class _Source:
    """A card the seat to act may move."""

    def __init__(self, plays: list[str], rank: int, beneath: int, wins: bool) -> None:
        self.plays: list[str] = plays
        """Its moves by centre slot."""
        self.rank: int = rank
        self.beneath: int = beneath
        """The rank its leaving uncovers for all to see, 0 where it uncovers none."""
        self.wins: bool = wins
        """Whether it is the last goal card."""


def _bound_moves(moves: Moves, table: Table, seat: int) -> list[str]:
    """Return the legal moves where options may bind a seat to certain plays (V2, V5)."""
    sources = _sources(moves, table, seat)
    must = table.must
    if must >= 0:
        needed = table.heights[must] + 1
        return [source.plays[must] for source in sources if source.rank == needed]
    legal: list[str] = []
    if table.plan.forced_low:
        for source in sources:
            if source.rank <= TWO:
                for slot in table.ways[source.rank]:
                    legal.append(source.plays[slot])
        if legal:
            return legal
    seen = _seen_ranks(table, sources)
    for source in sources:
        covered = table.plan.cover and table.plan.wild[source.rank] and not source.wins
        for slot in table.ways[source.rank]:
            if not covered or table.heights[slot] + 2 in seen or table.heights[slot] + 2 == source.beneath:
                legal.append(source.plays[slot])
    legal += _discards_and_pairs(moves, table, seat)
    return legal or [PASS]


def _sources(moves: Moves, table: Table, seat: int) -> list[_Source]:
    """Return the cards the seat may play, in the order their moves are listed."""
    sources: list[_Source] = []
    goals = moves.goal_sources[seat]
    left = 0
    for pile in goals:
        left += len(table.goals[pile])
    for place in range(len(goals)):
        rank = table.goal_tops[goals[place]]
        if rank:
            sources.append(_Source(moves.goal_plays[place], rank, 0, left == 1))
    held = table.hand_ranks(seat)
    for index in range(len(held)):
        if index == 0 or held[index - 1] != held[index]:
            sources.append(_Source(moves.hand_plays[held[index]], held[index], 0, False))
    for number in range(len(table.discards[seat])):
        pile_cards = table.discards[seat][number]
        if pile_cards:
            beneath = table.ranks[pile_cards[-2]] if len(pile_cards) > 1 else 0
            # A height never asks for a wild's own rank, so that a wild beneath covers nothing.
            sources.append(_Source(moves.pile_plays[number], table.tops[seat][number], beneath, False))
    return sources


def _seen_ranks(table: Table, sources: list[_Source]) -> list[int]:
    """Return the natural ranks the seat has in sight: any of them may cover a wild (A-V5a)."""
    return [source.rank for source in sources if not table.plan.wild[source.rank]]
