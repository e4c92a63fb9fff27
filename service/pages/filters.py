"""How values are written on pages: figures, times, and strangers' text."""

from collections.abc import Callable, Mapping

from service.narration.cards import face_of, suit_name
from service.pages.wording import length_in_words, seats_in_words
from service.storage.clock import rfc3339
from service.text import harmless

MINUS = "−"
SPACE = "\u202f"
"""Narrow and unbreakable, between thousands."""


def points(value: float) -> str:
    """A rating to two places, such as 27.31."""
    return f"{value:.2f}".replace("-", MINUS)


def signed(value: float) -> str:
    """A change of a rating with its sign, such as +0.52."""
    # What rounds to nothing is +0.00, never −0.00.
    return f"{round(value, 2) + 0.0:+.2f}".replace("-", MINUS)


def count(value: int) -> str:
    """A number of things, such as 12 345."""
    return f"{value:,}".replace(",", SPACE)


def minus(value: int) -> str:
    """Points won or lost, such as −12."""
    return str(value).replace("-", MINUS)


def moment(time_us: int) -> str:
    """A time to the minute, such as 2026-01-31 12:00."""
    return rfc3339(time_us)[:16].replace("T", " ")


def seconds(time_us: int) -> str:
    """A stretch of time, such as 0.12 s."""
    return f"{time_us / 1e6:.2f} s"


def percent(share: float) -> str:
    """A share, such as 54 %."""
    return f"{100 * share:.0f} %"


def lines(text: str) -> str:
    """Strangers' text of several lines: the breaks stay, all other control characters are shown escaped."""
    return "\n".join(harmless(line) for line in text.split("\n"))


FILTERS: Mapping[str, Callable[..., object]] = {
    "points": points,
    "signed": signed,
    "count": count,
    "minus": minus,
    "moment": moment,
    "rfc3339": rfc3339,
    "seconds": seconds,
    "percent": percent,
    "harmless": harmless,
    "lines": lines,
    "face": face_of,
    "seats_in_words": seats_in_words,
    "length_in_words": length_in_words,
    "suit_name": suit_name,
}
