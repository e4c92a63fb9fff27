"""What the service refuses to do, each with an exact message; `service.web.problems` maps them to HTTP.

A message says what was wrong with which input and what to do next: it is shown to whoever asked.
"""


class RefusedError(Exception):
    """Base of all refusals. `field` is the input it is about, where there is one."""

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field


class InvalidError(RefusedError):
    """The input cannot be used."""


class UnauthenticatedError(RefusedError):
    """Nobody is signed in, or not with a token that is good."""


class ForbiddenError(RefusedError):
    """The account may not do this."""


class UnknownError(RefusedError):
    """There is no such thing, or it is another's private part."""


class ConflictError(RefusedError):
    """It clashes with what is there already."""


class GoneError(RefusedError):
    """It was there and is no longer."""


class QuotaError(RefusedError):
    """The account has used up its share for now."""


class TooLargeError(RefusedError):
    """The input is larger than the service takes."""
