"""Submitting bots and versions: names, ladders, quotas and repetitions."""

from pathlib import Path

import pytest
from sqlalchemy import select, update

from service.blobs import FolderBlobs
from service.bots.archive import Source, read_upload
from service.bots.submission import Quotas, submit, submit_version
from service.models import Account, Bot, Version
from service.refusals import ConflictError, ForbiddenError, InvalidError, QuotaError
from service.storage.database import Database
from tests.service.bots.zips import make_zip
from tests.service.factories import add_account, add_bot, add_entry, add_ladder, add_version


@pytest.fixture
def blobs(tmp_path: Path) -> FolderBlobs:
    return FolderBlobs(tmp_path / "blobs")


@pytest.fixture
def ada(database: Database) -> Account:
    with database.transaction() as session:
        for slug in ("classic-25", "classic-50", "short-50"):
            add_ladder(session, slug)
        add_ladder(session, "autumn-cup", state="closed")
        return add_account(session, "ada")


def source(text: str = "1", manifest: str = "") -> Source:
    files = {"main.py": text.encode()} | ({"malice.toml": manifest.encode()} if manifest else {})
    return read_upload("bot.zip", make_zip(files))


def test_a_new_bot_gets_version_1_queued_on_the_default_ladder(
    database: Database, blobs: FolderBlobs, ada: Account
) -> None:
    with database.transaction() as session:
        version = submit(session, blobs, ada, "sharp", source())
    with database.reading() as session:
        stored = session.scalars(select(Version)).one()
        bot = session.scalars(select(Bot)).one()
        assert (bot.name, bot.owner_id) == ("sharp", ada.id)
        assert (stored.id, stored.bot_id, stored.number, stored.status) == (version.id, bot.id, 1, "queued")
        assert (stored.language, stored.entry, stored.ladders) == ("python", "main.py", ["classic-50"])
        assert blobs.get("source", stored.source_digest) == source().archive


def test_ladders_come_from_the_caller_else_the_manifest(
    database: Database, blobs: FolderBlobs, ada: Account
) -> None:
    wants_short = source(manifest='ladders = ["short-50"]')
    with database.transaction() as session:
        assert submit(session, blobs, ada, "one", wants_short).ladders == ["short-50"]
        asked = submit(session, blobs, ada, "two", wants_short, ["classic-25", "classic-50", "classic-25"])
        assert asked.ladders == ["classic-25", "classic-50"]


def test_a_further_version_stays_on_the_ladders_its_bot_is_on(
    database: Database, blobs: FolderBlobs, ada: Account
) -> None:
    with database.transaction() as session:
        bot = add_bot(session, ada)
        version = add_version(session, bot)
        add_entry(session, add_ladder(session, "nightly"), bot, version)
        further = submit_version(session, blobs, ada, bot, source())
    assert (further.number, further.ladders) == (2, ["nightly"])


def test_a_further_version_of_a_bot_on_no_ladder_repeats_what_the_last_one_asked_for(
    database: Database, blobs: FolderBlobs, ada: Account
) -> None:
    with database.transaction() as session:
        submit(session, blobs, ada, "sharp", source("1"), ["short-50"])
        bot = session.scalars(select(Bot)).one()
        assert submit_version(session, blobs, ada, bot, source("2")).ladders == ["short-50"]


@pytest.mark.parametrize(
    "name", ["", "a", "-dash", "Upper", "sp ace", "ümlaut", "x" * 33, "a\0b", "a\n", "../etc"]
)
def test_a_name_that_is_no_name_is_refused(
    database: Database, blobs: FolderBlobs, ada: Account, name: str
) -> None:
    with pytest.raises(InvalidError, match="no name for a bot"), database.transaction() as session:
        submit(session, blobs, ada, name, source())


def test_a_name_is_taken_whoever_owns_it(database: Database, blobs: FolderBlobs, ada: Account) -> None:
    with database.transaction() as session:
        add_bot(session, add_account(session, "bob"), "sharp")
    with (
        pytest.raises(ConflictError, match="there is a bot named 'sharp' already"),
        database.transaction() as session,
    ):
        submit(session, blobs, ada, "sharp", source())


@pytest.mark.parametrize(
    ("slug", "words"),
    [
        (
            "no-such",
            "there is no ladder 'no-such'; the ladders are autumn-cup, classic-25, classic-50, short-50",
        ),
        ("autumn-cup", "ladder 'autumn-cup' is closed and takes no new entries"),
    ],
)
def test_a_ladder_that_takes_no_entries_is_refused(
    database: Database, blobs: FolderBlobs, ada: Account, slug: str, words: str
) -> None:
    with pytest.raises(InvalidError, match=words), database.transaction() as session:
        submit(session, blobs, ada, "sharp", source(), [slug])
    with database.reading() as session:
        assert session.scalars(select(Bot)).all() == []


def test_the_same_source_is_the_same_version_and_the_refusal_names_it(
    database: Database, blobs: FolderBlobs, ada: Account
) -> None:
    with database.transaction() as session:
        submit(session, blobs, ada, "sharp", source("1"))
        bot = session.scalars(select(Bot)).one()
        submit_version(session, blobs, ada, bot, source("2"))
    with (
        pytest.raises(ConflictError, match="this source is version 1 of 'sharp' already"),
        database.transaction() as s,
    ):
        submit_version(s, blobs, ada, bot, source("1"))


def test_the_same_source_may_be_two_bots(database: Database, blobs: FolderBlobs, ada: Account) -> None:
    with database.transaction() as session:
        first = submit(session, blobs, ada, "one", source())
        second = submit(session, blobs, ada, "two", source())
    assert first.source_digest == second.source_digest


def test_nobody_uploads_versions_of_anothers_bot(
    database: Database, blobs: FolderBlobs, ada: Account
) -> None:
    with database.transaction() as session:
        bot = add_bot(session, add_account(session, "bob"))
    with pytest.raises(ForbiddenError, match="belongs to somebody else"), database.transaction() as session:
        submit_version(session, blobs, ada, bot, source())


def test_the_number_of_bots_is_limited(database: Database, blobs: FolderBlobs, ada: Account) -> None:
    quotas = Quotas(bots=2, versions_per_day=10)
    with database.transaction() as session:
        submit(session, blobs, ada, "one", source(), quotas=quotas)
        submit(session, blobs, ada, "two", source(), quotas=quotas)
    with pytest.raises(QuotaError, match="you own 2 bots"), database.transaction() as session:
        submit(session, blobs, ada, "three", source(), quotas=quotas)


def test_versions_a_day_are_limited_over_all_bots_of_an_account_and_the_day_passes(
    database: Database, blobs: FolderBlobs, ada: Account
) -> None:
    quotas = Quotas(bots=10, versions_per_day=2)
    with database.transaction() as session:
        submit(session, blobs, ada, "one", source(), quotas=quotas)
        submit(session, blobs, ada, "two", source(), quotas=quotas)
        bot = session.scalars(select(Bot).where(Bot.name == "one")).one()
    with (
        pytest.raises(QuotaError, match="2 versions in the last 24 hours"),
        database.transaction() as session,
    ):
        submit_version(session, blobs, ada, bot, source("2"), quotas=quotas)
    with database.transaction() as session:
        session.execute(update(Version).values(created_us=Version.created_us - 86_400_000_001))
        assert submit_version(session, blobs, ada, bot, source("2"), quotas=quotas).number == 2
