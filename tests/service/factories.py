"""Rows for tests: each function adds what it names, with sensible values, and returns it."""

from sqlalchemy.orm import Session

from service.blobs import digest_of
from service.bots.archive import read_upload
from service.models import Account, Bot, Bundle, Entry, Ladder, RatingParameters, Version

MU, SIGMA = 25.0, 25 / 3


def add_account(session: Session, name: str = "ada", **values: object) -> Account:
    """An account without a password."""
    account = Account(name=name, **values)
    session.add(account)
    session.flush()
    return account


def add_ladder(session: Session, slug: str = "classic-50", **values: object) -> Ladder:
    """An open two-player ladder with its first rating parameters."""
    document = {"game": "spite-and-malice", "rules_version": 1, "players": 2, "options": {}}
    defaults = {
        "title": slug.replace("-", " ").title(),
        "profile": "classic",
        "rules": document,
        "rules_hash": digest_of(repr(document).encode()),
        "players": 2,
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
    defaults = {"mu": MU, "sigma": SIGMA, "neg_mu_e6": -round(MU * 1e6)}
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
