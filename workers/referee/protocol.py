"""The bot protocol, version 1, as typed lines: docs/protocol.md is its description for authors.

One JSON object per line, UTF-8, both ways. What a bot says is read strictly: unknown fields are a fault here,
as a misspelt field would otherwise be ignored for ever.
"""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from engine.game import Event
from service.messages import Clock
from workers.referee.faults import BotFault, shown

PROTOCOL = 1

LINE_CAP = 4_096
"""Longest answer in bytes, without its newline. An answer is one line and nothing may be written unasked, so
this also bounds all a bot may write: one line for each request."""


class Hello(msgspec.Struct, frozen=True, tag="hello"):
    """Opens a leg; the bot answers `ready`."""

    protocol: int
    game: str
    rules: dict[str, Any]
    """A rules document, see `engine.game.Game.document`."""
    seat: int
    players: int
    target: int
    bot_seed: int
    """The bot's own random seed: the same in all legs and seats of a fixture."""
    clock: Clock


class Act(msgspec.Struct, frozen=True, tag="act"):
    """Asks for one move."""

    id: int
    """Counts the requests to this bot in this leg, from 0."""
    deal: int
    """The deal's index in its match, from 0."""
    scores: Sequence[int]
    """Points of the match so far, by seat."""
    view: msgspec.Struct
    legal: Sequence[str]
    events: Sequence[Event]
    """What the seat saw since its last request, oldest first."""
    bank_ms: int
    """The time this decision may take."""


class DealOver(msgspec.Struct, frozen=True, tag="deal_over"):
    """A deal has ended; told with the next request. No answer."""

    deal: int
    points: Sequence[int]
    scores: Sequence[int]
    reason: str


class Over(msgspec.Struct, frozen=True, tag="over"):
    """The leg has ended. No answer; stdin closes, and 100 ms later the bot is ended."""

    scores: Sequence[int]
    places: Sequence[int]


class Ready(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The bot's answer to `hello`."""

    type: Literal["ready"]


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The bot's answer to `act`: a move as listed or equivalent to a listed one, or an index into `legal`."""

    act: str | int
    id: int | msgspec.UnsetType = msgspec.UNSET


_encoder = msgspec.json.Encoder()
_answer_decoder = msgspec.json.Decoder(Answer)
_ready_decoder = msgspec.json.Decoder(Ready)


def encode(message: Hello | Act | DealOver | Over) -> bytes:
    """Return the message as one line with its newline."""
    return _encoder.encode(message) + b"\n"


def parse_answer(line: bytes, number: int) -> str | int:
    """Return the move, or the index into `legal`, that a line answers to request `number`.

    Raises BotFault `protocol` for anything that is not exactly an answer to that request.
    """
    try:
        answer = _answer_decoder.decode(line)
    except msgspec.MsgspecError as error:
        raise _not_an_answer(line, f"request {number}", '{"act":"…"} or {"act":0}', error) from None
    if answer.id is not msgspec.UNSET and answer.id != number:
        raise BotFault("protocol", f"answered request {number} with the id {answer.id}: {shown(line)}")
    return answer.act


def parse_ready(line: bytes) -> None:
    """Check that a line is `{"type":"ready"}`. Raises BotFault `protocol` for anything else."""
    try:
        _ready_decoder.decode(line)
    except msgspec.MsgspecError as error:
        raise _not_an_answer(line, "hello", '{"type":"ready"}', error) from None


def _not_an_answer(line: bytes, asked: str, wanted: str, error: Exception) -> BotFault:
    return BotFault("protocol", f"answered {asked} with {shown(line)}, where {wanted} was wanted: {error}")
