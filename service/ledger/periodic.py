"""Periodic work: who may do it now, and which of it is due.

A tick comes from beat every second and whenever something happened. It is only a knock: the work is done by whichever
ledger process takes the lease in the database, and its clock alone is asked. The lease saves double work; that nothing
goes wrong without it is every duty's own business (compare-and-set, unique keys).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import structlog
from sqlalchemy import ColumnElement, select, update
from sqlalchemy.orm import Session

from service.models import PeriodicLease
from service.storage.clock import SECOND_US, now_us
from service.storage.database import Database
from service.storage.writing import changed_rows, insert_if_absent

LEASE = "periodic"
LEASE_US = 10 * SECOND_US
"""A holder that dies in its work is replaced after this; readiness checks that the lease is no older."""
FREE = ""
"""The holder's name while nobody is at work."""


@dataclass(frozen=True)
class Duty:
    """A piece of periodic work. `every_s` 0 means at every tick."""

    name: str
    every_s: int
    run: Callable[[], Any]


class Periodic:
    """Runs what is due, if this process is the one to do it. `holder` must be unique among all processes."""

    def __init__(self, database: Database, holder: str, duties: Sequence[Duty]) -> None:
        self._database = database
        self._holder = holder
        self._duties = duties
        self._log = structlog.get_logger(__name__)

    def tick(self) -> bool:
        """Run all duties that are due; return whether it was for this process to do.

        A duty that fails is logged and tried again when it is next due; the others go on.
        """
        with self._database.transaction() as session:
            if not take_lease(session, self._holder):
                return False
            due = [duty for duty in self._duties if self._claim(session, duty)]
        for duty in due:
            if not self._renewed():
                return False
            try:
                duty.run()
            except Exception:  # noqa: BLE001 - one duty's failure must not stop the others
                self._log.exception("periodic work failed", duty=duty.name)
        with self._database.transaction() as session:
            release_lease(session, self._holder)
        return True

    def _renewed(self) -> bool:
        with self._database.transaction() as session:
            return take_lease(session, self._holder, _is_held_by(self._holder))

    def _claim(self, session: Session, duty: Duty) -> bool:
        """Whether a duty is due; it is then put off by its interval."""
        if not duty.every_s:
            return True
        insert_if_absent(session, PeriodicLease, name=duty.name, holder=self._holder, until_us=0)
        return bool(
            changed_rows(
                session,
                update(PeriodicLease)
                .where(PeriodicLease.name == duty.name, PeriodicLease.until_us <= now_us())
                .values(holder=self._holder, until_us=now_us() + duty.every_s * SECOND_US),
            )
        )


def take_lease(session: Session, holder: str, condition: ColumnElement[bool] | None = None) -> bool:
    """Take or renew the lease unless somebody else is at work; return whether it is ours now."""
    if condition is None:
        insert_if_absent(session, PeriodicLease, name=LEASE, holder=FREE, until_us=0)
        expired = PeriodicLease.until_us <= now_us()
        condition = expired | PeriodicLease.holder.in_((FREE, holder))
    taken = changed_rows(
        session,
        update(PeriodicLease)
        .where(PeriodicLease.name == LEASE, condition)
        .values(holder=holder, until_us=now_us() + LEASE_US),
    )
    return taken == 1


def release_lease(session: Session, holder: str) -> None:
    """Leave the work to whoever is knocked at next; the lease's time still tells when work was last done."""
    session.execute(
        update(PeriodicLease).where(PeriodicLease.name == LEASE, _is_held_by(holder)).values(holder=FREE)
    )


def is_alive(session: Session) -> bool:
    """Whether periodic work was done within a lease."""
    fresh = select(PeriodicLease).where(PeriodicLease.name == LEASE, PeriodicLease.until_us > now_us())
    return session.scalars(fresh).one_or_none() is not None


def _is_held_by(holder: str) -> ColumnElement[bool]:
    return PeriodicLease.holder == holder
