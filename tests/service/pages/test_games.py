"""The pages of every game: its ladder explains it, its fixtures add up, its matches can be followed card by card."""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from engine.game import Game
from engine.games import game_from_profile, profiles
from service.models import Ladder
from service.narration.games import words_for
from service.settings import Settings
from service.storage.database import Database
from tests.service.pages.club import Club, found_club
from tests.service.pages.conftest import Get
from tests.service.pages.markup import Markup, text_of


@dataclass(frozen=True)
class Played:
    """What is played on a ladder."""

    profile: str
    players: int
    target: int
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return "-".join([self.profile, str(self.players), *self.options])


EVERY_PROFILE = [
    Played(name, 5 if name.startswith("spoil") else 2, 40 if name == "skip-bo" else 2) for name in profiles()
]
WITH_MANY = [
    Played("classic", 4, 2),
    Played("spoil-five", 10, 3),
    Played("spoil-five", 5, 1, {"scoring": "pool"}),
    Played("skip-bo", 4, 40, {"partners": True}),
    Played("skip-bo", 6, 40, {"partners": True}),
    Played("forty-five", 4, 10),
    Played("forty-five", 6, 10),
]


@pytest.fixture(params=[*EVERY_PROFILE, *WITH_MANY], ids=str)
def wanted(request: pytest.FixtureRequest) -> Played:
    """A game to look at."""
    found: Played = request.param
    return found


@pytest.fixture
def club(database: Database, settings: Settings, wanted: Played) -> Club:
    """A club that plays it."""
    return found_club(
        database,
        settings,
        slug="here",
        target=wanted.target,
        profile=wanted.profile,
        players=wanted.players,
        options=wanted.options,
    )


def test_every_page_of_a_game_shows_what_was_played(get: Get, club: Club, wanted: Played) -> None:
    game = game_from_profile(wanted.profile, wanted.players, wanted.options)
    names = list(club.entries)
    assert len(names) == game.sides
    fixture = club.play(*names)
    check_ladder(get, wanted)
    matches = check_fixture(get, fixture, names)
    assert len(matches) == game.sides
    check_match(get, matches[-1], wanted.players)
    check_seats(get, matches[-1], game)


def check_ladder(get: Get, wanted: Played) -> None:
    """The ladder says what is played, in words, and leads to the rules."""
    page = get("/ladders/here").text
    words = words_for(game_from_profile(wanted.profile, wanted.players, wanted.options).name)
    assert words.brief in html.unescape(page)
    rules = get(f"/docs/{words.document}")
    assert rules.status_code == 200
    assert f'href="/docs/{words.document}"' in page
    for path in ("/", "/submit"):
        listing = get(path).text
        assert words.title in html.unescape(listing)
        assert f'href="/docs/{words.document}"' in listing


def check_fixture(get: Get, fixture: str, names: list[str]) -> list[str]:
    """The fixture's legs add up to its points; returns its matches."""
    page = get(f"/fixtures/{fixture}").text
    assert not Markup(page).blocked
    rows = [
        re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.S)
        for row in re.findall(r"<tr>(.*?)</tr>", page, re.S)
    ]
    totals = {
        text_of(row[0]).split()[0]: number(row[2]) for row in rows if len(row) == 5 and "/bots/" in row[0]
    }
    assert set(totals) == set(names)
    if len(names) > 2:
        legs = {text_of(row[0]).strip(): row[1:] for row in rows if len(row) == len(names) + 2}
        by_leg = {name: [number(cell) for cell in legs[name][:-1]] for name in names}
        assert {name: number(legs[name][-1]) for name in names} == totals
    else:
        cells = re.findall(r"<td>(<span class=\"nowrap\">.*?)</td>", page)
        sides = [dict(re.findall(r"nowrap\">([\w-]+).*?<strong[^>]*>(−?\d+)", cell)) for cell in cells]
        by_leg = {name: [number(leg[name]) for leg in sides] for name in names}
    assert all(len(points) == len(names) for points in by_leg.values())
    assert {name: sum(points) for name, points in by_leg.items()} == totals
    return list(dict.fromkeys(re.findall(r'/matches/([0-9a-z]{26})#moves"', page)))


def check_match(get: Get, match: str, players: int) -> None:
    """The match can be stepped through from the first card to the last, in both directions."""
    page = get(f"/matches/{match}").text
    assert not Markup(page).blocked
    assert "The deal begins." in page
    shown = re.search(r">0 / (\d+)<", page)
    assert shown is not None
    last = int(shown[1])
    assert len(re.findall(r'class="step"', page)) == last
    for moment in (1, last // 2, last):
        whole = get(f"/matches/{match}?deal=0&step={moment}").text
        part = get(f"/matches/{match}/table?deal=0&step={moment}").text
        assert not Markup(part).blocked
        assert part.strip() in whole
        assert len(re.findall(r'<section class="table-seat', part)) == players
        assert all(title.strip() for title in re.findall(r"<title>(.*?)</title>", part))
        assert part.count("<svg") == part.count("<title>") + part.count('class="suit"')
        steps = [int(step) for step in re.findall(r'href="[^"]*step=(\d+)#scene"', part)]
        assert moment - 1 in steps
        assert (moment + 1 in steps) == (moment < last)
    end = get(f"/matches/{match}/table?step=19999").text
    assert f"{last} / {last}" in end
    assert "The deal ends: " in end


def check_seats(get: Get, match: str, game: Game) -> None:
    """Partners lie beside each other on the table; the deals are headed by seat; a fixed number of deals is named."""
    page = get(f"/matches/{match}").text
    rows = [
        len(re.findall('<section class="table-seat', row))
        for row in page.split('<div class="table-seats">')[1:]
    ]
    assert rows == (
        [game.players // game.sides] * game.sides if game.sides < game.players else [game.players]
    )
    if game.sides > 2:
        seats = re.findall(r'<br><small class="muted">seats? ([\d, ]+)</small></th>', page)
        assert seats == [
            ", ".join(map(str, range(side, game.players, game.sides))) for side in range(game.sides)
        ]
    if game.fixed_deals:
        assert f"all {game.fixed_deals} deals were played." in text_of(page)


def number(cell: str) -> int:
    """The first number in a cell."""
    found = re.search(r"−?\d+", text_of(cell))
    assert found is not None, cell
    return int(found[0].replace("−", "-"))


def test_a_ladder_without_words_of_its_own_still_has_its_page(
    get: Get, database: Database, settings: Settings
) -> None:
    club = found_club(database, settings)
    with database.transaction() as session:
        ladder = session.get_one(Ladder, club.ladder_id)
        ladder.rules = {**ladder.rules, "game": "snap", "options": {"hands": 3}}
    page = get("/ladders/short-5")
    assert page.status_code == 200
    assert "Here hands: 3." in text_of(page.text)
    assert "snap" in get("/").text
