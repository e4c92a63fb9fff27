"""Spoil Five and Forty-five told trick by trick: who led, what fell, who won it, and who took the turn-up."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.games import game_from_document
from engine.replay import Step
from engine.tricks.view import TrickView
from service.narration.reasons import how_it_ended
from service.narration.story import Action, Aside, Card, Part, Passage, Player, Sentence
from service.narration.trick_table import TrickTable, table_of

ACE_OF_HEARTS = "AH"
"""A trump whatever the trump suit is."""


class TrickNarrator:
    """Tells and draws the deals of one match."""

    def __init__(self, rules: Mapping[str, Any]) -> None:
        self._game = str(rules["game"])
        self._sides = game_from_document(rules).sides

    def tell(self, steps: Sequence[Step]) -> list[Passage]:
        """Return a deal's tricks, and the questions between them."""
        passages: list[Passage] = []
        last = None
        for number, step in enumerate(steps, 1):
            before, after = _view(step.before, step.act.seat), _view(step.after, step.act.seat)
            if (part := _part_of(step, before)) != last:
                last = part
                passages.append(Passage(_heading(part, before)))
            passage = passages[-1]
            sentence = _sentence(step, before, after)
            passage.actions.append(Action(number, step.act.seat, step.act.move, sentence, step.forced))
            passage.used_us += step.act.charge_us
            passage.standing = self._standing(after)
            if len(after.played) > len(before.played):
                passage.outcome = _winner(after)
            if step.result:
                passage.ending = how_it_ended(self._game, step.result, self._sides)
        return passages

    def draw(self, steps: Sequence[Step], shown: int) -> TrickTable:
        """Return the table after the first `shown` decisions of a deal."""
        views = steps[shown - 1].after if shown else steps[0].before
        acts = steps[shown].act.seat if shown < len(steps) else None
        return table_of(views, self._sides, acts)

    def _standing(self, view: TrickView) -> str:
        won = [sum(view.tricks_won[side :: self._sides]) for side in range(self._sides)]
        pool = "" if view.pool is None else f", pool {view.pool}"
        return "tricks " + " : ".join(map(str, won)) + pool


def _part_of(step: Step, view: TrickView) -> str:
    """Return which part of the deal a decision belongs to: a trick, or a question asked outside of tricks."""
    if step.act.move in ("take", "jink"):
        return "After three tricks"
    return f"Trick {view.turn}" if _card_of(step.act.move) else "Before the first lead"


def _heading(part: str, view: TrickView) -> Sentence:
    if part == "Before the first lead":
        return (part, Aside("an ace is turned up:"), Card(view.turn_up))
    if part == "Trick 1":
        return (part, Aside("turned up:"), Card(view.turn_up))
    return (part,)


def _card_of(move: str) -> str:
    """Return the card a move plays; empty where it plays none."""
    if move in ("take", "jink", "stand") or (move.startswith("rob ") and ">" not in move):
        return ""
    return move.rpartition(">")[2]


def _sentence(step: Step, before: TrickView, after: TrickView) -> Sentence:
    move = step.act.move
    card = _card_of(move)
    if move == "take":
        return ("takes the deal" if before.pool is None else f"takes the pool of {before.pool}",)
    if move == "jink":
        return ("jinks: plays on for all five tricks",)
    parts: list[Part] = []
    if move.startswith("rob "):
        laid = move.removeprefix("rob ").partition(">")[0]
        parts += ["takes", Card(before.turn_up), "for", Card(laid)]
    elif move.startswith("stand"):
        declares = "declares the trump ace, has" if card else "leaves"
        parts += [declares, Card(before.turn_up), "turned down" if card else "lying"]
    if card:
        parts += [*_verb(before, is_second=bool(parts)), Card(card), *_manner(card, before)]
    if after.ace_fell and not before.ace_fell and card and _is_silent(move, before):
        parts.append(Aside("silent about the trump ace, now the lowest trump"))
    return tuple(parts)


def _is_silent(move: str, view: TrickView) -> bool:
    """Whether the mover itself let the ace fall: it held it."""
    return ">" not in move and f"A{view.trump}" in view.hand


def _verb(view: TrickView, *, is_second: bool) -> Sentence:
    """Return what is done with a card: it leads a trick, or is played to one, which goes without saying."""
    if not view.trick:
        return ("and leads" if is_second else "leads",)
    return ("and plays",) if is_second else ()


def _manner(card: str, view: TrickView) -> Sentence:
    """Return in a word what a card does beside what was led; nothing of the card that is led."""
    if not view.trick:
        return ()
    led = view.trick[0].card
    if _is_trump(led, view) or _is_trump(card, view):
        return () if _is_trump(led, view) == _is_trump(card, view) else _unlike(card, view)
    return () if card[-1] == led[-1] else (Aside("thrown off"),)


def _unlike(card: str, view: TrickView) -> Sentence:
    return (Aside("trumps"),) if _is_trump(card, view) else (Aside("thrown off"),)


def _is_trump(card: str, view: TrickView) -> bool:
    return card[-1] == view.trump or card == ACE_OF_HEARTS


def _winner(view: TrickView) -> Sentence:
    won = next(played for played in view.played[-1] if played.seat == view.leader)
    return (Player(won.seat), "wins the trick with", Card(won.card))


def _view(views: Sequence[object], seat: int) -> TrickView:
    view = views[seat]
    assert isinstance(view, TrickView)
    return view
