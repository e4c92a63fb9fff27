"""Comparing the ratings shown with ratings worked out from results alone, bit by bit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.models import Entry, RatingEvent
from service.ratings.book import parameters_of, standing_of
from service.ratings.results import Result, Standing, all_results, take_effect
from service.ratings.update import Rating, Update
from service.storage.database import Database

CHUNK = 1_000
"""Fixtures read at once."""
LAST = (1 << 31) - 1
"""No sequence number is higher (the column is an integer of 32 bits)."""
SHOWN_DIFFERENCES = 20
"""A report names this many; all are counted."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that stood in the tables other than results say; None where there is nothing."""

    entry_id: str
    sequence: int | None
    """The fixture's sequence number in the history; None for the entry's standing on the table."""
    shown: object
    rebuilt: object


@dataclass
class RebuildReport:
    """What a rebuild found."""

    fixtures: int = 0
    """Rated fixtures worked through."""
    entries: int = 0
    """Entries compared."""
    different: int = 0
    """Standings and events that differed."""
    differences: list[Difference] = field(default_factory=list)
    """The first of them."""

    @property
    def identical(self) -> bool:
        """Whether everything shown was what the results say, to the last bit."""
        return self.different == 0

    def expect(self, entry_id: str, sequence: int | None, shown: object, rebuilt: object) -> None:
        """Note a difference if there is one."""
        if shown == rebuilt:
            return
        self.different += 1
        if len(self.differences) < SHOWN_DIFFERENCES:
            self.differences.append(Difference(entry_id, sequence, shown, rebuilt))


@dataclass(frozen=True, slots=True)
class Effect:
    """What one fixture did to one entry, as history tells it."""

    fixture_id: str
    done_us: int
    outcome: str
    before: Rating
    after: Standing


Effects = dict[tuple[int, str], Effect]
"""By sequence number and entry."""


def compare(database: Database, ladder_id: str, progress: Callable[[int], object]) -> RebuildReport:
    """Work the ladder's ratings out from the results they hold and compare. Raises UnknownLadderError."""
    report = RebuildReport()
    with database.reading() as session:
        if not database.is_sqlite:
            # One state of the tables for all the reading, as SQLite gives anyway.
            session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
        calculation = Update(parameters_of(session, ladder_id))
        standings: dict[str, Standing] = {}
        above = -1
        for results in all_results(session, ladder_id, CHUNK):
            through = results[-1].sequence
            shown = _shown(session, ladder_id, above, through)
            _expect_effects(report, shown, _rebuilt(calculation, standings, results))
            above = through
            report.fixtures += len(results)
            progress(report.fixtures)
        _expect_effects(report, _shown(session, ladder_id, above, LAST), {})
        start = Standing(calculation.prior.mu, calculation.prior.sigma)
        for entry in session.scalars(select(Entry).where(Entry.ladder_id == ladder_id).order_by(Entry.id)):
            report.entries += 1
            report.expect(entry.id, None, standing_of(entry), standings.get(entry.id, start))
    return report


def _expect_effects(report: RebuildReport, shown: Effects, rebuilt: Effects) -> None:
    for sequence, entry_id in sorted(shown | rebuilt):
        key = (sequence, entry_id)
        report.expect(entry_id, sequence, shown.get(key), rebuilt.get(key))


def _rebuilt(calculation: Update, standings: dict[str, Standing], results: Sequence[Result]) -> Effects:
    """Let the results take effect on `standings` and return what they did."""
    effects: Effects = {}
    for result in results:
        for change in take_effect(calculation, standings, result):
            standings[change.entry_id] = change.after
            effects[result.sequence, change.entry_id] = Effect(
                result.fixture_id, result.done_us, change.outcome, change.before.rating, change.after
            )
    return effects


def _shown(session: Session, ladder_id: str, above: int, through: int) -> Effects:
    events = session.scalars(
        select(RatingEvent).where(
            RatingEvent.ladder_id == ladder_id,
            RatingEvent.sequence > above,
            RatingEvent.sequence <= through,
        )
    )
    return {
        (event.sequence, event.entry_id): Effect(
            event.fixture_id,
            event.done_us,
            event.outcome,
            Rating(event.mu_before, event.sigma_before),
            standing_of(event),
        )
        for event in events
    }
