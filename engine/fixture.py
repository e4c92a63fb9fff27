"""A fixture: the same decks played once per seat rotation, decided by the aggregate points.

Participants are numbered 0..n-1 in the order drawn for leg 0; in leg k seat s holds participant (s + k) mod n.
"""

from collections.abc import Sequence

import msgspec

from engine.errors import EngineError


class LegResult(msgspec.Struct, frozen=True):
    """What one leg contributes: points by seat of that leg, and the seats charged with a fault in it."""

    points: tuple[int, ...]
    faulted: frozenset[int] = frozenset()


class FixtureResult(msgspec.Struct, frozen=True):
    """The outcome by participant: points over all legs, places (1 is first, equal places are ties), faulted legs."""

    points: tuple[int, ...]
    places: tuple[int, ...]
    faulted_legs: tuple[int, ...]


def participant(leg: int, seat: int, players: int) -> int:
    """Return who sits in a seat of a leg."""
    return (seat + leg) % players


def seat_of(leg: int, participant: int, players: int) -> int:
    """Return where a participant sits in a leg."""
    return (participant - leg) % players


def aggregate(legs: Sequence[LegResult]) -> FixtureResult:
    """Add up all legs, in order.

    A participant with a fault in any leg is placed after all without, whatever the points; several such rank by the
    number of faulted legs, fewest first, and tie where it is equal. Raises EngineError unless there is one leg per seat.
    """
    players = len(legs)
    points = [0] * players
    faulted = [0] * players
    for leg, result in enumerate(legs):
        if len(result.points) != players:
            raise EngineError(
                f"a fixture of {players} legs has {players} seats, leg {leg} has {len(result.points)}"
            )
        for seat, won in enumerate(result.points):
            who = participant(leg, seat, players)
            points[who] += won
            faulted[who] += seat in result.faulted
    # Larger is better: no faulted leg beats any number of points, and between offenders points do not count.
    standing = [(-count, 0 if count else points[who]) for who, count in enumerate(faulted)]
    places = tuple(1 + sum(other > own for other in standing) for own in standing)
    return FixtureResult(tuple(points), places, tuple(faulted))
