"""The book of ratings: takes results in and out of the database, one bounded step in one transaction.

The invariant between transactions: the rated fixtures are the ladder's results up to some sequence number, but for
those that arrived behind it; there is a `RatingEvent` for each of their seats and no other; and every entry's columns
equal its newest event.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, delete, func, insert, select, update
from sqlalchemy.orm import Session, aliased

from service.models import Entry, Fixture, FixtureSeat, Ladder, RatingEvent, RatingParameters
from service.ratings.results import (
    ESTABLISHED_AT,
    RATED_KIND,
    Change,
    Result,
    Standing,
    read_results,
    take_effect,
)
from service.ratings.update import Parameters, Update
from service.storage.clock import now_us


class UnknownLadderError(LookupError):
    """There is no ladder, or no rating parameters for it, under this id."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one transaction did, in fixtures; `more` when another is needed."""

    taken_back: int
    rated: int
    more: bool


def parameters_of(session: Session, ladder_id: str) -> Parameters:
    """Return the rating parameters in force. Raises UnknownLadderError or ParametersError."""
    row = session.scalars(
        select(RatingParameters)
        .join(Ladder, Ladder.id == RatingParameters.ladder_id)
        .where(Ladder.id == ladder_id, RatingParameters.number == Ladder.parameters)
    ).one_or_none()
    if row is None:
        raise UnknownLadderError(f"no ladder with rating parameters has the id {ladder_id}")
    return Parameters(row.mu, row.sigma, row.beta, row.tau, row.draw_probability)


def advance(session: Session, ladder_id: str, limit: int) -> Step:
    """Bring the ladder closer to its results: take back at most `limit` fixtures, then rate at most `limit`.

    Locks the ladder, so that there is one writer. Raises UnknownLadderError.
    """
    _lock(session, ladder_id)
    calculation = Update(parameters_of(session, ladder_id))
    first = _first_out_of_step(session, ladder_id)
    if first is None:
        return Step(0, 0, more=False)
    taken_back = take_back(session, ladder_id, first, limit)
    results: Sequence[Result] = []
    if taken_back < limit:
        results = read_results(session, ladder_id, rated=False, above=first - 1, limit=limit)
        _take_in(session, ladder_id, calculation, results)
    _sign(session, ladder_id)
    return Step(taken_back, len(results), more=taken_back == limit or len(results) == limit)


def take_back(session: Session, ladder_id: str, first: int, limit: int) -> int:
    """Take the ladder's newest rated fixtures back, none below `first`, at most `limit`; return how many."""
    newest: list[tuple[int, str]] = []
    for state in ("done", "void"):
        rows = session.execute(
            select(Fixture.sequence, Fixture.id)
            .where(*_of(ladder_id), Fixture.state == state, Fixture.rated, Fixture.sequence >= first)
            .order_by(Fixture.sequence.desc())
            .limit(limit)
        )
        newest += [(row.sequence, row.id) for row in rows]
    taken = sorted(newest, reverse=True)[:limit]
    if not taken:
        return 0
    ids = [fixture_id for _, fixture_id in taken]
    session.execute(update(Fixture).where(Fixture.id.in_(ids)).values(rated=False))
    session.execute(
        delete(RatingEvent).where(RatingEvent.ladder_id == ladder_id, RatingEvent.sequence >= taken[-1][0])
    )
    seats = select(FixtureSeat.entry_id).where(FixtureSeat.fixture_id.in_(ids)).distinct()
    restore(session, ladder_id, session.scalars(seats).all())
    return len(taken)


def restore(session: Session, ladder_id: str, entry_ids: Collection[str]) -> None:
    """Give these entries the standing of their newest event, or the prior where none is left."""
    parameters = parameters_of(session, ladder_id)
    history = aliased(RatingEvent)
    newest = (
        select(func.max(history.sequence))
        .where(history.entry_id == Entry.id)
        .correlate(Entry)
        .scalar_subquery()
    )
    rows = session.execute(
        select(Entry, RatingEvent)
        .outerjoin(RatingEvent, and_(RatingEvent.entry_id == Entry.id, RatingEvent.sequence == newest))
        .where(Entry.id.in_(entry_ids))
    )
    for entry, event in rows:
        show(entry, standing_of(event) if event else Standing(parameters.mu, parameters.sigma))
    session.flush()


def standing_of(row: Entry | RatingEvent) -> Standing:
    """Return the standing a row holds."""
    return Standing(row.mu, row.sigma, row.fixtures, row.wins, row.draws, row.losses, row.faults)


def show(entry: Entry, standing: Standing) -> None:
    """Write a standing into an entry's columns, and what follows from it."""
    entry.mu, entry.sigma = standing.mu, standing.sigma
    entry.fixtures, entry.faults = standing.fixtures, standing.faults
    entry.wins, entry.draws, entry.losses = standing.wins, standing.draws, standing.losses
    entry.provisional = standing.fixtures < ESTABLISHED_AT
    entry.neg_mu_e6 = -round(standing.mu * 1_000_000)


def _of(ladder_id: str) -> tuple[ColumnElement[bool], ...]:
    return (Fixture.ladder_id == ladder_id, Fixture.kind == RATED_KIND)


def _lock(session: Session, ladder_id: str) -> None:
    """Wait until nobody else writes this ladder. SQLite's transactions hold the only write lock anyway."""
    session.execute(select(Ladder.id).where(Ladder.id == ladder_id).with_for_update())


def _first_out_of_step(session: Session, ladder_id: str) -> int | None:
    """The lowest sequence number of a result not taken in, or of a void fixture not taken out."""
    lowest = [
        session.scalars(
            select(func.min(Fixture.sequence)).where(
                *_of(ladder_id), Fixture.state == state, Fixture.rated.is_(rated)
            )
        ).one()
        for state, rated in (("done", False), ("void", True))
    ]
    return min((sequence for sequence in lowest if sequence is not None), default=None)


def _take_in(session: Session, ladder_id: str, calculation: Update, results: Sequence[Result]) -> None:
    ids = {seat.entry_id for result in results for seat in result.seats}
    entries = {entry.id: entry for entry in session.scalars(select(Entry).where(Entry.id.in_(ids)))}
    standings = {entry.id: standing_of(entry) for entry in entries.values()}
    events = []
    for result in results:
        changes = take_effect(calculation, standings, result)
        standings |= {change.entry_id: change.after for change in changes}
        events += list(_rows(ladder_id, result, changes))
    if not events:
        return
    for entry_id, entry in entries.items():
        show(entry, standings[entry_id])
    session.execute(insert(RatingEvent), events)
    rated = [result.fixture_id for result in results]
    session.execute(update(Fixture).where(Fixture.id.in_(rated)).values(rated=True))


def _rows(ladder_id: str, result: Result, changes: Iterable[Change]) -> Iterable[dict[str, object]]:
    for change in changes:
        yield {
            "ladder_id": ladder_id,
            "entry_id": change.entry_id,
            "fixture_id": result.fixture_id,
            "sequence": result.sequence,
            "outcome": change.outcome,
            "mu_before": change.before.mu,
            "sigma_before": change.before.sigma,
            "mu": change.after.mu,
            "sigma": change.after.sigma,
            "fixtures": change.after.fixtures,
            "wins": change.after.wins,
            "draws": change.after.draws,
            "losses": change.after.losses,
            "faults": change.after.faults,
            "done_us": result.done_us,
        }


def _sign(session: Session, ladder_id: str) -> None:
    """Say on the ladder how far the ratings go, since when, and that the rank intervals must follow."""
    through = session.scalars(
        select(func.max(Fixture.sequence)).where(*_of(ladder_id), Fixture.state == "done", Fixture.rated)
    ).one()
    session.execute(
        update(Ladder)
        .where(Ladder.id == ladder_id)
        .values(rated_through=through or 0, as_of_us=now_us(), ranks_due=True)
    )
