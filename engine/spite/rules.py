"""Rule sets of the Spite & Malice common game: options, their validation, the rules document."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from engine.errors import RulesError
from engine.game import JsonObject
from engine.spite.cards import Deck
from engine.spite.deal import SpiteDeal
from engine.spite.options import HAND_CARDS, Options

GAME = "spite-and-malice"
RULES_VERSION = 1

PACK_CARDS = 52
SPARE_CARDS = 12
"""One full centre pile must be left after dealing goal piles and hands."""


class SpiteGame:
    """The common game with given options, for a given number of players. Immutable."""

    name = GAME

    def __init__(self, players: int, options: Options) -> None:
        self.players = players
        self.sides = players
        self.fixed_deals: int | None = None
        self.options = options
        self._deck = Deck(options.packs, options.jokers_wild)

    def document(self) -> JsonObject:
        """Return the rules document, with only those options that differ from the defaults."""
        return {
            "game": GAME,
            "rules_version": RULES_VERSION,
            "players": self.players,
            "options": msgspec.to_builtins(self.options),
        }

    def deal(self, seed: bytes, number: int, dealer: int, carry: int = 0) -> SpiteDeal:
        """Shuffle and deal."""
        return SpiteDeal(self.options, self._deck, self.players, seed, number, dealer)


class _Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: Literal["spite-and-malice"]
    rules_version: Literal[1]
    players: Annotated[int, msgspec.Meta(ge=2, le=4)]
    options: Options


class SpiteFamily:
    """Makes `SpiteGame`s from rules documents."""

    def from_document(self, document: Mapping[str, Any]) -> SpiteGame:
        """Build the game a document describes. Raises RulesError with the reason."""
        try:
            parsed = msgspec.convert(dict(document), _Document)
        except msgspec.ValidationError as error:
            raise RulesError(f"rules of {GAME}: {error}") from None
        check_cards(parsed.players, parsed.options)
        return SpiteGame(parsed.players, parsed.options)


def check_cards(players: int, options: Options) -> None:
    """Refuse rules under which the packs cannot supply the deal. Raises RulesError with the count."""
    cards = PACK_CARDS * options.packs + options.jokers_wild
    needed = players * (options.goal + HAND_CARDS) + SPARE_CARDS
    if cards < needed:
        raise RulesError(
            f"{players} goal piles of {options.goal}, the hands and one centre pile need {needed} cards, the packs "
            f"have {cards}; take more packs or fewer goal cards"
        )
    if (options.recycle == "threshold") != (options.threshold > 0):
        raise RulesError(
            "`threshold` says how many dead cards are recycled, so it goes with recycle=threshold and only with it"
        )
