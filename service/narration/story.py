"""What every game's story is made of, however it is shown: sentences of words, cards and players."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Card:
    """A card in a sentence, as the game prints it."""

    kind: ClassVar[str] = "card"
    text: str
    is_goal: bool = False
    """It leaves a goal pile."""


@dataclass(frozen=True, slots=True)
class Player:
    """Whoever sits in a seat."""

    kind: ClassVar[str] = "player"
    seat: int


@dataclass(frozen=True, slots=True)
class Aside:
    """Words that matter less than the cards beside them."""

    kind: ClassVar[str] = "aside"
    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """A move in the game's own notation."""

    kind: ClassVar[str] = "code"
    text: str


Part = str | Aside | Card | Code | Player
Sentence = tuple[Part, ...]
"""Its parts are shown with a space between them."""


@dataclass(frozen=True, slots=True)
class Action:
    """One decision."""

    number: int
    """Of the decision in its deal, from 1."""
    seat: int
    move: str
    sentence: Sentence
    """What was done, beginning with the verb or the card: the player's name goes before it."""
    forced: bool
    """Made in the place of a bot that has forfeited."""


@dataclass(slots=True)
class Passage:
    """What belongs together: a player's turn, or a trick."""

    heading: Sentence
    seat: int | None = None
    """Whose turn it is; None where several act, each of whom is to be named."""
    actions: list[Action] = field(default_factory=list)
    outcome: Sentence = ()
    """What it came to, after its actions."""
    ending: Sentence = ()
    """How the deal ended with it; empty while the deal goes on."""
    standing: str = ""
    """How things stand after it, in a few words."""
    used_us: int = 0
    """Time charged for its decisions, in microseconds."""


def plain(sentence: Sentence, names: Sequence[str]) -> str:
    """Return a sentence as plain text; `names` by seat. A card that leaves a goal pile stands in brackets."""
    return " ".join(_plain(part, names) for part in sentence)


def _plain(part: Part, names: Sequence[str]) -> str:
    match part:
        case Player(seat):
            return names[seat]
        case Card(text, is_goal):
            return f"[{text}]" if is_goal else text
        case Aside(text) | Code(text):
            return text
    return part
