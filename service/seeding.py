"""What an installation needs before anybody comes: ladders, and house bots that play on them."""

from collections.abc import Sequence
from importlib.resources import files

import msgspec
import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.games import game_from_profile, rules_hash
from service.blobs import BlobStore
from service.bots.archive import Source, read_upload
from service.bots.submission import submit, submit_version
from service.ids import new_id
from service.ladders.defaults import LadderSpec, load_ladders
from service.ladders.entries import enter
from service.ledger.seating import seat
from service.models import Account, Bot, Ladder, RatingParameters, Version
from service.storage.database import Database
from service.storage.writing import insert_if_absent

HOUSE = "house"
"""The account that owns the house bots; nobody can sign in to it."""
HOUSE_BOTS = ("uniform", "greedy", "planner")
"""Programs of the `bots` package, weakest first."""


class SeedingError(RuntimeError):
    """The installation cannot be given its house."""


def seed(database: Database, blobs: BlobStore, specs: Sequence[LadderSpec] | None = None) -> list[str]:
    """Make what is missing of the ladders, the house account and its bots; return the new ladders' slugs.

    Harmless to repeat and to run in several processes at once. A house bot whose program has changed gets a new
    version. Raises SeedingError.
    """
    with database.transaction() as session:
        house = _house(session)
        made = [_make_ladder(session, spec) for spec in _missing(session, specs or load_ladders())]
        for name in HOUSE_BOTS:
            _bring_bot(session, blobs, house, name, made)
        return [ladder.slug for ladder in made]


def _house(session: Session) -> Account:
    """Return the house account, locked: of several processes that seed at once one goes first."""
    insert_if_absent(session, Account, id=new_id(), name=HOUSE, is_house=True)
    house = session.scalars(select(Account).where(Account.name == HOUSE).with_for_update()).one()
    if not house.is_house:
        raise SeedingError(
            f"somebody owns the account {HOUSE!r}; rename it, as house bots must be told apart"
        )
    return house


def _missing(session: Session, specs: Sequence[LadderSpec]) -> list[LadderSpec]:
    there = set(session.scalars(select(Ladder.slug)))
    return [spec for spec in specs if spec.slug not in there]


def _make_ladder(session: Session, spec: LadderSpec) -> Ladder:
    document = game_from_profile(spec.profile, spec.players).document()
    ladder = Ladder(
        id=new_id(),
        slug=spec.slug,
        title=spec.title,
        profile=spec.profile,
        rules=document,
        rules_hash=rules_hash(document),
        players=spec.players,
        target=spec.target,
        clock=msgspec.to_builtins(spec.clock),
        priority=spec.priority,
    )
    session.add(ladder)
    session.flush()
    session.add(RatingParameters(ladder_id=ladder.id, number=1, **msgspec.to_builtins(spec.rating)))
    session.flush()
    return ladder


def _bring_bot(session: Session, blobs: BlobStore, house: Account, name: str, made: Sequence[Ladder]) -> None:
    source = house_source(name)
    bot = session.scalars(select(Bot).where(Bot.name == name)).one_or_none()
    if bot is None:
        open_slugs = session.scalars(
            select(Ladder.slug).where(Ladder.state == "open").order_by(Ladder.priority.desc(), Ladder.slug)
        )
        submit(session, blobs, house, name, source, list(open_slugs))
    elif bot.owner_id != house.id:
        structlog.get_logger(__name__).warning("a house bot's name is taken", bot=name)
    else:
        for ladder in made:
            entry = enter(session, house, ladder, bot)
            if entry is not None:
                seat(session, entry)
        if not _has_source(session, bot, source):
            submit_version(session, blobs, house, bot, source)


def house_source(name: str) -> Source:
    """Return a house bot's program as an upload."""
    filename = f"{name}.py"
    return read_upload(filename, files("bots").joinpath(filename).read_bytes())


def _has_source(session: Session, bot: Bot, source: Source) -> bool:
    same = select(Version.id).where(Version.bot_id == bot.id, Version.source_digest == source.digest)
    return session.scalars(same).one_or_none() is not None
