"""Match logs: JSON lines chained by hashes, so that no byte can change unseen. docs/log.md is the format's definition."""

import hashlib
from typing import Annotated, Any, Literal

import msgspec

from engine import ENGINE_VERSION
from engine.canonical import LARGEST_INTEGER, canonical, encode
from engine.errors import LogError
from engine.game import DealResult, Game, JsonObject
from engine.games import rules_hash
from engine.match import Reason

FORMAT = 1
"""Version of the format. A reader refuses any other."""

SHORT_HASH = 8
"""Hex digits of the running digest that most lines carry; `deal_over` and `over` carry all 64."""

GENESIS = bytes(32)
"""What stands for the digest before the first line."""

Count = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_INTEGER)]
Points = Annotated[int, msgspec.Meta(ge=-LARGEST_INTEGER, le=LARGEST_INTEGER)]
ChargedKind = Literal["crash", "timeout", "illegal", "protocol", "memory"]
"""What a bot can be charged with. A leg spoilt by our side (`infra`) has no finished log."""


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class _Line(_Part, frozen=True, omit_defaults=True, kw_only=True):
    h: str = ""
    """Set by the writer; empty in a line that has not been written."""


class ClockInfo(_Part, frozen=True):
    """The time each seat had in this leg, in milliseconds (docs/protocol.md, "Time")."""

    start_ms: Count
    bank_ms: Count
    increment_ms: Count
    leg_ms: Count


class SeatInfo(_Part, frozen=True):
    """Who sat in a seat."""

    version: str
    bundle: str
    """Digest of the bundle that ran."""
    runtime: str
    """What ran it, with its version, such as `python 3.11.7`."""
    bot_seed: Count


class Header(_Line, frozen=True, tag="header"):
    """The first line: all that is needed to deal the same cards again. Make it with `header_for`."""

    format: Count
    engine: str
    rules: dict[str, Any]
    """The rules document."""
    rules_hash: str
    target: Count
    seed: str
    """The fixture's 32 bytes, hexadecimal."""
    fixture: str
    leg: Count
    clock: ClockInfo
    seats: list[SeatInfo]


class DealLine(_Line, frozen=True, tag="deal"):
    """A deal begins: its number from 0, its dealer, every card where it was dealt."""

    number: Count
    dealer: Count
    cards: dict[str, Any]


class ActLine(_Line, frozen=True, tag="act"):
    """One decision, in listed form, with the time charged for it and the bank left after it."""

    seat: Count
    move: str
    charge_us: Count
    bank_ms: Count


class DealOverLine(_Line, frozen=True, tag="deal_over"):
    """A deal has ended: its points, the match's scores after it, and why it ended."""

    number: Count
    points: list[Points]
    scores: list[Points]
    reason: str


class FaultLine(_Part, frozen=True):
    """A fault as the `over` line lists it: who, what, on what evidence, and after how many decisions of the leg."""

    seat: Count
    kind: ChargedKind
    evidence: str
    decision: Count


class OverLine(_Line, frozen=True, tag="over"):
    """The last line: scores and places by seat, why the match ended, and every fault in the order charged."""

    scores: list[Points]
    places: list[Count]
    reason: Reason
    faults: list[FaultLine]


Line = Header | DealLine | ActLine | DealOverLine | OverLine

_decoder = msgspec.json.Decoder(Line)


def header_for(
    game: Game,
    *,
    target: int,
    seed: bytes,
    fixture: str,
    leg: int,
    clock: ClockInfo,
    seats: list[SeatInfo],
) -> Header:
    """Return the header of a leg of `game` as this engine plays it."""
    rules = game.document()
    return Header(
        format=FORMAT,
        engine=ENGINE_VERSION,
        rules=rules,
        rules_hash=rules_hash(rules),
        target=target,
        seed=seed.hex(),
        fixture=fixture,
        leg=leg,
        clock=clock,
        seats=seats,
    )


class LogWriter:
    """Writes one match as it is played. Call `deal` as soon as a deal lies, also if nobody comes to act in it."""

    def __init__(self, header: Header) -> None:
        canonical(header.rules)
        self._lines: list[str] = []
        self._digest = GENESIS
        self._add(header)

    def deal(self, number: int, dealer: int, cards: JsonObject) -> None:
        """Record a new deal; `cards` as `Deal.starting_cards` gives them."""
        self._add(DealLine(number=number, dealer=dealer, cards=cards))

    def act(self, seat: int, move: str, charge_us: int, bank_ms: int) -> None:
        """Record a decision; a move of the passive policy in the place of a forfeited seat has charge 0.

        The hot path: writes the bytes `encode` would give for an ActLine.
        """
        head = f'{{"bank_ms":{bank_ms},"charge_us":{charge_us},'
        tail = f'"move":"{move}","seat":{seat},"type":"act"}}'
        self._digest = hashlib.sha256(self._digest + (head + tail).encode()).digest()
        self._lines.append(f'{head}"h":"{self._digest[:4].hex()}",{tail}\n')

    def deal_over(self, number: int, result: DealResult, scores: list[int]) -> None:
        """Record a deal's end, before the next deal's `deal`."""
        self._add(
            DealOverLine(number=number, points=list(result.points), scores=list(scores), reason=result.reason)
        )

    def over(
        self, scores: list[int], places: tuple[int, ...], reason: Reason, faults: list[FaultLine]
    ) -> None:
        """Record the match's end."""
        self._add(OverLine(scores=list(scores), places=list(places), reason=reason, faults=faults))

    def finish(self) -> bytes:
        """Return the whole log; its id is the sha256 of these bytes."""
        return "".join(self._lines).encode()

    def _add(self, line: Line) -> None:
        self._digest, h = _chained(self._digest, line)
        self._lines.append(encode(msgspec.structs.replace(line, h=h)).decode() + "\n")


def read_log(data: bytes) -> list[Line]:
    """Read a whole log and check all that can be checked without its game: form, canonical bytes, chain.

    Returns its lines, the first being line 1. Raises LogError naming the first line that is wrong.
    """
    if not data:
        raise LogError(0, "the log is empty")
    *rows, rest = data.split(b"\n")
    lines: list[Line] = []
    digest = GENESIS
    for number, row in enumerate(rows, 1):
        line = _parsed(number, row)
        _check_place(number, line, lines)
        digest, h = _chained(digest, msgspec.structs.replace(line, h=""))
        if line.h != h:
            raise LogError(number, f"altered, or a line was added or left out here: `h` ought to be {h}")
        lines.append(line)
    if rest:
        raise LogError(
            len(rows) + 1, "the line does not end with a newline: the log is cut off or something follows it"
        )
    if not isinstance(lines[-1], OverLine):
        raise LogError(len(rows) + 1, "the line is missing: the log stops before its `over` line")
    return lines


def _parsed(number: int, row: bytes) -> Line:
    try:
        line = _decoder.decode(row)
        is_canonical = encode(line) == row
    except (msgspec.MsgspecError, RecursionError, OverflowError) as error:
        raise LogError(number, f"not a line of a match log: {error}") from None
    if not is_canonical:
        raise LogError(number, "not in canonical form: keys sorted, no spaces, shortest escapes")
    return line


def _check_place(number: int, line: Line, before: list[Line]) -> None:
    if isinstance(line, Header) != (number == 1):
        raise LogError(number, "the header is the first line, and only that")
    if before and isinstance(before[-1], OverLine):
        raise LogError(number, "nothing may follow the `over` line")


def _chained(previous: bytes, line: Line) -> tuple[bytes, str]:
    """Return the running digest after a line without `h`, and the `h` it is to carry."""
    digest = hashlib.sha256(previous + encode(line)).digest()
    text = digest.hex()
    return digest, text if isinstance(line, DealOverLine | OverLine) else text[:SHORT_HASH]
