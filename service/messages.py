"""The messages that travel between the service and its workers: plain typed JSON, nothing else.

Digests are lower-case hexadecimal SHA-256; times are microseconds unless a name says `_ms`.
Every message is a tagged struct: `{"type": "ticket", ...}`.
"""

from typing import Any, Literal

import msgspec

FaultKind = Literal["crash", "timeout", "illegal", "protocol", "memory", "infra"]


class Clock(msgspec.Struct, frozen=True):
    """A ladder's clock, per seat and leg, in milliseconds (docs/protocol.md, "Time")."""

    start_ms: int = 5_000
    """For the first reply, `ready`."""
    bank_ms: int = 10_000
    """Thinking time at the start of a leg; never more than twice this is saved up."""
    increment_ms: int = 20
    """Added after every decision."""
    leg_ms: int = 60_000
    """The most a seat may use in one leg."""


class TicketSeat(msgspec.Struct, frozen=True):
    """A participant: one side of the fixture, and what to run in each of its seats."""

    version: str
    bundle: str
    """Digest of the built bundle in the blob store."""
    runtime: str
    """What runs it, such as `python`."""
    entry: str
    """The program's file inside the bundle."""


class Ticket(msgspec.Struct, frozen=True, tag="ticket"):
    """Play this fixture. `attempt` is the fencing token: only the newest attempt's report counts."""

    fixture: str
    attempt: int
    rules: dict[str, Any]
    """A rules document, see `engine.game.Game.document`."""
    seed: str
    """The fixture's 32 bytes, hexadecimal."""
    target: int
    clock: Clock
    seats: list[TicketSeat]
    """The participants, one per side of the game, in the order of leg 0. In leg k seat s holds participant
    (s + k) mod sides; there are as many legs as sides."""


class Started(msgspec.Struct, frozen=True, tag="started"):
    """A worker has taken the ticket and begins to play."""

    fixture: str
    attempt: int
    worker: str


class Progress(msgspec.Struct, frozen=True, tag="progress"):
    """Where a fixture stands, for spectators; best effort, decides and renews nothing."""

    fixture: str
    attempt: int
    leg: int
    deal: int
    scores: list[int]
    """By seat of the leg being played."""


class Fault(msgspec.Struct, frozen=True):
    """Why a seat lost a leg by other means than cards."""

    leg: int
    seat: int
    """The seat in that leg."""
    kind: FaultKind
    evidence: str
    """What was seen, in words its author can act on."""


class LegReport(msgspec.Struct, frozen=True):
    """One match as played. The log is in the blob store; all else here can be recomputed from it."""

    log: str
    """The log's id: SHA-256 of its uncompressed bytes."""
    points: list[int]
    """By seat of this leg."""
    places: list[int]
    """1 is first; equal places are ties. By seat of this leg."""
    deals: int
    reason: str
    """Why the leg ended: `target`, `fault`, `deals` or `decisions`."""
    stderr: list[str | None]
    """Digest of each seat's own log, or None where it wrote nothing."""
    used_us: list[int]
    """Time charged to each seat."""


class Report(msgspec.Struct, frozen=True, tag="report"):
    """A fixture as one attempt played it, or the infrastructure fault that kept it from being played."""

    fixture: str
    attempt: int
    worker: str
    legs: list[LegReport]
    faults: list[Fault]
    """All faults of all legs. One of kind `infra` means: play it again, and nothing here is rated."""


class BuildOrder(msgspec.Struct, frozen=True, tag="build_order"):
    """Build this version's bundle from its uploaded source."""

    version: str
    attempt: int
    source: str
    """Digest of the source archive (a canonical zip) in the blob store."""
    language: str
    entry: str
    rules: dict[str, Any]
    """A rules document: the game the finished program is tried at, one it was made for."""
    target: int


class BuildReport(msgspec.Struct, frozen=True, tag="build_report"):
    """What came of a build: a bundle, or the reason why not."""

    version: str
    attempt: int
    worker: str
    bundle: str | None
    runtime: str
    reason: str
    """Empty when built; else what failed and what to do about it."""
    log: str | None
    """Digest of the build's output, for the owner."""
    infra: bool = False
    """The failure was ours: build again."""


class WorkerHello(msgspec.Struct, frozen=True, tag="worker_hello"):
    """A play worker has started and passed its own checks."""

    worker: str
    slots: int
    layer: str
    """The sandbox layer in use: S3, S3r, S2 or S0."""
    runtimes: dict[str, str]
    """Runtime name to version, such as `{"python": "3.11.7"}`."""
    speed: float
    """Thousands of reference loops per second, measured at start."""


class WorkerHeartbeat(msgspec.Struct, frozen=True, tag="worker_heartbeat"):
    """The worker lives; `held` are the (fixture, attempt) its referee is playing at this moment."""

    worker: str
    slots: int
    held: list[tuple[str, int]]


class WorkerBye(msgspec.Struct, frozen=True, tag="worker_bye"):
    """The worker stops and takes no more work."""

    worker: str


FromWorker = Started | Progress | Report | BuildReport | WorkerHello | WorkerHeartbeat | WorkerBye
ToWorker = Ticket | BuildOrder

_decode_from_worker = msgspec.json.Decoder(FromWorker)
_decode_to_worker = msgspec.json.Decoder(ToWorker)


def encode(message: FromWorker | ToWorker) -> str:
    """Return the message as one line of JSON text, the single argument of every task."""
    return msgspec.json.encode(message).decode()


def decode_from_worker(text: str) -> FromWorker:
    """Parse what a worker sent. Raises msgspec.ValidationError on anything else."""
    return _decode_from_worker.decode(text)


def decode_to_worker(text: str) -> ToWorker:
    """Parse what the service sent. Raises msgspec.ValidationError on anything else."""
    return _decode_to_worker.decode(text)
