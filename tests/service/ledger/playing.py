"""A play worker in miniature: plays a ticket in this process and stores real logs, honest unless told otherwise."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.chance import bot_seed
from engine.fixture import participant
from engine.games import game_from_document
from engine.log import ChargedKind, ClockInfo, FaultLine, LogWriter, SeatInfo, header_for
from engine.match import Match
from service.blobs import BlobStore
from service.messages import Fault, LegReport, Report, Ticket

Style = Callable[[Sequence[str]], str]
"""Chooses one of the legal moves."""


def eager(legal: Sequence[str]) -> str:
    """Plays its goal cards whenever it can."""
    return legal[0]


def idle(legal: Sequence[str]) -> str:
    """Discards rather than plays."""
    return legal[-1]


@dataclass(frozen=True)
class Mishap:
    """A fault in one leg, charged to whoever sits in `seat` after `decision` decisions."""

    leg: int
    seat: int
    kind: ChargedKind = "crash"
    evidence: str = "exit status 1"
    decision: int = 3


@dataclass
class Player:
    """Plays tickets as the worker `worker`."""

    blobs: BlobStore
    worker: str = "w1"
    styles: Mapping[str, Style] = field(default_factory=dict)
    """By version; everybody else is eager."""
    mishaps: Sequence[Mishap] = ()

    def play(self, ticket: Ticket) -> Report:
        """Play all legs and return the report."""
        faults: list[Fault] = []
        legs = [self._leg(ticket, leg, faults) for leg in range(len(ticket.seats))]
        return Report(
            fixture=ticket.fixture, attempt=ticket.attempt, worker=self.worker, legs=legs, faults=faults
        )

    def _leg(self, ticket: Ticket, leg: int, faults: list[Fault]) -> LegReport:
        game = game_from_document(ticket.rules)
        players = game.players
        seated = [ticket.seats[participant(leg, seat, game.sides)] for seat in range(players)]
        seed = bytes.fromhex(ticket.seed)
        match = Match(game, ticket.target, seed)
        clock = ticket.clock
        writer = LogWriter(
            header_for(
                game,
                target=ticket.target,
                seed=seed,
                fixture=ticket.fixture,
                leg=leg,
                clock=ClockInfo(clock.start_ms, clock.bank_ms, clock.increment_ms, clock.leg_ms),
                seats=[
                    SeatInfo(seat.version, seat.bundle, f"{seat.runtime} 3.11", bot_seed(seed, seat.version))
                    for seat in seated
                ],
            )
        )
        mishaps = {mishap.decision: mishap for mishap in self.mishaps if mishap.leg == leg}
        charged: list[FaultLine] = []
        writer.deal(0, match.dealer, match.deal.starting_cards())
        while not match.over:
            mishap = mishaps.pop(match.decisions, None)
            if mishap is not None:
                charged.append(FaultLine(mishap.seat, mishap.kind, mishap.evidence, match.decisions))
                match.forfeit(mishap.seat)
                continue
            self._decide(match, writer, [self.styles.get(seat.version, eager) for seat in seated])
        assert match.reason is not None
        writer.over(match.scores, match.places(), match.reason, charged)
        faults += [Fault(leg, line.seat, line.kind, line.evidence) for line in charged]
        return LegReport(
            log=self.blobs.put("log", writer.finish()),
            points=list(match.scores),
            places=list(match.places()),
            deals=match.deals,
            reason=match.reason,
            stderr=[None] * players,
            used_us=[0] * players,
        )

    @staticmethod
    def _decide(match: Match, writer: LogWriter, styles: Sequence[Style]) -> None:
        seat, number = match.deal.to_act, match.number
        assert seat is not None
        forfeited = match.forfeited[seat]
        move = match.deal.passive_move() if forfeited else styles[seat](match.deal.legal())
        result = match.apply(move)
        writer.act(seat, move, 0 if forfeited else 50, 10_000)
        if result is None:
            return
        writer.deal_over(number, result, match.scores)
        if not match.over:
            writer.deal(match.number, match.dealer, match.deal.starting_cards())


def spoil(ticket: Ticket, worker: str, evidence: str = "the sandbox would not start") -> Report:
    """The report of an attempt that broke down."""
    return Report(ticket.fixture, ticket.attempt, worker, [], [Fault(0, 0, "infra", evidence)])
