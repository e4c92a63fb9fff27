"""Every page shows what it is about, safely, and leads on to pages that are there."""

import hashlib
import json
import re
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
import zstandard
from sqlalchemy import update

import service
from engine.canonical import canonical
from service.blobs import FolderBlobs
from service.models import Account, Entry, Fixture, Match, Version, Worker
from service.settings import Settings
from service.storage.database import Database
from tests.service.ledger.playing import Mishap, idle
from tests.service.pages.club import Club, found_club
from tests.service.pages.conftest import Get
from tests.service.pages.markup import Markup, text_of

ROOT = Path(service.__file__).parents[1]
HOSTILE = "<b>bold</b> \x1b[31mred\x07 ‮desrever"
SHOWN = "&lt;b&gt;bold&lt;/b&gt; \\x1b[31mred\\x07 \\u202edesrever"


def test_every_link_from_home_leads_somewhere_and_nothing_inline_is_loaded(get: Get, club: Club) -> None:
    club.play("eager", "idle")
    club.play("eager", "idle", mishaps=[Mishap(leg=1, seat=0)])
    club.draw("idle", "eager", kind="challenge")
    seen, waiting = set(), ["/"]
    while waiting:
        path = waiting.pop()
        seen.add(path)
        response = get(path)
        # The page of the bot that the guide's reader has yet to submit is the one that is not there yet.
        assert response.status_code == (404 if path == "/bots/my-first-bot" else 200), path
        if response.mimetype != "text/html":
            continue
        markup = Markup(response.text)
        assert not markup.blocked, path
        for link in markup.links:
            parts = urlsplit(urljoin(path, link))
            if parts.netloc not in ("", "127.0.0.1:8000"):
                assert path.startswith("/docs/"), link
                continue
            following = parts._replace(fragment="").geturl()
            # A deal's steps are links of one kind, hundreds of them.
            if "step=" in following and "step=1" not in following.split("&"):
                continue
            if following not in seen and following not in waiting:
                waiting.append(following)
    assert {"/", "/bots", "/fixtures", "/submit", "/ladders/short-5", "/bots/eager"} <= seen
    assert len([path for path in seen if path.startswith("/matches/")]) >= 4
    assert len([path for path in seen if re.fullmatch("/api/.*/log", path)]) == 4


def test_home_says_what_this_is_and_shows_the_first_ladders_table(get: Get, club: Club) -> None:
    club.play("eager", "idle")
    text = text_of(get("/").text)
    assert "A ladder for card-playing bots" in text
    assert re.search(r"eager v1 \d\d\.\d\d ± \d\.\d\d provisional 1 ", text)
    assert "Provisional: fewer than 30 rated fixtures" in text


def test_an_installation_without_ladders_says_so(get: Get) -> None:
    assert "There are no ladders yet." in get("/").text


def test_established_bots_have_a_rank_and_a_drawing_of_its_interval(get: Get, club: Club) -> None:
    established = {"provisional": False, "fixtures": 1_234, "rank_low": 1, "rank_high": 2}
    with club.database.transaction() as session:
        session.execute(update(Entry).where(Entry.id == club.entries["eager"].id).values(established))
    page = get("/ladders/short-5").text
    assert 'aria-label="rank 1 to 2"' in page
    assert re.search(r" 1 eager v1 25\.00 ± 8\.33 1–2 1 234 ", text_of(page))
    assert re.search(r" – idle v1 25\.00 ± 8\.33 provisional ", text_of(page))


def test_the_table_is_sent_once_until_it_changes(get: Get, club: Club) -> None:
    club.play("eager", "idle")
    first = get("/ladders/short-5/table")
    tag = first.headers["ETag"]
    again = get("/ladders/short-5/table", **{"If-None-Match": tag})
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
    club.play("eager", "idle")
    changed = get("/ladders/short-5/table", **{"If-None-Match": tag})
    assert changed.status_code == 200
    assert changed.headers["ETag"] != tag
    assert changed.data != first.data


def test_the_table_changes_when_somebody_joins(get: Get, club: Club) -> None:
    tag = get("/ladders/short-5/table").headers["ETag"]
    club.join("newcomer")
    joined = get("/ladders/short-5/table", **{"If-None-Match": tag})
    assert joined.status_code == 200
    assert "newcomer" in joined.text


def test_a_ladder_says_what_it_waits_for_until_it_is_played_on(get: Get, club: Club) -> None:
    with club.database.transaction() as session:
        session.execute(update(Worker).values(stopped=True))
    waiting = get("/ladders/short-5")
    assert "Waiting: no play worker was heard of lately." in text_of(waiting.text)
    assert "waiting: no play worker was heard of lately" in text_of(get("/bots/eager").text)
    tag = get("/ladders/short-5/table").headers["ETag"]
    club.draw("eager", "idle")
    playing = get("/ladders/short-5/table", **{"If-None-Match": tag})
    assert playing.status_code == 200
    assert "aiting:" not in playing.text + get("/bots/eager").text


def test_a_long_table_goes_on_from_page_to_page(get: Get, club: Club) -> None:
    for number in range(4):
        club.join(f"extra-{number}")
    seen: list[str] = []
    path = "/ladders/short-5?limit=4"
    while path:
        page = get(path).text
        seen += re.findall(r'<th scope="row"><a href="/bots/([^"]+)"', page)
        following = re.search(r'href="(/ladders/short-5\?cursor=[^"]+)"', page)
        path = f"{following[1]}&limit=4" if following else ""
    assert sorted(seen) == ["eager", "extra-0", "extra-1", "extra-2", "extra-3", "idle"]


def test_a_bot_shows_its_record_its_history_and_its_versions(get: Get, club: Club) -> None:
    for _ in range(3):
        club.play("eager", "idle")
    page = get("/bots/eager").text
    text = text_of(page)
    assert "version 1, by ada" in text
    assert re.search(r"idle 3 \d · \d · \d", text)
    line = re.search(r'<polyline class="line" points="([^"]+)"', page)
    assert line is not None
    assert len(line[1].split()) == 3


def test_a_failed_version_says_why_in_its_own_words_made_harmless(get: Get, club: Club) -> None:
    with club.database.transaction() as session:
        version = session.get_one(Version, club.entries["eager"].version_id)
        version.status, version.reason = "failed", f"first line\n{HOSTILE}"
    page = get("/bots/eager").text
    assert f"first line\n{SHOWN}" in page
    assert HOSTILE not in page


def test_an_owners_name_is_shown_as_text(get: Get, club: Club) -> None:
    with club.database.transaction() as session:
        session.execute(update(Account).where(Account.name == "ada").values(name=HOSTILE))
    fixture = club.play("eager", "idle")
    for path in ("/", "/ladders/short-5", "/bots", "/bots/eager", f"/fixtures/{fixture}"):
        page = get(path).text
        assert SHOWN in page, path
        assert HOSTILE not in page


def test_a_fixture_shows_its_legs_its_change_of_ratings_and_its_proof(get: Get, club: Club) -> None:
    fixture = club.play("eager", "idle")
    text = text_of(get(f"/fixtures/{fixture}").text)
    with club.database.reading() as session:
        row = session.get_one(Fixture, fixture)
    assert "eager v1 won" in text or "eager won" in text
    assert re.search(r"25\.00 → \d\d\.\d\d \+\d\.\d\d", text)
    assert re.search(r"25\.00 → \d\d\.\d\d −\d\.\d\d", text)
    assert row.commitment in text
    assert row.seed in text


def test_the_seed_of_a_fixture_yet_to_be_played_is_nowhere_on_its_page(get: Get, club: Club) -> None:
    fixture = club.draw("eager", "idle")
    with club.database.reading() as session:
        seed = session.get_one(Fixture, fixture).seed
    page = get(f"/fixtures/{fixture}").text
    assert seed not in page
    assert "secret until the fixture is done" in page
    assert 'hx-trigger="every 3s"' in page


def test_a_fault_is_shown_with_its_evidence(get: Get, club: Club) -> None:
    fixture = club.play(
        "eager", "idle", mishaps=[Mishap(leg=0, seat=1, evidence=f"exit status 1\n{HOSTILE}")]
    )
    page = get(f"/fixtures/{fixture}").text
    assert f"exit status 1\n{SHOWN}" in page
    assert "whatever the points" in page


def test_a_match_ended_by_a_fault_opens_at_the_deal_the_fault_is_in(
    get: Get, database: Database, settings: Settings
) -> None:
    club = found_club(database, settings, slug="short-500", target=500)
    club.join("dozy", owner="bob", style=idle)
    # Two that play no card run out of cards to draw, deal after deal.
    fixture = club.play("idle", "dozy", mishaps=[Mishap(leg=0, seat=1, decision=400)])
    match = first_match(get, fixture)
    page = get(f"/matches/{match}").text
    deals = deals_listed(page)
    assert len(deals) > 2
    assert f"Moves of deal {deals[-1]}" in page


def test_a_void_fixture_says_why(get: Get, club: Club) -> None:
    fixture = club.draw("eager", "idle")
    with club.database.transaction() as session:
        session.execute(update(Fixture).values(state="void", reason="the host was out of memory"))
    assert "the host was out of memory" in get(f"/fixtures/{fixture}").text


def test_fixtures_can_be_narrowed_down(get: Get, club: Club) -> None:
    played, waiting = club.play("eager", "idle"), club.draw("eager", "idle")
    assert played in get("/fixtures?state=done&bot=idle&ladder=short-5").text
    assert waiting not in get("/fixtures?state=done").text
    assert waiting in get("/fixtures?state=queued&bot=&ladder=").text


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/bots/nobody", 404, "there is no bot &#39;nobody&#39;"),
        ("/ladders/nowhere", 404, "the ladders are short-5"),
        ("/fixtures/01nothing", 404, "there is no fixture"),
        ("/fixtures?state=lost", 422, "state is one of queued"),
        ("/fixtures?limit=0", 422, "limit is a whole number from 1 to 200"),
        ("/ladders/short-5?cursor=!", 422, "this is no cursor of this list"),
        ("/matches/01nothing?deal=x", 422, "deal is a whole number from 0 to 59"),
    ],
)
def test_a_mistaken_address_is_answered_with_a_page_that_says_what_is_wrong(
    get: Get, club: Club, path: str, status: int, words: str
) -> None:
    response = get(path)
    assert (response.status_code, response.mimetype) == (status, "text/html")
    assert words in response.text


def test_a_match_tells_every_deal_and_every_move(get: Get, club: Club) -> None:
    match = first_match(get, club.play("eager", "idle"))
    page = get(f"/matches/{match}").text
    deals = deals_listed(page)
    assert deals == [str(number) for number in range(len(deals))]
    last = get(f"/matches/{match}?deal={deals[-1]}").text
    assert f"Moves of deal {deals[-1]}" in last
    assert '<span class="card goal">' in last
    assert "from goal" in last


def test_a_match_whose_log_was_dropped_keeps_its_result(get: Get, club: Club) -> None:
    match = first_match(get, club.play("eager", "idle"))
    with club.database.transaction() as session:
        row = session.get_one(Match, match)
        row.log_dropped = True
        digest = row.log
    club.blobs.delete("log", digest)
    page = get(f"/matches/{match}").text
    assert "was dropped to keep within the disk budget" in page
    assert digest in page
    assert "/log" not in page


def test_a_damaged_log_is_said_to_be_damaged_and_where_it_lies_is_not(get: Get, club: Club) -> None:
    match = first_match(get, club.play("eager", "idle"))
    with club.database.reading() as session:
        digest = session.get_one(Match, match).log
    assert isinstance(club.blobs, FolderBlobs)
    club.blobs.path("log", digest).write_bytes(zstandard.compress(b"forged"))
    response = get(f"/matches/{match}")
    assert response.status_code == 200
    assert "the log is damaged where it is stored" in response.text
    assert str(club.blobs.root) not in response.text


def test_a_log_of_another_engine_is_said_not_to_replay_here(get: Get, club: Club) -> None:
    match = first_match(get, club.play("eager", "idle"))
    with club.database.transaction() as session:
        row = session.get_one(Match, match)
        log = club.blobs.get("log", row.log)
        older = re.sub(rb'"engine":"[^"]*"', b'"engine":"0.0.1"', log)
        row.log = club.blobs.put("log", rechained(older))
    response = get(f"/matches/{match}")
    assert response.status_code == 200
    assert "this log cannot be replayed here: line 1: `engine` is" in response.text


def rechained(log: bytes) -> bytes:
    """A log with its chain of hashes made to fit again."""
    digest, rows = bytes(32), []
    for row in log.splitlines():
        line = json.loads(row)
        whole = len(line.pop("h")) == 64
        digest = hashlib.sha256(digest + canonical(line)).digest()
        rows.append(canonical(line | {"h": digest.hex()[: None if whole else 8]}) + b"\n")
    return b"".join(rows)


def test_what_browsers_load_is_what_was_vendored() -> None:
    folder = ROOT / "service" / "static" / "vendor"
    listed = dict(
        re.findall(r"\| `([\w.-]+\.(?:js|css))` \|.*\| `([0-9a-f]{64})` \|", (ROOT / "VENDOR.md").read_text())
    )
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.min.*")}
    assert listed == found
    base = (ROOT / "service" / "templates" / "base.html").read_text()
    assert all(f"vendor/{name}" in base for name in found)


def test_a_match_of_many_deals_has_its_table_before_the_deals_and_leads_from_deal_to_deal(
    get: Get, database: Database, settings: Settings
) -> None:
    club = found_club(database, settings, slug="short-500", target=500)
    club.join("dozy", owner="bob", style=idle)
    fixture = club.play("idle", "dozy")
    assert re.search(r'/matches/[0-9a-z]{26}#moves">moves<', get(f"/fixtures/{fixture}").text)
    match = first_match(get, fixture)
    page = get(f"/matches/{match}?deal=7").text
    folded = re.search(r"<details class=\"deals\">(.*?)</details>", page, re.S)
    assert folded is not None
    assert "All 60 deals" in folded[1]
    assert deals_listed(folded[1]) == [str(number) for number in range(60)]
    around = re.findall(r'deal=(\d+)#moves">(‹ deal \d+|deal \d+ ›)<', page)
    assert around == [("6", "‹ deal 6"), ("8", "deal 8 ›")]
    assert [
        words
        for _, words in re.findall(
            r'deal=(\d+)#moves">(‹[^<]*|[^<]* ›)<', get(f"/matches/{match}?deal=59").text
        )
    ] == ["‹ deal 58"]
    assert "ended after 60 deals, the most a match may have." in text_of(page)


def test_a_long_discard_pile_says_how_many_cards_lie_below_those_shown(get: Get, club: Club) -> None:
    club.join("dozy", owner="bob", style=idle)
    match = first_match(get, club.play("idle", "dozy"))
    part = get(f"/matches/{match}/table?step=19999").text
    piles = re.findall(
        r'<div class="fan">(?:<span class="more muted">… (\d+) more</span>)?(.*?)</div><figcaption>d\d (?:<span[^>]*>(\d+))',
        part,
    )
    assert any(below for below, _, _ in piles)
    for below, shown, cards in piles:
        assert int(below or 0) + shown.count("<svg") == int(cards)


def deals_listed(page: str) -> list[str]:
    """The numbers of the deals in a match's table of them."""
    return re.findall(r'<th scope="row"><a href="/matches/[0-9a-z]{26}\?deal=(\d+)#moves"', page)


def first_match(get: Get, fixture: str) -> str:
    """The id of a fixture's first leg, from its page."""
    found = re.search(r"/matches/([0-9a-z]{26})", get(f"/fixtures/{fixture}").text)
    assert found is not None
    return found[1]
