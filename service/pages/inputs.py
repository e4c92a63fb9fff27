"""What readers ask of a page in its address."""

from typing import get_args

from flask import request
from sqlalchemy.orm import Session

from service.bots.queries import find_bot
from service.fixtures.queries import FixtureFilter, State
from service.ladders.listing import find_ladder
from service.paging import DEFAULT_LIMIT, MAX_LIMIT, PageRequest
from service.refusals import InvalidError

STATES: tuple[State, ...] = get_args(State)


def page_request(limit: int = DEFAULT_LIMIT) -> PageRequest:
    """Return which part of a list is asked for, in parts of `limit` unless the address says otherwise."""
    return PageRequest(whole_number("limit", limit, 1, MAX_LIMIT), request.args.get("cursor"))


def whole_number(name: str, default: int, lowest: int, highest: int) -> int:
    """Return a number from the address. Raises InvalidError."""
    text = request.args.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 10 and lowest <= int(text) <= highest):
        raise InvalidError(f"{name} is a whole number from {lowest} to {highest}", name)
    return int(text)


def fixture_filter(session: Session) -> FixtureFilter:
    """Return which fixtures are asked for; empty fields mean any. Raises UnknownError or InvalidError."""
    ladder, bot, state = (request.args.get(name, "").strip() for name in ("ladder", "bot", "state"))
    if state and state not in STATES:
        raise InvalidError(f"state is one of {', '.join(STATES)}", "state")
    return FixtureFilter(
        ladder=find_ladder(session, ladder) if ladder else None,
        bot=find_bot(session, bot) if bot else None,
        state=state or None,
    )
