"""In a real browser: the table moves by itself, nothing is blocked, phones and the dark are served."""

import re
from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, Response, ViewportSize, expect, sync_playwright
from sqlalchemy import select

from service.models import Match
from service.settings import Settings
from service.storage.database import Database
from tests.service.ledger.playing import Mishap
from tests.service.pages.club import Club, found_club

PHONE: ViewportSize = {"width": 390, "height": 780}


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """A headless Chromium."""
    with sync_playwright() as playwright:
        # Its own sandbox needs what containers and root do not give; it only ever sees our own pages.
        started = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield started
        started.close()


def paths(club: Club) -> list[str]:
    """A page of every kind, with everything on it that can be."""
    fixture = club.play("eager", "idle", mishaps=[Mishap(leg=0, seat=0, evidence="word " * 60 + "x" * 300)])
    return ["/", "/ladders/short-5", "/bots", "/bots/eager", "/fixtures", f"/fixtures/{fixture}", "/submit"]


def paths_of_many(database: Database, settings: Settings) -> list[str]:
    """Fixtures and matches of many seats, and of partners."""
    found = []
    for slug, profile, players in (
        ("ten", "spoil-five", 10),
        ("sides", "forty-five", 6),
        ("four", "classic", 4),
    ):
        others = found_club(
            database, settings, slug=slug, profile=profile, players=players, target=3, suffix=f"-{slug}"
        )
        fixture = others.play(*others.entries)
        with database.reading() as session:
            match = session.scalars(select(Match.id).where(Match.fixture_id == fixture)).first()
        found += [f"/ladders/{slug}", f"/fixtures/{fixture}", f"/matches/{match}?step=12"]
    return found


def watched(page: Page) -> list[str]:
    """Collect everything the browser complains about."""
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return complaints


def test_the_table_moves_by_itself_and_is_left_alone_while_nothing_changes(
    browser: Browser, address: str, club: Club
) -> None:
    page = browser.new_page()
    page.clock.install()
    complaints = watched(page)
    page.goto(f"{address}/")
    table = page.locator("#table table")
    expect(table).to_contain_text("25.00")
    poll(page)
    page.evaluate("document.querySelector('#table table').dataset.mark = 'untouched'")
    assert poll(page).status in (200, 304)
    expect(table).to_have_attribute("data-mark", "untouched")
    club.play("eager", "idle")
    poll(page)
    expect(table).not_to_contain_text("25.00")
    expect(table).not_to_have_attribute("data-mark", "untouched")
    assert complaints == []
    page.close()


def poll(page: Page) -> Response:
    """Let five seconds pass for the page, and return what it then asks for."""
    with page.expect_response(lambda response: "/table" in response.url) as asked:
        page.clock.fast_forward(5_000)
    response = asked.value
    response.finished()
    return response


def test_a_fixture_that_is_being_played_shows_its_end_by_itself(
    browser: Browser, address: str, club: Club
) -> None:
    fixture = club.draw("eager", "idle")
    page = browser.new_page()
    page.clock.install()
    complaints = watched(page)
    page.goto(f"{address}/fixtures/{fixture}")
    expect(page.locator("h1")).to_contain_text("queued")
    club.finish(fixture)
    page.clock.fast_forward(3_000)
    expect(page.locator("h1")).to_contain_text("done")
    expect(page.locator(".result")).to_contain_text("won")
    expect(page.locator("#fixture[hx-get]")).to_have_count(0)
    assert complaints == []
    page.close()


def test_a_deal_is_stepped_through_with_links_and_with_the_arrow_keys(
    browser: Browser, address: str, database: Database, settings: Settings
) -> None:
    club = found_club(database, settings, slug="five", profile="spoil-five", players=5, target=3)
    fixture = club.play(*club.entries)
    page = browser.new_page()
    complaints = watched(page)
    page.goto(f"{address}/fixtures/{fixture}")
    page.click("tfoot a:has-text('moves')")
    scene = page.locator("#scene")
    expect(scene).to_contain_text("The deal begins.")
    page.evaluate("document.title = 'not loaded again'")
    page.click("#step-on")
    expect(scene).to_contain_text("1 / ")
    expect(scene).not_to_contain_text("The deal begins.")
    for key, moment in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2)):
        page.keyboard.press(key)
        expect(scene).to_contain_text(f"{moment} / ")
        expect(page).to_have_url(re.compile(rf"\?deal=0&step={moment}#scene$"))
    other = browser.new_page()
    other.goto(page.url)
    expect(other.locator("#scene")).to_have_text(scene.inner_text(), use_inner_text=True)
    other.close()
    page.click("#step-last")
    expect(scene.locator("#step-on")).to_have_count(0)
    page.click("#step-back")
    expect(scene.locator("#step-on")).to_have_count(1)
    assert page.title() == "not loaded again"
    page.go_back()
    expect(page).to_have_url(f"{address}/fixtures/{fixture}")
    assert complaints == []
    page.close()


def test_the_arrow_keys_step_from_anywhere_on_the_page_and_bring_the_table_into_view(
    browser: Browser, address: str, club: Club
) -> None:
    fixture = club.play("eager", "idle")
    page = browser.new_page()
    page.goto(f"{address}/fixtures/{fixture}")
    page.click("a:has-text('moves')")
    scene = page.locator("#scene")
    expect(scene).to_be_in_viewport(ratio=0.9)
    page.locator("th a[href='/bots/eager']").focus()
    page.keyboard.press("ArrowRight")
    expect(scene).to_contain_text("1 / ")
    page.locator("summary", has_text="The log").click()
    expect(scene).not_to_be_in_viewport()
    page.keyboard.press("ArrowRight")
    expect(scene).to_contain_text("2 / ")
    expect(scene).to_be_in_viewport(ratio=0.9)
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_a_phone_in_light_and_dark_without_a_complaint(
    browser: Browser,
    address: str,
    club: Club,
    database: Database,
    settings: Settings,
    scheme: Literal["light", "dark"],
) -> None:
    context = browser.new_context(viewport=PHONE, color_scheme=scheme)
    page = context.new_page()
    complaints = watched(page)
    for path in [*paths(club), *paths_of_many(database, settings)]:
        page.goto(address + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
        red, green, blue = page.evaluate(
            "getComputedStyle(document.documentElement).backgroundColor.match(/[0-9]+/g).map(Number)"
        )[:3]
        assert (red + green + blue < 3 * 64) == (scheme == "dark"), path
    assert complaints == []
    context.close()


def test_without_javascript_everything_is_there(browser: Browser, address: str, club: Club) -> None:
    club.play("eager", "idle")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/")
    assert page.locator("#table tbody tr").count() == 2
    page.click("text=Fixtures")
    page.select_option("select[name=state]", "done")
    page.click("button")
    page.click("tbody a")
    page.click("text=moves")
    assert page.locator(".turns > li").count() > 5
    context.close()
