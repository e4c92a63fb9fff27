"""A fixture: the same decks played once per rotation of the sides, decided by the aggregate points.

Participants are numbered 0..n-1 in the order drawn for leg 0, one for each side; in leg k seat s holds participant
(s + k) mod n. Where each plays for himself a side is a seat; else one participant sits in all seats of a side.
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


def participant(leg: int, seat: int, sides: int) -> int:
    """Return who sits in a seat of a leg."""
    return (seat + leg) % sides


def seat_of(leg: int, participant: int, sides: int) -> int:
    """Return the first seat a participant has in a leg; with partners the others follow every `sides` seats."""
    return (participant - leg) % sides


def aggregate(legs: Sequence[LegResult]) -> FixtureResult:
    """Add up all legs, in order: one per side. Partners carry equal points, which count once.

    A participant with a fault in any leg, in any of its seats, is placed after all without, whatever the points; several
    such rank by the number of faulted legs, fewest first, and tie where it is equal. Raises EngineError where the seats
    of a leg do not make up as many sides as there are legs.
    """
    sides = len(legs)
    points = [0] * sides
    faulted = [0] * sides
    for leg, result in enumerate(legs):
        _check_sides(leg, result.points, sides)
        faulted_sides = {seat % sides for seat in result.faulted}
        for side in range(sides):
            who = participant(leg, side, sides)
            points[who] += result.points[side]
            faulted[who] += side in faulted_sides
    # Larger is better: no faulted leg beats any number of points, and between offenders points do not count.
    standing = [(-count, 0 if count else points[who]) for who, count in enumerate(faulted)]
    places = tuple(1 + sum(other > own for other in standing) for own in standing)
    return FixtureResult(tuple(points), places, tuple(faulted))


def _check_sides(leg: int, points: tuple[int, ...], sides: int) -> None:
    seats = len(points)
    if seats == 0 or seats % sides:
        raise EngineError(
            f"a fixture of {sides} legs has {sides} sides, which {seats} seats of leg {leg} cannot be"
        )
    if points != points[:sides] * (seats // sides):
        raise EngineError(f"partners of leg {leg} differ in points: {points} for {sides} sides")
