"""Tickets: everything a play worker needs to play a fixture, and nothing more."""

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from service.messages import Clock, Ticket, TicketSeat
from service.models import Bundle, Fixture, FixtureSeat, Ladder, Version


def make_ticket(session: Session, fixture_id: str) -> Ticket:
    """Return the ticket of a fixture's current attempt."""
    fixture = session.get_one(Fixture, fixture_id, populate_existing=True)
    ladder = session.get_one(Ladder, fixture.ladder_id)
    return Ticket(
        fixture=fixture.id,
        attempt=fixture.attempt,
        rules=ladder.rules,
        seed=fixture.seed,
        target=ladder.target,
        clock=msgspec.convert(ladder.clock, Clock),
        seats=_seats(session, fixture_id),
    )


def _seats(session: Session, fixture_id: str) -> list[TicketSeat]:
    rows = session.execute(
        select(FixtureSeat.version_id, FixtureSeat.bundle, Bundle.runtime, Version.entry)
        .join(Version, Version.id == FixtureSeat.version_id)
        .join(Bundle, (Bundle.version_id == FixtureSeat.version_id) & (Bundle.digest == FixtureSeat.bundle))
        .where(FixtureSeat.fixture_id == fixture_id)
        .order_by(FixtureSeat.seat)
    )
    return [
        TicketSeat(version=version, bundle=bundle, runtime=runtime, entry=entry)
        for version, bundle, runtime, entry in rows
    ]
