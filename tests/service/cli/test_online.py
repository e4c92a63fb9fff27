"""The commands that talk to a server, against a real one on a real database."""

import hashlib
import json
import re
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pytest
from werkzeug.serving import make_server

from service.app import create_app
from service.blobs import FolderBlobs
from service.cli.supervisor.listening import listen
from service.models import Account, Bot, Entry, Ladder, Version
from service.settings import Settings
from service.storage.database import Database
from tests.service.cli.conftest import Malice
from tests.service.cli.logs import sample_log
from tests.service.factories import (
    add_account,
    add_bot,
    add_entry,
    add_fixture,
    add_ladder,
    add_version,
    finish,
)

PASSWORD = "correct horse battery staple\n"


@pytest.fixture
def server(settings: Settings, database: Database) -> Iterator[str]:
    """The address of a running server with one ladder."""
    with database.transaction() as session:
        add_ladder(session)
    listener = listen("127.0.0.1", 0)
    settings = msgspec.structs.replace(settings, port=listener.getsockname()[1])
    server = make_server(
        "127.0.0.1", settings.port, create_app(settings, database), threaded=True, fd=listener.fileno()
    )
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{settings.port}"
    server.shutdown()
    thread.join()
    server.server_close()
    listener.close()


@pytest.fixture
def ada(malice: Malice, server: str) -> str:
    """The name of an account this machine is logged in to."""
    result = malice("register", "ada", "--server", server, "--password-stdin", stdin=PASSWORD)
    assert result.exit_code == 0, result.output
    return "ada"


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    file = tmp_path / "My_Bot.py"
    file.write_text("print('hello')\n")
    return file


@pytest.mark.parametrize("command", ["register", "login"])
def test_without_a_terminal_no_password_is_asked_for(malice: Malice, server: str, command: str) -> None:
    result = malice(command, "ada", "--server", server, stdin=PASSWORD)
    assert result.exit_code == 2
    assert "--password-stdin" in result.output


def test_registering_keeps_the_token_for_its_owner_only(ada: str, tmp_path: Path, server: str) -> None:
    file = tmp_path / "config" / "malice" / "client.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    kept = json.loads(file.read_text())
    assert kept["server"] == server
    assert kept["logins"][server]["account"] == "ada"


def test_the_token_is_not_shown_unless_asked_for(malice: Malice, server: str) -> None:
    quiet = malice("register", "ada", "--server", server, "--password-stdin", stdin=PASSWORD)
    assert "malice_" not in quiet.output
    told = malice("login", "ada", "--server", server, "--password-stdin", "--json", stdin=PASSWORD)
    assert json.loads(told.stdout)["token"].startswith("malice_")


def test_a_token_goes_to_no_other_server_than_its_own(
    malice: Malice, ada: str, bot: Path, server: str
) -> None:
    result = malice("submit", bot, "--server", server.replace("127.0.0.1", "localhost"))
    assert result.exit_code == 1
    assert "no token for http://localhost" in result.output


def test_the_operator_sets_a_password_with_the_one_time_token(
    malice: Malice, server: str, database: Database
) -> None:
    from service.accounts.registration import make_operator

    with database.transaction() as session:
        token = make_operator(session).token
    first = malice(
        "login", "operator", "--server", server, "--once", token, "--password-stdin", stdin=PASSWORD
    )
    assert first.exit_code == 0, first.output
    again = malice(
        "login", "operator", "--server", server, "--once", token, "--password-stdin", stdin=PASSWORD
    )
    assert again.exit_code == 1
    assert malice("login", "operator", "--password-stdin", stdin=PASSWORD).exit_code == 0


def test_submitting_names_the_bot_after_its_file_and_a_second_time_makes_a_version(
    malice: Malice, ada: str, bot: Path
) -> None:
    first = malice("submit", bot, "--no-wait")
    assert first.exit_code == 0, first.output
    assert "my-bot version 1 is queued" in first.output
    bot.write_text("print('hello again')\n")
    second = malice("submit", bot, "--no-wait", "--json")
    assert json.loads(second.stdout)["version"] == 2


def test_what_the_server_refuses_is_one_line_with_what_to_do(malice: Malice, ada: str, bot: Path) -> None:
    assert malice("submit", bot, "--no-wait").exit_code == 0
    result = malice("submit", bot, "--no-wait")
    assert result.exit_code == 1
    assert re.match(r"Error: .*version 1", result.output)
    assert len(result.output.splitlines()) == 1


def test_submitting_waits_and_fails_with_the_reason(
    malice: Malice, ada: str, bot: Path, database: Database
) -> None:
    with database.transaction() as session:
        owner = session.query(Account).filter_by(name="ada").one()
        add_version(session, add_bot(session, owner, "my-bot"), 1)

    def fail_it() -> None:
        with database.transaction() as session:
            version = session.query(Version).filter_by(number=2).one_or_none()
            if version:
                version.status, version.reason = "failed", "main.py, line 1: \x1b[31minvalid syntax"
            else:
                timer()

    def timer() -> None:
        threading.Timer(0.05, fail_it).start()

    timer()
    result = malice("submit", bot)
    assert result.exit_code == 1
    assert "failed after" in result.output
    assert "main.py, line 1: \\x1b[31minvalid syntax" in result.output
    assert "submit it again" in result.output


def test_without_a_token_submitting_says_how_to_get_one(malice: Malice, server: str, bot: Path) -> None:
    result = malice("submit", bot, "--server", server)
    assert result.exit_code == 1
    assert "malice register NAME" in result.output


def test_nobody_there_is_said_in_one_line(malice: Malice, bot: Path) -> None:
    with listen("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    result = malice("standings", "--server", f"http://127.0.0.1:{port}")
    assert result.exit_code == 1
    assert f"nothing answers at http://127.0.0.1:{port}: start a server with `malice up`" in result.output


@pytest.mark.parametrize("server", ["ftp://x", "localhost:8000", "not an address"])
def test_an_address_that_is_none_is_wrong_usage(malice: Malice, server: str) -> None:
    assert malice("standings", "--server", server).exit_code == 2


def test_a_damaged_configuration_is_named(malice: Malice, tmp_path: Path) -> None:
    file = tmp_path / "config" / "malice" / "client.json"
    file.parent.mkdir(parents=True)
    file.write_text("{")
    result = malice("standings")
    assert result.exit_code == 1
    assert str(file) in result.output.replace("\n", "")


@pytest.fixture
def played(database: Database, settings: Settings) -> str:
    """Two bots on the ladder and one fixture between them, done; returns its id."""
    blobs = FolderBlobs(Path(settings.resolved_blobs))
    with database.transaction() as session:
        ladder = session.query(Entry).first() or add_ladder(session, "classic-25", priority=9)
        assert not isinstance(ladder, Entry)
        owner = add_account(session, "bob")
        entries = []
        for name, mu in (("sharp", 30.0), ("blunt", 20.0)):
            bot = add_bot(session, owner, name)
            version = add_version(session, bot)
            entries.append(
                add_entry(session, ladder, bot, version, mu=mu, neg_mu_e6=-round(mu * 1e6), fixtures=3)
            )
        fixture = add_fixture(session, ladder, entries)
        finish(session, blobs, fixture, [[25, 3], [25, 9]])
        return fixture.id


def test_the_table_lists_the_ladder_served_first_best_first(malice: Malice, played: str, server: str) -> None:
    result = malice("standings", "--server", server)
    assert result.exit_code == 0, result.output
    assert result.output.index("sharp") < result.output.index("blunt")
    other = malice("standings", "classic-50", "--server", server, "--json")
    assert json.loads(other.stdout)["items"] == []


def test_a_table_says_whose_it_is(malice: Malice, played: str, server: str) -> None:
    title = malice("standings", "classic-25", "--server", server).output.splitlines()[0]
    assert title.endswith(" (classic-25)")
    assert not title.startswith(" ")


def test_the_ladders_are_listed_with_what_is_played_on_them(malice: Malice, played: str, server: str) -> None:
    result = malice("ladders", "--server", server)
    assert result.exit_code == 0, result.output
    rows = [line.split() for line in result.stdout.splitlines() if line.startswith("classic-")]
    assert [row[0] for row in rows] == ["classic-25", "classic-50"]
    assert [row[-5:] for row in rows] == [["2", "to", "50", "open", "2"], ["2", "to", "50", "open", "0"]]
    assert all("(spite-and-malice)" in row for row in rows)
    found = json.loads(malice("ladders", "--server", server, "--json").stdout)["items"]
    assert [ladder["slug"] for ladder in found] == ["classic-25", "classic-50"]


def test_a_bot_enters_a_second_ladder_and_leaves_it(
    malice: Malice, ada: str, bot: Path, database: Database
) -> None:
    with database.transaction() as session:
        add_ladder(session, "short-50")
        owner = session.query(Account).filter_by(name="ada").one()
        add_version(session, add_bot(session, owner, "my-bot"), 1, status="built")

    def where() -> list[tuple[str, str]]:
        with database.reading() as session:
            return [
                (session.get_one(Ladder, entry.ladder_id).slug, entry.status)
                for entry in session.query(Entry)
            ]

    entered = malice("enter", "my-bot", "short-50")
    assert entered.exit_code == 0, entered.output
    assert entered.stdout == "my-bot on short-50: validating.\n"
    assert where() == [("short-50", "validating")]
    again = malice("enter", "my-bot", "short-50")
    assert again.exit_code == 1
    assert "already" in again.output
    left = malice("leave", "my-bot", "short-50")
    assert left.exit_code == 0, left.output
    assert where() == [("short-50", "withdrawn")]
    assert malice("leave", "my-bot", "short-50").exit_code == 1


def test_a_new_version_may_name_the_ladders_it_is_on_and_is_told_how_to_enter_others(
    malice: Malice, ada: str, bot: Path, database: Database
) -> None:
    with database.transaction() as session:
        ladder = add_ladder(session, "short-50")
        owner = session.query(Account).filter_by(name="ada").one()
        mine = add_bot(session, owner, "my-bot")
        add_entry(session, ladder, mine, add_version(session, mine, 1))
    other = malice("submit", bot, "--ladder", "short-50", "--ladder", "classic-50", "--no-wait")
    assert other.exit_code == 1
    assert "`malice enter my-bot classic-50` will put it there" in other.output
    assert "enter my-bot short-50" not in other.output
    same = malice("submit", bot, "--ladder", "short-50", "--no-wait")
    assert same.exit_code == 0, same.output
    assert "my-bot version 2 is queued" in same.output


def test_a_bot_that_plays_is_sent_to_its_own_table(
    malice: Malice, ada: str, bot: Path, database: Database
) -> None:
    with database.transaction() as session:
        ladder = add_ladder(session, "short-50")
        ladder_id = ladder.id

    def pass_it() -> None:
        with database.transaction() as session:
            version = session.query(Version).one_or_none()
            if version is None:
                timer()
                return
            version.status = "built"
            mine = session.get_one(Bot, version.bot_id)
            add_entry(session, session.get_one(Ladder, ladder_id), mine, version)

    def timer() -> None:
        threading.Timer(0.05, pass_it).start()

    timer()
    result = malice("submit", bot, "--ladder", "short-50")
    assert result.exit_code == 0, result.output
    assert "/bots/my-bot, or `malice standings short-50`." in result.output


def test_an_unknown_ladder_is_refused_with_those_there_are(malice: Malice, server: str) -> None:
    result = malice("standings", "classic/../50", "--server", server)
    assert result.exit_code == 1
    assert len(result.output.splitlines()) == 1


def test_a_bot_is_shown_with_where_it_plays(malice: Malice, played: str, server: str) -> None:
    bot = malice("status", "sharp", "--server", server)
    assert bot.exit_code == 0, bot.output
    assert "sharp of bob: version 1 is active" in bot.output
    version = malice("status", "sharp@1", "--server", server)
    assert "classic-25" in version.output
    assert json.loads(malice("status", "sharp", "--server", server, "--json").stdout)["bot"] == "sharp"
    assert malice("status", "nobody", "--server", server).exit_code == 1


def test_the_servers_health_is_its_exit_code(malice: Malice, server: str) -> None:
    result = malice("status", "--server", server)
    assert result.exit_code == 1
    assert re.search(r"broker +FAILED +none is set", result.output)


def test_a_log_is_downloaded_as_it_is_kept(
    malice: Malice, played: str, server: str, tmp_path: Path, database: Database, settings: Settings
) -> None:
    from service.models import Match

    log = sample_log()
    digest = FolderBlobs(Path(settings.resolved_blobs)).put("log", log)
    with database.transaction() as session:
        match = session.query(Match).filter_by(fixture_id=played, leg=0).one()
        match.log = digest
        number = match.id
    file = tmp_path / "match.ndjson"
    assert malice("log", number, "-o", file, "--server", server).exit_code == 0
    assert file.read_bytes() == log
    assert (
        hashlib.sha256(malice("log", number, "-o", "-", "--server", server).stdout_bytes).hexdigest()
        == digest
    )


def test_a_replay_asks_the_server_for_the_names(
    malice: Malice, played: str, server: str, tmp_path: Path
) -> None:
    versions = ["01kb3r2c9v0000000000000000", "01kb3r2c9v0000000000000001"]
    file = tmp_path / "match.ndjson"
    file.write_bytes(sample_log(fixture=played, versions=versions))
    # Which of the two sits in seat 0 is drawn by the fixture's seed.
    seats = httpx.get(f"{server}/api/v1/fixtures/{played}").json()["seats"]
    first, second = (seat["bot"] for seat in sorted(seats, key=lambda seat: seat["seat"]))
    assert {first, second} == {"sharp", "blunt"}
    named = malice("replay", file, "--server", server)
    assert named.exit_code == 0, named.output
    assert named.stdout.splitlines()[1:3] == [f"  seat 0  {first}", f"  seat 1  {second}"]
    assert f"deal 0, dealt by {first}" in named.stdout
    file.write_bytes(sample_log(fixture="another", versions=versions))
    unknown = malice("replay", file, "--server", server)
    assert unknown.exit_code == 0, unknown.output
    assert "does not know the bots' names" in unknown.stderr
    assert "deal 0, dealt by seat 0" in unknown.stdout


def test_verify_compares_with_what_the_server_published(
    malice: Malice, played: str, server: str, tmp_path: Path, database: Database, settings: Settings
) -> None:
    from service.models import Match

    log = sample_log(fixture=played)
    file = tmp_path / "match.ndjson"
    file.write_bytes(log)
    other = malice("verify", file, "--server", server)
    assert other.exit_code == 1
    assert "NOT the log" in other.output
    digest = FolderBlobs(Path(settings.resolved_blobs)).put("log", log)
    with database.transaction() as session:
        session.query(Match).filter_by(fixture_id=played, leg=0).one().log = digest
    same = malice("verify", file, "--server", server)
    assert same.exit_code == 0, same.output
    assert f"as published by {server}" in same.output
    file.write_bytes(sample_log(fixture="../../../etc/passwd"))
    unknown = malice("verify", file, "--server", server)
    assert unknown.exit_code == 1
    assert "knows no such fixture" in unknown.output
