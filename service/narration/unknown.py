"""A game nobody has written words for: still told, move by move, in its own notation."""

from collections.abc import Sequence

from engine.replay import Step
from service.narration.story import Action, Code, Passage, Player


class UnknownNarrator:
    """Tells the deals of any game; draws none."""

    def tell(self, steps: Sequence[Step]) -> list[Passage]:
        """Return who did what, in passages that end when another acts."""
        passages: list[Passage] = []
        last = None
        for number, step in enumerate(steps, 1):
            seat = step.act.seat
            if seat != last:
                passages.append(Passage((Player(seat),), seat))
                last = seat
            passages[-1].actions.append(
                Action(number, seat, step.act.move, (Code(step.act.move),), step.forced)
            )
            passages[-1].used_us += step.act.charge_us
        return passages

    def draw(self, steps: Sequence[Step], shown: int) -> None:
        """Draw nothing: what lies on such a table is not known."""
