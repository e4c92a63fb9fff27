"""The protocol check: a few decisions of a real deal, before a version meets anybody."""

import time

from engine.chance import bot_seed
from engine.games import game_from_profile
from engine.match import Match
from service.messages import Clock
from workers.builder.refusal import BuildError
from workers.programs import Program, Sandbox
from workers.referee.clock import Heart, Pulse, SchedulerWait, program_limits
from workers.referee.faults import BotFault
from workers.referee.player import Player
from workers.referee.protocol import PROTOCOL, Hello

PROFILE = "classic"
TARGET = 50
SEAT = 0
DECISIONS = 12
"""The bot's own decisions it must get through."""


def try_protocol(
    program: Program, seed: bytes, sandbox: Sandbox, slot: int, pulse: Pulse, log: list[str]
) -> None:
    """Let a program say `ready` and answer a few requests against the passive policy.

    `log` gets what it wrote to stderr. Raises BuildError with the fault, SandboxError or InfraError.
    """
    clock, own_wait = Clock(), SchedulerWait()
    limits = program_limits(clock)
    process = sandbox.start(program, limits, slot)
    player = Player(process, program, limits, clock, own_wait, Heart(pulse))
    try:
        _play(player, seed, clock)
        log.append(
            f"protocol check: answered {DECISIONS} requests, {player.bank.used_us / 1e3:.1f} ms in all"
        )
    except BotFault as fault:
        raise BuildError(f"the protocol check ended with a {fault.kind} fault: {fault.evidence}") from None
    finally:
        stderr = player.end(time.monotonic()).decode("utf-8", "backslashreplace")
        own_wait.close()
        if stderr:
            log.append("stderr of the protocol check:\n" + stderr)


def _play(player: Player, seed: bytes, clock: Clock) -> None:
    game = game_from_profile(PROFILE)
    match = Match(game, TARGET, seed)
    rules = game.document()
    player.greet(Hello(PROTOCOL, game.name, rules, SEAT, game.players, TARGET, bot_seed(seed, ""), clock))
    answered = 0
    while answered < DECISIONS and not match.over:
        if match.deal.to_act == SEAT:
            move, _ = player.ask(match.deal, SEAT, match.number, match.scores)
            answered += 1
        else:
            player.pause()
            move = match.deal.passive_move()
        match.apply(move)
