"""Cards as they look and as they are said: `5D` is the five of diamonds, `K` alone a king, `*` a wild card."""

from dataclasses import dataclass

_RANKS = {
    "A": "ace",
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "10": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "*": "wild card",
}
_SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_RED = ("D", "H")


@dataclass(frozen=True, slots=True)
class Face:
    """What is seen of a card."""

    rank: str
    suit: str
    """C, D, H or S; empty where suits mean nothing."""
    name: str
    """As a person says it."""
    is_red: bool


def face_of(text: str) -> Face:
    """Return the face of a card as a game prints it."""
    if len(text) > 1 and text[-1] in _SUITS:
        rank, suit = text[:-1], text[-1]
        return Face(rank, suit, f"{_RANKS.get(rank, rank)} of {_SUITS[suit]}", suit in _RED)
    return Face(text, "", _RANKS.get(text, text), is_red=False)


def suit_name(suit: str) -> str:
    """Return what a suit letter is called, such as `diamonds`."""
    return _SUITS.get(suit, suit)
