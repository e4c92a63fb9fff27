"""Replaying a log: every decision is made again on the engine, and every line must say what then happens."""

import string
from collections.abc import Iterator
from typing import cast

import msgspec

from engine import ENGINE_VERSION
from engine.chance import SEED_BYTES, bot_seed
from engine.errors import EngineError, IllegalMoveError, LogError, RulesError
from engine.fixture import LegResult
from engine.game import Deal, DealResult
from engine.games import game_from_document, rules_hash
from engine.log import FORMAT, ActLine, DealLine, DealOverLine, FaultLine, Header, Line, OverLine, read_log
from engine.match import Match

SHOWN_VALUE = 120
"""Characters of a wrong value that an error message repeats."""


class Replayed(msgspec.Struct, frozen=True):
    """What a log proves. Tuples are by seat of the leg."""

    header: Header
    points: tuple[int, ...]
    """The match's final scores."""
    places: tuple[int, ...]
    """1 is first; equal places are ties."""
    deals: int
    """Deals begun."""
    decisions: int
    reason: str
    """Why the match ended: `target`, `fault`, `deals` or `decisions`."""
    faults: tuple[FaultLine, ...]
    charges: tuple[int, ...]
    """Time charged for the decisions in the log, in microseconds."""

    @property
    def leg_result(self) -> LegResult:
        """What the leg contributes to its fixture."""
        return LegResult(self.points, frozenset(fault.seat for fault in self.faults))


class Step(msgspec.Struct, frozen=True):
    """One decision of a log, with what every seat saw before and after it."""

    line: int
    """Its line in the log, from 1."""
    deal: int
    """Number of the deal, from 0."""
    act: ActLine
    forced: bool
    """Made by the passive policy in the place of a forfeited seat."""
    before: tuple[msgspec.Struct, ...]
    """The views by seat."""
    after: tuple[msgspec.Struct, ...]
    result: DealResult | None
    """How the deal ended, if this ended it, with the points the match counts for it."""


def replay(data: bytes) -> Replayed:
    """Check a log from its first byte to its last and return what it proves.

    Raises LogError naming the first line that is wrong: bytes, chain, cards, moves, points, scores or places.
    """
    player = _Replayer(read_log(data))
    charges = [0] * player.match.game.players
    for _, act in player.acts():
        charges[act.seat] += act.charge_us
        player.make(act)
    match = player.match
    return Replayed(
        header=player.header,
        points=tuple(match.scores),
        places=match.places(),
        deals=match.deals,
        decisions=match.decisions,
        reason=player.over.reason,
        faults=tuple(player.over.faults),
        charges=tuple(charges),
    )


def steps(data: bytes, only_deal: int | None = None) -> Iterator[Step]:
    """Replay a log decision by decision. Raises LogError, on the way, as `replay` does.

    With `only_deal` just that deal's steps are yielded, and views, the costly part, made for it alone.
    """
    player = _Replayer(read_log(data))
    match = player.match
    for line, act in player.acts():
        deal, number = match.deal, match.number
        if only_deal is not None and number != only_deal:
            player.make(act)
            continue
        before = _views(match, deal)
        forced = match.forfeited[act.seat]
        result = player.make(act)
        yield Step(line, number, act, forced, before, _views(match, deal), result)


def _views(match: Match, deal: Deal) -> tuple[msgspec.Struct, ...]:
    return tuple(deal.view(seat) for seat in range(match.game.players))


class _Replayer:
    """Walks the lines of an intact log and a match side by side."""

    def __init__(self, lines: list[Line]) -> None:
        # `read_log` has seen to it that these are what stands there.
        self.header = cast(Header, lines[0])
        self.over = cast(OverLine, lines[-1])
        self.match = _match_of(self.header)
        self._lines = lines
        self._faults = list(self.over.faults)
        self._result: DealResult | None = None
        self._dealt = -1

    def acts(self) -> Iterator[tuple[int, ActLine]]:
        """Yield each legal act and its line number, for the caller to `make` before the next is asked for."""
        for number, line in enumerate(self._lines[1:], 2):
            self._check_kind(number, line)
            if isinstance(line, ActLine):
                self._check_act(number, line)
                yield number, line
            elif isinstance(line, DealLine):
                self._check_deal(number, line)
            elif isinstance(line, DealOverLine) and self._result is not None:
                self._check_deal_over(number, line, self._result)
            elif isinstance(line, OverLine):
                self._check_over(number, line)

    def make(self, act: ActLine) -> DealResult | None:
        """Make the act last yielded; return the deal's result if that ends it."""
        self._result = self.match.apply(act.move)
        return self._result

    def _check_kind(self, number: int, line: Line) -> None:
        wanted: type[Line]
        if self._result is not None:
            wanted = DealOverLine
        elif self._dealt != self.match.number:
            wanted = DealLine
        else:
            self._charge_faults()
            wanted = OverLine if self.match.over else ActLine
        if not isinstance(line, wanted):
            raise LogError(number, f"`{_tag(type(line))}` where `{_tag(wanted)}` belongs")

    def _charge_faults(self) -> None:
        """Let the faults take effect that were charged after the decisions made so far."""
        match = self.match
        while self._faults and self._faults[0].decision == match.decisions:
            fault = self._faults.pop(0)
            try:
                if fault.seat >= match.game.players:
                    raise EngineError(f"there is no seat {fault.seat}")
                match.forfeit(fault.seat)
            except EngineError as error:
                raise LogError(len(self._lines), f"a fault that cannot be: {error}") from None

    def _check_act(self, number: int, line: ActLine) -> None:
        deal = self.match.deal
        if line.seat != deal.to_act:
            raise LogError(number, f"seat {line.seat} acts, but it is the turn of seat {deal.to_act}")
        if line.move not in deal.legal():
            try:
                listed = deal.resolve(line.move)
            except IllegalMoveError as error:
                raise LogError(number, f"an illegal move: {error}") from None
            raise LogError(number, f"the move {_short(line.move)} is listed as {listed}")
        if self.match.forfeited[line.seat]:
            passive = deal.passive_move()
            if line.move != passive or line.charge_us:
                raise LogError(
                    number, f"seat {line.seat} has forfeited: {passive} is made for it, at no charge"
                )

    def _check_deal(self, number: int, line: DealLine) -> None:
        match = self.match
        _same(number, "number", line.number, match.number)
        _same(number, "dealer", line.dealer, match.dealer)
        if line.cards != match.deal.starting_cards():
            raise LogError(number, "the cards are not those the seed gives")
        self._dealt = match.number

    def _check_deal_over(self, number: int, line: DealOverLine, result: DealResult) -> None:
        _same(number, "number", line.number, self._dealt)
        _same(number, "points", line.points, list(result.points))
        _same(number, "scores", line.scores, self.match.scores)
        _same(number, "reason", line.reason, result.reason)
        self._result = None

    def _check_over(self, number: int, line: OverLine) -> None:
        if self._faults:
            raise LogError(
                number, f"a fault after decision {self._faults[0].decision} does not fit this match"
            )
        _same(number, "scores", line.scores, self.match.scores)
        _same(number, "places", line.places, list(self.match.places()))
        _same(number, "reason", line.reason, self.match.reason)


def _match_of(header: Header) -> Match:
    """Return the match a header describes, its first deal dealt. Raises LogError(1, …)."""
    _same(1, "format", header.format, FORMAT)
    _same(1, "engine", header.engine, ENGINE_VERSION)
    try:
        game = game_from_document(header.rules)
    except RulesError as error:
        raise LogError(1, f"the rules cannot be played: {error}") from None
    _same(1, "rules", header.rules, game.document())
    _same(1, "rules_hash", header.rules_hash, rules_hash(header.rules))
    if len(header.seats) != game.players or header.leg >= game.sides:
        raise LogError(
            1, f"{len(header.seats)} seats and leg {header.leg} do not fit a game of {game.players} players"
        )
    if len(header.seed) != 2 * SEED_BYTES or not set(header.seed) <= set(string.digits + "abcdef"):
        raise LogError(1, "`seed` is not 32 bytes in lower-case hexadecimal")
    seed = bytes.fromhex(header.seed)
    for number, seat in enumerate(header.seats):
        _same(1, f"bot_seed of seat {number}", seat.bot_seed, bot_seed(seed, seat.version))
    if header.target < 1:
        raise LogError(1, "`target` is less than 1 point")
    return Match(game, header.target, seed)


def _same(number: int, name: str, found: object, wanted: object) -> None:
    if found != wanted:
        raise LogError(number, f"`{name}` is {_short(found)}, replaying gives {_short(wanted)}")


def _short(value: object) -> str:
    """Return a value as an error message may repeat it: a log is a stranger's text."""
    text = repr(value)
    return text if len(text) <= SHOWN_VALUE else text[:SHOWN_VALUE] + "…"


def _tag(line: type[Line]) -> str:
    return str(line.__struct_config__.tag)
