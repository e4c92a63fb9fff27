"""Rule sets of Spoil Five and Forty-five: options, their validation, the rules document."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, Literal

import msgspec

from engine.chance import shuffled
from engine.errors import RulesError
from engine.game import GameFamily, JsonObject
from engine.tricks.cards import NAMES, NUMBERS
from engine.tricks.deal import TrickDeal, dealt
from engine.tricks.moves import MOVES, TAKE
from engine.tricks.options import FortyFiveOptions, SpoilFiveOptions
from engine.tricks.profiles import FORTY_FIVE, SPOIL_FIVE
from engine.tricks.sampling import sampled
from engine.tricks.scoring import DEALS_PER_SEAT, SCORINGS, Terms
from engine.tricks.view import TrickView

RULES_VERSION = 1

FORTY_FIVE_SIDES = 2


class TrickGame:
    """A trick game with given options for a number of players. Immutable. Implements `engine.game.Game`."""

    def __init__(self, name: str, terms: Terms, options: SpoilFiveOptions | FortyFiveOptions) -> None:
        self.name = name
        self.players = terms.players
        self.sides = terms.sides
        self.fixed_deals = DEALS_PER_SEAT * terms.players if terms.has_pool() else None
        self.options = options
        self.terms = terms

    def document(self) -> JsonObject:
        """Return the rules document, with only those options that differ from the defaults."""
        return {
            "game": self.name,
            "rules_version": RULES_VERSION,
            "players": self.players,
            "options": msgspec.to_builtins(self.options),
        }

    def deal(self, seed: bytes, number: int, dealer: int, carry: int = 0) -> TrickDeal:
        """Shuffle and deal; `carry` is the pool that the deal before left, 0 where a new one is made up."""
        order = [NUMBERS[name] for name in shuffled(NAMES, seed, number, 0)]
        return dealt(self.terms, order, dealer, carry)

    def sample(self, view: msgspec.Struct, seat: int, seed: bytes) -> TrickDeal:
        """Return a deal that `seat` might be in when it is to act and sees `view`. Raises ValueError if there is none."""
        if not isinstance(view, TrickView):
            raise ValueError(f"a view of {self.name} is a TrickView, not a {type(view).__name__}")
        return sampled(self.terms, view, seat, seed)

    def moves(self) -> Sequence[str]:
        """Return every move there can be: cards, declarations, the dealer's answers; in Spoil Five `take` and `jink`."""
        asks_jink = self.terms.is_spoil_five()
        return [move for move, code in MOVES.items() if asks_jink or code >> 12 < TAKE]


class _SpoilFiveDocument(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: Literal["spoil-five"]
    rules_version: Literal[1]
    players: Annotated[int, msgspec.Meta(ge=2, le=10)]
    options: SpoilFiveOptions


class _FortyFiveDocument(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: Literal["forty-five"]
    rules_version: Literal[1]
    players: Literal[2, 4, 6]
    options: FortyFiveOptions


class SpoilFiveFamily:
    """Makes games of Spoil Five from rules documents."""

    def from_document(self, document: Mapping[str, Any]) -> TrickGame:
        """Build the game a document describes. Raises RulesError with the reason."""
        try:
            parsed = msgspec.convert(dict(document), _SpoilFiveDocument)
        except msgspec.ValidationError as error:
            raise RulesError(f"rules of {SPOIL_FIVE}: {error}") from None
        options = parsed.options
        scoring = SCORINGS.index(options.scoring)
        terms = Terms(parsed.players, parsed.players, options.order == "simple", scoring, False)
        return TrickGame(SPOIL_FIVE, terms, options)


class FortyFiveFamily:
    """Makes games of Forty-five from rules documents: always two sides, partners in every other seat."""

    def from_document(self, document: Mapping[str, Any]) -> TrickGame:
        """Build the game a document describes. Raises RulesError with the reason."""
        try:
            parsed = msgspec.convert(dict(document), _FortyFiveDocument)
        except msgspec.ValidationError as error:
            raise RulesError(f"rules of {FORTY_FIVE}: {error}") from None
        options = parsed.options
        scoring = SCORINGS.index(options.scoring)
        simple = options.order == "simple"
        terms = Terms(parsed.players, FORTY_FIVE_SIDES, simple, scoring, options.five_wins)
        return TrickGame(FORTY_FIVE, terms, options)


FAMILIES: Mapping[str, GameFamily] = MappingProxyType(
    {SPOIL_FIVE: SpoilFiveFamily(), FORTY_FIVE: FortyFiveFamily()}
)
