"""Fixtures: the list with its filters, and one in full."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, render_template, request

from engine.fixture import participant
from service.fixtures.queries import fixture_view, fixtures
from service.fixtures.views import FixtureView, LegView, SeatView
from service.ladders.listing import ladder_view, ladder_views
from service.pages.inputs import STATES, fixture_filter, page_request
from service.pages.wording import grouped
from service.web.site import site


@dataclass(frozen=True)
class LegSide:
    """How a participant did in a leg."""

    participant: SeatView
    seats: Sequence[int]
    """Where it sat: several seats where partners play."""
    points: int
    place: int


@dataclass(frozen=True)
class Leg:
    """A leg with its sides, by participant."""

    view: LegView
    sides: Sequence[LegSide]


def add_to(blueprint: Blueprint) -> None:
    """Add these pages."""
    blueprint.add_url_rule("/fixtures", "fixtures", list_fixtures)
    blueprint.add_url_rule("/fixtures/<fixture>", "fixture", show_fixture)


def list_fixtures() -> str:
    """List fixtures, newest first."""
    with site().database.reading() as session:
        page = fixtures(session, fixture_filter(session), page_request())
        groups = grouped(ladder_views(session))
    wanted = {name: request.args.get(name, "") for name in ("ladder", "bot", "state")}
    return render_template("fixtures.html", page=page, groups=groups, states=STATES, wanted=wanted)


def show_fixture(fixture: str) -> str:
    """Show a fixture: who met, all legs, what it did to the ratings, and how to check it."""
    with site().database.reading() as session:
        view = fixture_view(session, fixture)
        ladder = ladder_view(session, view.ladder)
    return render_template(
        "fixture.html", fixture=view, ladder=ladder, legs=[_leg(view, leg) for leg in view.legs]
    )


def _leg(fixture: FixtureView, leg: LegView) -> Leg:
    """Return a leg by participant: the seats of partners are one side, with the same points and place."""
    sides = len(fixture.seats)
    seats: list[list[int]] = [[] for _ in fixture.seats]
    for seat in range(len(leg.points)):
        seats[participant(leg.leg, seat, sides)].append(seat)
    return Leg(
        view=leg,
        sides=[
            LegSide(who, taken, leg.points[taken[0]], leg.places[taken[0]])
            for who, taken in zip(fixture.seats, seats, strict=True)
        ],
    )
