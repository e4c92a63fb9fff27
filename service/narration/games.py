"""Games in words: what they are called, how they go in brief, where their rules are told in full."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class GameWords:
    """What to say of a game to somebody who has never heard of it."""

    title: str
    document: str
    """The page of its rules, by its name among the documents; empty where there is none."""
    brief: str
    """How it is played, in a few sentences."""


GAMES: Mapping[str, GameWords] = MappingProxyType(
    {
        "spite-and-malice": GameWords(
            "Spite & Malice",
            "rules/common",
            "Everybody tries to be the first to play out a goal pile, card by card, to piles in the middle that all"
            " build up from the ace. Hand cards help, and one goes to a discard pile of your own at the end of each"
            " turn. Playing out scores 5 points and one for every card left in the other goal piles.",
        ),
        "skip-bo": GameWords(
            "Skip-Bo",
            "rules/skip-bo",
            "Spite & Malice with cards numbered 1 to 12 and eighteen wild ones, which may be any number. Whoever"
            " plays out the stock pile first scores 25 points and 5 for every card left in the others’.",
        ),
        "starturn": GameWords(
            "Starturn",
            "rules/starturn",
            "A forerunner of Spite & Malice from 1935, with cards from 1 to 15 and none of them wild. A player whose"
            " hand is played out ends the turn without a discard.",
        ),
        "parlett": GameWords(
            "Parlett’s Spite & Malice",
            "rules/parlett",
            "For two. Piles run from ace to king, jokers are wild, and there may be any number of piles. Cards laid"
            " aside must fit on each other, and an ace or two that is in sight has to be played. A point for every"
            " card left in the other’s pack.",
        ),
        "spoil-five": GameWords(
            "Spoil Five",
            "rules/spoil-five",
            "An old Irish game of tricks: five cards each, and whoever wins three tricks wins the deal, unless the"
            " others spoil it. The five of trumps is the highest card, then the jack of trumps and the ace of hearts."
            " Whoever holds the ace of trumps may take the card that was turned up.",
        ),
        "forty-five": GameWords(
            "Forty-five",
            "rules/forty-five",
            "Two players or two sides play all five tricks, with the cards of Spoil Five: the five of trumps, the jack"
            " of trumps and the ace of hearts are the highest. Whoever wins the greater part of the tricks scores.",
        ),
    }
)
"""In the order people are shown them."""


def words_for(game: str) -> GameWords:
    """Return what to say of a game; one without words of its own goes by its name."""
    return GAMES.get(game) or GameWords(game, "", "")
