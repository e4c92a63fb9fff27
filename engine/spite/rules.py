"""Rule sets of the family: games made from rules documents."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from engine.errors import RulesError
from engine.game import GameFamily, JsonObject
from engine.spite.deal import SpiteDeal
from engine.spite.dealing import dealt
from engine.spite.moves import Moves
from engine.spite.options import Options, SkipBoOptions, StarturnOptions
from engine.spite.plan import Plan
from engine.spite.planning import common_plan, skip_bo_goal, skip_bo_plan, starturn_plan
from engine.spite.profiles import COMMON, SKIP_BO, STARTURN
from engine.spite.sampling import sampled

RULES_VERSION = 1


class SpiteGame:
    """A game of the family with given options, for a given number of players. Immutable."""

    fixed_deals: int | None = None

    def __init__(self, name: str, options: Options | SkipBoOptions | StarturnOptions, plan: Plan) -> None:
        self.name = name
        self.options = options
        self.plan = plan
        self.players = plan.players
        self.sides = plan.sides
        self._moves = Moves(plan)

    def document(self) -> JsonObject:
        """Return the rules document, with only those options that differ from the defaults."""
        return {
            "game": self.name,
            "rules_version": RULES_VERSION,
            "players": self.players,
            "options": msgspec.to_builtins(self.options),
        }

    def deal(self, seed: bytes, number: int, dealer: int, carry: int = 0) -> SpiteDeal:
        """Shuffle and deal; nothing is carried from deal to deal."""
        return dealt(self.plan, self._moves, seed, number, dealer)

    def sample(self, view: msgspec.Struct, seat: int, seed: bytes) -> SpiteDeal:
        """Return a deal that a seat to act might be in. Raises ValueError when no deal looks like the view."""
        return sampled(self.plan, self._moves, view, seat, seed)

    def moves(self) -> Sequence[str]:
        """Return every move there can be, in the order of legal lists."""
        return tuple(self._moves.listed)


class _Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: Literal["spite-and-malice"]
    rules_version: Literal[1]
    players: Annotated[int, msgspec.Meta(ge=2, le=4)]
    options: Options


class _SkipBoDocument(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: Literal["skip-bo"]
    rules_version: Literal[1]
    players: Annotated[int, msgspec.Meta(ge=2, le=6)]
    options: SkipBoOptions


class _StarturnDocument(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: Literal["starturn"]
    rules_version: Literal[1]
    players: Annotated[int, msgspec.Meta(ge=2, le=4)]
    options: StarturnOptions


_D = TypeVar("_D", _Document, _SkipBoDocument, _StarturnDocument)


class CommonFamily:
    """Makes the common game from rules documents."""

    def from_document(self, document: Mapping[str, Any]) -> SpiteGame:
        """Build the game a document describes. Raises RulesError with the reason."""
        parsed = _parsed(document, _Document)
        return SpiteGame(COMMON, parsed.options, common_plan(parsed.players, parsed.options))


class SkipBoFamily:
    """Makes Skip-Bo from rules documents."""

    def from_document(self, document: Mapping[str, Any]) -> SpiteGame:
        """Build the game a document describes. Raises RulesError with the reason."""
        parsed = _parsed(document, _SkipBoDocument)
        options = parsed.options
        if options.goal == skip_bo_goal(parsed.players):
            # Given at its default it changes no hash.
            options = msgspec.structs.replace(options, goal=None)
        return SpiteGame(SKIP_BO, options, skip_bo_plan(parsed.players, options))


class StarturnFamily:
    """Makes Starturn from rules documents."""

    def from_document(self, document: Mapping[str, Any]) -> SpiteGame:
        """Build the game a document describes. Raises RulesError with the reason."""
        parsed = _parsed(document, _StarturnDocument)
        return SpiteGame(STARTURN, parsed.options, starturn_plan(parsed.players, parsed.options))


def _parsed(document: Mapping[str, Any], kind: type[_D]) -> _D:
    try:
        return msgspec.convert(dict(document), kind)
    except msgspec.ValidationError as error:
        raise RulesError(f"rules of {document['game']}: {error}") from None


FAMILIES: Mapping[str, GameFamily] = MappingProxyType(
    {COMMON: CommonFamily(), SKIP_BO: SkipBoFamily(), STARTURN: StarturnFamily()}
)
