"""Fixtures, matches, logs, records and challenges over HTTP."""

import hashlib
from dataclasses import dataclass

import pytest
import zstandard
from sqlalchemy import select

from service.blobs import FolderBlobs
from service.models import Account, Entry, Fault, Fixture, Ladder, Match, Version
from service.settings import Settings
from service.storage.database import Database
from tests.service.api.conftest import Caller, problem
from tests.service.factories import add_bot, add_entry, add_fixture, add_version, finish, rate

pytestmark = pytest.mark.usefixtures("ladders")


@pytest.fixture
def blobs(settings: Settings) -> FolderBlobs:
    """The blobs of the application under test."""
    return FolderBlobs(settings.home.absolute() / "blobs")


@dataclass
class Table:
    """Two bots on classic-50, Ada's `sharp` and Bob's `blunt`, and what they played."""

    database: Database
    blobs: FolderBlobs

    def play(self, legs: list[tuple[int, int]], *, stderr: bytes = b"", rated: bool = True) -> str:
        """A finished fixture; `legs` are points of sharp and blunt. Returns its id."""
        with self.database.transaction() as session:
            fixture = self._drawn(rated)
            fixture = session.merge(fixture)
            # Points by seat of leg 0, whoever the seed seated there.
            first_is_sharp = self._first(fixture) == "sharp"
            points = [leg if first_is_sharp else leg[::-1] for leg in legs]
            finish(session, self.blobs, fixture, points, stderr)
            if rated:
                rate(session, fixture)
            return fixture.id

    def queue(self) -> str:
        """A fixture yet to be played. Returns its id."""
        return self._drawn(True).id

    def _drawn(self, rated: bool) -> Fixture:
        with self.database.transaction() as session:
            entries = session.scalars(select(Entry).order_by(Entry.id)).all()
            ladder = session.scalars(select(Ladder).where(Ladder.slug == "classic-50")).one()
            return add_fixture(session, ladder, entries, "ladder" if rated else "challenge")

    def _first(self, fixture: Fixture) -> str:
        from service.fixtures.queries import seats_of

        with self.database.reading() as session:
            return seats_of(session, [fixture])[fixture.id][0].bot


@pytest.fixture
def table(ada: Caller, bob: Caller, database: Database, blobs: FolderBlobs) -> Table:
    """The two bots."""
    with database.transaction() as session:
        ladder = session.scalars(select(Ladder).where(Ladder.slug == "classic-50")).one()
        for owner, name in (("ada", "sharp"), ("bob", "blunt")):
            bot = add_bot(session, session.scalars(select(Account).where(Account.name == owner)).one(), name)
            add_entry(session, ladder, bot, add_version(session, bot))
    return Table(database, blobs)


def test_a_fixture_yet_to_be_played_shows_its_commitment_and_keeps_its_seed(
    client: Caller, table: Table, database: Database
) -> None:
    fixture = client.get(f"/fixtures/{table.queue()}").get_json()
    assert (fixture["state"], fixture["seed"], fixture["result"], fixture["aggregate"]) == (
        "queued",
        None,
        None,
        None,
    )
    assert fixture["legs"] == []
    with database.reading() as session:
        seed = bytes.fromhex(session.scalars(select(Fixture.seed)).one())
    assert fixture["commitment"] == hashlib.sha256(seed).hexdigest()


@pytest.mark.parametrize("state", ["dispatched", "running", "void"])
def test_no_seed_is_shown_before_the_fixture_is_done(
    client: Caller, table: Table, database: Database, state: str
) -> None:
    fixture_id = table.queue()
    with database.transaction() as session:
        session.get_one(Fixture, fixture_id).state = state
    assert client.get(f"/fixtures/{fixture_id}").get_json()["seed"] is None


def test_a_finished_fixture_shows_legs_aggregate_result_and_what_it_did_to_ratings(
    client: Caller, table: Table
) -> None:
    fixture = client.get(f"/fixtures/{table.play([(50, 31), (44, 50)])}").get_json()
    assert fixture["state"] == "done"
    assert hashlib.sha256(bytes.fromhex(fixture["seed"])).hexdigest() == fixture["commitment"]
    by_bot = {seat["bot"]: seat for seat in fixture["seats"]}
    assert (by_bot["sharp"]["points"], by_bot["sharp"]["place"], by_bot["sharp"]["outcome"]) == (94, 1, "win")
    assert (by_bot["blunt"]["points"], by_bot["blunt"]["place"], by_bot["blunt"]["outcome"]) == (
        81,
        2,
        "loss",
    )
    assert fixture["aggregate"] == [seat["points"] for seat in fixture["seats"]]
    assert fixture["result"] == {"places": [seat["place"] for seat in fixture["seats"]], "winners": ["sharp"]}
    change = by_bot["sharp"]["rating"]
    assert (change["mu_before"], change["mu"]) == (25.0, 26.0)
    assert change["score"] == pytest.approx(26.0 - 3 * (25 / 3 - 1))
    first, second = fixture["legs"]
    assert first["bots"] == second["bots"][::-1]
    assert dict(zip(second["bots"], second["points"], strict=True)) == {"sharp": 44, "blunt": 50}
    assert (first["leg"], first["deals"], first["reason"], first["log_kept"]) == (0, 7, "target", True)


def test_level_points_are_a_draw_of_both(client: Caller, table: Table) -> None:
    fixture = client.get(f"/fixtures/{table.play([(50, 20), (20, 50)])}").get_json()
    assert [seat["outcome"] for seat in fixture["seats"]] == ["draw", "draw"]
    assert sorted(fixture["result"]["winners"]) == ["blunt", "sharp"]


def test_faults_are_shown_with_their_evidence(client: Caller, table: Table, database: Database) -> None:
    fixture_id = table.play([(50, 0), (50, 0)])
    with database.transaction() as session:
        version = session.scalars(select(Version).join(Entry).order_by(Entry.id.desc())).first()
        assert version is not None
        fault = {"version_id": version.id, "leg": 1, "seat": 0, "kind": "crash", "evidence": "exit status 1"}
        session.add(Fault(fixture_id=fixture_id, **fault))
    fixture = client.get(f"/fixtures/{fixture_id}").get_json()
    (shown,) = fixture["faults"]
    assert (shown["bot"], shown["kind"], shown["evidence"], shown["leg"]) == (
        "blunt",
        "crash",
        "exit status 1",
        1,
    )
    assert client.get(f"/matches/{fixture['legs'][0]['match']}").get_json()["faults"] == []
    assert client.get(f"/matches/{fixture['legs'][1]['match']}").get_json()["faults"] == [shown]


def test_fixtures_are_listed_newest_first_with_filters_and_in_pages(client: Caller, table: Table) -> None:
    played = [table.play([(50, 1), (50, 2)]) for _ in range(3)]
    queued = table.queue()

    def listed(query: str) -> list[str]:
        return [item["id"] for item in client.get(f"/fixtures?{query}").get_json()["items"]]

    newest_first = sorted([*played, queued], reverse=True)
    assert listed("") == newest_first
    assert listed("state=queued") == [queued]
    assert listed("bot=sharp&ladder=classic-50&state=done") == sorted(played, reverse=True)
    assert listed("ladder=classic-25") == []
    first = client.get("/fixtures?limit=3").get_json()
    assert [item["id"] for item in first["items"]] == newest_first[:3]
    assert listed(f"limit=3&cursor={first['next']}") == newest_first[3:]


@pytest.mark.parametrize(
    ("query", "field"),
    [("ladder=no-such", "ladder"), ("bot=no-such", "bot"), ("state=lost", "state"), ("cursor=x", "cursor")],
)
def test_a_filter_that_names_nothing_is_named(client: Caller, table: Table, query: str, field: str) -> None:
    assert problem(client.get(f"/fixtures?{query}"), 422)["errors"][0]["field"] == field


@pytest.mark.parametrize("path", ["/fixtures/{}", "/matches/{}", "/matches/{}/log"])
@pytest.mark.parametrize("wrong", ["0" * 26, "x", "a%00b", "é" * 26, "x" * 500])
def test_an_id_of_nothing_is_a_404(client: Caller, table: Table, path: str, wrong: str) -> None:
    assert "take an id from GET /api/v1/fixtures" in problem(client.get(path.format(wrong)), 404)["detail"]


def test_a_match_shows_who_sat_where(client: Caller, table: Table) -> None:
    fixture = client.get(f"/fixtures/{table.play([(50, 31), (44, 50)])}").get_json()
    match = client.get(f"/matches/{fixture['legs'][1]['match']}").get_json()
    assert (match["fixture"], match["leg"], match["ladder"], match["target"]) == (
        fixture["id"],
        1,
        "classic-50",
        50,
    )
    assert {seat["bot"]: seat["points"] for seat in match["seats"]} == {"sharp": 44, "blunt": 50}
    assert [seat["bot"] for seat in match["seats"]] == fixture["legs"][1]["bots"]
    assert match["sha256"] == fixture["legs"][1]["sha256"]


def match_of(client: Caller, table: Table, stderr: bytes = b"") -> str:
    """The first leg of a new fixture."""
    fixture = client.get(f"/fixtures/{table.play([(50, 31), (44, 50)], stderr=stderr)}").get_json()
    match: str = fixture["legs"][0]["match"]
    return match


def test_a_log_is_served_under_its_digest(client: Caller, table: Table) -> None:
    response = client.get(f"/matches/{match_of(client, table)}/log")
    digest = hashlib.sha256(response.data).hexdigest()
    assert (response.status_code, response.mimetype) == (200, "application/x-ndjson")
    assert response.headers["ETag"] == f'"{digest}"'
    assert "Content-Encoding" not in response.headers


def test_a_log_is_packed_for_who_can_unpack_it(client: Caller, table: Table) -> None:
    match = match_of(client, table)
    plain = client.get(f"/matches/{match}/log")
    packed = client.get(f"/matches/{match}/log", headers={"Accept-Encoding": "gzip, zstd"})
    assert packed.headers["Content-Encoding"] == "zstd"
    assert zstandard.ZstdDecompressor().decompress(packed.data) == plain.data
    assert "Accept-Encoding" in plain.headers["Vary"]
    refused = client.get(f"/matches/{match}/log", headers={"Accept-Encoding": "zstd;q=0"})
    assert refused.data == plain.data


def test_a_log_one_has_already_is_a_304(client: Caller, table: Table) -> None:
    path = f"/matches/{match_of(client, table)}/log"
    etag = client.get(path).headers["ETag"]
    assert client.get(path, headers={"If-None-Match": etag}).status_code == 304


@pytest.mark.parametrize("how", ["marked", "missing"])
def test_a_log_that_went_to_the_disk_budget_is_gone_and_the_answer_names_its_digest(
    client: Caller, table: Table, database: Database, blobs: FolderBlobs, how: str
) -> None:
    match_id = match_of(client, table)
    with database.transaction() as session:
        match = session.get_one(Match, match_id)
        digest = match.log
        if how == "marked":
            match.log_dropped = True
        else:
            blobs.delete("log", digest)
    found = problem(client.get(f"/matches/{match_id}/log"), 410)
    assert f"log {digest} was dropped" in found["detail"]


def test_stderr_is_for_the_owner_of_the_seat_alone(
    client: Caller, ada: Caller, bob: Caller, table: Table
) -> None:
    match_id = match_of(client, table, stderr=b" says hello")
    seats = {seat["bot"]: seat["seat"] for seat in client.get(f"/matches/{match_id}").get_json()["seats"]}
    response = ada.get(f"/matches/{match_id}/stderr?seat={seats['sharp']}")
    assert (response.text, response.mimetype) == (f"{seats['sharp']} says hello", "text/plain")
    problem(bob.get(f"/matches/{match_id}/stderr?seat={seats['sharp']}"), 404)
    problem(client.get(f"/matches/{match_id}/stderr?seat={seats['sharp']}"), 401)
    assert "seats 0 to 1" in problem(ada.get(f"/matches/{match_id}/stderr?seat=2"), 422)["detail"]
    problem(ada.get(f"/matches/{match_id}/stderr"), 422)


def test_what_is_damaged_in_the_store_is_said_to_be_so_and_where_it_lies_is_not(
    client: Caller, ada: Caller, table: Table
) -> None:
    match_id = match_of(client, table, stderr=b" says hello")
    match = client.get(f"/matches/{match_id}").get_json()
    seat = next(seat["seat"] for seat in match["seats"] if seat["bot"] == "sharp")
    for path in (*table.blobs.root.glob("log/??/*"), *table.blobs.root.glob("text/??/*")):
        path.write_bytes(path.read_bytes()[:-5])
    for answer in (
        client.get(f"/matches/{match_id}/log"),
        ada.get(f"/matches/{match_id}/stderr?seat={seat}"),
    ):
        detail = problem(answer, 500)["detail"]
        assert "damaged where it is stored" in detail
        assert str(table.blobs.root) not in detail


def test_a_bot_that_wrote_nothing_has_an_empty_stderr(ada: Caller, table: Table) -> None:
    match_id = match_of(ada, table)
    seats = {seat["bot"]: seat["seat"] for seat in ada.get(f"/matches/{match_id}").get_json()["seats"]}
    assert ada.get(f"/matches/{match_id}/stderr?seat={seats['sharp']}").text == ""


def test_a_bots_ratings_are_its_history_newest_first(client: Caller, table: Table) -> None:
    played = [table.play([(50, 1), (50, 2)]) for _ in range(3)]
    first = client.get("/bots/sharp/ratings?ladder=classic-50&limit=2").get_json()
    second = client.get(f"/bots/sharp/ratings?ladder=classic-50&limit=2&cursor={first['next']}").get_json()
    points = first["items"] + second["items"]
    assert [point["fixture"] for point in points] == played[::-1]
    assert [point["sequence"] for point in points] == [3, 2, 1]
    assert (points[0]["outcome"], points[0]["version"], points[0]["mu"]) == ("win", 1, 26.0)
    assert second["next"] is None
    problem(client.get("/bots/sharp/ratings"), 422)


def test_opponents_are_counted_over_rated_fixtures_with_an_interval(client: Caller, table: Table) -> None:
    for legs in ([(50, 1), (50, 2)], [(50, 1), (50, 2)], [(50, 20), (20, 50)], [(1, 50), (2, 50)]):
        table.play(legs)
    table.play([(50, 1), (50, 2)], rated=False)
    (row,) = client.get("/bots/sharp/opponents?ladder=classic-50").get_json()["items"]
    assert (row["opponent"], row["fixtures"], row["wins"], row["draws"], row["losses"]) == (
        "blunt",
        4,
        2,
        1,
        1,
    )
    assert row["share"] == 0.625
    assert row["share_low"] < 0.625 < row["share_high"]
    (mirrored,) = client.get("/bots/blunt/opponents?ladder=classic-50").get_json()["items"]
    assert (mirrored["wins"], mirrored["draws"], mirrored["losses"]) == (1, 1, 2)
    assert mirrored["share_low"] == pytest.approx(1 - row["share_high"])
    assert client.get("/bots/sharp/opponents?ladder=classic-25").get_json()["items"] == []


def test_a_challenge_is_drawn_up_unrated_for_whoever_asks(
    ada: Caller, table: Table, database: Database
) -> None:
    response = ada.post("/challenges", json={"ladder": "classic-50", "bots": ["sharp", "blunt@1"]})
    assert response.status_code == 202
    body = response.get_json()
    assert body["url"] == f"/api/v1/fixtures/{body['fixture']}"
    fixture = ada.get(f"/fixtures/{body['fixture']}").get_json()
    assert (fixture["kind"], fixture["state"], fixture["rated"]) == ("challenge", "queued", False)
    assert sorted(seat["bot"] for seat in fixture["seats"]) == ["blunt", "sharp"]
    with database.reading() as session:
        owner = session.scalars(select(Account.name).join(Fixture, Fixture.owner_id == Account.id)).one()
    assert owner == "ada"


def test_a_bot_may_be_challenged_to_play_itself(ada: Caller, table: Table) -> None:
    assert (
        ada.post("/challenges", json={"ladder": "classic-50", "bots": ["sharp", "sharp"]}).status_code == 202
    )


@pytest.mark.parametrize(
    ("body", "field", "words"),
    [
        ({"ladder": "no-such", "bots": ["sharp", "blunt"]}, "ladder", "there is no ladder"),
        ({"ladder": "autumn-cup", "bots": ["sharp", "blunt"]}, "ladder", "is closed"),
        ({"ladder": "classic-25", "bots": ["sharp", "blunt"]}, "bots", "'sharp' has no version that passed"),
        (
            {"ladder": "classic-50", "bots": ["sharp", "nobody"]},
            "bots",
            "'nobody' has no version that passed",
        ),
        (
            {"ladder": "classic-50", "bots": ["sharp@2", "blunt"]},
            "bots",
            "'sharp@2' has no version that passed",
        ),
        ({"ladder": "classic-50", "bots": ["sharp"]}, "bots", "between 2 bots; 1 were named"),
        ({"ladder": "classic-50", "bots": ["sharp@0", "blunt"]}, "bots.0", "pattern"),
        ({"ladder": "classic-50", "bots": []}, "bots", "at least 1"),
        ({"ladder": "classic-50", "bots": "sharp"}, "bots", "list"),
        ({"bots": ["sharp", "blunt"]}, "ladder", "required"),
    ],
)
def test_a_challenge_that_cannot_be_played_says_why(
    ada: Caller, table: Table, body: dict[str, object], field: str, words: str
) -> None:
    found = problem(ada.post("/challenges", json=body), 422)
    assert found["errors"][0]["field"] == field
    assert words in found["detail"].replace("Field", "field")


@pytest.mark.parametrize("status", ["validating", "failed", "suspended", "withdrawn"])
def test_what_does_not_play_is_not_challenged(
    ada: Caller, table: Table, database: Database, status: str
) -> None:
    with database.transaction() as session:
        entry = session.scalars(select(Entry).order_by(Entry.id)).first()
        assert entry is not None
        entry.status = status
    for name in ("sharp", "sharp@1"):
        problem(ada.post("/challenges", json={"ladder": "classic-50", "bots": [name, "blunt"]}), 422)


def test_challenges_need_a_token_and_have_a_quota(
    client: Caller, ada: Caller, bob: Caller, table: Table
) -> None:
    body = {"ladder": "classic-50", "bots": ["sharp", "blunt"]}
    problem(client.post("/challenges", json=body), 401)
    quota = Settings().challenges_per_day
    with table.database.transaction() as session:
        entries = session.scalars(select(Entry).order_by(Entry.id)).all()
        ladder = session.get_one(Ladder, entries[0].ladder_id)
        for _ in range(quota):
            add_fixture(session, ladder, entries, "challenge")
    assert (
        f"{quota} challenges in the last 24 hours"
        in problem(ada.post("/challenges", json=body), 429)["detail"]
    )
    assert bob.post("/challenges", json=body).status_code == 202
