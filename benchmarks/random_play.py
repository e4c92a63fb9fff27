"""Games played at random, ours and OpenSpiel's, each in a process of its own: `python -m benchmarks.random_play`.

Both are driven alike, from Python and one move at a time, the cards' shuffle included. `idiomatic` is how either is
written down in a minute: `random.choice` of the legal moves, and for OpenSpiel's chance nodes `random.choices` over
their outcomes, as its own examples do. `fast` indexes with `int(random() * length)` instead, for either.
"""

import hashlib
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from engine import loading
from engine.game import Game
from engine.games import game_from_profile
from engine.rollout import rollout

ROOT = Path(__file__).parent.parent
PROFILE = "classic"
PEER = "crazy_eights(players=2)"
OURS, OPEN_SPIEL, ROLLOUTS = "malice", "open-spiel", "rollouts"
IDIOMATIC, FAST = "idiomatic", "fast"
SECONDS = 1.0


def moves_per_second(what: str, driver: str, plain: bool = False) -> float:
    """Return how many decisions a second of processor time makes, in a new process; `plain` asks for plain source.

    Raises RuntimeError when it could not be measured.
    """
    environment = {name: text for name, text in os.environ.items() if name != loading.VARIABLE}
    if plain:
        environment[loading.VARIABLE] = "source"
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.random_play", what, driver],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    if run.returncode:
        *_, reason = run.stderr.splitlines() or ["no reason given"]
        raise RuntimeError(f"random play, {what}: {reason}")
    return float(json.loads(run.stdout))


def measured(play: Callable[[int], int], seconds: float = SECONDS) -> float:
    """Play deal after deal for so long; return moves per second of processor time."""
    moves = number = 0
    start = time.process_time()
    while (took := time.process_time() - start) < seconds:
        moves += play(number)
        number += 1
    return moves / took


def ours_idiomatic(game: Game, number: int) -> int:
    """Play one deal, `random.choice` naming each move; return the moves made."""
    deal = game.deal(hashlib.sha256(str(number).encode()).digest(), 0, 0)
    moves = 0
    while deal.to_act is not None:
        deal.apply(random.choice(deal.legal()))
        moves += 1
    return moves


def ours_fast(game: Game, number: int) -> int:
    """Play one deal by index."""
    chance = random.random
    deal = game.deal(hashlib.sha256(str(number).encode()).digest(), 0, 0)
    moves = 0
    while deal.to_act is not None:
        legal = deal.legal()
        deal.apply(legal[int(chance() * len(legal))])
        moves += 1
    return moves


def ours_rolled_out(game: Game, number: int) -> int:
    """Roll the opening of one deal out ten times within the engine."""
    return rollout(game.deal(bytes(32), 0, 0), "uniform", 10, number.to_bytes(4, "big")).decisions


def open_spiel() -> tuple[Callable[[int], int], Callable[[int], int]]:
    """Return OpenSpiel's idiomatic and fast player of one game; its chance nodes are no moves. Raises ImportError."""
    import pyspiel

    game = pyspiel.load_game(PEER)

    def idiomatic(number: int) -> int:
        state = game.new_initial_state()
        moves = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, probabilities)[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
                moves += 1
        return moves

    def fast(number: int) -> int:
        chance = random.random
        state = game.new_initial_state()
        moves = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(chance() * len(outcomes))][0])
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(chance() * len(legal))])
                moves += 1
        return moves

    return idiomatic, fast


def main(what: str, driver: str) -> None:
    """Measure and print one figure."""
    random.seed(1)
    if what == OPEN_SPIEL:
        try:
            idiomatic, fast = open_spiel()
        except ImportError:
            raise SystemExit("OpenSpiel is not installed; `make bench` installs it") from None
        print(json.dumps(measured(fast if driver == FAST else idiomatic)))
        return
    game = game_from_profile(PROFILE)
    player = ours_rolled_out if what == ROLLOUTS else ours_fast if driver == FAST else ours_idiomatic
    print(json.dumps(measured(lambda number: player(game, number))))


if __name__ == "__main__":
    main(*sys.argv[1:])
