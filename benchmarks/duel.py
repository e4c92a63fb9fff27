"""Fixtures between two house bots, run as the programs they are: without sandbox or clock, the decks of rated fixtures."""

import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from bots.house import HouseBot
from engine.chance import bot_seed
from engine.fixture import participant, seat_of
from engine.game import Game
from engine.match import Match
from engine.tricks.view import TrickView
from service.messages import Clock
from workers.referee.protocol import PROTOCOL, Act, Hello, encode

BANK_MS = 10_000
COMMAND = (sys.executable, "-s", "-S", "-B", "main.py")
WON = frozenset({"won", "taken", "jinked", "five"})
"""Reasons of deals that somebody won; all others are drawn."""


class DealPlayed(NamedTuple):
    """What is kept of one deal."""

    decisions: int
    won: bool
    shares: tuple[float, ...]
    """By participant, what it has of the win: 1, a part of it where several are level, or 0."""
    first: int
    """The participant that played first."""

    @property
    def first_share(self) -> float:
        """What who played first has of the win."""
        return self.shares[self.first]


class FixturePlayed(NamedTuple):
    """What is kept of one fixture: its deals and, by leg, how far participant 0 is ahead of the mean of the others."""

    deals: list[DealPlayed]
    margins: list[float]


class Program:
    """A house bot's process in one seat. It remembers nothing of a leg, so it serves them all, greeted anew for each."""

    def __init__(self, bot: HouseBot, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        for name, content in bot.files().items():
            (folder / name).write_bytes(content)
        self._process = subprocess.Popen(
            COMMAND, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"PYTHONHASHSEED": "0"}
        )

    def ask(self, line: bytes) -> Any:
        """Send a line, return the decoded answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line)
        self._process.stdin.flush()
        return msgspec.json.decode(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()


class Table:
    """Plays fixtures of one game between two house bots, who sit in alternate places."""

    def __init__(self, game: Game, pair: Sequence[HouseBot], target: int, folder: Path) -> None:
        self._game = game
        self._pair = pair
        self._target = target
        self._folder = folder
        self._programs: dict[tuple[int, int], Program] = {}

    def fixture(self, seed: bytes) -> FixturePlayed:
        """Play one leg per side, the same decks in each."""
        deals: list[DealPlayed] = []
        margins = []
        sides = self._game.sides
        for leg in range(sides):
            scores = self._leg(seed, leg, deals)
            own = scores.pop(seat_of(leg, 0, sides))
            margins.append(own - statistics.fmean(scores))
        return FixturePlayed(deals, margins)

    def close(self) -> None:
        """End all processes."""
        for program in self._programs.values():
            program.close()

    def _leg(self, seed: bytes, leg: int, deals: list[DealPlayed]) -> list[int]:
        """Play a leg, note its deals, return the scores by side."""
        match = Match(self._game, self._target, seed)
        sides = self._game.sides
        seated = [self._greeted(match, leg, seat) for seat in range(self._game.players)]
        first, begun = _leader(match), 0
        while not match.over:
            result = match.apply(_choice(match, seated))
            if result is not None:
                won = shares(result.points[:sides])
                by_participant = tuple(won[seat_of(leg, who, sides)] for who in range(sides))
                who = participant(leg, first, sides)
                count = match.decisions - begun
                deals.append(DealPlayed(count, result.reason in WON, by_participant, who))
                first, begun = _leader(match), match.decisions
        return match.scores[:sides]

    def _greeted(self, match: Match, leg: int, seat: int) -> Program:
        which = participant(leg, seat, self._game.sides) % len(self._pair)
        bot = self._pair[which]
        program = self._programs.get((which, seat))
        if program is None:
            program = Program(bot, self._folder / bot.name)
            self._programs[which, seat] = program
        game = self._game
        seed = bot_seed(match.seed, bot.name)
        hello = Hello(PROTOCOL, game.name, game.document(), seat, game.players, match.target, seed, Clock())
        program.ask(encode(hello))
        return program


def _leader(match: Match) -> int:
    """Return who plays first in the deal at hand; in a trick game that is who leads, whoever is asked before."""
    deal = match.deal
    seat = deal.to_act or 0
    view = deal.view(seat)
    return view.leader if isinstance(view, TrickView) else seat


def _choice(match: Match, seated: Sequence[Program]) -> str:
    deal = match.deal
    seat = deal.to_act
    assert seat is not None
    view, legal, events = deal.view(seat), deal.legal(), deal.take_events(seat)
    act = Act(match.decisions, match.number, match.scores, view, legal, events, BANK_MS)
    move = seated[seat].ask(encode(act))["act"]
    return legal[move] if isinstance(move, int) else str(move)


def shares(points: Sequence[int]) -> list[float]:
    """Return, by side, what it has of the win: 1, a part of it where several are level at the top, or 0."""
    best = max(points)
    return [1 / points.count(best) if own == best else 0.0 for own in points]
