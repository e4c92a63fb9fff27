"""Finding ladders and what is shown of them."""

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from service.ladders.waiting import reasons
from service.messages import Clock
from service.models import Entry, Ladder, RatingParameters, Stream, StreamDay
from service.refusals import UnknownError
from service.views import Time, View

_LONGEST_SLUG = 48
_DAYS_SHOWN = 60


class ParametersView(View):
    """The numbered TrueSkill parameters in force."""

    number: int
    mu: float
    sigma: float
    beta: float
    tau: float
    draw_probability: float


class ClockView(View):
    """Time per seat and leg, in milliseconds."""

    start_ms: int
    """For the first reply."""
    bank_ms: int
    """Thinking time at the start of a leg; never more than twice this is saved up."""
    increment_ms: int
    """Added after every decision."""
    leg_ms: int
    """The most a seat may use in one leg."""


class LadderView(View):
    """What everybody may know of a ladder."""

    slug: str
    title: str
    state: str
    profile: str
    rules: dict[str, Any]
    rules_hash: str
    players: int
    """Seats of a match."""
    sides: int
    """Participants of a fixture, and its legs: fewer than players where partners play, each side a bot in all its
    seats (seat s belongs to side s mod sides)."""
    deals: int | None
    """Deals of a match where their number is fixed; None where the target ends it."""
    target: int
    """Points a match is played to; the number of deals where that is fixed."""
    clock: ClockView
    parameters: ParametersView
    entries: int
    """Bots that play on it now."""
    waiting: str
    """Why nothing is being played on it just now; empty while something is, or when it is not open."""
    rated_through: int
    """The highest sequence number whose result is in the ratings."""
    as_of: Time


class DayView(View):
    """A stream's day: the hash of its secret at once, the secret when all its fixtures are final."""

    kind: str
    day: str
    commitment: str
    secret: str | None


def find_ladder(session: Session, slug: str) -> Ladder:
    """Return the ladder of this slug. Raises UnknownError naming those there are."""
    known = len(slug) <= _LONGEST_SLUG and slug.isascii() and slug.isprintable()
    ladder = session.scalar(select(Ladder).where(Ladder.slug == slug)) if known else None
    if ladder is None:
        slugs = session.scalars(select(Ladder.slug).order_by(Ladder.priority.desc(), Ladder.slug)).all()
        raise UnknownError(
            f"there is no ladder {slug[:_LONGEST_SLUG]!r}; the ladders are {', '.join(slugs)}", "ladder"
        )
    return ladder


def ladder_views(session: Session) -> Sequence[LadderView]:
    """Return all ladders, the one served first at the top."""
    ladders = session.scalars(select(Ladder).order_by(Ladder.priority.desc(), Ladder.slug)).all()
    sets = session.scalars(select(RatingParameters)).all()
    by_number = {(one.ladder_id, one.number): one for one in sets}
    entries = dict(
        session.execute(
            select(Entry.ladder_id, func.count()).where(Entry.status == "active").group_by(Entry.ladder_id)
        ).all()
    )
    waiting = reasons(session, ladders)
    return [
        _view(ladder, by_number[ladder.id, ladder.parameters], entries.get(ladder.id, 0), waiting[ladder.id])
        for ladder in ladders
    ]


def ladder_view(session: Session, slug: str) -> LadderView:
    """Return one ladder. Raises UnknownError."""
    ladder = find_ladder(session, slug)
    parameters = session.scalars(
        select(RatingParameters).where(
            RatingParameters.ladder_id == ladder.id, RatingParameters.number == ladder.parameters
        )
    ).one()
    entries = session.scalars(
        select(func.count()).select_from(Entry).where(Entry.ladder_id == ladder.id, Entry.status == "active")
    ).one()
    return _view(ladder, parameters, entries, reasons(session, [ladder])[ladder.id])


def day_views(session: Session, ladder: Ladder) -> Sequence[DayView]:
    """Return the secrets, or their hashes, of the ladder's streams, newest day first."""
    rows = session.execute(
        select(Stream.kind, StreamDay)
        .join(StreamDay, StreamDay.stream_id == Stream.id)
        .where(Stream.ladder_id == ladder.id)
        .order_by(StreamDay.day.desc(), Stream.kind)
        .limit(_DAYS_SHOWN)
    )
    return [
        DayView(
            kind=kind,
            day=day.day,
            commitment=day.commitment,
            secret=day.secret if day.revealed_us is not None else None,
        )
        for kind, day in rows
    ]


def _view(ladder: Ladder, parameters: RatingParameters, entries: int, waiting: str) -> LadderView:
    return LadderView(
        slug=ladder.slug,
        title=ladder.title,
        state=ladder.state,
        profile=ladder.profile,
        rules=ladder.rules,
        rules_hash=ladder.rules_hash,
        players=ladder.players,
        sides=ladder.sides,
        deals=ladder.deals,
        target=ladder.target,
        clock=ClockView(**msgspec.structs.asdict(msgspec.convert(ladder.clock, Clock))),
        parameters=ParametersView(
            number=parameters.number,
            mu=parameters.mu,
            sigma=parameters.sigma,
            beta=parameters.beta,
            tau=parameters.tau,
            draw_probability=parameters.draw_probability,
        ),
        entries=entries,
        waiting=waiting,
        rated_through=ladder.rated_through,
        as_of=ladder.as_of_us,
    )
