"""One leg: a match between sandboxed bots, from hello to over, written to its log."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.game import DealResult, Game
from engine.log import ChargedKind, FaultLine, Header, LogWriter
from engine.match import Match
from service.messages import Clock
from workers.programs import Program, Sandbox
from workers.referee.clock import Heart, Pulse, SchedulerWait, program_limits
from workers.referee.faults import BotFault
from workers.referee.player import Player
from workers.referee.protocol import PROTOCOL, DealOver, Hello, Over

GRACE_S = 0.1
"""How long bots may go on after `over`, all together."""

DealSeen = Callable[[int, Sequence[int]], None]
"""Told the number of every deal that ended, and the scores then."""


@dataclass(frozen=True)
class LegResult:
    """What a leg came to. All sequences are by seat."""

    log: bytes
    points: list[int]
    places: list[int]
    deals: int
    reason: str
    faults: list[FaultLine]
    stderr: list[bytes]
    used_us: list[int]


@dataclass(frozen=True)
class LegSetup:
    """What a leg is played with; `programs`, like the header's seats, in the order of this leg's seats."""

    game: Game
    header: Header
    clock: Clock
    programs: Sequence[Program]
    first_sandbox: int
    """Number of seat 0's sandbox on this host; the other seats' follow."""


class Leg:
    """Plays one leg, once."""

    def __init__(self, setup: LegSetup, *, sandbox: Sandbox, pulse: Pulse, deal_seen: DealSeen) -> None:
        self._setup = setup
        self._sandbox = sandbox
        self._heart = Heart(pulse)
        self._deal_seen = deal_seen
        self._own_wait = SchedulerWait()
        self._match = Match(setup.game, setup.header.target, bytes.fromhex(setup.header.seed))
        self._log = LogWriter(setup.header)
        self._players: list[Player] = []
        self._faults: list[FaultLine] = []

    def play(self) -> LegResult:
        """Play the leg. Raises InfraError or SandboxError; no process is left behind in any case."""
        try:
            self._start()
            self._greet()
            while not self._match.over:
                self._decide()
            self._tell_over()
        except BaseException:
            self._end(time.monotonic())
            raise
        stderr = self._end(time.monotonic() + GRACE_S)
        return LegResult(
            log=self._log.finish(),
            points=list(self._match.scores),
            places=list(self._match.places()),
            deals=self._match.deals,
            reason=self._match.reason or "",
            faults=self._faults,
            stderr=stderr,
            used_us=[player.bank.used_us for player in self._players],
        )

    def _start(self) -> None:
        clock = self._setup.clock
        limits = program_limits(clock, len(self._setup.programs))
        for seat, program in enumerate(self._setup.programs):
            process = self._sandbox.start(program, limits, self._setup.first_sandbox + seat)
            self._players.append(Player(process, program, limits, clock, self._own_wait, self._heart))
        self._log_deal()

    def _greet(self) -> None:
        """Say hello to every seat, one after the other; several may fail, and each is charged."""
        header = self._setup.header
        for seat, player in enumerate(self._players):
            if self._match.forfeited[seat]:
                continue
            hello = Hello(
                protocol=PROTOCOL,
                game=self._setup.game.name,
                rules=header.rules,
                seat=seat,
                players=len(self._players),
                target=header.target,
                bot_seed=header.seats[seat].bot_seed,
                clock=self._setup.clock,
            )
            try:
                player.greet(hello)
            except BotFault as fault:
                self._charge(seat, fault)

    def _decide(self) -> None:
        """One decision: asked for, or made by the passive policy in the place of a seat that has forfeited."""
        match = self._match
        deal, number = match.deal, match.number
        seat = deal.to_act
        assert seat is not None  # a match in progress has somebody to act
        player = self._players[seat]
        charge = 0
        if match.forfeited[seat]:
            self._heart.beat()
            move = deal.passive_move()
        else:
            try:
                move, charge = player.ask(deal, seat, number, match.scores)
            except BotFault as fault:
                self._charge(seat, fault)
                return
        result = match.apply(move)
        self._log.act(seat, move, charge, player.bank.left_ms)
        if result is not None:
            self._deal_over(number, result)
        if match.deal.to_act != seat:
            player.pause()

    def _charge(self, seat: int, fault: BotFault) -> None:
        """Take a fault down. Two sides: the match is over. More: the passive policy stands in from here on.

        Where a version plays only itself, on trial, its other seats are charged with it: nothing is left to find out, and
        ten seats that hang one after the other hold a slot for a quarter of an hour.
        """
        match = self._match
        self._forfeit(seat, fault.kind, fault.evidence)
        if match.over or len({info.version for info in self._setup.header.seats}) > 1:
            return
        for other, forfeited in enumerate(list(match.forfeited)):
            if not forfeited:
                self._forfeit(
                    other, fault.kind, f"charged with seat {seat}, the same version: {fault.evidence}"
                )

    def _forfeit(self, seat: int, kind: ChargedKind, evidence: str) -> None:
        self._players[seat].end(time.monotonic())
        self._faults.append(FaultLine(seat, kind, evidence, self._match.decisions))
        self._match.forfeit(seat)

    def _deal_over(self, number: int, result: DealResult) -> None:
        match = self._match
        scores = list(match.scores)
        self._log.deal_over(number, result, scores)
        news = DealOver(number, result.points, scores, result.reason)
        for player in self._players:
            player.tell(news)
        if not match.over:
            self._log_deal()
        self._deal_seen(number, scores)

    def _log_deal(self) -> None:
        match = self._match
        self._log.deal(match.number, match.dealer, match.deal.starting_cards())

    def _tell_over(self) -> None:
        match = self._match
        assert match.reason is not None  # the match is over
        places = match.places()
        self._log.over(match.scores, places, match.reason, self._faults)
        over = Over(match.scores, places)
        for player in self._players:
            player.part(over)

    def _end(self, until: float) -> list[bytes]:
        try:
            return [player.end(until) for player in self._players]
        finally:
            self._own_wait.close()
