"""A deal of the Spite & Malice family told turn by turn adds up, whichever game of the family it is."""

import hashlib
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from engine.games import game_from_profile, profiles
from engine.replay import Step, steps
from engine.spite.view import SpiteView
from service.narration.narrators import narrator_for
from service.narration.spite_deeds import aftermath_of, deed_of, ranks_of
from service.narration.spite_table import SpiteTable
from service.narration.story import Action, Card, Passage, Player, plain
from tests.service.narration.logs import Choice, deal_of, played

NAMES = [f"bot-{seat}" for seat in range(6)]
FAMILY = ("spite-and-malice", "skip-bo", "starturn", "parlett")
CASES: list[tuple[str, int, dict[str, Any]]] = [
    (profile.name, players, {})
    for profile in profiles().values()
    if profile.game in FAMILY
    for players in sorted({profile.players[0], profile.players[-1]})
]
CASES += [("skip-bo", 4, {"partners": True}), ("skip-bo", 6, {"partners": True})]


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
    ids=[f"{name}-{players}{'-partners' if options else ''}" for name, players, options in CASES],
)
def told(request: pytest.FixtureRequest) -> Told:
    """A deal of each profile, with few and with many players."""
    profile, players, options = request.param
    rules, made = deal_of(profile, players, options)
    return Told(rules, made, narrator_for(rules).tell(made))


def view(views: Sequence[object], seat: int) -> SpiteView:
    """A seat's view."""
    found = views[seat]
    assert isinstance(found, SpiteView)
    return found


def test_every_decision_is_told_once_and_in_order(told: Told) -> None:
    assert [action.move for action in told.actions] == [step.act.move for step in told.steps]
    assert [action.seat for action in told.actions] == [step.act.seat for step in told.steps]
    assert [action.number for action in told.actions] == list(range(1, len(told.steps) + 1))
    assert sum(passage.used_us for passage in told.passages) == sum(step.act.charge_us for step in told.steps)


def test_a_passage_is_one_players_turn_and_names_him(told: Told) -> None:
    for passage in told.passages:
        assert {Player(action.seat) for action in passage.actions} == {passage.heading[0]}


def test_hands_follow_from_what_was_drawn_and_what_was_played(told: Told) -> None:
    held: dict[int, Counter[str]] = {}
    decisions = iter(told.steps)
    for passage in told.passages:
        seat = passage.actions[0].seat
        drew = Counter(part.text for part in passage.heading if isinstance(part, Card))
        held[seat] = held.get(seat, Counter()) + drew
        for _, step in zip(passage.actions, decisions, strict=False):
            deed = deed_of(step, ranks_of(told.rules))
            after = aftermath_of(step, deed)
            if after.redealt:
                return  # Whose old cards went back is not told; the new hands are.
            assert held[seat] == Counter(view(step.before, seat).hand)
            if deed and deed.source == "hand":
                held[seat] -= Counter(deed.cards)
            held[seat] += Counter(after.drew)
    assert len(held) == told.rules["players"]


def test_a_card_in_the_centre_is_the_next_rank_or_says_which_it_stands_for(told: Told) -> None:
    ranks = ranks_of(told.rules)
    for step in told.steps:
        deed = deed_of(step, ranks)
        if deed and deed.to_centre:
            (card,) = deed.cards
            needed = ranks[view(step.before, step.act.seat).centre[deed.slot]]
            assert (deed.stands_for or card) == needed
            assert not deed.stands_for or card in ("K", "*")


def test_a_completed_pile_is_told_where_its_place_is_free_afterwards(told: Told) -> None:
    ranks = ranks_of(told.rules)
    for step in told.steps:
        deed = deed_of(step, ranks)
        if deed and deed.completes:
            assert (deed.stands_for or deed.cards[0]) == ranks[-1]
            assert view(step.after, 0).centre[deed.slot] == 0
        elif deed and deed.to_centre and not aftermath_of(step, deed).shuffled:
            assert view(step.after, 0).centre[deed.slot] > 0


def test_goal_cards_are_marked_and_what_is_left_is_counted(told: Told) -> None:
    for step, action in zip(told.steps, told.actions, strict=True):
        goals = [sum(pile.left for pile in piles) for piles in view(step.before, 0).goals]
        left = [sum(pile.left for pile in piles) for piles in view(step.after, 0).goals]
        marked = sum(isinstance(part, Card) and part.is_goal for part in action.sentence)
        assert sum(goals) - sum(left) == marked
    last = " : ".join(str(sum(pile.left for pile in piles)) for piles in view(told.steps[-1].after, 0).goals)
    assert told.passages[-1].standing == f"goal cards left {last}"


def test_cards_go_back_into_the_stock_exactly_when_that_is_told(told: Told) -> None:
    for step in told.steps:
        before, after = view(step.before, 0), view(step.after, 0)
        deed = deed_of(step, ranks_of(told.rules))
        told_so = aftermath_of(step, deed)
        if after.stock > before.stock:
            assert told_so.shuffled > 0 or told_so.redealt


def test_the_table_shows_every_hand_and_where_the_last_move_ended(told: Told) -> None:
    narrator = narrator_for(told.rules)
    ranks = ranks_of(told.rules)
    for shown in range(0, len(told.steps) + 1, 29):
        table = narrator.draw(told.steps, shown)
        assert isinstance(table, SpiteTable)
        views = told.steps[shown - 1].after if shown else told.steps[0].before
        assert [list(seat.hand) for seat in table.seats] == [
            view(views, seat.seat).hand for seat in table.seats
        ]
        touched = [pile for pile in table.centre if pile.is_touched]
        touched_piles = [pile for seat in table.seats for pile in seat.discards if pile.is_touched]
        deed = deed_of(told.steps[shown - 1], ranks) if shown else None
        assert len(touched) + len(touched_piles) == (deed is not None)
        if touched_piles and deed:
            assert touched_piles[0].cards[-1] == deed.cards[-1]
        acting = [seat.seat for seat in table.seats if seat.acts]
        assert acting == ([told.steps[shown].act.seat] if shown < len(told.steps) else [])


def test_what_is_done_in_the_place_of_a_bot_that_forfeited_is_marked() -> None:
    game = game_from_profile("short", 3)
    made = list(steps(played(game, faults={4: 1}), 0))
    actions = [action for passage in narrator_for(game.document()).tell(made) for action in passage.actions]
    assert {action.seat for action in actions if action.forced} == {1}


def test_a_turn_reads_as_a_person_would_say_it() -> None:
    rules, made = deal_of("classic")
    first = narrator_for(rules).tell(made)[0]
    assert plain(first.heading, ["ada", "bob"]).startswith("ada draws ")
    assert len([part for part in first.heading if isinstance(part, Card)]) == 5
    assert "→ discard " in plain(first.actions[-1].sentence, ["ada", "bob"])


def test_two_that_move_nothing_are_told_to_be_frozen_and_then_get_new_hands() -> None:
    game = game_from_profile("parlett")
    made = list(steps(played(game, choose=_end_if_possible), 0))
    passages = narrator_for(game.document()).tell(made)
    turns = [(plain(turn.heading, "ab"), plain(turn.actions[-1].sentence, "ab")) for turn in passages]
    idle = [last for _, last in turns if "without a move" in last]
    frozen = [heading for heading, _ in turns if "frozen" in heading]
    anew = [last for _, last in turns if "dealt anew" in last]
    assert len(idle) > len(frozen) > len(anew) > 1
    for step, action in zip(made, [action for turn in passages for action in turn.actions], strict=True):
        if "dealt anew" in plain(action.sentence, "ab"):
            drew = [part.text for part in action.sentence if isinstance(part, Card)]
            assert drew == view(step.after, step.act.seat).hand


def _end_if_possible(legal: Sequence[str]) -> str:
    return legal[-1]


def _builder(seed: bytes) -> Choice:
    """Mostly plays where it can, and otherwise anything."""
    chance = random.Random(seed)

    def choose(legal: Sequence[str]) -> str:
        plays = [move for move in legal if ">c" in move]
        return plays[0] if plays and chance.random() < 0.8 else chance.choice(legal)

    return choose


@pytest.mark.parametrize(
    ("profile", "players", "options", "words"),
    [
        ("misery", 2, {}, "from goal 1 → centre"),
        ("skip-bo", 4, {"partners": True}, "from the partner’s goal → centre"),
        ("skip-bo", 4, {"partners": True}, "from the partner’s discard "),
        ("skip-bo", 2, {}, "* as 1 → centre"),
        ("king-high", 2, {}, "* as K → centre"),
        ("parlett", 2, {}, "→ side pile 0"),
        ("parlett", 2, {}, "ends the turn"),
        ("natural-pairs", 2, {}, "2 2 → discard"),
        ("cover-wild", 2, {}, "to be covered"),
        ("classic", 2, {}, "complete"),
        ("classic", 2, {}, "cards go back into the stock"),
        ("starturn", 2, {}, "15 cards go back into the stock"),
        ("unlimited-centre", 2, {}, "→ centre 5"),
        ("classic", 2, {}, "can do nothing and passes"),
    ],
)
def test_what_only_some_games_know_has_its_words(
    profile: str, players: int, options: dict[str, Any], words: str
) -> None:
    game = game_from_profile(profile, players, options)
    narrator = narrator_for(game.document())
    for number in range(30):
        seed = hashlib.sha256(b"%d" % number).digest()
        made = list(steps(played(game, seed=seed, choose=_builder(seed)), 0))
        sentences = [plain(action.sentence, NAMES) for turn in narrator.tell(made) for action in turn.actions]
        if any(words in sentence for sentence in sentences):
            return
    pytest.fail(f"in 30 deals nobody read {words!r}")
