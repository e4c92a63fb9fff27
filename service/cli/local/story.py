"""A log told deal by deal: what `malice replay` prints and steps through."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from engine.games import game_from_document
from engine.log import DealLine, DealOverLine, Header, OverLine, read_log
from engine.replay import Step, steps
from service.narration.narrators import Narrator, narrator_for
from service.narration.reasons import match_reason_in_words, reason_in_words
from service.narration.story import Passage, Sentence, plain
from service.narration.trick_table import TrickTable
from service.text import harmless

_ID = re.compile(r"[0-9a-z]{26}")
"""What a server calls a version; people call it otherwise."""


@dataclass(frozen=True)
class DealTold:
    """One deal: who dealt, what happened, how it ended (None where the match ended first)."""

    number: int
    dealer: int
    hands: Sequence[Sequence[str]]
    """What each seat was dealt, in a game of tricks; elsewhere hands are drawn turn by turn, and told with the turns."""
    passages: Sequence[Passage]
    end: DealOverLine | None


class LogStory:
    """What a log tells. Raises LogError, at once or on the way, where it does not replay."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        lines = read_log(data)
        header, over = lines[0], lines[-1]
        assert isinstance(header, Header)
        assert isinstance(over, OverLine)
        self.header = header
        self.over = over
        self.dealers = [line.dealer for line in lines if isinstance(line, DealLine)]
        self._ends = {line.number: line for line in lines if isinstance(line, DealOverLine)}
        self.narrator: Narrator = narrator_for(header.rules)
        self.sides = game_from_document(header.rules).sides
        self.names = _names([seat.version for seat in header.seats])

    def call(self, bots: Sequence[str]) -> None:
        """Call the seats by their bots' names, as somebody else knows them; where there are as many as seats."""
        if len(bots) == len(self.names):
            self.names = _names(bots)

    @property
    def game(self) -> str:
        """The game's name."""
        return str(self.header.rules["game"])

    @property
    def deals(self) -> int:
        """Deals begun."""
        return len(self.dealers)

    def deal(self, number: int) -> DealTold:
        """Return one deal."""
        return self.told(number, self.steps(number))

    def steps(self, number: int) -> list[Step]:
        """Return the decisions of one deal."""
        return list(steps(self._data, only_deal=number))

    def told(self, number: int, made: Sequence[Step]) -> DealTold:
        """Return a deal of which these are the decisions."""
        passages = self.narrator.tell(made) if made else []
        return DealTold(number, self.dealers[number], self._hands(made), passages, self._ends.get(number))

    def all_deals(self) -> Iterator[DealTold]:
        """Yield every deal in turn; those in which nobody came to act have no passages."""
        told = 0
        for number, made in groupby(steps(self._data), key=attrgetter("deal")):
            yield from (self.told(empty, []) for empty in range(told, number))
            yield self.told(number, list(made))
            told = number + 1
        yield from (self.told(empty, []) for empty in range(told, self.deals))

    def title(self) -> list[str]:
        """Return what was played and by whom, in lines."""
        header = self.header
        options = header.rules["options"]
        changed = " (" + ", ".join(f"{name}={_value(value)}" for name, value in options.items()) + ")"
        what = f"{self.game}{changed if options else ''}, {len(header.seats)} players, target {header.target}"
        seats = [
            f"  seat {seat}  {self._occupant(seat)}{self._side(seat)}" for seat in range(len(header.seats))
        ]
        return [f"fixture {harmless(header.fixture)}, leg {header.leg}: {what}", *seats]

    def outcome(self) -> list[str]:
        """Return how the match ended, in lines."""
        over = self.over
        lines = [f"The match ends: {match_reason_in_words(over.reason)}."]
        lines += [
            f"  {seat_and_name(seat, name)}: {over.scores[seat]} points, place {over.places[seat]}"
            for seat, name in enumerate(self.names)
        ]
        lines += [
            f"  {fault.kind} by {self.names[fault.seat]} after {fault.decision} decisions: {harmless(fault.evidence)}"
            for fault in over.faults
        ]
        return lines

    def listing(self, told: DealTold) -> Iterator[str]:
        """Yield a deal in lines."""
        yield f"deal {told.number}, dealt by {self.names[told.dealer]}"
        for seat, hand in enumerate(told.hands):
            yield f"  {self.names[seat]} holds {' '.join(hand)}"
        for passage in told.passages:
            yield f"  {self._plain(passage.heading)}"
            for action in passage.actions:
                forced = " (made for it: it has forfeited)" if action.forced else ""
                who = "" if action.seat == passage.seat else f"{self.names[action.seat]}: "
                yield f"    {who}{self._plain(action.sentence)}{forced}"
            if passage.outcome:
                yield f"    {self._plain(passage.outcome)}"
            if passage.standing:
                yield f"      {passage.standing}"
        yield from (f"  {line}" for line in self.ending(told))

    def ending(self, told: DealTold) -> list[str]:
        """Return how a deal ended, in lines; points and scores are by side."""
        if told.end is None:
            return ["The match ends before the deal does."]
        why = reason_in_words(self.game, told.end.reason)
        points, scores = _colons(told.end.points[: self.sides]), _colons(told.end.scores[: self.sides])
        return [f"The deal ends: {why}; points {points}; scores {scores}"]

    def document(self, told: DealTold) -> dict[str, Any]:
        """Return a deal for scripts."""
        return {
            "deal": told.number,
            "dealer": told.dealer,
            "hands": told.hands,
            "passages": [self._passage(passage) for passage in told.passages],
            "points": told.end.points if told.end else None,
            "scores": told.end.scores if told.end else None,
            "reason": told.end.reason if told.end else None,
        }

    def _hands(self, made: Sequence[Step]) -> Sequence[Sequence[str]]:
        table = self.narrator.draw(made, 0) if made else None
        return [seat.hand for seat in table.seats] if isinstance(table, TrickTable) else []

    def _occupant(self, seat: int) -> str:
        """Return who sits there: by name, else by the version's id."""
        name, version = self.names[seat], self.header.seats[seat].version
        return f"version {harmless(version)}" if name == seat_name(seat) else name

    def _side(self, seat: int) -> str:
        return f", side {seat % self.sides}" if self.sides < len(self.names) else ""

    def _passage(self, passage: Passage) -> dict[str, Any]:
        return {
            "heading": self._plain(passage.heading),
            "actions": [
                {
                    "number": action.number,
                    "seat": action.seat,
                    "move": action.move,
                    "text": self._plain(action.sentence),
                    "forced": action.forced,
                }
                for action in passage.actions
            ],
            "outcome": self._plain(passage.outcome),
            "ending": self._plain(passage.ending),
            "standing": passage.standing,
            "used_us": passage.used_us,
        }

    def _plain(self, sentence: Sentence) -> str:
        return harmless(plain(sentence, self.names))


def seat_name(seat: int) -> str:
    """Return what a seat is called whose bot's name is not known."""
    return f"seat {seat}"


def seat_and_name(seat: int, name: str) -> str:
    """Return a seat with the name of who sits there, where it is known."""
    return name if name == seat_name(seat) else f"seat {seat}  {name}"


def _names(words: Sequence[str]) -> list[str]:
    """What the seats are called: by their bots' names, with the seat where one sits in several; ids are no names."""
    return [
        seat_name(seat)
        if _ID.fullmatch(word)
        else harmless(word) + (f" (seat {seat})" if words.count(word) > 1 else "")
        for seat, word in enumerate(words)
    ]


def _colons(numbers: Sequence[int]) -> str:
    return " : ".join(map(str, numbers))


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
