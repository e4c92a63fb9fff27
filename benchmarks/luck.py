"""How much of each game is luck: `python -m benchmarks.luck` prints the table of docs/rules/luck.md.

Two house bots of about equal strength but different style play every profile: the same decks from every seat, as in a
rated fixture, one deal per leg unless told otherwise. They run as the programs they are, without sandbox or clock.
"""

import argparse
import hashlib
import random
import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from benchmarks.duel import DealPlayed, FixturePlayed, Table
from bots.house import HouseBot, house_bots
from engine.game import Game
from engine.games import game_from_profile, profiles

DEALS = 400
ONE_DEAL = 1
"""A target that any deal with a winner reaches."""
RESAMPLES = 400

SPITE_PAIRS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "spite-and-malice": ("greedy", "greedy-hoarder"),
        "skip-bo": ("greedy", "greedy-hoarder"),
        "parlett": ("greedy", "greedy-hoarder"),
        # There is nothing to hoard in a game without wilds.
        "starturn": ("greedy", "greedy-spiteful"),
    }
)
TRICK_BOT = "spoiler"
TRICK_SAMPLES = 4
"""What `spoiler` tries for each decision here: few, so that it is quick and its own chance makes two of them differ."""
USUAL_PLAYERS: Mapping[str, int] = MappingProxyType({"spoil-five": 5})
"""Seats by game, where they are not as few as a profile allows."""


class Measured(NamedTuple):
    """A figure and its standard error."""

    value: float
    error: float


class Row(NamedTuple):
    """One profile's line of the table."""

    profile: str
    players: int
    bots: str
    deals: int
    decisions: float
    drawn: float
    balance: tuple[float, float]
    """Deals won per seat of each bot, in per cent of both."""
    first: Measured
    ratio: Measured


def edge(fixtures: Sequence[FixturePlayed], sides: int) -> Measured:
    """Return by how much the first side's share of wins exceeds an equal share, both from 0 to 1.

    Deals of one fixture share their decks, so that the error is that of a mean over fixtures, not over deals.
    """
    shares = [sum(deal.first_share - 1 / sides for deal in fixture.deals) for fixture in fixtures]
    counts = [len(fixture.deals) for fixture in fixtures]
    value = sum(shares) / sum(counts)
    spread = sum((share - value * count) ** 2 for share, count in zip(shares, counts, strict=True))
    return Measured(value, (spread * len(fixtures) / (len(fixtures) - 1)) ** 0.5 / sum(counts))


def ratio(fixtures: Sequence[FixturePlayed]) -> Measured:
    """Return the variance of a fixture's margin in terms of that of as many independent legs.

    Below 1 the same decks from every seat cancel luck. The error is found by drawing fixtures again with replacement.
    """
    margins = [fixture.margins for fixture in fixtures]
    source = random.Random(len(margins))
    again = [_ratio(source.choices(margins, k=len(margins))) for _ in range(RESAMPLES)]
    return Measured(_ratio(margins), statistics.stdev(again))


def balance(deals: Sequence[DealPlayed]) -> tuple[float, float]:
    """Return what each of the two bots, in alternate places, wins per place, in per cent of both together."""
    first = statistics.fmean(share for deal in deals for share in deal.shares[::2])
    second = statistics.fmean(share for deal in deals for share in deal.shares[1::2])
    whole = (first + second) / 100
    return first / whole, second / whole


def _ratio(margins: Sequence[Sequence[float]]) -> float:
    together = statistics.pvariance([sum(legs) for legs in margins])
    apart = sum(statistics.pvariance(leg) for leg in zip(*margins, strict=True))
    return together / apart if apart else 1.0


def measure(profile: str, deals: int, target: int, progress: Progress) -> Row:
    """Play whole fixtures of a profile until there are that many deals. Raises RuntimeError for want of a bot."""
    described = profiles()[profile]
    players = USUAL_PLAYERS.get(described.game, described.players[0])
    game = game_from_profile(profile, players)
    pair = pair_for(described.game)
    task = progress.add_task(profile, total=deals)
    fixtures: list[FixturePlayed] = []
    with _table(game, pair, target) as table:
        played = 0
        while played < deals or len(fixtures) < 2:
            seed = hashlib.sha256(f"luck/{profile}/{len(fixtures)}".encode()).digest()
            fixtures.append(table.fixture(seed))
            played += len(fixtures[-1].deals)
            progress.update(task, completed=min(played, deals))
    every = [deal for fixture in fixtures for deal in fixture.deals]
    return Row(
        profile,
        players,
        " v ".join(bot.name for bot in pair),
        len(every),
        statistics.fmean(deal.decisions for deal in every),
        sum(not deal.won for deal in every) / len(every),
        balance(every),
        edge(fixtures, game.sides),
        ratio(fixtures),
    )


@contextmanager
def _table(game: Game, pair: Sequence[HouseBot], target: int) -> Iterator[Table]:
    with tempfile.TemporaryDirectory(prefix="malice-luck-") as folder:
        table = Table(game, pair, target, Path(folder))
        try:
            yield table
        finally:
            table.close()


def pair_for(game: str) -> tuple[HouseBot, HouseBot]:
    """Return who plays a game: about equally strong, but different, for two copies of one bot draw every fixture.

    Two styles of one program where there are such; else one style twice, whose names give it different seeds.
    """
    if game in SPITE_PAIRS:
        first, second = SPITE_PAIRS[game]
        return _bot(first), _bot(second)
    bot = msgspec.structs.replace(_bot(TRICK_BOT), style={"samples": TRICK_SAMPLES})
    return bot, msgspec.structs.replace(bot, name=f"{TRICK_BOT}-2")


def _bot(name: str) -> HouseBot:
    for bot in house_bots():
        if bot.name == name:
            return bot
    raise RuntimeError(f"there is no house bot {name!r}")


def markdown(rows: Sequence[Row]) -> str:
    """Return the table as it stands in docs/rules/luck.md."""
    lines = [
        "| profile | players | bots | deals | won by each | decisions per deal | drawn | first player's edge | variance, same decks |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        cells = (
            f"`{row.profile}`",
            row.players,
            row.bots,
            row.deals,
            f"{row.balance[0]:.0f} : {row.balance[1]:.0f}",
            f"{row.decisions:.0f}",
            f"{100 * row.drawn:.1f} %",
            f"{100 * row.first.value:+.1f} ± {100 * row.first.error:.1f} %",
            f"{row.ratio.value:.2f} ± {row.ratio.error:.2f}",
        )
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Measure the profiles asked for and print the table; return the exit status."""
    options = _parser().parse_args(arguments)
    if options.deals < 1 or options.target < 1:
        _parser().error("--deals and --target must be at least 1")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        names = options.profile or list(profiles())
        rows = [measure(name, options.deals, options.target, progress) for name in names]
    print(markdown(rows))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.luck", description="Measures how much of each game is luck."
    )
    parser.add_argument(
        "--deals", type=int, default=DEALS, help=f"deals per profile, at least (default {DEALS})"
    )
    parser.add_argument(
        "--profile",
        action="append",
        choices=list(profiles()),
        metavar="P",
        help="only this profile; may be repeated",
    )
    parser.add_argument(
        "--target", type=int, default=ONE_DEAL, help="points a leg is played to (default 1: about one deal)"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
