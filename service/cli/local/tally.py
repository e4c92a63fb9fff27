"""What came of fixtures played locally."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.fixture import LegResult, aggregate, participant
from service.bots.records import wilson_interval
from service.cli.local.roster import Contender
from service.messages import Report


@dataclass
class Row:
    """One bot's results. A win is the first place alone; a draw is the first place shared."""

    name: str
    fixtures: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: int = 0
    share: float = 0.0
    """Wins, and draws by the number they are shared with."""
    faulted: int = 0
    """Fixtures with a fault of this bot in any leg."""
    used_us: int = 0

    @property
    def win_share(self) -> float:
        """Part of the fixtures won, draws counting in part."""
        return self.share / self.fixtures if self.fixtures else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the win share."""
        return wilson_interval(self.win_share, self.fixtures)

    def document(self) -> dict[str, Any]:
        """Return the row for scripts."""
        low, high = self.interval
        return {
            "bot": self.name,
            "fixtures": self.fixtures,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "points": self.points,
            "win_share": self.win_share,
            "win_share_low": low,
            "win_share_high": high,
            "faulted_fixtures": self.faulted,
            "used_us": self.used_us,
        }


@dataclass(frozen=True)
class FaultSeen:
    """A fault, with where to find it."""

    bot: str
    fixture: int
    leg: int
    kind: str
    evidence: str

    def document(self) -> dict[str, Any]:
        """Return the fault for scripts."""
        return dict(vars(self))


@dataclass
class Tally:
    """The running results of a series of fixtures."""

    rows: list[Row]
    faults: list[FaultSeen] = field(default_factory=list)
    fixtures: int = 0

    @classmethod
    def of(cls, contenders: Sequence[Contender]) -> "Tally":
        """Return a tally with nothing played."""
        return cls([Row(contender.name) for contender in contenders])

    def add(self, number: int, order: Sequence[int], report: Report) -> None:
        """Count fixture `number`, in which participant p was contender `order[p]`; partners' time is added up."""
        sides = len(order)
        faulted: list[set[int]] = [set() for _ in report.legs]
        for fault in report.faults:
            faulted[fault.leg].add(fault.seat)
            bot = self.rows[order[participant(fault.leg, fault.seat, sides)]].name
            self.faults.append(FaultSeen(bot, number, fault.leg, fault.kind, fault.evidence))
        result = aggregate(
            [
                LegResult(tuple(leg.points), frozenset(seats))
                for leg, seats in zip(report.legs, faulted, strict=True)
            ]
        )
        for who, contender in enumerate(order):
            self._count(self.rows[contender], result.places[who], result.places.count(1))
            self.rows[contender].points += result.points[who]
            self.rows[contender].faulted += result.faulted_legs[who] > 0
        for number_of_leg, leg in enumerate(report.legs):
            for seat, used_us in enumerate(leg.used_us):
                self.rows[order[participant(number_of_leg, seat, sides)]].used_us += used_us
        self.fixtures += 1

    def _count(self, row: Row, place: int, sharing: int) -> None:
        row.fixtures += 1
        if place > 1:
            row.losses += 1
        elif sharing == 1:
            row.wins += 1
            row.share += 1
        else:
            row.draws += 1
            row.share += 1 / sharing
