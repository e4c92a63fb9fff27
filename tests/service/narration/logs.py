"""Whole matches of any profile, played by bots that choose at random, always the same."""

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.chance import bot_seed
from engine.game import Game
from engine.games import game_from_profile
from engine.log import ClockInfo, FaultLine, LogWriter, SeatInfo, header_for
from engine.match import Match
from engine.replay import Step, steps

SEED = hashlib.sha256(b"stories").digest()


Choice = Callable[[Sequence[str]], str]
"""Chooses one of the legal moves."""


def played(
    game: Game,
    target: int = 1,
    faults: Mapping[int, int] | None = None,
    seed: bytes = SEED,
    choose: Choice | None = None,
) -> bytes:
    """Play a match, of uniformly chosen moves unless there is a choice, and return its log.

    `faults` gives the seat that is charged before a decision, by the decision's number.
    """
    choose = choose or random.Random(seed).choice
    match = Match(game, target, seed)
    clock = ClockInfo(5_000, 10_000, 20, 60_000)
    seats = [
        SeatInfo(f"v{seat}", f"{seat}" * 64, "python 3.11", bot_seed(seed, f"v{seat}"))
        for seat in range(game.players)
    ]
    writer = LogWriter(
        header_for(game, target=target, seed=seed, fixture="f", leg=0, clock=clock, seats=seats)
    )
    charged: list[FaultLine] = []
    writer.deal(match.number, match.dealer, match.deal.starting_cards())
    while not match.over:
        if (seat := (faults or {}).get(match.decisions)) is not None and not match.forfeited[seat]:
            match.forfeit(seat)
            charged.append(FaultLine(seat, "crash", "exit status 1", match.decisions))
            continue
        _decide(match, writer, choose)
    writer.over(match.scores, match.places(), match.reason or "target", charged)
    return writer.finish()


def deal_of(
    profile: str, players: int = 2, options: Mapping[str, Any] | None = None, seed: bytes = SEED
) -> tuple[Mapping[str, Any], Sequence[Step]]:
    """Return the rules and the steps of the first deal of a match of a profile."""
    game = game_from_profile(profile, players, options)
    return game.document(), list(steps(played(game, seed=seed), 0))


def _decide(match: Match, writer: LogWriter, choose: Choice) -> None:
    deal, number = match.deal, match.number
    seat = deal.to_act
    assert seat is not None
    forced = match.forfeited[seat]
    move = deal.passive_move() if forced else choose(deal.legal())
    result = match.apply(move)
    writer.act(seat, move, 0 if forced else 100, 9_000)
    if result is not None:
        writer.deal_over(number, result, match.scores)
        if not match.over:
            writer.deal(match.number, match.dealer, match.deal.starting_cards())
