"""Stepping through a match in a terminal, move by move, both ways."""

from collections.abc import Sequence

import click

from engine.replay import Step
from service.cli.local.story import DealTold, LogStory
from service.cli.local.tables import lines_of
from service.narration.story import plain
from service.text import harmless

KEYS = "space next move, b back, n next deal, p previous deal, q quit"
NEXT = frozenset({" ", "\r", "\n", "l", "\x1b[C"})
BACK = frozenset({"b", "h", "\x7f", "\x1b[D"})
NEXT_DEAL = frozenset({"n", "j", "\x1b[B"})
PREVIOUS_DEAL = frozenset({"p", "k", "\x1b[A"})
QUIT = frozenset({"q", "\x1b", "\x04"})


class Stepper:
    """Where somebody is in a match. `moment` counts the decisions of the deal that are made already."""

    def __init__(self, story: LogStory, deal: int) -> None:
        self._story = story
        self.moment = 0
        self._go_to(deal)

    def run(self) -> None:
        """Show the table and go where keys lead, until somebody quits. Raises LogError."""
        while True:
            click.clear()
            click.echo("\n".join(self.lines()))
            try:
                key = click.getchar()
            except (EOFError, KeyboardInterrupt):
                return
            if key in QUIT or not key:
                return
            self.press(key)

    def press(self, key: str) -> None:
        """Go where a key leads; at the end of a deal the next follows, before its beginning the previous."""
        if key in NEXT:
            if self.moment < len(self._steps):
                self.moment += 1
            else:
                self._go_to(self._told.number + 1)
        elif key in BACK:
            if self.moment:
                self.moment -= 1
            elif self._told.number:
                self._go_to(self._told.number - 1)
                self.moment = len(self._steps)
        elif key in NEXT_DEAL:
            self._go_to(self._told.number + 1)
        elif key in PREVIOUS_DEAL:
            self._go_to(self._told.number - 1)

    def lines(self) -> list[str]:
        """Return what is to be seen now."""
        story, told = self._story, self._told
        where = f"deal {told.number} (0 to {story.deals - 1}), dealt by {story.names[told.dealer]}"
        shown = [f"{story.title()[0]}", f"{where}; move {self.moment} of {len(self._steps)}", ""]
        table = story.narrator.draw(self._steps, self.moment) if self._steps else None
        if table is not None:
            shown += [harmless(line) for line in lines_of(table, story.names)]
        shown += ["", *self._last_move()]
        if self.moment == len(self._steps):
            shown += self._end()
        return [*shown, "", KEYS]

    def _go_to(self, deal: int) -> None:
        deal = max(0, min(deal, self._story.deals - 1))
        self._steps: Sequence[Step] = self._story.steps(deal)
        self._told: DealTold = self._story.told(deal, self._steps)
        self.moment = 0

    def _last_move(self) -> list[str]:
        for passage in self._told.passages:
            for action in passage.actions:
                if action.number == self.moment:
                    who = self._story.names[action.seat]
                    return [f"{who} [{action.move}]: {harmless(plain(action.sentence, self._story.names))}"]
        return []

    def _end(self) -> list[str]:
        last = self._told.number == self._story.deals - 1
        ending = list(self._story.ending(self._told))
        return [*ending, *(self._story.outcome() if last else [])]
