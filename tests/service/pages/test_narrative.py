"""A match told turn by turn adds up: every card that is played was held, every card held was drawn."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from engine.log import ActLine, read_log
from engine.replay import Step, steps
from engine.spite.view import SpiteView
from service.blobs import FolderBlobs
from service.pages.narrative import RANKS, Action, tell
from tests.service.ledger.playing import Mishap, Player, Style, eager, idle
from tests.service.pages.tickets import ticket


class Unknown(msgspec.Struct, frozen=True):
    """A view of a game the pages have never heard of."""

    trump: str = "D"


def log_of(folder: Path, *, players: int = 2, others: Style = idle, mishaps: Sequence[Mishap] = ()) -> bytes:
    """The log of a first leg in which seat 0 decides eagerly, and everybody else as told."""
    wanted = ticket(players)
    blobs = FolderBlobs(folder)
    styles = {seat.version: others for seat in wanted.seats[1:]}
    return blobs.get("log", Player(blobs, styles=styles, mishaps=mishaps).play(wanted).legs[0].log)


@pytest.mark.parametrize("players", [2, 3])
def test_every_decision_is_told_once_and_in_order(tmp_path: Path, players: int) -> None:
    log = log_of(tmp_path, players=players)
    acts = [line.move for line in read_log(log) if isinstance(line, ActLine)]
    last = max(step.deal for step in steps(log))
    told = [
        action.move for deal in range(last + 1) for turn in tell(steps(log, deal)) for action in turn.actions
    ]
    assert told == acts


@pytest.mark.parametrize("players", [2, 3])
def test_hands_follow_from_what_was_drawn_and_what_was_played(tmp_path: Path, players: int) -> None:
    held: dict[int, Counter[str]] = {}
    for turn in tell(steps(log_of(tmp_path, players=players), 0)):
        hand = held.get(turn.seat, Counter()) + Counter(turn.drew)
        assert hand == Counter(turn.hand)
        for action in turn.actions:
            if action.source == "hand":
                assert hand[action.card] > 0
                hand -= Counter([action.card])
            hand += Counter(action.drew)
        held[turn.seat] = hand
    assert len(held) == players


def test_a_card_in_the_centre_is_the_next_rank_or_says_which_it_stands_for(tmp_path: Path) -> None:
    wild = 0
    for step, action in told_with_steps(log_of(tmp_path)):
        view = step.before[step.act.seat]
        if action.target.startswith("centre"):
            assert isinstance(view, SpiteView)
            needed = RANKS[view.centre[int(action.target.removeprefix("centre "))]]
            assert needed == (action.stands_for or action.card)
            wild += bool(action.stands_for)
            assert not action.stands_for or action.card == "K"
    assert wild


def test_a_completed_centre_pile_is_told(tmp_path: Path) -> None:
    told = told_with_steps(log_of(tmp_path, others=eager))
    completing = [action for _, action in told if action.completes]
    assert completing
    assert all((action.stands_for or action.card) == "Q" for action in completing)


def test_goal_cards_are_marked_and_counted(tmp_path: Path) -> None:
    turns = tell(steps(log_of(tmp_path), 0))
    before = turns[0].goals_left[1]
    for turn in turns:
        goals = sum(action.is_goal for action in turn.actions)
        if turn.seat == 1:
            assert turn.goals_left[1] == before - goals
            before = turn.goals_left[1]
    assert any(action.is_goal for turn in turns for action in turn.actions)


def test_what_is_done_in_the_place_of_a_bot_that_forfeited_is_marked(tmp_path: Path) -> None:
    log = log_of(tmp_path, players=3, mishaps=[Mishap(leg=0, seat=1, decision=4)])
    turns = tell(steps(log, 0))
    forced = {turn.seat for turn in turns for action in turn.actions if action.forced}
    assert forced == {1}


def test_a_game_that_is_not_known_here_is_told_in_its_own_notation(tmp_path: Path) -> None:
    strange = [
        Step(step.line, step.deal, step.act, step.forced, (Unknown(),) * 2, (Unknown(),) * 2, step.result)
        for step in steps(log_of(tmp_path), 0)
    ]
    turns = tell(strange)
    assert [action.move for turn in turns for action in turn.actions] == [step.act.move for step in strange]
    assert not any(action.card for turn in turns for action in turn.actions)
    assert all(one.seat != other.seat for one, other in pairwise(turns))


def told_with_steps(log: bytes) -> list[tuple[Step, Action]]:
    """The first deal's steps, each with how it is told."""
    made = list(steps(log, 0))
    told = [action for turn in tell(made) for action in turn.actions]
    return list(zip(made, told, strict=True))
