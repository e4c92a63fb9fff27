"""Fixtures: the list with its filters, and one in full."""

from flask import Blueprint, render_template, request

from service.fixtures.queries import fixture_view, fixtures
from service.ladders.listing import ladder_views
from service.pages.inputs import STATES, fixture_filter, page_request
from service.web.site import site


def add_to(blueprint: Blueprint) -> None:
    """Add these pages."""
    blueprint.add_url_rule("/fixtures", "fixtures", list_fixtures)
    blueprint.add_url_rule("/fixtures/<fixture>", "fixture", show_fixture)


def list_fixtures() -> str:
    """List fixtures, newest first."""
    with site().database.reading() as session:
        page = fixtures(session, fixture_filter(session), page_request())
        slugs = [ladder.slug for ladder in ladder_views(session)]
    wanted = {name: request.args.get(name, "") for name in ("ladder", "bot", "state")}
    return render_template("fixtures.html", page=page, ladders=slugs, states=STATES, wanted=wanted)


def show_fixture(fixture: str) -> str:
    """Show a fixture: who met, both legs, what it did to the ratings, and how to check it."""
    with site().database.reading() as session:
        view = fixture_view(session, fixture)
    return render_template("fixture.html", fixture=view)
