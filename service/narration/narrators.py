"""Which narrator tells which game."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from engine.replay import Step
from service.narration.spite import SpiteNarrator
from service.narration.spite_table import SpiteTable
from service.narration.story import Passage
from service.narration.trick_table import TrickTable
from service.narration.tricks import TrickNarrator
from service.narration.unknown import UnknownNarrator

Table = SpiteTable | TrickTable
"""A table after some decisions; its `kind` says which."""


class Narrator(Protocol):
    """Tells and draws the deals of one match. Takes all steps of one deal, in order."""

    def tell(self, steps: Sequence[Step]) -> list[Passage]:
        """Return the deal as passages: every decision once, in order."""

    def draw(self, steps: Sequence[Step], shown: int) -> Table | None:
        """Return the table after the first `shown` decisions, at most all; None where the game cannot be drawn."""


def narrator_for(rules: Mapping[str, Any]) -> Narrator:
    """Return who tells the game that a rules document describes, such as a log's header holds."""
    match rules.get("game"):
        case "spite-and-malice" | "skip-bo" | "starturn" | "parlett":
            return SpiteNarrator(rules)
        case "spoil-five" | "forty-five":
            return TrickNarrator(rules)
    return UnknownNarrator()
