"""The Spite & Malice family told turn by turn: who drew what, played what, and where it went.

Cards are named by rank alone, since suits mean nothing in these games.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from engine.games import game_from_document
from engine.replay import Step
from engine.spite.view import SpiteView
from service.narration.reasons import how_it_ended
from service.narration.spite_deeds import (
    Aftermath,
    Deed,
    aftermath_of,
    deed_of,
    drawn_by_others,
    in_order,
    ranks_of,
)
from service.narration.spite_table import SpiteTable, table_of
from service.narration.story import Action, Aside, Card, Part, Passage, Player, Sentence


class SpiteNarrator:
    """Tells and draws the deals of one match."""

    def __init__(self, rules: Mapping[str, Any]) -> None:
        self._game = str(rules["game"])
        self._sides = game_from_document(rules).sides
        self._ranks = ranks_of(rules)
        self._pile = "side pile" if self._game == "parlett" else "discard"

    def tell(self, steps: Sequence[Step]) -> list[Passage]:
        """Return a deal's turns."""
        passages: list[Passage] = []
        drawn: dict[int, Counter[str]] = {}
        last = None
        for number, step in enumerate(steps, 1):
            seat, view = step.act.seat, _view(step.before, step.act.seat)
            if (turn := (seat, view.turn)) != last:
                last = turn
                # The first time a seat comes to act in a deal its whole hand is new.
                passages.append(_begin(seat, view, drawn.get(seat, Counter(view.hand))))
                drawn[seat] = Counter()
            passage = passages[-1]
            passage.actions.append(self._action(number, step, passage))
            passage.used_us += step.act.charge_us
            passage.standing = _standing(step.after)
            if step.result:
                passage.ending = how_it_ended(self._game, step.result, self._sides)
            _take_in(drawn, step)
        return passages

    def draw(self, steps: Sequence[Step], shown: int) -> SpiteTable:
        """Return the table after the first `shown` decisions of a deal."""
        touched: str | None = None
        if shown and (deed := deed_of(steps[shown - 1], self._ranks)):
            touched = f"c{deed.slot}" if deed.to_centre else f"{steps[shown - 1].act.seat}d{deed.slot}"
        views = steps[shown - 1].after if shown else steps[0].before
        acts = steps[shown].act.seat if shown < len(steps) else None
        return table_of(views, self._ranks, self._pile, self._sides, acts=acts, touched=touched)

    def _action(self, number: int, step: Step, passage: Passage) -> Action:
        deed = deed_of(step, self._ranks)
        after = aftermath_of(step, deed)
        sentence = (*self._deed(deed, step), *_aftermath(after, passage, step))
        return Action(number, step.act.seat, step.act.move, sentence, step.forced)

    def _deed(self, deed: Deed | None, step: Step) -> Sentence:
        if deed is None:
            return (_WITHOUT_CARDS.get(step.act.move, step.act.move),)
        parts: list[Part] = [Card(card, is_goal=deed.source == "goal") for card in deed.cards]
        if deed.stands_for:
            parts.append(f"as {deed.stands_for}")
        if origin := self._origin(deed, step):
            parts.append(Aside(f"from {origin}"))
        parts.append(Aside(f"→ centre {deed.slot}" if deed.to_centre else f"→ {self._pile} {deed.slot}"))
        if deed.completes:
            parts.append(Aside("complete"))
        elif deed.to_centre and _view(step.after, step.act.seat).must == f"c{deed.slot}":
            parts.append(Aside("to be covered"))
        return tuple(parts)

    def _origin(self, deed: Deed, step: Step) -> str:
        if deed.source == "hand":
            return ""
        whose = "the partner’s " if deed.owner != step.act.seat else ""
        if deed.source == "discard":
            return f"{whose}{self._pile} {deed.pile}"
        several = len(_view(step.before, deed.owner).goals[deed.owner]) > 1
        return f"{whose}goal {deed.pile}" if several else f"{whose}goal"


_WITHOUT_CARDS = {"end": "ends the turn", "pass": "can do nothing and passes"}


def _begin(seat: int, view: SpiteView, drawn: Counter[str]) -> Passage:
    heading: list[Part] = [Player(seat)]
    if cards := in_order(drawn, view.hand):
        heading += [Aside("draws"), *map(Card, cards)]
    if view.must == "forced":
        heading.append(Aside("both are frozen: an ace or a two must be played"))
    return Passage(tuple(heading), seat)


def _take_in(drawn: dict[int, Counter[str]], step: Step) -> None:
    """Remember what came into the hands of those who will hear of it at their next turn."""
    redealt = aftermath_of(step, None).redealt
    for seat, cards in drawn_by_others(step).items():
        if seat in drawn:
            drawn[seat] = cards if redealt else drawn[seat] + cards


def _aftermath(after: Aftermath, passage: Passage, step: Step) -> Sentence:
    parts: list[Part] = []
    if step.act.move == "end" and not passage.actions:
        parts.append(Aside("without a move"))
    if after.redealt:
        parts.append("nobody can move: all but the goal piles are shuffled and dealt anew;")
    elif after.shuffled:
        cards = "card goes" if after.shuffled == 1 else "cards go"
        parts.append(Aside(f"{after.shuffled} {cards} back into the stock"))
    if after.drew:
        parts += [Aside("draws"), *map(Card, after.drew)]
    return tuple(parts)


def _standing(views: Sequence[object]) -> str:
    goals = _view(views, 0).goals
    return "goal cards left " + " : ".join(str(sum(pile.left for pile in piles)) for piles in goals)


def _view(views: Sequence[object], seat: int) -> SpiteView:
    view = views[seat]
    assert isinstance(view, SpiteView)
    return view
