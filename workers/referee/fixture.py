"""A fixture: every leg played, logs and stderr stored, one report."""

from collections.abc import Callable, Sequence

import msgspec

from engine.chance import bot_seed
from engine.errors import EngineError
from engine.fixture import participant
from engine.game import Game
from engine.games import game_from_document
from engine.log import ClockInfo, SeatInfo, header_for
from service.blobs import BlobDamagedError, BlobMissingError, BlobStore
from service.messages import Fault, LegReport, Progress, Report, Ticket, TicketSeat
from workers.bundles import BundleCache, BundleError
from workers.programs import Program, Sandbox, SandboxError
from workers.referee.clock import Pulse
from workers.referee.faults import InfraError
from workers.referee.leg import Leg, LegResult, LegSetup

MOST_SEATS = 10
"""Sandboxes a slot may have running at once: keeps the slots' sandbox numbers, and so their user ids, apart."""

NO_SEAT = -1
"""The seat of an `infra` fault that concerns the host and no seat in particular."""

ProgressSeen = Callable[[Progress], None]


def ignore_progress(progress: Progress) -> None:
    """Watch nothing."""


def play_fixture(
    ticket: Ticket,
    *,
    sandbox: Sandbox,
    bundles: BundleCache,
    blobs: BlobStore,
    worker: str,
    slot: int,
    pulse: Pulse,
    progress: ProgressSeen = ignore_progress,
) -> Report:
    """Play all legs of a fixture, each bot in a fresh sandbox for each leg, and report.

    There are as many legs as sides; a side's program is started once for each of its seats, each in a sandbox of its own.
    `slot` numbers the fixtures played at once on this host from 0. What keeps the fixture from being played
    becomes a report with one fault of kind `infra` and no legs; nothing else is raised but what is a bug.
    """
    legs: list[LegReport] = []
    faults: list[Fault] = []
    try:
        game = game_from_document(ticket.rules)
        if len(ticket.seats) != game.sides:
            raise InfraError(
                f"the ticket names {len(ticket.seats)} participants, the game has {game.sides} sides"
            )
        programs = [bundles.program(seat) for seat in ticket.seats]
        for leg in range(len(ticket.seats)):
            result = _play_leg(ticket, game, leg, programs, sandbox, slot, pulse, progress)
            report, charged = _store(leg, result, blobs)
            legs.append(report)
            faults += charged
    except (
        InfraError,
        SandboxError,
        BlobMissingError,
        BlobDamagedError,
        BundleError,
        EngineError,
        OSError,
    ) as error:
        evidence = f"{type(error).__name__}: {error}"
        return Report(
            ticket.fixture, ticket.attempt, worker, [], [Fault(len(legs), NO_SEAT, "infra", evidence)]
        )
    return Report(ticket.fixture, ticket.attempt, worker, legs, faults)


def _play_leg(
    ticket: Ticket,
    game: Game,
    leg: int,
    programs: list[Program],
    sandbox: Sandbox,
    slot: int,
    pulse: Pulse,
    progress: ProgressSeen,
) -> LegResult:
    """Play leg `leg`: in it seat s holds participant (s + leg) mod sides."""

    seed = bytes.fromhex(ticket.seed)
    order = [participant(leg, seat, game.sides) for seat in range(game.players)]
    header = header_for(
        game,
        target=ticket.target,
        seed=seed,
        fixture=ticket.fixture,
        leg=leg,
        clock=ClockInfo(**msgspec.structs.asdict(ticket.clock)),
        seats=[_seat_info(ticket.seats[who], seed, sandbox) for who in order],
    )
    setup = LegSetup(game, header, ticket.clock, [programs[who] for who in order], slot * MOST_SEATS)

    def deal_seen(deal: int, scores: Sequence[int]) -> None:
        progress(Progress(ticket.fixture, ticket.attempt, leg, deal, list(scores)))

    return Leg(setup, sandbox=sandbox, pulse=pulse, deal_seen=deal_seen).play()


def _seat_info(seat: TicketSeat, seed: bytes, sandbox: Sandbox) -> SeatInfo:
    runtime = f"{seat.runtime} {sandbox.runtimes.get(seat.runtime, '?')}"
    return SeatInfo(seat.version, seat.bundle, runtime, bot_seed(seed, seat.version))


def _store(leg: int, result: LegResult, blobs: BlobStore) -> tuple[LegReport, list[Fault]]:
    """Write a leg's log and stderr to the blob store and return what the report says of it."""
    report = LegReport(
        log=blobs.put("log", result.log),
        points=result.points,
        places=result.places,
        deals=result.deals,
        reason=result.reason,
        stderr=[blobs.put("text", text) if text else None for text in result.stderr],
        used_us=result.used_us,
    )
    return report, [Fault(leg, fault.seat, fault.kind, fault.evidence) for fault in result.faults]
