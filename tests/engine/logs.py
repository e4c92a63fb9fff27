"""Logs for tests: whole matches played and recorded, and a second writer that signs whatever it is given."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from engine.chance import bot_seed
from engine.game import Deal
from engine.games import game_from_document
from engine.log import ClockInfo, FaultLine, LogWriter, SeatInfo, header_for
from engine.match import Match

SEED = hashlib.sha256(b"logs").digest()
TINY = {"packs": 1, "goal": 2}
"""Options under which a match is over in a few dozen lines."""

Row = dict[str, Any]


def choose(deal: Deal, decision: int) -> str:
    """Mostly play what comes first, and now and then another move; the same on every Python."""
    legal = deal.legal()
    return legal[0] if decision % 5 else legal[decision * 7 % len(legal)]


def played_log(
    players: int = 2,
    target: int = 9,
    options: Mapping[str, Any] | None = None,
    faults: Mapping[int, Sequence[int]] | None = None,
    seed: bytes = SEED,
    game_name: str = "spite-and-malice",
) -> bytes:
    """Play a match and return its log; `faults` gives the seats charged before a decision, by its number."""
    rules = {
        "game": game_name,
        "rules_version": 1,
        "players": players,
        "options": dict(TINY if options is None else options),
    }
    game = game_from_document(rules)
    match = Match(game, target, seed)
    seats = [SeatInfo(f"v{s}", f"{s}" * 64, "python 3.11", bot_seed(seed, f"v{s}")) for s in range(players)]
    clock = ClockInfo(5_000, 10_000, 20, 60_000)
    writer = LogWriter(
        header_for(game, target=target, seed=seed, fixture="f1", leg=0, clock=clock, seats=seats)
    )
    charged: list[FaultLine] = []
    writer.deal(match.number, match.dealer, match.deal.starting_cards())
    while True:
        for seat in (faults or {}).get(match.decisions, ()):
            match.forfeit(seat)
            charged.append(FaultLine(seat, "crash", "exit status 1 – “naïve”\n", match.decisions))
        if match.over:
            break
        _decide(match, writer)
    writer.over(match.scores, match.places(), match.reason or "target", charged)
    return writer.finish()


def _decide(match: Match, writer: LogWriter) -> None:
    deal, number = match.deal, match.number
    seat = deal.to_act or 0
    forced = match.forfeited[seat]
    move = deal.passive_move() if forced else choose(deal, match.decisions)
    result = match.apply(move)
    writer.act(seat, move, 0 if forced else 120 + match.decisions, 9_000)
    if result is not None:
        writer.deal_over(number, result, match.scores)
        if not match.over:
            writer.deal(match.number, match.dealer, match.deal.starting_cards())


def rows_of(log: bytes) -> list[Row]:
    """Return a log's lines as objects, without their `h`."""
    return [
        {key: value for key, value in json.loads(line).items() if key != "h"} for line in log.splitlines()
    ]


def at(rows: list[Row], kind: str, which: int = 0) -> int:
    """Return the index of the which-th row of a kind."""
    return [index for index, row in enumerate(rows) if row["type"] == kind][which]


def signed(rows: Sequence[Row]) -> bytes:
    """Write rows as docs/log.md says, with a valid chain, whatever they claim."""
    digest = bytes(32)
    lines = []
    for row in rows:
        digest = hashlib.sha256(digest + _canonical(row)).digest()
        digits = 64 if row["type"] in ("deal_over", "over") else 8
        lines.append(_canonical({**row, "h": digest.hex()[:digits]}) + b"\n")
    return b"".join(lines)


def _canonical(row: Row) -> bytes:
    return json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
