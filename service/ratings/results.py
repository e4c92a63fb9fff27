"""Results as the ratings see them, and what each does to the standings of its entries. Pure but for the reading."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Integer, select, type_coerce
from sqlalchemy.orm import Session

from service.models import Fixture, FixtureSeat
from service.ratings.update import Rating, Update

ESTABLISHED_AT = 30
"""Rated fixtures after which an entry is no longer provisional and gets a rank."""
RATED_KIND: Final = "ladder"
"""The only kind of fixture that is rated."""


@dataclass(frozen=True, slots=True)
class Seat:
    """What a fixture's result says of one entry."""

    entry_id: str
    place: int
    faulted: bool


@dataclass(frozen=True, slots=True)
class Result:
    """A fixture that was played. Seats are sorted by entry, which also settles the order of ties."""

    fixture_id: str
    sequence: int
    done_us: int
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """All that an entry's results so far amount to; the counts are of rated fixtures."""

    mu: float
    sigma: float
    fixtures: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults: int = 0

    @property
    def rating(self) -> Rating:
        """The rating alone."""
        return Rating(self.mu, self.sigma)


@dataclass(frozen=True, slots=True)
class Change:
    """What one result did to one entry. `outcome` is win (first alone), draw (first with others) or loss."""

    entry_id: str
    outcome: str
    before: Standing
    after: Standing


def take_effect(update: Update, standings: Mapping[str, Standing], result: Result) -> list[Change]:
    """Return what the result does to its entries; those without a standing yet start from the prior."""
    start = Standing(update.prior.mu, update.prior.sigma)
    before = [standings.get(seat.entry_id, start) for seat in result.seats]
    ratings = update([standing.rating for standing in before], [seat.place for seat in result.seats])
    shared = sum(seat.place == 1 for seat in result.seats) > 1
    return [
        _change(seat, shared, standing, rating)
        for seat, standing, rating in zip(result.seats, before, ratings, strict=True)
    ]


def _change(seat: Seat, shared: bool, before: Standing, rating: Rating) -> Change:
    outcome = "loss" if seat.place > 1 else "draw" if shared else "win"
    after = Standing(
        mu=rating.mu,
        sigma=rating.sigma,
        fixtures=before.fixtures + 1,
        wins=before.wins + (outcome == "win"),
        draws=before.draws + (outcome == "draw"),
        losses=before.losses + (outcome == "loss"),
        faults=before.faults + seat.faulted,
    )
    return Change(seat.entry_id, outcome, before, after)


def read_results(session: Session, ladder_id: str, *, rated: bool, above: int, limit: int) -> list[Result]:
    """Return the ladder's results with a sequence number higher than `above`, in order, at most `limit`."""
    fixtures = session.execute(
        select(Fixture.id, Fixture.sequence, Fixture.done_us)
        .where(
            Fixture.ladder_id == ladder_id,
            Fixture.kind == RATED_KIND,
            Fixture.state == "done",
            Fixture.rated.is_(rated),
            Fixture.sequence > above,
        )
        .order_by(Fixture.sequence)
        .limit(limit)
    ).all()
    seats: dict[str, list[Seat]] = {fixture.id: [] for fixture in fixtures}
    # All seats of a fixture that is done have a place; only the type does not know.
    place = type_coerce(FixtureSeat.place, Integer)
    rows = session.execute(
        select(FixtureSeat.fixture_id, FixtureSeat.entry_id, place, FixtureSeat.faulted_legs)
        .where(FixtureSeat.fixture_id.in_(seats))
        .order_by(FixtureSeat.entry_id)
    )
    for fixture_id, entry_id, placed, faulted_legs in rows:
        seats[fixture_id].append(Seat(entry_id, placed, faulted_legs > 0))
    return [
        Result(fixture.id, fixture.sequence, fixture.done_us, tuple(seats[fixture.id]))
        for fixture in fixtures
    ]


def all_results(session: Session, ladder_id: str, chunk: int) -> Iterator[Sequence[Result]]:
    """Yield all results the ratings hold, in order, a chunk at a time."""
    above = -1
    while results := read_results(session, ladder_id, rated=True, above=above, limit=chunk):
        yield results
        above = results[-1].sequence
