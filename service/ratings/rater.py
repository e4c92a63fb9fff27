"""The rater: keeps a ladder's ratings equal to its results, and can prove that they are.

Results take effect in order of sequence number, whatever order they arrive in: one that arrives behind others takes
those back first. So the ratings depend on the results alone.
"""

from collections.abc import Callable
from typing import Any

from sqlalchemy import delete, update
from sqlalchemy.orm import Session

from service.models import Entry, RatingEvent
from service.ratings.book import advance, parameters_of, take_back
from service.ratings.comparison import RebuildReport, compare
from service.ratings.ranks import renew_ranks
from service.ratings.results import Standing
from service.storage.database import Database

BATCH = 500
"""Fixtures in one transaction: some tenths of a second, in which nobody else can write to SQLite."""

Progress = Callable[[int], Any]
"""Called with the number of fixtures worked through so far."""


def rate(database: Database, ladder_id: str, *, batch: int = BATCH) -> int:
    """Bring the ladder's ratings and rank intervals up to date; return how many fixtures were rated.

    Harmless to repeat, to interrupt and to run in several processes at once. A correction further back than
    `batch` fixtures shows earlier states of the table, each of them right, until it has caught up.
    Raises UnknownLadderError.
    """
    rated = 0
    more = True
    while more:
        with database.transaction() as session:
            step = advance(session, ladder_id, batch)
        rated += step.rated
        more = step.more
    renew_ranks(database, ladder_id)
    return rated


def rebuild(database: Database, ladder_id: str, *, progress: Progress | None = None) -> RebuildReport:
    """Work all ratings out again from the results, and compare them bit by bit with those shown.

    Writes nothing where they are identical, and puts right what is not. Raises UnknownLadderError.
    """
    rate(database, ladder_id)
    report = compare(database, ladder_id, progress or (lambda _: None))
    if not report.identical:
        _start_over(database, ladder_id)
        rate(database, ladder_id)
    return report


def _start_over(database: Database, ladder_id: str) -> None:
    """Take everything back, and whatever else stood in the book that no result accounts for."""
    taken_back = BATCH
    while taken_back == BATCH:
        with database.transaction() as session:
            taken_back = take_back(session, ladder_id, 0, BATCH)
    with database.transaction() as session:
        session.execute(delete(RatingEvent).where(RatingEvent.ladder_id == ladder_id))
        _to_prior(session, ladder_id)


def _to_prior(session: Session, ladder_id: str) -> None:
    parameters = parameters_of(session, ladder_id)
    start = Standing(parameters.mu, parameters.sigma)
    session.execute(
        update(Entry)
        .where(Entry.ladder_id == ladder_id)
        .values(
            mu=start.mu,
            sigma=start.sigma,
            **dict.fromkeys(("fixtures", "wins", "draws", "losses", "faults"), 0),
            provisional=True,
            neg_mu_e6=-round(start.mu * 1_000_000),
        )
    )
