"""What ladders are like, in words: for how many, how long a match is and why it ended, and all ladders by game."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from service.fixtures.views import MatchView
from service.ladders.listing import LadderView
from service.narration.games import GAMES, words_for
from service.narration.options import options_in_words
from service.narration.reasons import match_reason_in_words
from service.pages.documents import DOCUMENTS

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True)
class GameGroup:
    """A game and its ladders, the one served first at the top."""

    game: str
    title: str
    document: str
    """The name of the page with its rules; empty where there is none."""
    ladders: list[LadderView]


@dataclass(frozen=True)
class RulesInBrief:
    """What a reader wants to know of a ladder's rules before the whole page of them."""

    title: str
    brief: str
    options: Sequence[str]
    """What differs from the game as it is usually played, a phrase each."""
    document: str
    """The name of the page with all rules; empty where there is none."""


def grouped(ladders: Iterable[LadderView]) -> Sequence[GameGroup]:
    """Return the ladders by game, in the order games are shown; within a game the order they have."""
    by_game: dict[str, list[LadderView]] = {game: [] for game in GAMES}
    for ladder in ladders:
        by_game.setdefault(str(ladder.rules["game"]), []).append(ladder)
    return [
        GameGroup(game, words_for(game).title, _document(game), found)
        for game, found in by_game.items()
        if found
    ]


def rules_in_brief(ladder: LadderView) -> RulesInBrief:
    """Return a ladder's rules in brief."""
    words = words_for(str(ladder.rules["game"]))
    return RulesInBrief(
        title=words.title,
        brief=words.brief,
        options=options_in_words(ladder.rules),
        document=_document(str(ladder.rules["game"])),
    )


def seats_in_words(ladder: LadderView) -> str:
    """Return for how many a ladder is, such as `five players`, or `two sides of three`."""
    if ladder.sides == ladder.players:
        return f"{_number(ladder.players)} players"
    return f"{_number(ladder.sides)} sides of {_number(ladder.players // ladder.sides)}"


def length_in_words(ladder: LadderView) -> str:
    """Return how long a match is, such as `to 50 points`, or `over 25 deals`."""
    return f"over {ladder.deals} deals" if ladder.deals else f"to {ladder.target} points"


def ending_in_words(match: MatchView, ladder: LadderView) -> str:
    """Return when and why a match of a ladder ended, such as `ended after 3 deals: the target was reached`."""
    count = "1 deal" if match.deals == 1 else f"{match.deals} deals"
    if match.reason != "deals":
        return f"ended after {count}: {match_reason_in_words(match.reason)}"
    return f"all {count} were played" if ladder.deals else f"ended after {count}, the most a match may have"


def _document(game: str) -> str:
    name = words_for(game).document
    return name if name in DOCUMENTS else ""


def _number(value: int) -> str:
    return _NUMBERS[value] if value < len(_NUMBERS) else str(value)
