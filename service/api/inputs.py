"""What callers may send: shared types and bounds. Unknown fields are errors, a typo must not be silently ignored."""

import re
from collections.abc import Callable
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, WithJsonSchema
from sqlalchemy.orm import Session

from service.accounts.passwords import LONGEST, SHORTEST
from service.accounts.registration import ACCOUNT_NAME
from service.bots.submission import BOT_NAME
from service.models import Bot, Ladder
from service.paging import DEFAULT_LIMIT, MAX_LIMIT, PageRequest
from service.refusals import InvalidError, UnknownError

_Row = TypeVar("_Row", Bot, Ladder)


def _matching(pattern: re.Pattern[str]) -> tuple[AfterValidator, WithJsonSchema]:
    """A check for names that says in words what a name is; the description of the API has the pattern."""

    def check(name: str) -> str:
        if not pattern.fullmatch(name):
            raise ValueError(
                "use 2 to 32 lower-case letters, digits and '-', beginning with a letter or digit"
            )
        return name

    return AfterValidator(check), WithJsonSchema({"type": "string", "pattern": f"^{pattern.pattern}$"})


AccountName = Annotated[str, *_matching(ACCOUNT_NAME)]
BotName = Annotated[str, *_matching(BOT_NAME)]
SLUG = "^[a-z0-9][a-z0-9-]{0,47}$"
Slug = Annotated[str, StringConstraints(pattern=SLUG)]
Password = Annotated[str, StringConstraints(min_length=SHORTEST, max_length=LONGEST)]
Claim = Annotated[str, StringConstraints(max_length=LONGEST)]
"""What is only compared with what is stored. The bound also refuses what is no text, such as half a surrogate pair."""


def named(field: str, find: Callable[[Session, str], _Row], session: Session, name: str) -> _Row:
    """Find what an input names. Raises InvalidError about the field: only the path's own things are 404."""
    try:
        return find(session, name)
    except UnknownError as error:
        raise InvalidError(error.message, field) from None


class Input(BaseModel):
    """Base of everything that is sent."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class PageQuery(Input):
    """Which part of a list."""

    limit: int = Field(DEFAULT_LIMIT, ge=1, le=MAX_LIMIT)
    """How many items."""
    cursor: Annotated[str, StringConstraints(max_length=400)] | None = None
    """`next` of the page before."""

    @property
    def page(self) -> PageRequest:
        """The part that is asked for."""
        return PageRequest(self.limit, self.cursor)


class LadderPageQuery(PageQuery):
    """Which part of a list about one ladder."""

    ladder: Slug
    """The ladder's slug."""
