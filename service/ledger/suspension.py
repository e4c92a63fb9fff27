"""Taking entries off the ladder that only spoil it, with a notice to their owners."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from service.ledger.notices import notify_owner
from service.models import Entry, Fixture, FixtureSeat, Ladder
from service.storage.writing import changed_rows

RECENT_FIXTURES = 20
"""How many of an entry's rated fixtures are looked at, the newest."""
MAX_FAULTED = 10
"""Of these, how many with a fault of its own suspend it."""
MIN_OWNERS = 3
"""Against how many owners at least, so that nobody is suspended by a single opponent's doing."""


@dataclass(frozen=True)
class _Recent:
    fixture: str
    faulted: bool


def suspend_for_faults(session: Session, fixture_id: str) -> None:
    """Suspend the entries that were charged with a fault in this rated fixture and in too many before it."""
    charged = session.scalars(
        select(Entry)
        .join(FixtureSeat, FixtureSeat.entry_id == Entry.id)
        .join(Fixture, Fixture.id == FixtureSeat.fixture_id)
        .where(Fixture.id == fixture_id, Fixture.kind == "ladder", FixtureSeat.faulted_legs > 0)
        .order_by(Entry.id)
    )
    for entry in charged:
        recent = _recent(session, entry)
        faulted = [one.fixture for one in recent if one.faulted]
        if len(faulted) >= MAX_FAULTED and _owners_met(session, entry, faulted) >= MIN_OWNERS:
            suspend(session, entry, f"faults in {len(faulted)} of its last {len(recent)} rated fixtures")


def suspend_version(session: Session, version_id: str, why: str) -> None:
    """Suspend a version on every ladder."""
    entries = select(Entry).where(Entry.version_id == version_id).order_by(Entry.id)
    for entry in session.scalars(entries).all():
        suspend(session, entry, why)


def suspend(session: Session, entry: Entry, why: str) -> bool:
    """Suspend an entry and tell its owner; return whether it was on the ladder."""
    reason = f"suspended: {why}; look at the evidence on its fixtures' pages and upload a version that holds"
    changed = changed_rows(
        session,
        update(Entry)
        .where(Entry.id == entry.id, Entry.status.in_(("validating", "active")))
        .values(status="suspended", reason=reason),
    )
    if changed:
        ladder = session.get_one(Ladder, entry.ladder_id)
        notify_owner(session, entry.bot_id, f"{ladder.slug}: {reason}")
    return bool(changed)


def _recent(session: Session, entry: Entry) -> Sequence[_Recent]:
    """The entry's newest rated fixtures since it became active: what went before is forgiven."""
    rows = session.execute(
        select(FixtureSeat.fixture_id, FixtureSeat.faulted_legs)
        .join(Fixture, Fixture.id == FixtureSeat.fixture_id)
        .where(
            FixtureSeat.entry_id == entry.id,
            Fixture.kind == "ladder",
            Fixture.state == "done",
            Fixture.created_us >= (entry.activated_us or 0),
        )
        .order_by(FixtureSeat.fixture_id.desc())
        .limit(RECENT_FIXTURES)
    )
    return [_Recent(row.fixture_id, row.faulted_legs > 0) for row in rows]


def _owners_met(session: Session, entry: Entry, fixtures: Sequence[str]) -> int:
    """How many owners other than its own the entry met in these fixtures."""
    owners = session.scalars(
        select(Entry.owner_id)
        .join(FixtureSeat, FixtureSeat.entry_id == Entry.id)
        .where(FixtureSeat.fixture_id.in_(fixtures), Entry.owner_id != entry.owner_id)
        .distinct()
    )
    return len(owners.all())
