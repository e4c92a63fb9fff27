"""Ladders, standings, entering and leaving over HTTP."""

import hashlib
from collections.abc import Callable

import pytest
from sqlalchemy import select, update

from engine.games import game_from_profile
from service.fixtures.days import reveal_days
from service.models import Account, Bot, Entry, Fixture, Ladder, StreamDay, Version
from service.storage.database import Database
from tests.service.api.conftest import Caller, problem
from tests.service.factories import add_account, add_bot, add_entry, add_fixture, add_ladder, add_version

pytestmark = pytest.mark.usefixtures("ladders")


@pytest.fixture
def players(ada: Caller, database: Database) -> list[str]:
    """Three bots of Ada's on classic-50, established, best first."""
    names = ["sharp", "plain", "blunt"]
    with database.transaction() as session:
        account = session.scalars(select(Account).where(Account.name == "ada")).one()
        ladder = session.scalars(select(Ladder).where(Ladder.slug == "classic-50")).one()
        for place, name in enumerate(names):
            bot = add_bot(session, account, name)
            mu = 30.0 - place
            add_entry(
                *(session, ladder, bot, add_version(session, bot)),
                mu=mu,
                neg_mu_e6=-round(mu * 1e6),
                fixtures=40,
                provisional=False,
                rank_low=1,
                rank_high=3,
            )
    return names


def entries(database: Database) -> list[tuple[str, int, str]]:
    """All entries as ladder, version and status."""
    with database.reading() as session:
        rows = session.execute(
            select(Ladder.slug, Version.number, Entry.status)
            .join(Entry, Entry.ladder_id == Ladder.id)
            .join(Version, Entry.version_id == Version.id)
            .order_by(Ladder.slug, Version.number)
        ).all()
    return [(slug, number, status) for slug, number, status in rows]


def test_ladders_are_listed_with_all_one_needs_to_play_the_one_served_first_at_the_top(
    client: Caller,
) -> None:
    items = client.get("/ladders").get_json()["items"]
    assert [item["slug"] for item in items] == ["classic-50", "autumn-cup", "classic-25"]
    assert client.get("/ladders/classic-50").get_json() == items[0]
    assert (items[0]["target"], items[0]["players"], items[0]["state"]) == (50, 2, "open")
    assert items[0]["rules"]["game"] == "spite-and-malice"
    assert items[0]["clock"] == {"start_ms": 5000, "bank_ms": 10000, "increment_ms": 20, "leg_ms": 60000}
    assert items[0]["parameters"]["tau"] == 0


def test_a_ladder_says_how_many_sit_down_how_many_sides_they_make_and_whether_deals_are_counted(
    client: Caller, database: Database
) -> None:
    partners, pool = (
        game_from_profile("forty-five", 4),
        game_from_profile("spoil-five", 5, {"scoring": "pool"}),
    )
    with database.transaction() as session:
        add_ladder(session, "partners", rules=partners.document(), players=4, sides=partners.sides)
        add_ladder(session, "pool", rules=pool.document(), players=5, deals=pool.fixed_deals, target=25)
    found = {slug: client.get(f"/ladders/{slug}").get_json() for slug in ("classic-50", "partners", "pool")}
    assert {slug: (one["players"], one["sides"], one["deals"]) for slug, one in found.items()} == {
        "classic-50": (2, 2, None),
        "partners": (4, 2, None),
        "pool": (5, 5, 25),
    }


def test_an_unknown_ladder_is_a_404_that_names_those_there_are(client: Caller) -> None:
    for path in ("", "/standings", "/days"):
        found = problem(client.get(f"/ladders/no-such{path}"), 404)
        assert "the ladders are classic-50, autumn-cup, classic-25" in found["detail"]


def test_standings_have_all_columns_best_first(client: Caller, players: list[str]) -> None:
    found = client.get("/ladders/classic-50/standings").get_json()
    assert [(row["rank"], row["bot"]) for row in found["items"]] == [(1, "sharp"), (2, "plain"), (3, "blunt")]
    assert found["items"][0].keys() == {
        *("rank", "bot", "version", "owner", "mu", "sigma", "score", "rank_low", "rank_high"),
        *("fixtures", "wins", "draws", "losses", "faults", "provisional"),
    }
    assert found["next"] is None
    assert found["as_of"].endswith("Z")


def test_standings_come_in_pages(client: Caller, players: list[str]) -> None:
    rows, cursor = [], ""
    while cursor is not None:
        page = client.get(f"/ladders/classic-50/standings?limit=1{cursor}").get_json()
        rows += [(row["rank"], row["bot"]) for row in page["items"]]
        cursor = f"&cursor={page['next']}" if page["next"] else None  # type: ignore[assignment]
    assert rows == [(1, "sharp"), (2, "plain"), (3, "blunt")]


def test_standings_that_have_not_changed_are_a_304(
    client: Caller, players: list[str], database: Database
) -> None:
    etag = client.get("/ladders/classic-50/standings").headers["ETag"]
    unchanged = {"If-None-Match": etag}
    assert client.get("/ladders/classic-50/standings", headers=unchanged).status_code == 304
    with database.transaction() as session:
        session.scalars(select(Entry)).first().wins += 1  # type: ignore[union-attr]
    assert client.get("/ladders/classic-50/standings", headers=unchanged).status_code == 200


def test_the_days_secret_is_committed_to_at_once_and_shown_when_the_day_is_over(
    client: Caller, players: list[str], database: Database
) -> None:
    with database.transaction() as session:
        two = session.scalars(select(Entry).limit(2)).all()
        add_fixture(session, session.get_one(Ladder, two[0].ladder_id), two)
        day = session.scalars(select(StreamDay)).one()
        secret, commitment = day.secret, day.commitment
    (shown,) = client.get("/ladders/classic-50/days").get_json()["items"]
    assert (shown["kind"], shown["commitment"], shown["secret"]) == ("ladder", commitment, None)
    with database.transaction() as session:
        session.execute(update(Fixture).values(state="done", day="2020-01-01"))
        session.execute(update(StreamDay).values(day="2020-01-01"))
        reveal_days(session)
    (shown,) = client.get("/ladders/classic-50/days").get_json()["items"]
    assert shown["secret"] == secret
    assert hashlib.sha256(bytes.fromhex(secret)).hexdigest() == commitment


def test_entering_another_ladder_validates_the_newest_built_version_there(
    ada: Caller, players: list[str], database: Database
) -> None:
    response = ada.post("/ladders/classic-25/entries", json={"bot": "sharp"})
    assert (response.status_code, response.get_json()["status"]) == (201, "validating")
    assert ("classic-25", 1, "validating") in entries(database)
    found = problem(ada.post("/ladders/classic-25/entries", json={"bot": "sharp"}), 409)
    assert "is validating on ladder 'classic-25' already" in found["detail"]


def test_a_new_entry_starts_from_the_ladders_first_rating(
    ada: Caller, players: list[str], database: Database
) -> None:
    ada.post("/ladders/classic-25/entries", json={"bot": "sharp"})
    with database.reading() as session:
        entry = session.scalars(select(Entry).where(Entry.status == "validating")).one()
    assert (entry.mu, entry.sigma, entry.neg_mu_e6, entry.provisional) == (25.0, 25 / 3, -25_000_000, True)


def test_a_version_still_being_built_enters_when_it_is(ada: Caller, database: Database) -> None:
    ada.upload("/bots", "main.py", b"# 1\n", name="fresh", ladder="classic-25")
    response = ada.post("/ladders/classic-50/entries", json={"bot": "fresh"})
    assert (response.status_code, response.get_json()["status"]) == (201, "queued")
    with database.reading() as session:
        assert session.scalars(select(Version.ladders)).one() == ["classic-25", "classic-50"]


def test_leaving_keeps_versions_still_being_built_out_too(
    ada: Caller, players: list[str], database: Database
) -> None:
    ada.upload("/bots/sharp/versions", "main.py", b"# 2\n")
    assert ada.post("/ladders/classic-25/entries", json={"bot": "sharp"}).status_code == 201
    assert ada.delete("/ladders/classic-50/entries/sharp").status_code == 204
    with database.reading() as session:
        assert "classic-50" not in session.scalars(select(Version.ladders).where(Version.number == 2)).one()
    problem(ada.delete("/ladders/classic-50/entries/sharp"), 404)


def test_a_version_that_left_before_it_entered_is_on_no_ladder(ada: Caller, database: Database) -> None:
    ada.upload("/bots", "main.py", b"# 1\n", name="fresh", ladder="classic-25")
    assert ada.delete("/ladders/classic-25/entries/fresh").status_code == 204
    with database.transaction() as session:
        session.scalars(select(Version)).one().status = "built"
    shown = ada.get("/bots/fresh/versions/1").get_json()
    assert (shown["status"], shown["entries"]) == ("retired", [])
    assert "on no ladder" in shown["reason"]


def test_leaving_and_coming_back_keeps_the_rating(
    ada: Caller, players: list[str], database: Database
) -> None:
    assert ada.delete("/ladders/classic-50/entries/sharp").status_code == 204
    rows = ada.get("/ladders/classic-50/standings").get_json()["items"]
    assert [row["bot"] for row in rows] == ["plain", "blunt"]
    assert (
        "does not play on ladder" in problem(ada.delete("/ladders/classic-50/entries/sharp"), 404)["detail"]
    )
    assert ada.post("/ladders/classic-50/entries", json={"bot": "sharp"}).get_json()["status"] == "active"
    top = ada.get("/ladders/classic-50/standings").get_json()["items"][0]
    assert (top["bot"], top["mu"], top["fixtures"]) == ("sharp", 30.0, 40)


def test_leaving_forgets_the_versions_that_were_superseded_there(
    ada: Caller, players: list[str], database: Database
) -> None:
    with database.transaction() as session:
        bot = session.scalars(select(Bot).where(Bot.name == "sharp")).one()
        old = session.scalars(select(Entry).where(Entry.bot_id == bot.id)).one()
        old.status = "superseded"
        add_entry(session, session.get_one(Ladder, old.ladder_id), bot, add_version(session, bot, 2))
    assert ada.delete("/ladders/classic-50/entries/sharp").status_code == 204
    problem(ada.post("/bots/sharp/versions/1/activate"), 409)


@pytest.mark.parametrize(
    ("ladder", "bot", "status", "words"),
    [
        ("no-such", "sharp", 404, "there is no ladder"),
        ("autumn-cup", "sharp", 409, "is closed and takes no new entries"),
        ("classic-25", "no-such", 422, "there is no bot"),
        ("classic-25", "No Such", 422, "bot"),
        ("classic-50", "sharp", 409, "is active on ladder 'classic-50' already"),
    ],
)
def test_what_cannot_enter_is_told_why(
    ada: Caller, players: list[str], ladder: str, bot: str, status: int, words: str
) -> None:
    found = problem(ada.post(f"/ladders/{ladder}/entries", json={"bot": bot}), status)
    assert words in found["detail"]


def test_a_bot_whose_versions_all_failed_cannot_enter(ada: Caller, database: Database) -> None:
    with database.transaction() as session:
        account = session.scalars(select(Account).where(Account.name == "ada")).one()
        add_version(session, add_bot(session, account, "hopeless"), status="failed", reason="x")
    found = problem(ada.post("/ladders/classic-50/entries", json={"bot": "hopeless"}), 409)
    assert "has no version that could play" in found["detail"]


def test_another_owners_bot_is_neither_entered_nor_taken_off(bob: Caller, players: list[str]) -> None:
    problem(bob.post("/ladders/classic-25/entries", json={"bot": "sharp"}), 403)
    problem(bob.delete("/ladders/classic-50/entries/sharp"), 403)


def test_entering_needs_a_token(client: Caller, players: list[str]) -> None:
    problem(client.post("/ladders/classic-25/entries", json={"bot": "sharp"}), 401)
    problem(client.delete("/ladders/classic-50/entries/sharp"), 401)


def test_an_older_version_that_plays_is_not_replaced_by_entering(
    ada: Caller, players: list[str], database: Database, signed_in: Callable[..., Caller]
) -> None:
    with database.transaction() as session:
        bot = session.scalars(select(Bot).where(Bot.name == "sharp")).one()
        old = session.scalars(select(Entry).where(Entry.bot_id == bot.id)).one()
        add_entry(
            session, session.get_one(Ladder, old.ladder_id), bot, add_version(session, bot, 2), "superseded"
        )
    found = problem(ada.post("/ladders/classic-50/entries", json={"bot": "sharp"}), 409)
    assert "versions/2/activate puts it back" in found["detail"]


def test_an_account_without_bots_lists_none(client: Caller, database: Database) -> None:
    with database.transaction() as session:
        add_account(session, "eve")
    assert client.get("/bots?owner=eve").get_json() == {"items": [], "next": None}
