"""Options of rule sets in words: what differs from the game as it is usually played."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

_Words = Callable[[Any], str]
"""What to say of an option, given its value."""


def options_in_words(rules: Mapping[str, Any]) -> Sequence[str]:
    """Return a phrase for every option of a rules document; one without words of its own is shown as it stands there."""
    words = _WORDS.get(str(rules.get("game")), {})
    return [
        words[name](value) if name in words else f"{name}: {value}"
        for name, value in rules.get("options", {}).items()
    ]


def known_options(game: str) -> frozenset[str]:
    """Return the options of a game that have words of their own."""
    return frozenset(_WORDS.get(game, {}))


def _always(words: str, otherwise: str = "") -> _Words:
    """Words for an option that is on or off."""
    return lambda value: words if value else otherwise


def _one_of(**words: str) -> _Words:
    return lambda value: words.get(value, str(value))


def _count(one: str, several: str) -> _Words:
    return lambda value: f"{value} {one if value == 1 else several}"


_SPITE: Mapping[str, _Words] = {
    "packs": _count("pack of cards", "packs of cards"),
    "goal": _count("card in a goal pile", "cards in a goal pile"),
    "jokers_wild": _count("joker, wild as kings are", "jokers, wild as kings are"),
    "first": _one_of(
        dealer="the dealer begins",
        eldest="the player after the dealer begins",
        high_goal="whoever has the highest goal card begins",
    ),
    "hands_dealt_upfront": _always(
        "all hands are dealt before the first turn", "hands are drawn turn by turn"
    ),
    "recycle": _one_of(
        lazy="completed piles are shuffled into the stock when it runs out",
        immediate="completed piles are shuffled into the stock at once",
        threshold="completed piles are shuffled into the stock when enough have gathered",
    ),
    "threshold": lambda value: f"that is at {value} cards",
    "exhaustion": _one_of(
        on_failed_draw="a draw that gets no card ends the deal",
        on_short_draw="a draw that gets too few cards ends the deal",
        play_on="play goes on when there is nothing to draw",
    ),
    "centre": _one_of(four="four piles in the middle", unlimited="any number of piles in the middle"),
    "forced_low": _always("aces and twos must be played when they can be", "aces and twos may be held"),
    "misery": _always("two goal piles each, of twelve cards, and six cards in hand", "one goal pile each"),
    "jokers_to_king": _always(
        "piles run from ace to king; jokers are wild, but not as ace, two, seven or jack",
        "piles run from ace to queen; kings are wild",
    ),
    "jokers_per_pack": _count("joker a pack", "jokers a pack"),
    "cover_wild": _always(
        "a wild card must be covered at once, and is never an ace, a seven or a queen",
        "wild cards need no cover",
    ),
    "pack_per_player": _always("as many packs as players", "a fixed number of packs"),
    "natural_low_pairs": _always(
        "a wild card is never an ace or two; two equal cards may be discarded together",
        "wild cards may be twos; one card is discarded",
    ),
}

_SKIP_BO: Mapping[str, _Words] = {
    "goal": _count("card in a stock pile", "cards in a stock pile"),
    "partners": _always(
        "partners sit across from each other and may play from each other’s stock and discard piles",
        "everybody for himself",
    ),
}

_STARTURN: Mapping[str, _Words] = {
    "continue_on_empty": _always(
        "a hand that is played out is drawn anew in the same turn",
        "a hand that is played out ends the turn",
    ),
    "score": _one_of(cards="a point for every card left", win="a deal won is worth one point"),
}

_PARLETT: Mapping[str, _Words] = {
    "jokers": _count("joker", "jokers"),
    "joker_memory": _always(
        "a joker laid aside stays what the cards on it made it",
        "a joker laid aside is free again when the cards on it are gone",
    ),
}

_ORDER = _one_of(
    traditional="black cards below the court rank upside down",
    simple="cards rank in the plain order: ace, king, queen, down to two",
)

_SPOIL_FIVE: Mapping[str, _Words] = {
    "scoring": _one_of(
        points="three tricks score a point for every other player, all five after a jink twice that",
        pool="for chips: everybody puts one in, and the pool grows until somebody wins it",
    ),
    "order": _ORDER,
}

_FORTY_FIVE: Mapping[str, _Words] = {
    "scoring": _one_of(
        side="three or four tricks score 5, all five 10",
        trick="every trick scores 5",
        best_trump="every trick scores 5, and the best trump 5 more",
    ),
    "order": _ORDER,
    "five_wins": _always("all five tricks win the match", "all five tricks score 10"),
}

_WORDS: Mapping[str, Mapping[str, _Words]] = MappingProxyType(
    {
        "spite-and-malice": _SPITE,
        "skip-bo": _SKIP_BO,
        "starturn": _STARTURN,
        "parlett": _PARLETT,
        "spoil-five": _SPOIL_FIVE,
        "forty-five": _FORTY_FIVE,
    }
)
