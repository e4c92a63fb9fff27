"""Runs a bot as the service would and speaks the protocol with it; plays matches between such programs."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

import bots
from bots.house import HouseBot, house_bots
from engine.chance import bot_seed
from engine.fixture import LegResult, participant
from engine.game import Game
from engine.match import Match
from service.messages import Clock
from workers.referee.protocol import PROTOCOL, Act, DealOver, Hello, Over, encode

FOLDER = Path(bots.__file__).parent
HOUSE = {bot.name: bot for bot in house_bots()}
SPITE = ("spite-and-malice", "skip-bo", "starturn", "parlett")
STARTERS = {
    "starter": HouseBot("starter", "starter", SPITE),
    "starter_tricks": HouseBot("starter-tricks", "starter_tricks", ("spoil-five", "forty-five")),
}
LISTED = HOUSE | STARTERS
"""Every bot there is, by the name tests call it: the house bots and the starters."""
COMMAND = (sys.executable, "-s", "-S", "-B")
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0"}


class Bot:
    """One running program: a bot by its name, or a file by its path."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._bundle = tempfile.TemporaryDirectory(prefix="bot-")
        files = LISTED[name].files() if name in LISTED else {"main.py": Path(name).read_bytes()}
        for file, data in files.items():
            Path(self._bundle.name, file).write_bytes(data)
        self._process = subprocess.Popen(
            [*COMMAND, str(Path(self._bundle.name, "main.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=ENVIRONMENT,
        )

    def tell(self, line: bytes) -> None:
        """Send a line that wants no answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(line)
        self._process.stdin.flush()

    def ask(self, line: bytes) -> Any:
        """Send a line and return the decoded answer."""
        self.tell(line)
        assert self._process.stdout is not None
        return msgspec.json.decode(self._process.stdout.readline())

    def greet(self, game: Game, seat: int, target: int = 25, seed: int = 7) -> None:
        """Open a leg."""
        assert self.ask(encode(hello(game, seat, target, seed))) == {"type": "ready"}

    def choose(self, request: Act) -> str:
        """Return the move it answers with, as listed. It must be legal."""
        move = self.ask(encode(request))["act"]
        if isinstance(move, int):
            return request.legal[move]
        assert move in request.legal
        return str(move)

    def finish(self) -> tuple[int, bytes]:
        """Close its stdin; return its exit status and whatever it still wrote."""
        rest, _ = self._process.communicate(timeout=10)
        return self._process.returncode, rest

    def kill(self) -> None:
        """End it whatever it does; harmless when it has ended."""
        self._process.kill()
        self._process.communicate()
        self._bundle.cleanup()


@contextmanager
def running(*names: str) -> Iterator[list[Bot]]:
    """Start programs, one process each."""
    started = [Bot(name) for name in names]
    try:
        yield started
    finally:
        for bot in started:
            bot.kill()


def hello(game: Game, seat: int, target: int, seed: int) -> Hello:
    """The line that opens a leg."""
    document = game.document()
    return Hello(PROTOCOL, game.name, document, seat, game.players, target, seed, Clock())


def request(match: Match, number: int) -> Act:
    """What the seat to act is asked now."""
    deal = match.deal
    seat = deal.to_act
    assert seat is not None
    return Act(
        id=number,
        deal=match.number,
        scores=match.scores,
        view=deal.view(seat),
        legal=deal.legal(),
        events=deal.take_events(seat),
        bank_ms=10_000,
    )


def play_match(game: Game, target: int, seed: bytes, seated: Sequence[Bot]) -> Match:
    """Play a match between programs, one per seat, and return it when it is over."""
    for seat, bot in enumerate(seated):
        bot.greet(game, seat, target, bot_seed(seed, bot.name))
    match = Match(game, target, seed)
    asked = [0] * game.players
    while not match.over:
        to_act = match.deal.to_act
        assert to_act is not None
        move = seated[to_act].choose(request(match, asked[to_act]))
        asked[to_act] += 1
        number = match.number
        result = match.apply(move)
        if result is not None:
            for bot in seated:
                bot.tell(encode(DealOver(number, result.points, match.scores, result.reason)))
    for bot in seated:
        bot.tell(encode(Over(match.scores, match.places())))
    return match


def play_fixture(game: Game, target: int, seed: bytes, names: Sequence[str]) -> list[LegResult]:
    """Play every rotation, one bot a side and fresh processes in each leg, as the service does."""
    legs = []
    for leg in range(game.sides):
        rotated = [names[participant(leg, seat, game.sides)] for seat in range(game.players)]
        with running(*rotated) as seated:
            legs.append(LegResult(tuple(play_match(game, target, seed, seated).scores)))
    return legs
