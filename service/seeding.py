"""What an installation needs before anybody comes: ladders, and house bots that play on them."""

from collections.abc import Sequence

import msgspec
import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from bots.house import HouseBot, house_bots
from engine.games import rules_hash
from service.blobs import BlobStore
from service.bots.archive import Source, canonical_zip, read_upload
from service.bots.submission import submit, submit_version
from service.ids import new_id
from service.ladders.defaults import LadderSpec, load_ladders
from service.ladders.entries import enter
from service.ledger.seating import seat
from service.models import Account, Bot, Entry, Ladder, RatingParameters, Version
from service.refusals import ConflictError
from service.storage.database import Database
from service.storage.writing import insert_if_absent

HOUSE = "house"
"""The account that owns the house bots; nobody can sign in to it."""


class SeedingError(RuntimeError):
    """The installation cannot be given its house."""


def seed(database: Database, blobs: BlobStore, specs: Sequence[LadderSpec] | None = None) -> list[str]:
    """Make what is missing of the ladders, the house account and its bots; return the new ladders' slugs.

    Harmless to repeat and to run in several processes at once. Every house bot is on every open ladder whose game it
    plays; one whose program has changed gets a new version. Raises SeedingError, or HouseFileError.
    """
    with database.transaction() as session:
        house = _house(session)
        made = [_make_ladder(session, spec) for spec in _missing(session, specs or load_ladders())]
        grounds = _open_ladders(session)
        for listed in house_bots():
            _bring_bot(
                session, blobs, house, listed, [one for one in grounds if listed.plays(one.rules["game"])]
            )
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
    game = spec.game()
    document = game.document()
    ladder = Ladder(
        id=new_id(),
        slug=spec.slug,
        title=spec.title,
        profile=spec.profile,
        rules=document,
        rules_hash=rules_hash(document),
        players=spec.players,
        sides=game.sides,
        deals=game.fixed_deals,
        target=game.fixed_deals or spec.target,
        clock=msgspec.to_builtins(spec.clock),
        priority=spec.priority,
    )
    session.add(ladder)
    session.flush()
    session.add(RatingParameters(ladder_id=ladder.id, number=1, **msgspec.to_builtins(spec.rating)))
    session.flush()
    return ladder


def _open_ladders(session: Session) -> Sequence[Ladder]:
    return session.scalars(
        select(Ladder).where(Ladder.state == "open").order_by(Ladder.priority.desc(), Ladder.slug)
    ).all()


def _bring_bot(
    session: Session, blobs: BlobStore, house: Account, listed: HouseBot, grounds: Sequence[Ladder]
) -> None:
    """Make a house bot, or bring it up to date; it then is, or soon will be, on all these ladders."""
    source = house_source(listed)
    bot = session.scalars(select(Bot).where(Bot.name == listed.name)).one_or_none()
    if bot is None:
        if grounds:
            submit(session, blobs, house, listed.name, source, [ladder.slug for ladder in grounds])
    elif bot.owner_id != house.id:
        structlog.get_logger(__name__).warning("a house bot's name is taken", bot=listed.name)
    elif _has_source(session, bot, source):
        _enter(session, house, bot, _without(session, bot, grounds))
    else:
        # What is new about it may be that it knows a game: it enters there itself, not the older version.
        missing = [ladder.slug for ladder in _without(session, bot, grounds)]
        version = submit_version(session, blobs, house, bot, source)
        version.ladders = list(dict.fromkeys([*version.ladders, *missing]))


def _enter(session: Session, house: Account, bot: Bot, ladders: Sequence[Ladder]) -> None:
    for ladder in ladders:
        try:
            entry = enter(session, house, ladder, bot)
        except ConflictError as error:
            structlog.get_logger(__name__).warning("a house bot stays away", bot=bot.name, why=error.message)
            return
        if entry is not None:
            seat(session, entry)


def _without(session: Session, bot: Bot, grounds: Sequence[Ladder]) -> list[Ladder]:
    """Return the ladders on which no version of the bot has ever been entered, nor is to be once it is built."""
    entered = set(session.scalars(select(Entry.ladder_id).where(Entry.bot_id == bot.id)))
    coming = {
        slug
        for slugs in session.scalars(
            select(Version.ladders).where(
                Version.bot_id == bot.id, Version.status.in_(("queued", "building"))
            )
        )
        for slug in slugs
    }
    return [ladder for ladder in grounds if ladder.id not in entered and ladder.slug not in coming]


def house_source(listed: HouseBot) -> Source:
    """Return a house bot's program as an upload."""
    return read_upload(f"{listed.name}.zip", canonical_zip(listed.files()))


def _has_source(session: Session, bot: Bot, source: Source) -> bool:
    same = select(Version.id).where(Version.bot_id == bot.id, Version.source_digest == source.digest)
    return session.scalars(same).one_or_none() is not None
