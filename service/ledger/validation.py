"""Validation: what a built version must show on a ladder before it is seated there.

It plays a fixture against itself and one against the house's `uniform`. A fault of its own in either fails it, with
the evidence; otherwise it becomes active, and only then the bot's older version steps down. The house's own programs
are not validated: they are part of Malice and of its tests.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.fixtures.days import OPEN_STATES
from service.fixtures.drawing import draw_fixture
from service.ledger.notices import notify_owner
from service.ledger.seating import seat
from service.models import Account, Bot, Entry, Fault, Fixture, FixtureSeat, Ladder, Match, Version
from service.storage.database import Database

SPARRING_BOT = "uniform"
"""The house bot every newcomer meets: it makes any legal move, so it leads into odd corners of the rules."""
MAX_VOID = 2
"""Void fixtures after which a validation fails: nobody can say more than that it could not be played."""

NOT_DETERMINISTIC = (
    "it did not draw against itself, so it does not always make the same move in the same position; "
    "if that is not meant, take all randomness from bot_seed"
)

SELF_PLAY = "against itself"
SPARRING = f"against {SPARRING_BOT}"


@dataclass(frozen=True)
class _Trial:
    """A validation fixture and which of the two it is."""

    test: str
    fixture: Fixture


def validate(database: Database) -> int:
    """Take every validating entry of the open ladders a step further; return how many there are."""
    with database.reading() as session:
        waiting = session.scalars(
            select(Entry.id)
            .join(Ladder, Ladder.id == Entry.ladder_id)
            .where(Entry.status == "validating", Ladder.state == "open")
            .order_by(Entry.id)
        ).all()
    for entry_id in waiting:
        with database.transaction() as session:
            entry = session.get_one(Entry, entry_id, with_for_update=True)
            if entry.status == "validating":
                _advance(session, entry)
    return len(waiting)


def _advance(session: Session, entry: Entry) -> None:
    if session.get_one(Version, entry.version_id).status != "built":
        return
    ladder = session.get_one(Ladder, entry.ladder_id)
    trials = _trials(session, entry)
    fault = _first_fault(session, ladder, entry, trials)
    voids = [trial.fixture.reason for trial in trials if trial.fixture.state == "void"]
    if fault is not None:
        _fail(session, ladder, entry, fault)
    elif len(voids) >= MAX_VOID:
        _fail(session, ladder, entry, f"its fixtures could not be played; the last: {voids[-1]}")
    elif not _await_trials(session, ladder, entry, trials):
        level = all(_drew_itself(session, trial) for trial in trials)
        seat(session, entry, "" if level else NOT_DETERMINISTIC)


def _trials(session: Session, entry: Entry) -> list[_Trial]:
    """Return the entry's validation fixtures, oldest first."""
    seats = session.execute(
        select(FixtureSeat.fixture_id, FixtureSeat.entry_id).where(
            FixtureSeat.fixture_id.in_(
                select(FixtureSeat.fixture_id)
                .join(Fixture, Fixture.id == FixtureSeat.fixture_id)
                .where(FixtureSeat.entry_id == entry.id, Fixture.kind == "validation")
            )
        )
    )
    seated: dict[str, set[str]] = {}
    for row in seats:
        seated.setdefault(row.fixture_id, set()).add(row.entry_id)
    return [
        _Trial(SELF_PLAY if seated[fixture] == {entry.id} else SPARRING, session.get_one(Fixture, fixture))
        for fixture in sorted(seated)
    ]


def _await_trials(session: Session, ladder: Ladder, entry: Entry, trials: Sequence[_Trial]) -> bool:
    """Draw up the next of its trials when none is on its way; return whether there is something to wait for.

    One after the other: a bot that hangs in the first must not hold a slot, and others up, in the second as well.
    """
    partner = _sparring_partner(session, ladder, entry)
    wanted = {SELF_PLAY: [entry] * ladder.sides}
    if partner is not None and partner.status == "active":
        wanted[SPARRING] = [entry] + [partner] * (ladder.sides - 1)
    passed = {trial.test for trial in trials if trial.fixture.state == "done"}
    is_on_trial = any(trial.fixture.state in OPEN_STATES for trial in trials)
    next_test = next((test for test in wanted if test not in passed), None)
    if next_test and not is_on_trial:
        draw_fixture(
            session, ladder=ladder, kind="validation", entries=wanted[next_test], owner_id=entry.owner_id
        )
    partner_not_ready = partner is not None and partner.status != "active"
    return partner_not_ready or not wanted.keys() <= passed


def _sparring_partner(session: Session, ladder: Ladder, entry: Entry) -> Entry | None:
    """Return the entry to play against, perhaps still validating itself; None when there is none but oneself."""
    partners = session.scalars(
        select(Entry)
        .join(Bot, Bot.id == Entry.bot_id)
        .join(Account, Account.id == Bot.owner_id)
        .where(
            Entry.ladder_id == ladder.id,
            Entry.status.in_(("active", "validating")),
            Entry.bot_id != entry.bot_id,
            Bot.name == SPARRING_BOT,
            Account.is_house,
        )
        .order_by(Entry.status, Entry.id)
    )
    return partners.first()


def _first_fault(session: Session, ladder: Ladder, entry: Entry, trials: Sequence[_Trial]) -> str | None:
    """Return the first fault charged to the entry, in words that lead its author to the evidence."""
    for trial in trials:
        row = session.execute(
            select(Fault, Match.deals)
            .join(Match, (Match.fixture_id == Fault.fixture_id) & (Match.leg == Fault.leg))
            .where(Fault.fixture_id == trial.fixture.id, Fault.version_id == entry.version_id)
            .order_by(Fault.leg, Fault.id)
        ).first()
        if row is not None:
            fault, deals = row
            # A leg of two sides stops at the fault, so it happened in the last deal; numbered from 0, as in the log.
            deal = f", deal {deals - 1}" if ladder.sides == 2 else ""
            where = f"fixture {trial.fixture.id} {trial.test}, leg {fault.leg}{deal}, seat {fault.seat}"
            return f"{fault.kind} in {where}: {fault.evidence}"
    return None


def _fail(session: Session, ladder: Ladder, entry: Entry, why: str) -> None:
    entry.status = "failed"
    entry.reason = f"validation failed: {why}"
    notify_owner(session, entry.bot_id, f"{ladder.slug}: {entry.reason}")


def _drew_itself(session: Session, trial: _Trial) -> bool:
    """Whether a self-play fixture was level, as it is for whoever always answers alike."""
    if trial.test != SELF_PLAY or trial.fixture.state != "done":
        return True
    points = select(FixtureSeat.points).where(FixtureSeat.fixture_id == trial.fixture.id).distinct()
    return len(session.scalars(points).all()) == 1
