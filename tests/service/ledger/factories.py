"""Rows for tests of the ledger: accounts, ladders, entries with built versions."""

import hashlib
from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.games import game_from_profile, rules_hash
from service.ids import new_id
from service.models import Account, Bot, Bundle, Entry, Ladder, RatingParameters, Version, Worker
from service.storage.clock import now_us

MU, SIGMA = 25.0, 25 / 3


def make_account(session: Session, name: str) -> Account:
    """The account of that name, made if need be."""
    account = session.scalars(select(Account).where(Account.name == name)).one_or_none()
    if account is None:
        account = Account(id=new_id(), name=name)
        session.add(account)
        session.flush()
    return account


def make_ladder(
    session: Session,
    slug: str = "short-5",
    *,
    profile: str = "short",
    players: int = 2,
    target: int = 5,
    priority: int = 0,
    options: Mapping[str, object] | None = None,
) -> Ladder:
    """An open ladder of short matches, or of another game, with parameter set 1."""
    game = game_from_profile(profile, players, options)
    document = game.document()
    ladder = Ladder(
        id=new_id(),
        slug=slug,
        title=slug,
        profile=profile,
        rules=document,
        rules_hash=rules_hash(document),
        players=players,
        sides=game.sides,
        deals=game.fixed_deals,
        target=target,
        clock={},
        priority=priority,
    )
    session.add(ladder)
    session.flush()
    session.add(
        RatingParameters(
            ladder_id=ladder.id, number=1, mu=MU, sigma=SIGMA, beta=25 / 6, tau=0.0, draw_probability=0.02
        )
    )
    session.flush()
    return ladder


def make_version(
    session: Session, name: str, *, owner: str | None = None, number: int = 1, status: str = "built"
) -> Version:
    """A version of the bot of that name; built ones have a bundle."""
    account = make_account(session, owner or f"owner-of-{name}")
    bot = session.scalars(select(Bot).where(Bot.name == name)).one_or_none()
    if bot is None:
        bot = Bot(id=new_id(), owner_id=account.id, name=name)
        session.add(bot)
        session.flush()
    digest = hashlib.sha256(f"{name}@{number}".encode()).hexdigest()
    version = Version(
        id=new_id(),
        bot_id=bot.id,
        number=number,
        source_digest=digest,
        language="python",
        entry="main.py",
        ladders=[],
        status=status,
    )
    session.add(version)
    session.flush()
    if status == "built":
        session.add(Bundle(version_id=version.id, runtime="python", digest=digest))
        session.flush()
    return version


def make_entry(
    session: Session,
    ladder: Ladder,
    name: str,
    *,
    owner: str | None = None,
    number: int = 1,
    status: str = "active",
) -> Entry:
    """A version of the bot of that name on the ladder."""
    version = make_version(session, name, owner=owner, number=number)
    bot = session.get_one(Bot, version.bot_id)
    entry = Entry(
        id=new_id(),
        ladder_id=ladder.id,
        bot_id=bot.id,
        version_id=version.id,
        owner_id=bot.owner_id,
        status=status,
        mu=MU,
        sigma=SIGMA,
    )
    session.add(entry)
    session.flush()
    return entry


def make_worker(session: Session, name: str = "w1", *, slots: int = 2, silent_s: int = 0) -> Worker:
    """A play worker last heard of `silent_s` seconds ago."""
    seen = session.scalars(select(now_us())).one() - silent_s * 1_000_000
    worker = Worker(id=name, slots=slots, layer="S3", runtimes={"python": "3.11"}, speed=1.0, seen_us=seen)
    session.add(worker)
    session.flush()
    return worker
