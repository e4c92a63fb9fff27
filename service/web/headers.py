"""Headers every response carries: nothing foreign is loaded, framed, sniffed or told where readers come from."""

from flask import Flask, Response, request

from service.web.site import site

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def register(app: Flask) -> None:
    """Add the headers to every response of the app."""
    app.after_request(_add)


def _add(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    public = site().hosts.public
    if public and public.scheme == "https":
        response.headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    if "Cache-Control" not in response.headers:
        # What a token opens is nobody else's; all else may be kept but must be asked for again (ETag).
        response.headers["Cache-Control"] = "no-store" if "Authorization" in request.headers else "no-cache"
    return response
