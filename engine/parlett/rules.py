"""Rule sets of Parlett's game: the game, its family, the rules document."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import msgspec

from engine.errors import RulesError
from engine.game import GameFamily, JsonObject
from engine.parlett.cards import Packs
from engine.parlett.deal import ParlettDeal
from engine.parlett.moves import all_moves
from engine.parlett.options import Options
from engine.parlett.profiles import GAME
from engine.parlett.sample import sampled
from engine.parlett.table import SEATS, Table
from engine.parlett.view import ParlettView

RULES_VERSION = 1


class ParlettGame:
    """Parlett's game with given options; for two. Immutable."""

    name = GAME
    players = SEATS
    sides = SEATS
    fixed_deals: int | None = None

    def __init__(self, options: Options) -> None:
        self.options = options
        self._packs = Packs(options.jokers)

    def document(self) -> JsonObject:
        """Return the rules document, with only those options that differ from the defaults."""
        return {
            "game": GAME,
            "rules_version": RULES_VERSION,
            "players": self.players,
            "options": msgspec.to_builtins(self.options),
        }

    def deal(self, seed: bytes, number: int, dealer: int, carry: int = 0) -> ParlettDeal:
        """Shuffle and deal; who starts is decided by the tops of the personal packs, not by `dealer`."""
        deal = ParlettDeal(self._empty_table(), seed, number, dealer)
        deal.lay_out()
        return deal

    def sample(self, view: msgspec.Struct, seat: int, seed: bytes) -> ParlettDeal:
        """Return a deal that `seat` might be in when it is to act and sees `view` (`engine.parlett.sample`)."""
        if not isinstance(view, ParlettView):
            raise ValueError(f"a ParlettView is wanted, not a {type(view).__name__}")
        return sampled(self._packs, self.options.joker_memory, view, seat, seed)

    def moves(self) -> Sequence[str]:
        """Return every move there can be, in the order of legal lists."""
        return all_moves(self.options.jokers)

    def _empty_table(self) -> Table:
        return Table(self._packs, self.options.joker_memory)


class _Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: Literal["parlett"]
    rules_version: Literal[1]
    players: Literal[2]
    options: Options


class ParlettFamily:
    """Makes `ParlettGame`s from rules documents."""

    def from_document(self, document: Mapping[str, Any]) -> ParlettGame:
        """Build the game a document describes. Raises RulesError with the reason."""
        try:
            parsed = msgspec.convert(dict(document), _Document)
        except msgspec.ValidationError as error:
            raise RulesError(f"rules of {GAME}: {error}") from None
        return ParlettGame(parsed.options)


FAMILIES: Mapping[str, GameFamily] = MappingProxyType({GAME: ParlettFamily()})
