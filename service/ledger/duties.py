"""The list of periodic work: what, how often, in which order."""

from collections.abc import Sequence

import structlog
from sqlalchemy import select

from service.blobs import BlobStore
from service.fixtures.days import open_days, reveal_days
from service.ledger import disk
from service.ledger.dispatcher import dispatch
from service.ledger.matchmaker import draw_rounds
from service.ledger.periodic import Duty
from service.ledger.sweeper import sweep
from service.ledger.validation import validate
from service.ledger.workers import retire_silent
from service.models import Fixture, Ladder
from service.publishing import Publisher
from service.ratings.rater import rate
from service.settings import Settings
from service.storage.clock import now_us
from service.storage.database import Database

SWEEP_S = 2
RATE_S = 5
WORKERS_S = 30
DAYS_S = 60
BUDGET_S = 60


class Duties:
    """The periodic work of one installation, with what it needs."""

    def __init__(
        self, database: Database, blobs: BlobStore, publisher: Publisher, settings: Settings
    ) -> None:
        self._database = database
        self._blobs = blobs
        self._publisher = publisher
        self._settings = settings
        self._log = structlog.get_logger(__name__)
        self._paused = False

    def all(self) -> Sequence[Duty]:
        """Every duty, in the order in which one tick does them: what frees slots before what fills them."""
        return [
            Duty("sweep", SWEEP_S, lambda: sweep(self._database)),
            Duty("validate", 0, lambda: validate(self._database)),
            Duty("rate", RATE_S, self.rate_all),
            Duty("draw", 0, self.draw),
            Duty("dispatch", 0, self.dispatch),
            Duty("workers", WORKERS_S, self.retire_workers),
            Duty("days", DAYS_S, self.turn_days),
            Duty("budget", BUDGET_S, self.keep_to_budget),
        ]

    def dispatch(self) -> None:
        """Send work out, unless the disk is nearly full: what is played must be stored."""
        paused = not disk.has_room(self._blobs, self._settings.disk_reserve_mb)
        if paused != self._paused:
            self._paused = paused
            report = self._log.warning if paused else self._log.info
            report("dispatch paused: the disk is nearly full" if paused else "dispatch goes on")
        if not paused:
            dispatch(self._database, self._publisher)

    def draw(self) -> None:
        """Draw up the fixtures the open ladders need, alone even if another process thinks the lease is its own."""
        with self._database.transaction() as session:
            session.execute(select(Ladder.id).order_by(Ladder.id).with_for_update())
            draw_rounds(session, session.scalars(select(now_us())).one())

    def rate_all(self) -> None:
        """Rate the ladders whose ratings lag behind: those whose hint got lost, and where a result was voided."""
        lagging = select(Fixture.id).where(
            Fixture.ladder_id == Ladder.id,
            Fixture.kind == "ladder",
            ((Fixture.state == "done") & ~Fixture.rated) | ((Fixture.state == "void") & Fixture.rated),
        )
        wanted = select(Ladder.id).where(lagging.exists() | Ladder.ranks_due).order_by(Ladder.id)
        with self._database.reading() as session:
            ladders = session.scalars(wanted).all()
        for ladder in ladders:
            rate(self._database, ladder)

    def retire_workers(self) -> None:
        """Mark silent workers as stopped."""
        with self._database.transaction() as session:
            retire_silent(session)

    def turn_days(self) -> None:
        """Open the day of every stream and reveal the secrets of days that are over."""
        with self._database.transaction() as session:
            open_days(session)
            reveal_days(session)

    def keep_to_budget(self) -> None:
        """Drop the oldest logs beyond the budget."""
        disk.keep_to_budget(self._database, self._blobs, self._settings.disk_budget_mb)
