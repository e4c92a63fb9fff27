"""Rows for tests: each function adds what it names, with sensible values, and returns it."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.fixture import participant
from engine.games import game_from_profile, rules_hash
from service.blobs import BlobStore
from service.bots.archive import read_upload
from service.fixtures.drawing import Kind, draw_fixture
from service.models import (
    Account,
    Bot,
    Bundle,
    Entry,
    Fixture,
    FixtureSeat,
    Ladder,
    Match,
    RatingEvent,
    RatingParameters,
    Version,
)

MU, SIGMA = 25.0, 25 / 3


def add_account(session: Session, name: str = "ada", **values: object) -> Account:
    """An account without a password."""
    account = Account(name=name, **values)
    session.add(account)
    session.flush()
    return account


def add_ladder(session: Session, slug: str = "classic-50", **values: object) -> Ladder:
    """An open two-player ladder with its first rating parameters."""
    document = game_from_profile("classic").document()
    defaults = {
        "title": slug.replace("-", " ").title(),
        "profile": "classic",
        "rules": document,
        "rules_hash": rules_hash(document),
        "players": 2,
        "sides": values.get("players", 2),
        "target": 50,
        "clock": {},
    }
    ladder = Ladder(slug=slug, **(defaults | values))
    session.add(ladder)
    session.flush()
    session.add(
        RatingParameters(
            ladder_id=ladder.id, number=1, mu=MU, sigma=SIGMA, beta=25 / 6, tau=0.0, draw_probability=0.02
        )
    )
    session.flush()
    return ladder


def add_bot(session: Session, owner: Account, name: str = "sharp") -> Bot:
    """A bot without versions."""
    bot = Bot(owner_id=owner.id, name=name)
    session.add(bot)
    session.flush()
    return bot


def add_version(
    session: Session, bot: Bot, number: int = 1, status: str = "built", **values: object
) -> Version:
    """A version, with a bundle when it is built or retired."""
    source = read_upload("main.py", f"# {bot.name} {number}\n".encode())
    defaults = {
        "source_digest": source.digest,
        "language": source.language,
        "entry": source.entry,
        "ladders": ["classic-50"],
    }
    version = Version(bot_id=bot.id, number=number, status=status, **(defaults | values))
    session.add(version)
    session.flush()
    if status in ("built", "retired"):
        session.add(Bundle(version_id=version.id, runtime="python", digest=source.digest))
        session.flush()
    return version


def add_entry(
    session: Session, ladder: Ladder, bot: Bot, version: Version, status: str = "active", **values: object
) -> Entry:
    """An entry with the ladder's first rating."""
    defaults = {"activated_us": 1, "mu": MU, "sigma": SIGMA, "neg_mu_e6": -round(MU * 1e6)}
    entry = Entry(
        ladder_id=ladder.id,
        bot_id=bot.id,
        version_id=version.id,
        owner_id=bot.owner_id,
        status=status,
        **(defaults | values),
    )
    session.add(entry)
    session.flush()
    return entry


def add_fixture(session: Session, ladder: Ladder, entries: Sequence[Entry], kind: Kind = "ladder") -> Fixture:
    """A queued fixture."""
    return draw_fixture(session, ladder=ladder, kind=kind, entries=entries, owner_id=entries[0].owner_id)


def finish(
    session: Session, blobs: BlobStore, fixture: Fixture, legs: Sequence[Sequence[int]], stderr: bytes = b""
) -> list[Match]:
    """Make a fixture done: `legs` are the points by participant of each leg, as if it had been played.

    Every log is one line; what the bots wrote to stderr begins with their seat in leg 0.
    """
    seats = session.scalars(
        select(FixtureSeat).where(FixtureSeat.fixture_id == fixture.id).order_by(FixtureSeat.seat)
    ).all()
    totals = [sum(points) for points in zip(*legs, strict=True)]
    for seat in seats:
        seat.points = totals[seat.seat]
        seat.place = 1 + sum(total > seat.points for total in totals)
    matches = []
    for leg, points in enumerate(legs):
        seated = [participant(leg, seat, len(seats)) for seat in range(len(seats))]
        matches.append(
            Match(
                fixture_id=fixture.id,
                leg=leg,
                log=blobs.put("log", b'{"fixture":"%s","leg":%d}\n' % (fixture.id.encode(), leg)),
                points=[points[who] for who in seated],
                places=[1 + sum(other > points[who] for other in points) for who in seated],
                deals=7,
                reason="target",
                stderr=[blobs.put("text", b"%d%s" % (who, stderr)) if stderr else None for who in seated],
                used_us=[1_000 + who for who in seated],
            )
        )
    session.add_all(matches)
    fixture.state, fixture.started_us, fixture.done_us = "done", fixture.created_us, fixture.created_us
    session.flush()
    return matches


def rate(session: Session, fixture: Fixture, gain: float = 1.0) -> None:
    """Write the rating events of a finished fixture: the first gain, the others lose."""
    seats = session.scalars(select(FixtureSeat).where(FixtureSeat.fixture_id == fixture.id)).all()
    for seat in seats:
        won = seat.place == 1
        session.add(
            RatingEvent(
                ladder_id=fixture.ladder_id,
                entry_id=seat.entry_id,
                fixture_id=fixture.id,
                sequence=fixture.sequence,
                outcome="win" if won else "loss",
                mu_before=MU,
                sigma_before=SIGMA,
                mu=MU + gain if won else MU - gain,
                sigma=SIGMA - 1,
                fixtures=fixture.sequence,
                wins=int(won),
                draws=0,
                losses=int(not won),
                faults=0,
                done_us=fixture.done_us or 0,
            )
        )
    fixture.rated = True
    session.flush()
