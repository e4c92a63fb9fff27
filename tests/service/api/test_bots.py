"""Submitting bots over HTTP, reading them, and what is refused."""

import io
import zipfile
from typing import Any

import pytest
from apiflask import APIFlask
from sqlalchemy import select

from service.blobs import FolderBlobs
from service.models import Account, Bot, Entry, Ladder, Version
from service.settings import Settings
from service.storage.database import Database
from tests.service.api.conftest import Caller, problem
from tests.service.bots.zips import BOT, bomb, make_zip, zip_with_symlink
from tests.service.factories import add_bot, add_entry, add_version

pytestmark = pytest.mark.usefixtures("ladders")


@pytest.fixture
def sharp(ada: Caller, database: Database) -> Version:
    """Ada's bot `sharp`, version 1 active on classic-50."""
    with database.transaction() as session:
        bot = add_bot(session, session.scalars(select(Account).where(Account.name == "ada")).one(), "sharp")
        version = add_version(session, bot)
        ladder = session.scalars(select(Ladder).where(Ladder.slug == "classic-50")).one()
        add_entry(session, ladder, bot, version, fixtures=40, provisional=False)
        return version


def add_active_version(database: Database, number: int) -> None:
    """A further version of `sharp` that took over."""
    with database.transaction() as session:
        bot = session.scalars(select(Bot)).one()
        old = session.scalars(select(Entry)).one()
        old.status = "superseded"
        add_entry(session, session.get_one(Ladder, old.ladder_id), bot, add_version(session, bot, number))


def test_a_bot_in_one_file_is_taken_in_and_can_be_followed(ada: Caller) -> None:
    response = ada.upload("/bots", "mine.py", BOT, name="sharp")
    assert response.status_code == 202
    expected = {"bot": "sharp", "version": 1, "status": "queued", "url": "/api/v1/bots/sharp/versions/1"}
    assert response.get_json() == expected
    version = ada.get("/bots/sharp/versions/1").get_json()
    assert (version["status"], version["reason"], version["language"]) == ("queued", "", "python")
    assert version["mine"]["entry"] == "main.py"
    assert version["mine"]["has_build_log"] is False


def test_a_zipped_bot_names_its_ladders_more_than_once_in_the_form(ada: Caller, database: Database) -> None:
    ladders = ["classic-25", "classic-50"]
    assert (
        ada.upload("/bots", "bot.zip", make_zip({"b/main.py": BOT}), name="sharp", ladder=ladders).status_code
        == 202
    )
    with database.reading() as session:
        assert session.scalars(select(Version.ladders)).one() == ladders


def test_the_source_comes_back_as_it_was_taken_in_for_its_owner_alone(ada: Caller, bob: Caller) -> None:
    files = {"main.py": BOT, "lib/table.py": b"TABLE = []\n"}
    ada.upload(
        "/bots", "bot.zip", make_zip({f"wrap/{name}": data for name, data in files.items()}), name="sharp"
    )
    response = ada.get("/bots/sharp/versions/1/source")
    with zipfile.ZipFile(io.BytesIO(response.data)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files
    assert response.headers["Cache-Control"] == "no-store"
    problem(bob.get("/bots/sharp/versions/1/source"), 404)


@pytest.mark.parametrize(
    ("filename", "data", "fields", "status", "words"),
    [
        ("bot.zip", b"this is no zip", {}, 422, "not a zip archive"),
        ("bot.zip", b"", {}, 422, "is empty"),
        ("bot.zip", zip_with_symlink(), {}, 422, "'secrets.py' is a symbolic link"),
        ("bot.zip", make_zip({"main.py": BOT, "../evil.py": b""}), {}, 422, "'../evil.py' leads out"),
        ("bot.zip", bomb(200 << 20), {}, 413, "'zeros.bin' alone to 209,715,200"),
        ("bot.zip", make_zip({f"m{n}.py": b"" for n in range(2_000)}), {}, 413, "2,000 files"),
        ("main.rs", b"fn main() {}", {}, 422, "this is Rust"),
        ("main.py", BOT, {"language": "rust"}, 422, "this is Rust"),
        ("main.py", BOT, {"language": "klingon"}, 422, "no language known here"),
        ("main.py", BOT, {"ladder": "no-such"}, 422, "there is no ladder 'no-such'"),
        ("main.py", BOT, {"ladder": "autumn-cup"}, 422, "is closed"),
        ("main.py", BOT, {"ladder": "No Such"}, 422, "ladder"),
        ("main.py", BOT, {"name": "No Name"}, 422, "name"),
        ("main.py", BOT, {"colour": "red"}, 422, "colour"),
    ],
)
def test_an_upload_that_cannot_be_used_is_refused_and_leaves_nothing(
    ada: Caller,
    database: Database,
    filename: str,
    data: bytes,
    fields: dict[str, Any],
    status: int,
    words: str,
) -> None:
    found = problem(ada.upload("/bots", filename, data, **{"name": "sharp", **fields}), status)
    assert words in found["detail"]
    assert [error["field"] for error in found["errors"]]
    with database.reading() as session:
        assert session.scalars(select(Bot)).all() == []


@pytest.mark.parametrize("data", [{}, {"name": "sharp"}, {"name": "sharp", "file": "not a file"}])
def test_a_form_without_a_file_names_the_missing_field(ada: Caller, data: dict[str, str]) -> None:
    found = problem(ada.post("/bots", data=data, content_type="multipart/form-data"), 422)
    assert "file" in [error["field"] for error in found["errors"]]


def test_a_file_sent_as_json_is_the_wrong_type(ada: Caller) -> None:
    found = problem(ada.post("/bots", json={"name": "sharp", "file": "print()"}), 415)
    assert "multipart/form-data, not application/json" in found["detail"]


def test_an_upload_over_the_limit_is_refused(ada: Caller) -> None:
    found = problem(ada.upload("/bots", "main.py", b"#" * (11 << 20), name="sharp"), 413)
    assert "at most" in found["detail"]


def test_a_taken_name_is_a_conflict_whoever_asks(ada: Caller, bob: Caller) -> None:
    ada.upload("/bots", "main.py", BOT, name="sharp")
    for caller in (ada, bob):
        found = problem(caller.upload("/bots", "main.py", b"# other\n", name="sharp"), 409)
        assert "there is a bot named 'sharp' already" in found["detail"]


def test_the_same_source_again_names_the_version_it_is(ada: Caller) -> None:
    ada.upload("/bots", "main.py", BOT, name="sharp")
    assert ada.upload("/bots/sharp/versions", "main.py", b"# 2\n").get_json()["version"] == 2
    found = problem(ada.upload("/bots/sharp/versions", "zip.zip", make_zip({"main.py": BOT})), 409)
    assert "this source is version 1 of 'sharp' already" in found["detail"]


def test_nobody_uploads_to_anothers_bot_or_to_one_that_is_not_there(
    ada: Caller, bob: Caller, sharp: Version
) -> None:
    problem(bob.upload("/bots/sharp/versions", "main.py", BOT), 403)
    problem(ada.upload("/bots/blunt/versions", "main.py", BOT), 404)


def test_uploads_need_a_token(client: Caller) -> None:
    problem(client.upload("/bots", "main.py", BOT, name="sharp"), 401)


def test_quotas_answer_429_and_say_when_to_try_again(ada: Caller, app: APIFlask, database: Database) -> None:
    with database.transaction() as session:
        account = session.scalars(select(Account).where(Account.name == "ada")).one()
        for number in range(Settings().bots_per_account):
            add_bot(session, account, f"bot-{number}")
    response = ada.upload("/bots", "main.py", BOT, name="sharp")
    assert "as many as one account may" in problem(response, 429)["detail"]
    assert int(response.headers["Retry-After"]) > 0


def test_a_bot_shows_the_version_that_plays_and_the_one_on_its_way(
    client: Caller, ada: Caller, sharp: Version
) -> None:
    ada.upload("/bots/sharp/versions", "main.py", b"# 2\n")
    bot = client.get("/bots/sharp").get_json()
    assert (bot["owner"], bot["version"], bot["status"]) == ("ada", 1, "active")
    assert (bot["latest"]["version"], bot["latest"]["status"]) == (2, "queued")
    assert [version["version"] for version in bot["versions"]] == [2, 1]
    (entry,) = bot["entries"]
    assert (entry["ladder"], entry["version"], entry["status"], entry["rank"]) == (
        "classic-50",
        1,
        "active",
        1,
    )


@pytest.mark.parametrize(
    ("version", "entries", "status", "reason"),
    [
        ("queued", [], "queued", ""),
        ("building", [], "building", ""),
        ("failed", [], "failed", "main.py, line 3: invalid syntax"),
        ("retired", [("withdrawn", "")], "retired", "main.py, line 3: invalid syntax"),
        ("built", [], "retired", "it is on no ladder"),
        ("built", [("validating", "")], "validating", ""),
        ("built", [("failed", "it crashed"), ("validating", "")], "validating", ""),
        ("built", [("failed", "it crashed"), ("active", "")], "active", "classic-50: it crashed"),
        (
            "built",
            [("failed", "it crashed"), ("failed", "too slow")],
            "failed",
            "classic-50: it crashed; l1: too slow",
        ),
        ("built", [("failed", "")], "failed", "classic-50: failed, no reason was recorded; ask the operator"),
        (
            "built",
            [("suspended", "too many faults"), ("failed", "x")],
            "suspended",
            "classic-50: too many faults",
        ),
        ("built", [("superseded", "")], "retired", "another version plays in its place"),
        ("built", [("withdrawn", "")], "retired", "withdrawn from its ladders"),
    ],
)
def test_the_status_is_derived_from_the_version_and_its_entries(
    ada: Caller, database: Database, version: str, entries: list[tuple[str, str]], status: str, reason: str
) -> None:
    reason_of_version = "main.py, line 3: invalid syntax" if version in ("failed", "retired") else ""
    with database.transaction() as session:
        bot = add_bot(session, session.scalars(select(Account).where(Account.name == "ada")).one(), "sharp")
        row = add_version(session, bot, status=version, reason=reason_of_version)
        ladders = session.scalars(
            select(Ladder).where(Ladder.state == "open").order_by(Ladder.slug.desc())
        ).all()
        ladders[1].slug = "l1"
        for ladder, (entry, why) in zip(ladders, entries, strict=False):
            add_entry(session, ladder, bot, row, entry, reason=why)
    found = ada.get("/bots/sharp/versions/1").get_json()
    assert found["status"] == status
    assert found["reason"].startswith(reason) if reason else found["reason"] == ""


def test_only_the_owner_sees_the_owners_part(
    client: Caller, ada: Caller, bob: Caller, sharp: Version
) -> None:
    assert client.get("/bots/sharp/versions/1").get_json()["mine"] is None
    assert bob.get("/bots/sharp/versions/1").get_json()["mine"] is None
    assert ada.get("/bots/sharp/versions/1").get_json()["mine"]["source_sha256"] == sharp.source_digest


def test_the_build_log_is_its_owners_alone(
    client: Caller, ada: Caller, bob: Caller, sharp: Version, database: Database, settings: Settings
) -> None:
    assert "no build log yet" in problem(ada.get("/bots/sharp/versions/1/build-log"), 404)["detail"]
    digest = FolderBlobs(settings.home.absolute() / "blobs").put("text", b"compiled: 1 Datei\n")
    with database.transaction() as session:
        session.get_one(Version, sharp.id).build_log = digest
    response = ada.get("/bots/sharp/versions/1/build-log")
    assert (response.text, response.mimetype) == ("compiled: 1 Datei\n", "text/plain")
    assert "not yours" in problem(bob.get("/bots/sharp/versions/1/build-log"), 404)["detail"]
    problem(client.get("/bots/sharp/versions/1/build-log"), 401)


def test_what_the_store_no_longer_has_is_gone(ada: Caller, sharp: Version) -> None:
    problem(ada.get("/bots/sharp/versions/1/source"), 410)


@pytest.mark.parametrize(
    "path", ["/bots/blunt", "/bots/sharp/versions/2", "/bots/UPPER", "/bots/a%00b", "/bots/x'--"]
)
def test_what_is_not_there_is_a_404_that_says_what_is(client: Caller, sharp: Version, path: str) -> None:
    assert problem(client.get(path), 404)["detail"]


@pytest.mark.parametrize("number", ["0", "-1", "99999999999999999999", "one"])
def test_a_version_number_out_of_range_is_a_404(client: Caller, sharp: Version, number: str) -> None:
    problem(client.get(f"/bots/sharp/versions/{number}"), 404)


def test_bots_are_listed_by_name_in_pages_and_by_owner(client: Caller, ada: Caller, bob: Caller) -> None:
    for caller, name in [(ada, "cc"), (bob, "aa"), (ada, "bb")]:
        caller.upload("/bots", "main.py", f"# {name}\n".encode(), name=name)
    first = client.get("/bots?limit=2").get_json()
    second = client.get(f"/bots?limit=2&cursor={first['next']}").get_json()
    assert [item["bot"] for item in first["items"] + second["items"]] == ["aa", "bb", "cc"]
    assert second["next"] is None
    of_ada = client.get("/bots?owner=ada").get_json()["items"]
    assert [(item["bot"], item["owner"], item["status"]) for item in of_ada] == [
        ("bb", "ada", "queued"),
        ("cc", "ada", "queued"),
    ]


@pytest.mark.parametrize("query", ["limit=0", "limit=201", "limit=x", "cursor=x", "owner=NO", "page=2"])
def test_a_wrong_query_is_named(client: Caller, query: str) -> None:
    found = problem(client.get(f"/bots?{query}"), 422)
    assert found["errors"][0]["field"] == query.partition("=")[0]


def test_rolling_back_puts_the_older_version_in_place_of_the_newer(
    ada: Caller, bob: Caller, sharp: Version, database: Database
) -> None:
    add_active_version(database, 2)
    problem(bob.post("/bots/sharp/versions/1/activate"), 403)
    assert ada.get("/bots/sharp").get_json()["version"] == 2
    for _ in range(2):
        assert ada.post("/bots/sharp/versions/1/activate").get_json()["status"] == "active"
    assert ada.get("/bots/sharp").get_json()["version"] == 1
    retired = ada.get("/bots/sharp/versions/2").get_json()
    assert (retired["status"], retired["entries"][0]["status"]) == ("retired", "superseded")
    assert "another version plays in its place" in retired["reason"]
    with database.reading() as session:
        assert session.scalars(select(Ladder.ranks_due).where(Ladder.slug == "classic-50")).one()


def test_a_version_still_being_tried_does_not_undo_a_roll_back(
    ada: Caller, sharp: Version, database: Database
) -> None:
    add_active_version(database, 2)
    with database.transaction() as session:
        bot = session.scalars(select(Bot)).one()
        ladder = session.scalars(select(Ladder).where(Ladder.slug == "classic-50")).one()
        add_entry(session, ladder, bot, add_version(session, bot, 3), "validating", activated_us=None)
    ada.post("/bots/sharp/versions/1/activate")
    with database.reading() as session:
        rows = session.execute(
            select(Version.number, Entry.status).join(Entry).order_by(Version.number)
        ).all()
    assert [tuple(row) for row in rows] == [(1, "active"), (2, "superseded"), (3, "superseded")]
    assert ada.post("/bots/sharp/versions/3/activate").get_json()["status"] == "validating"


def test_a_retired_version_plays_no_more_and_can_be_brought_back(
    ada: Caller, bob: Caller, sharp: Version
) -> None:
    problem(bob.post("/bots/sharp/versions/1/retire"), 403)
    for _ in range(2):
        assert ada.post("/bots/sharp/versions/1/retire").get_json()["status"] == "retired"
    assert ada.get("/ladders/classic-50/standings").get_json()["items"] == []
    assert ada.post("/bots/sharp/versions/1/activate").get_json()["status"] == "active"
    assert [row["bot"] for row in ada.get("/ladders/classic-50/standings").get_json()["items"]] == ["sharp"]


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("queued", "is still queued; it becomes active by itself"),
        ("building", "is still building"),
        ("failed", "failed: no luck; upload a corrected version"),
    ],
)
def test_a_version_that_never_played_cannot_be_activated(
    ada: Caller, database: Database, status: str, words: str
) -> None:
    with database.transaction() as session:
        account = session.scalars(select(Account).where(Account.name == "ada")).one()
        add_version(session, add_bot(session, account), status=status, reason="no luck")
    assert words in problem(ada.post("/bots/sharp/versions/1/activate"), 409)["detail"]


@pytest.mark.parametrize("detour", [["retire"], []])
def test_a_suspension_cannot_be_undone_by_its_owner(
    ada: Caller, sharp: Version, database: Database, detour: list[str]
) -> None:
    with database.transaction() as session:
        entry = session.scalars(select(Entry)).one()
        entry.status, entry.reason = "suspended", "too many faults"
    for step in detour:
        ada.post(f"/bots/sharp/versions/1/{step}")
    problem(ada.post("/bots/sharp/versions/1/activate"), 409)
    problem(ada.delete("/ladders/classic-50/entries/sharp"), 404)
    problem(ada.post("/ladders/classic-50/entries", json={"bot": "sharp"}), 409)
    with database.reading() as session:
        assert session.scalars(select(Entry.status)).one() == "suspended"
