"""What a new installation starts with, and what a later start adds."""

import json
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from bots.house import house_bots
from engine.games import profiles
from service.blobs import FolderBlobs
from service.cli import main
from service.ladders.defaults import LadderFileError, LadderSpec, Rating, load_ladders
from service.ledger.newcomers import enter_ladders
from service.ledger.validation import SPARRING_BOT
from service.models import Account, Bot, Entry, Ladder, RatingParameters, Version
from service.seeding import SeedingError, house_source, seed
from service.settings import Settings
from service.storage.database import Database
from workers.referee.fixture import MOST_SEATS

SPECS = load_ladders()
LADDERS = [spec.slug for spec in SPECS]
NAMES = [bot.name for bot in house_bots()]


@pytest.fixture
def blobs(tmp_path: Path) -> FolderBlobs:
    """An empty store."""
    return FolderBlobs(tmp_path / "blobs")


def pretend_built(database: Database) -> None:
    """Let every version be built and on the ladders it asked for, as the ledger would have it."""
    with database.transaction() as session:
        for version in session.scalars(select(Version).where(Version.status == "queued")).all():
            version.status = "built"
            enter_ladders(session, version)


def ladders_of(session: Session, name: str, statuses: tuple[str, ...] = ("active",)) -> set[str]:
    """Where a bot plays."""
    rows = session.execute(
        select(Ladder.slug)
        .join(Entry, Entry.ladder_id == Ladder.id)
        .join(Bot, Bot.id == Entry.bot_id)
        .where(Bot.name == name, Entry.status.in_(statuses))
    )
    return {slug for (slug,) in rows}


def test_a_new_installation_has_its_ladders_and_house_bots(database: Database, blobs: FolderBlobs) -> None:
    assert seed(database, blobs) == LADDERS
    with database.reading() as session:
        ladders = session.scalars(select(Ladder).order_by(Ladder.priority.desc(), Ladder.id)).all()
        versions = session.scalars(select(Version).order_by(Version.id)).all()
        names = session.scalars(select(Bot.name).order_by(Bot.id)).all()
        house = session.scalars(select(Account)).one()
        parameters = session.scalars(select(RatingParameters)).all()
    assert (ladders[0].slug, ladders[0].target, ladders[0].players) == ("classic-50", 50, 2)
    assert (ladders[0].rules["game"], ladders[0].clock["bank_ms"]) == ("spite-and-malice", 10_000)
    assert names == NAMES
    assert (house.name, house.is_house, house.password_hash) == ("house", True, None)
    games = {ladder.slug: ladder.rules["game"] for ladder in ladders}
    for version, bot in zip(versions, house_bots(), strict=True):
        assert version.status == "queued"
        assert set(version.ladders) == {slug for slug, game in games.items() if bot.plays(game)}
        assert blobs.exists("source", version.source_digest)
    assert {(one.number, one.mu, one.sigma, one.beta, one.tau) for one in parameters} == {
        (1, 25.0, 25 / 3, 25 / 6, 0.0)
    }


def test_ladders_know_their_sides_and_whether_their_deals_are_fixed(
    database: Database, blobs: FolderBlobs
) -> None:
    seed(database, blobs)
    with database.reading() as session:
        found = {ladder.slug: ladder for ladder in session.scalars(select(Ladder))}
    shapes = {
        slug: (found[slug].players, found[slug].sides, found[slug].deals, found[slug].target)
        for slug in ("classic-four-50", "skip-bo-partners-500", "forty-five-three-45", "spoil-five-pool")
    }
    assert shapes == {
        "classic-four-50": (4, 4, None, 50),
        "skip-bo-partners-500": (4, 2, None, 500),
        "forty-five-three-45": (6, 2, None, 45),
        "spoil-five-pool": (5, 5, 25, 25),
    }
    assert found["skip-bo-partners-500"].rules["options"] == {"partners": True}


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.slug)
def test_every_default_ladder_has_more_house_bots_than_sides(spec: LadderSpec) -> None:
    game = spec.game()
    assert sum(bot.plays(game.name) for bot in house_bots()) > game.sides
    assert any(bot.name == SPARRING_BOT and bot.plays(game.name) for bot in house_bots())
    assert game.players <= MOST_SEATS


def test_every_profile_has_a_ladder() -> None:
    assert {spec.profile for spec in SPECS} == profiles().keys()


def test_seeding_again_changes_nothing(database: Database, blobs: FolderBlobs) -> None:
    for _ in range(2):
        seed(database, blobs)
        pretend_built(database)
        with database.reading() as session:
            assert len(session.scalars(select(Version)).all()) == len(NAMES)
            assert len(session.scalars(select(Ladder)).all()) == len(LADDERS)
            assert ladders_of(session, "uniform") == set(LADDERS)
            assert session.scalars(select(Entry.status).distinct()).all() == ["active"]


def test_processes_that_seed_at_once_make_everything_once(database: Database, blobs: FolderBlobs) -> None:
    made: list[list[str]] = []
    threads = [threading.Thread(target=lambda: made.append(seed(database, blobs))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made) == [[], [], LADDERS]


def test_a_new_ladder_is_entered_by_the_house_bots_that_know_its_game(
    database: Database, blobs: FolderBlobs
) -> None:
    seed(database, blobs, SPECS[:1])
    pretend_built(database)
    tricks = LadderSpec("tricks", "Tricks", "spoil-five", 5, rating=Rating(beta=2.0))
    assert seed(database, blobs, [tricks]) == ["tricks"]
    with database.reading() as session:
        assert ladders_of(session, "uniform") == {"classic-50", "tricks"}
        assert ladders_of(session, "greedy") == {"classic-50"}
        assert session.scalars(select(RatingParameters.beta).where(RatingParameters.beta == 2.0)).one() == 2.0


def test_a_house_bot_that_is_new_to_an_installation_enters_its_open_ladders(
    database: Database, blobs: FolderBlobs
) -> None:
    seed(database, blobs)
    with database.transaction() as session:
        bot = session.scalars(select(Bot).where(Bot.name == "greedy")).one()
        session.execute(delete(Version).where(Version.bot_id == bot.id))
        session.delete(bot)
        session.execute(update(Ladder).where(Ladder.slug == "short-50").values(state="closed"))
    seed(database, blobs)
    with database.reading() as session:
        wanted = session.scalars(
            select(Version.ladders).join(Bot, Bot.id == Version.bot_id).where(Bot.name == "greedy")
        ).one()
    assert "classic-50" in wanted
    assert "short-50" not in wanted


def test_a_house_bot_whose_program_changed_gets_a_new_version_and_that_enters_new_ladders(
    database: Database, blobs: FolderBlobs
) -> None:
    seed(database, blobs, SPECS[:1])
    pretend_built(database)
    with database.transaction() as session:
        uniform = select(Bot.id).where(Bot.name == "uniform").scalar_subquery()
        session.execute(update(Version).where(Version.bot_id == uniform).values(source_digest="0" * 64))
    seed(database, blobs)
    with database.reading() as session:
        versions = session.scalars(
            select(Version).join(Bot, Bot.id == Version.bot_id).where(Bot.name == "uniform")
        ).all()
        assert ladders_of(session, "uniform") == {"classic-50"}
    assert [version.number for version in versions] == [1, 2]
    listed = next(bot for bot in house_bots() if bot.name == "uniform")
    assert versions[1].source_digest == house_source(listed).digest
    assert sorted(versions[1].ladders) == sorted(LADDERS)


def test_a_house_bot_that_could_not_be_built_keeps_nothing_from_starting(
    database: Database, blobs: FolderBlobs
) -> None:
    seed(database, blobs, SPECS[:1])
    with database.transaction() as session:
        session.execute(update(Version).values(status="failed", reason="by a test"))
    seed(database, blobs)
    with database.reading() as session:
        assert ladders_of(session, "uniform") == set()


def test_a_bots_name_that_somebody_else_has_stays_theirs(database: Database, blobs: FolderBlobs) -> None:
    with database.transaction() as session:
        session.add(Account(id="a" * 26, name="ada"))
        session.flush()
        session.add(Bot(owner_id="a" * 26, name="greedy"))
    seed(database, blobs)
    with database.reading() as session:
        assert len(session.scalars(select(Version)).all()) == len(NAMES) - 1


def test_a_strangers_account_is_not_made_the_house(database: Database, blobs: FolderBlobs) -> None:
    with database.transaction() as session:
        session.add(Account(name="house"))
    with pytest.raises(SeedingError, match="somebody owns the account 'house'"):
        seed(database, blobs)


GOOD = 'slug = "mine"\ntitle = "Mine"\nprofile = "short"\ntarget = 9\n'


def test_an_operators_own_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "ladders.toml"
    file.write_text(
        f"[[ladder]]\n{GOOD}players = 3\n[ladder.clock]\nbank_ms = 500\n[ladder.rating]\nbeta = 1.5\n"
    )
    (spec,) = load_ladders(file)
    assert (spec.slug, spec.players, spec.clock.bank_ms, spec.clock.start_ms) == ("mine", 3, 500, 5_000)
    assert (spec.rating.beta, spec.rating.mu) == (1.5, 25.0)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("ladder", "ladders.toml: "),
        (f"[[ladder]]\n{GOOD}[[ladder]]\n{GOOD}", "two ladders 'mine'"),
        (f"[[ladder]]\n{GOOD}colour = 1\n", "colour"),
        ("ladder = []", "length >= 1"),
        (f"[[ladder]]\n{GOOD}".replace('"mine"', '"mine\\n"'), "slug"),
        (f"[[ladder]]\n{GOOD}".replace('"Mine"', '" "'), "title"),
        (f"[[ladder]]\n{GOOD}".replace('"Mine"', '"M\\u202Eine"'), "characters that cannot be shown"),
        (f"[[ladder]]\n{GOOD}".replace("short", "no-such"), "ladder 'mine': no profile 'no-such'"),
        (f"[[ladder]]\n{GOOD}players = 9\n", "short is for 2 or 3 or 4 players"),
        (f"[[ladder]]\n{GOOD}".replace("mine", "My Ladder"), "slug"),
        (f"[[ladder]]\n{GOOD}".replace("= 9", "= 0"), "target"),
        (f"[[ladder]]\n{GOOD}".replace("target = 9\n", ""), "ladder 'mine': say the `target`"),
        (
            f"[[ladder]]\n{GOOD}[ladder.options]\npakcs = 2\n",
            "ladder 'mine': spite-and-malice has no option 'pakcs'; `malice rules PROFILE` lists the options",
        ),
        (
            f"[[ladder]]\n{GOOD}[ladder.options]\nrecycle = 'lazily'\n",
            "ladder 'mine': recycle may not be 'lazily'; ",
        ),
        (
            f"[[ladder]]\n{GOOD}[ladder.options]\npacks = 'two'\n",
            "ladder 'mine': packs wants a whole number, not 'two'",
        ),
        (
            f"[[ladder]]\n{GOOD}[ladder.options]\nscoring = 'pool'\n".replace("short", "spoil-five"),
            "ladder 'mine': its matches are 10 deals, whatever the points: leave out `target`",
        ),
        (f"[[ladder]]\n{GOOD}[ladder.rating]\nsigma = 0.0\n", "sigma"),
        (
            f"[[ladder]]\n{GOOD}[ladder.rating]\nmu = nan\n",
            "ladder 'mine': `mu` of its rating is nan, not a number that can be reckoned with",
        ),
        (f"[[ladder]]\n{GOOD}[ladder.rating]\nsigma = inf\n", "`sigma` of its rating is inf"),
        (f"[[ladder]]\n{GOOD}[ladder.clock]\nbank_ms = -5\n", "clock.bank_ms"),
        (f"[[ladder]]\n{GOOD}[ladder.clock]\nleg_ms = 99999999999\n", "clock.leg_ms"),
        (f"[[ladder]]\n{GOOD}[ladder.clock]\nbank_msec = 5\n", "unknown field `bank_msec`"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "ladders.toml"
    file.write_text(text)
    with pytest.raises(LadderFileError, match=why):
        load_ladders(file)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(LadderFileError, match=r"none\.toml"):
        load_ladders(tmp_path / "none.toml")


def test_migrate_makes_the_ladders_of_the_homes_own_file(settings: Settings) -> None:
    settings.home.mkdir()
    own = settings.home / "ladders.toml"
    own.write_text(f"[[ladder]]\n{GOOD}")
    environment = {"MALICE_HOME": str(settings.home), "MALICE_DATABASE_URL": settings.database_url}
    outcome = CliRunner().invoke(main, ["migrate", "--json"], env=environment)
    assert outcome.exit_code == 0, outcome.output
    assert json.loads(outcome.stdout)["ladders"] == ["mine"]

    own.write_text("[[ladder]]\n")
    outcome = CliRunner().invoke(main, ["migrate"], env=environment)
    assert outcome.exit_code == 1
    assert str(own) in outcome.output
