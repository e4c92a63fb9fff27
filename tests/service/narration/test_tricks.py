"""A deal of a trick game told trick by trick says who led, who won, and what became of the turn-up."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

import pytest

from engine.games import game_from_profile, profiles
from engine.replay import Step, steps
from engine.tricks.view import TrickView
from service.narration.narrators import narrator_for
from service.narration.story import Action, Card, Passage, Player, plain
from service.narration.trick_table import TrickTable
from tests.service.narration.logs import deal_of, played

CASES = [
    (profile.name, players, options)
    for profile in profiles().values()
    if profile.game in ("spoil-five", "forty-five")
    for players in profile.players
    for options in ({}, {"scoring": "pool"})
    if not options or (profile.game == "spoil-five" and players in (2, 5))
]
DEALS = 4
NAMES = [f"bot-{seat}" for seat in range(10)]


@dataclass(frozen=True)
class Told:
    """A deal: its rules, its steps, its story."""

    rules: Mapping[str, Any]
    steps: Sequence[Step]
    passages: Sequence[Passage]

    @property
    def actions(self) -> list[Action]:
        """All decisions, as told."""
        return [action for passage in self.passages for action in passage.actions]


@pytest.fixture(
    scope="module",
    params=CASES,
    ids=[f"{name}-{players}{'-pool' if options else ''}" for name, players, options in CASES],
)
def told(request: pytest.FixtureRequest) -> Sequence[Told]:
    """A few deals of each profile with every number of players."""
    deals = []
    for number in range(DEALS):
        profile, players, options = request.param
        rules, made = deal_of(profile, players, options, hashlib.sha256(b"%d" % number).digest())
        deals.append(Told(rules, made, narrator_for(rules).tell(made)))
    return deals


def view(views: Sequence[object], seat: int = 0) -> TrickView:
    """A seat's view."""
    found = views[seat]
    assert isinstance(found, TrickView)
    return found


def test_every_decision_is_told_once_and_in_order(told: Sequence[Told]) -> None:
    for deal in told:
        assert [action.move for action in deal.actions] == [step.act.move for step in deal.steps]
        assert [action.seat for action in deal.actions] == [step.act.seat for step in deal.steps]
        assert [action.number for action in deal.actions] == list(range(1, len(deal.steps) + 1))


def test_a_passage_is_a_trick_with_a_card_of_every_seat_and_the_winner_it_had(told: Sequence[Told]) -> None:
    for deal in told:
        tricks = [passage for passage in deal.passages if str(passage.heading[0]).startswith("Trick ")]
        final = view(deal.steps[-1].after)
        assert len(tricks) == len(final.played)
        won = [0] * deal.rules["players"]
        for passage, trick in zip(tricks, final.played, strict=True):
            assert [action.seat for action in passage.actions] == [one.seat for one in trick]
            assert [_played(action) for action in passage.actions] == [one.card for one in trick]
            winner = passage.outcome[0]
            assert isinstance(winner, Player)
            assert passage.outcome[2] == Card(next(one.card for one in trick if one.seat == winner.seat))
            won[winner.seat] += 1
        assert won == final.tricks_won


def test_the_deals_end_is_told_last_with_its_points(told: Sequence[Told]) -> None:
    for deal in told:
        result = deal.steps[-1].result
        assert result is not None
        sides = 2 if deal.rules["game"] == "forty-five" else deal.rules["players"]
        text = plain(deal.passages[-1].ending, NAMES)
        assert text.endswith("points " + " : ".join(map(str, result.points[:sides])).replace("-", "−"))
        assert result.reason not in ("jink_failed", "spoiled") or "spoiled" in text
        assert not any(passage.ending for passage in deal.passages[:-1])


def test_the_table_shows_every_hand_the_trick_and_its_winner(told: Sequence[Told]) -> None:
    for deal in told:
        narrator = narrator_for(deal.rules)
        for shown in range(len(deal.steps) + 1):
            table = narrator.draw(deal.steps, shown)
            assert isinstance(table, TrickTable)
            views = deal.steps[shown - 1].after if shown else deal.steps[0].before
            assert [list(seat.hand) for seat in table.seats] == [
                view(views, seat.seat).hand for seat in table.seats
            ]
            cards = [one.card for trick in (*table.earlier, table.trick) for one in trick.cards]
            public = view(views)
            assert cards == [one.card for trick in (*public.played, public.trick) for one in trick]
            tricks = [*table.earlier, table.trick]
            assert [
                sum(trick.winner == seat.seat for trick in tricks) for seat in table.seats
            ] == public.tricks_won
            acting = [seat.seat for seat in table.seats if seat.acts]
            assert acting == ([deal.steps[shown].act.seat] if shown < len(deal.steps) else [])
            assert table.has_partners == (deal.rules["game"] == "forty-five" and deal.rules["players"] > 2)


def _played(action: Action) -> str:
    """The last card a sentence names: the one that is played."""
    return [part.text for part in action.sentence if isinstance(part, Card)][-1]


def test_what_is_rare_is_told_in_whole_sentences() -> None:
    wanted = {
        "rob_play": "takes {} for {} and plays {}",
        "rob_lead": "takes {} for {} and leads {}",
        "rob": "takes {} for {}",
        "stand_play": "declares the trump ace, has {} turned down and plays {}",
        "stand_lead": "declares the trump ace, has {} turned down and leads {}",
        "lead": "leads {}",
        "stand": "leaves {} lying",
        "take": "takes the pool of ",
        "jink": "jinks: plays on for all five tricks",
        "silent": "silent about the trump ace, now the lowest trump",
    }
    seen: dict[str, str] = {}
    game = game_from_profile("spoil-five", 5, {"scoring": "pool"})
    narrator = narrator_for(game.document())
    for number in range(20):
        log = played(game, seed=hashlib.sha256(b"%d" % number).digest())
        for _, made in groupby(steps(log), key=attrgetter("deal")):
            for passage in narrator.tell(list(made)):
                for action in passage.actions:
                    leads = action is passage.actions[0] and str(passage.heading[0]).startswith("Trick")
                    seen.setdefault(_kind(action, leads=leads), _shape(action))
    for kind, shape in wanted.items():
        assert shape in seen[kind], kind


def _kind(action: Action, *, leads: bool) -> str:
    move = action.move
    if move.startswith(("rob", "stand")):
        return move.split()[0].partition(">")[0] + (("_lead" if leads else "_play") if ">" in move else "")
    if move in ("take", "jink"):
        return move
    if leads:
        return "lead"
    return "silent" if "silent" in plain(action.sentence, NAMES) else "card"


def _shape(action: Action) -> str:
    """The sentence with its cards left out."""
    return plain(tuple("{}" if isinstance(part, Card) else part for part in action.sentence), NAMES)
