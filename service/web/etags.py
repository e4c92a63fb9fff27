"""ETags: whoever polls a page or a list that has not changed is told so in a few bytes."""

from flask import Flask, Response, request

TAGGED = ("application/json", "text/html")


def register(app: Flask) -> None:
    """Tag what the app's readers may poll, and answer 304 when they have it already."""
    app.after_request(_tag)


def _tag(response: Response) -> Response:
    is_read = request.method in ("GET", "HEAD") and response.status_code == 200
    if (
        is_read
        and response.mimetype in TAGGED
        and not response.is_streamed
        and "ETag" not in response.headers
    ):
        response.add_etag()
        response.make_conditional(request)
    return response
