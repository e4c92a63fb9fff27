"""Believing nothing a worker says about a fixture: its logs are replayed, and must be the ones that were asked for."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import LogError
from engine.fixture import FixtureResult, aggregate, participant
from engine.games import rules_hash
from engine.log import SeatInfo
from engine.replay import Replayed, replay
from service.blobs import BlobDamagedError, BlobMissingError, BlobStore
from service.messages import Fault, LegReport, Report, Ticket, TicketSeat


class ReportRefusedError(ValueError):
    """A report that its logs do not bear out; the message says where."""


@dataclass(frozen=True)
class Played:
    """What a report's logs prove: each leg, and the fixture's result by participant."""

    legs: tuple[Replayed, ...]
    result: FixtureResult


def check_report(report: Report, ticket: Ticket, blobs: BlobStore) -> Played:
    """Replay every leg of a report against the ticket it answers. Raises ReportRefusedError."""
    if len(report.legs) != len(ticket.seats):
        raise ReportRefusedError(f"{len(report.legs)} legs, where the fixture has {len(ticket.seats)}")
    legs = tuple(_checked(number, leg, ticket, blobs) for number, leg in enumerate(report.legs))
    _same("the faults", _claimed(report.faults), _proven(legs))
    return Played(legs, aggregate([leg.leg_result for leg in legs]))


def _checked(number: int, leg: LegReport, ticket: Ticket, blobs: BlobStore) -> Replayed:
    where = f"leg {number}"
    try:
        replayed = replay(blobs.get("log", leg.log))
    except LogError as error:
        raise ReportRefusedError(f"{where}: {error}") from None
    except (BlobMissingError, BlobDamagedError, ValueError) as error:
        raise ReportRefusedError(f"{where}: its log cannot be read: {error}") from None
    _check_header(where, number, replayed, ticket)
    _same(f"{where}: points", tuple(leg.points), replayed.points)
    _same(f"{where}: places", tuple(leg.places), replayed.places)
    _same(f"{where}: deals", leg.deals, replayed.deals)
    _same(f"{where}: reason", leg.reason, replayed.reason)
    _check_stderr(where, leg.stderr, len(replayed.points), blobs)
    return replayed


def _check_header(where: str, number: int, replayed: Replayed, ticket: Ticket) -> None:
    header = replayed.header
    _same(f"{where}: fixture", header.fixture, ticket.fixture)
    _same(f"{where}: leg", header.leg, number)
    _same(f"{where}: seed", header.seed, ticket.seed)
    _same(f"{where}: rules hash", header.rules_hash, rules_hash(ticket.rules))
    _same(f"{where}: target", header.target, ticket.target)
    for name in ticket.clock.__struct_fields__:
        _same(f"{where}: clock {name}", getattr(header.clock, name), getattr(ticket.clock, name))
    for seat, info in enumerate(header.seats):
        asked = ticket.seats[participant(number, seat, len(ticket.seats))]
        _check_seat(f"{where}: seat {seat}", info, asked)


def _check_seat(where: str, info: SeatInfo, asked: TicketSeat) -> None:
    """Compare a seat; its bot seed follows from fixture seed and version, which replaying has checked."""
    _same(f"{where}: version", info.version, asked.version)
    _same(f"{where}: bundle", info.bundle, asked.bundle)
    _same(f"{where}: runtime", info.runtime.split(" ")[0], asked.runtime)


def _check_stderr(where: str, stderr: Sequence[str | None], players: int, blobs: BlobStore) -> None:
    _same(f"{where}: seats with a stderr", len(stderr), players)
    for digest in stderr:
        try:
            there = digest is None or blobs.exists("text", digest)
        except ValueError as error:
            raise ReportRefusedError(f"{where}: {error}") from None
        if not there:
            raise ReportRefusedError(f"{where}: stderr {digest} is not in the blob store")


def _claimed(faults: Sequence[Fault]) -> list[tuple[int, int, str, str]]:
    return sorted((fault.leg, fault.seat, fault.kind, fault.evidence) for fault in faults)


def _proven(legs: Sequence[Replayed]) -> list[tuple[int, int, str, str]]:
    return sorted(
        (number, fault.seat, fault.kind, fault.evidence)
        for number, leg in enumerate(legs)
        for fault in leg.faults
    )


def _same(what: str, found: object, wanted: object) -> None:
    if found != wanted:
        raise ReportRefusedError(f"{what}: {found!r}, where {wanted!r} belongs")
