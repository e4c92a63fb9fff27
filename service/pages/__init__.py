"""The pages people look at: server-rendered, readable without JavaScript, on a phone and in the dark.

They show the same read models the API sends. Imports those, the engine's replay, and `service.web`.
"""

from flask import Blueprint
from flask.sansio.blueprints import BlueprintSetupState

from service.pages import bots, documents, fixtures, guide, ladders, matches, problems
from service.pages.filters import FILTERS

blueprint = Blueprint("pages", __name__)
"""All pages; register it at the root of the site."""

for _feature in (ladders, bots, fixtures, matches, guide, documents):
    _feature.add_to(blueprint)


@blueprint.record_once
def _add_to_app(state: BlueprintSetupState) -> None:
    state.app.jinja_env.filters.update(FILTERS)
    problems.register(state.app)
