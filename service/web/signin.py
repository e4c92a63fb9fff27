"""Who is asking: the bearer token of a request, looked up before anything of the body is read."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from flask import request

from service.accounts.tokens import Bearer, authenticate
from service.refusals import ForbiddenError, UnauthenticatedError
from service.web.site import site

_P = ParamSpec("_P")
_R = TypeVar("_R")


def signed_in(view: Callable[Concatenate[Bearer, _P], _R]) -> Callable[_P, _R]:
    """Give a view the bearer of the request's token as its first argument.

    Raises UnauthenticatedError without a good token, ForbiddenError for a one-time token: that only sets a password.
    """

    @wraps(view)
    def wrapper(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        bearer = require_bearer()
        if bearer.once:
            raise ForbiddenError(
                "a one-time token only sets your password: PUT /api/v1/me/password,"
                " then POST /api/v1/tokens gives you a token for everything else"
            )
        return view(bearer, *args, **kwargs)

    return wrapper


def signed_in_once(view: Callable[Concatenate[Bearer, _P], _R]) -> Callable[_P, _R]:
    """Like `signed_in`, for the one call that a one-time token is good for."""

    @wraps(view)
    def wrapper(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        return view(require_bearer(), *args, **kwargs)

    return wrapper


def require_bearer() -> Bearer:
    """Return whom the request's token stands for. Raises UnauthenticatedError."""
    bearer = optional_bearer()
    if bearer is None:
        raise UnauthenticatedError(
            "this call needs a token: send `Authorization: Bearer …` with one from POST /api/v1/accounts or /tokens"
        )
    return bearer


def optional_bearer() -> Bearer | None:
    """Return whom the request's token stands for, None where there is no token.

    Raises UnauthenticatedError for a token that is not good, even where none is needed.
    """
    if "Authorization" not in request.headers:
        return None
    authorization = request.authorization
    if authorization is None or authorization.type != "bearer" or not authorization.token:
        raise UnauthenticatedError("the Authorization header is not `Bearer` and a token")
    with site().database.reading() as session:
        return authenticate(session, authorization.token)
