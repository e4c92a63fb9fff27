"""Problems as pages: whoever comes with a browser reads the same problem the API sends as JSON."""

from flask import Response, render_template, request
from flask.sansio.app import App

from service.web.guards import API_PREFIX
from service.web.problems import CONTENT_TYPE, Problem


def register(app: App) -> None:
    """Turn problems into pages for those who would rather read HTML, except below the API's prefix."""
    app.after_request(_as_page)


def _as_page(response: Response) -> Response:
    if response.mimetype != CONTENT_TYPE or request.path.startswith(API_PREFIX) or not _prefers_html():
        return response
    problem = Problem.model_validate_json(response.get_data())
    response.set_data(render_template("problem.html", problem=problem))
    response.mimetype = "text/html"
    return response


def _prefers_html() -> bool:
    wanted = request.accept_mimetypes
    return bool(wanted["text/html"] > wanted["application/json"])
