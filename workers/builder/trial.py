"""The protocol check: a few decisions of a real deal, before a version meets anybody."""

import time

from engine.chance import bot_seed
from engine.games import game_from_document
from engine.match import Match
from service.messages import BuildOrder, Clock
from workers.builder.refusal import BuildError
from workers.programs import Program, Sandbox
from workers.referee.clock import Heart, Pulse, SchedulerWait, program_limits
from workers.referee.faults import BotFault
from workers.referee.player import Player
from workers.referee.protocol import PROTOCOL, Hello

SEAT = 0
DECISIONS = 12
"""The bot's own decisions it must get through, unless the match is over before."""


def try_protocol(
    program: Program, order: BuildOrder, sandbox: Sandbox, slot: int, pulse: Pulse, log: list[str]
) -> None:
    """Let a program say `ready` and answer a few requests of the order's game against the passive policy.

    `log` gets what it wrote to stderr. Raises BuildError with the fault, SandboxError, InfraError, or RulesError for
    rules this engine does not know.
    """
    game = game_from_document(order.rules)
    clock, own_wait = Clock(), SchedulerWait()
    limits = program_limits(clock)
    process = sandbox.start(program, limits, slot)
    player = Player(process, program, limits, clock, own_wait, Heart(pulse))
    try:
        answered = _play(player, Match(game, order.target, bytes.fromhex(order.source)), clock)
        used_ms = player.bank.used_us / 1e3
        log.append(f"protocol check: answered {answered} requests of {game.name}, {used_ms:.1f} ms in all")
    except BotFault as fault:
        raise BuildError(
            f"the protocol check, a few decisions of {game.name}, ended with {_article(fault.kind)} {fault.kind} fault: "
            f"{fault.evidence}"
        ) from None
    finally:
        stderr = player.end(time.monotonic()).decode("utf-8", "backslashreplace")
        own_wait.close()
        if stderr:
            log.append("stderr of the protocol check:\n" + stderr)


def _article(word: str) -> str:
    return "an" if word[0] in "aeiou" else "a"


def _play(player: Player, match: Match, clock: Clock) -> int:
    """Play from SEAT until the bot has made DECISIONS decisions; return how many it made."""
    game = match.game
    own_seed = bot_seed(match.seed, "")
    player.greet(
        Hello(PROTOCOL, game.name, game.document(), SEAT, game.players, match.target, own_seed, clock)
    )
    answered = 0
    while answered < DECISIONS and not match.over:
        if match.deal.to_act == SEAT:
            move, _ = player.ask(match.deal, SEAT, match.number, match.scores)
            answered += 1
        else:
            player.pause()
            move = match.deal.passive_move()
        match.apply(move)
    return answered
