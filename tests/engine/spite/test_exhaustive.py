"""Every position of small worlds: few ranks, few cards, under each option and their mixtures.

The legal list is compared, letter by letter and in order, with what the rule text gives (`naive.py`). The environment
variable MALICE_EXHAUSTIVE=1 makes the worlds larger: millions of positions, a quarter of an hour.
"""

import itertools
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pytest

from engine.game import Game
from engine.games import game_from_document
from engine.spite.view import GoalPile, SpiteView
from tests.engine.spite.naive import expected_legal, is_wild, rank_of, top_rank, wild_ranks

LARGE = bool(os.environ.get("MALICE_EXHAUSTIVE"))
SEED = bytes(32)

Options = dict[str, Any]


class World(NamedTuple):
    """A rule set, and the ranks and heights of its small worlds."""

    game: str
    options: Options
    cards: str
    """Ranks that hands, goal piles and discard piles are made of; those after the stroke only in large worlds."""
    heights: Sequence[int]
    players: int = 2


COMMON = "spite-and-malice"
SMALL: Options = {"packs": 1, "goal": 3}
WORLDS = {
    "common": World(COMMON, SMALL, "A 2 K | Q", (0, 1, 11)),
    "common, top": World(COMMON, SMALL, "A Q K | 5", (0, 10, 11)),
    "jokers": World(COMMON, {**SMALL, "jokers_wild": 4}, "5 K * | A", (0, 4, 11)),
    "unlimited": World(COMMON, {**SMALL, "centre": "unlimited"}, "A 2 K | Q", (0, 1, 11)),
    "forced low": World(COMMON, {**SMALL, "forced_low": True}, "A 2 K | 3", (0, 1, 2)),
    "misery": World(COMMON, {"misery": True}, "A 3 K", (0, 2)),
    "king-high": World(
        COMMON, {**SMALL, "jokers_to_king": True, "jokers_per_pack": 4}, "Q K * | A", (6, 11, 12)
    ),
    "king-high, low": World(
        COMMON, {**SMALL, "jokers_to_king": True, "jokers_per_pack": 4}, "A 2 * | J", (0, 1, 10)
    ),
    "cover wild": World(COMMON, {**SMALL, "cover_wild": True}, "3 8 K | A", (0, 1, 6)),
    "cover wild, top": World(COMMON, {**SMALL, "cover_wild": True}, "J Q K", (9, 10, 11)),
    "natural pairs": World(COMMON, {**SMALL, "natural_low_pairs": True}, "A 3 K | 2", (0, 1, 2)),
    "pack per player": World(COMMON, {"pack_per_player": True, "goal": 3}, "A 2 K | Q", (0, 1, 11)),
    "cover, pairs": World(
        COMMON, {**SMALL, "cover_wild": True, "natural_low_pairs": True}, "3 4 K | 2", (1, 2, 3)
    ),
    "cover, forced": World(COMMON, {**SMALL, "cover_wild": True, "forced_low": True}, "2 3 K | A", (0, 1, 2)),
    "cover, forced, unlimited": World(
        COMMON,
        {**SMALL, "cover_wild": True, "forced_low": True, "centre": "unlimited"},
        "A 3 K | 2",
        (0, 1, 2),
    ),
    "cover, king-high": World(
        COMMON, {**SMALL, "cover_wild": True, "jokers_to_king": True}, "Q K * | 4", (2, 10, 11)
    ),
    "misery, cover": World(COMMON, {"misery": True, "cover_wild": True}, "4 K | 3", (1, 2, 3)),
    "misery, forced, pairs": World(
        COMMON, {"misery": True, "forced_low": True, "natural_low_pairs": True}, "2 K | 3", (1, 2)
    ),
    "skip-bo": World("skip-bo", {}, "1 12 * | 2", (0, 1, 11)),
    "skip-bo, partners": World("skip-bo", {"partners": True}, "1 * | 2", (0, 1), players=4),
    "starturn": World("starturn", {}, "1 2 15 | 3", (0, 1, 14)),
}

every_world = pytest.mark.parametrize("name", WORLDS)


class NotEnoughCardsError(ValueError):
    """The deck has not as many cards of a rank as a position shows."""


class Place(NamedTuple):
    """What seat 0 has before it. Piles run bottom to top; goal piles are their top and their size."""

    hand: Sequence[str]
    goals: Sequence[tuple[str, int]]
    discards: Sequence[Sequence[str]]
    centre: Sequence[int]
    partners_goal: str | None = None
    partners_discard: Sequence[str] = ()
    must: int | None = None
    """The slot whose wild has to be covered."""


class Rules:
    """One rule set: its positions as views, and the deals that look like them."""

    def __init__(self, world: World) -> None:
        rules = {"game": world.game, "rules_version": 1, "players": world.players, "options": world.options}
        self.game: Game = game_from_document(rules)
        self.document = self.game.document()
        self.options = self.document["options"]
        self.partner = world.players // 2 if self.options.get("partners") else None
        start = self.game.deal(SEED, 0, 0).view(0)
        assert isinstance(start, SpiteView)
        self.start = start
        self.deck = Counter(start.unseen) + Counter(start.hand)
        self.deck.update(goal.top for piles in start.goals for goal in piles if goal.top is not None)
        self.names = sorted(self.deck, key=rank_of)
        self.wild = next((name for name in self.names if is_wild(self.document, name)), "")

    def view(self, place: Place) -> SpiteView:
        """Return what seat 0 sees; raises NotEnoughCardsError."""
        piles = [_four(place.discards)] + [_four(())] * (len(self.start.goals) - 1)
        goals = list(self.start.goals)
        goals[0] = tuple(GoalPile(top if left else None, left) for top, left in place.goals)
        if self.partner is not None:
            top = place.partners_goal
            goals[self.partner] = (GoalPile(top, 2 if top else 0),)
            piles[self.partner] = _four([place.partners_discard])
        heights = self._heights(place.centre)
        spent = self._spent(heights, place.must)
        seen = Counter(place.hand) + spent
        seen.update(goal.top for row in goals for goal in row if goal.top is not None)
        seen.update(card for row in piles for pile in row for card in pile)
        unseen = {name: self.deck[name] - seen[name] for name in self.names}
        if min(unseen.values()) < 0:
            raise NotEnoughCardsError
        face_down = sum(goal.left - 1 for row in goals for goal in row if goal.left)
        return SpiteView(
            hand=sorted(place.hand, key=rank_of),
            hand_sizes=[len(place.hand)] + [0] * (len(goals) - 1),
            goals=tuple(goals),
            discards=tuple(piles),
            centre=heights,
            stock=sum(unseen.values()) - face_down,
            spent={name: spent[name] for name in self.names},
            unseen=unseen,
            turn=1,
            dealer=0,
            must=None if place.must is None else f"c{place.must}",
        )

    def check(self, place: Place) -> bool:
        """Compare the legal list of a deal that looks like this; return whether there is such a deal."""
        if place.must is not None and not self.may_be_wild(place.centre[place.must]):
            return False
        try:
            view = self.view(place)
        except NotEnoughCardsError:
            return False
        expected = expected_legal(self.document, view, 0)
        if place.must is not None and expected == ["pass"]:
            return False
        assert list(self.game.sample(view, 0, SEED).legal()) == expected, place
        return True

    def may_be_wild(self, height: int) -> bool:
        """Whether a pile of this height may have a wild on top."""
        return height in wild_ranks(self.document)

    def _heights(self, centre: Sequence[int]) -> list[int]:
        if self.options.get("centre") == "unlimited":
            return [*centre, 0]
        return [*centre, *[0] * (4 - len(centre))]

    def _spent(self, heights: Sequence[int], must: int | None) -> Counter[str]:
        spent = Counter(self._natural(rank) for height in heights for rank in range(1, height + 1))
        if must is not None:
            spent[self._natural(heights[must])] -= 1
            spent[self.wild] += 1
        return spent

    def _natural(self, rank: int) -> str:
        return next(name for name in self.names if rank_of(name) == rank)


def _four(piles: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(pile) for pile in [*piles, (), (), (), ()][:4])


def small_worlds(world: World) -> Iterator[Place]:
    """Every way to lay out the world's cards: a small hand, goal tops, two discard piles, a few heights."""
    small, _, more = world.cards.partition("|")
    cards = (small + more).split() if LARGE else small.split()
    wilds = [card for card in cards if is_wild({"game": world.game, "options": world.options}, card)]
    covering = world.options.get("cover_wild", False)
    hands = [hand for size in (1, 2) for hand in itertools.combinations_with_replacement(cards, size)]
    # Whether a goal card is the last matters only where that frees a wild from being covered.
    tops = [[(card, 3)] for card in cards] + [[(card, 1)] for card in wilds if covering]
    if world.options.get("misery"):
        second = [("", 0), *((card, 2) for card in cards)]
        tops = [[*first, other] for first in [*tops, [("", 0)]] for other in second if first[0][1] + other[1]]
    single_piles: list[tuple[str, ...]] = [(), *((card,) for card in cards)]
    # A wild that is played uncovers what lies beneath it.
    deep_piles = [(below, top) for below in cards for top in (cards if LARGE else wilds if covering else [])]
    centres = itertools.product(world.heights, repeat=3 if LARGE else 2)
    partners = _partners(cards) if world.options.get("partners") else [(None, ())]
    second_piles = [()] if covering else single_piles
    for centre, hand, goals, first, second_pile, (goal, discard) in itertools.product(
        centres, hands, tops, single_piles + deep_piles, second_piles, partners
    ):
        place = Place(hand, goals, (first, second_pile), centre, goal, discard)
        yield place
        if covering:
            yield from (place._replace(must=slot) for slot in range(len(centre)))


def _partners(cards: Sequence[str]) -> list[tuple[str | None, Sequence[str]]]:
    piles: list[Sequence[str]] = [(), *((card,) for card in cards)]
    return [(goal, pile) for goal in [None, *cards] for pile in piles]


@every_world
def test_every_position_of_a_small_world_has_the_legal_list_the_rule_text_gives(name: str) -> None:
    rules = Rules(WORLDS[name])
    checked = sum(rules.check(place) for place in small_worlds(WORLDS[name]))
    assert checked > 1_000


@every_world
def test_every_single_card_goes_where_the_rule_text_lets_it_on_every_pair_of_heights(name: str) -> None:
    world = WORLDS[name]
    rules = Rules(world)
    top = top_rank(rules.document)
    goals = [("", 0), ("", 0)] if world.options.get("misery") else [("", 0)]
    for card, low, gap in itertools.product(rules.names, range(top), range(top) if LARGE else (0, 1)):
        centre = (low, (low + gap) % top, low)
        neutral = rules.names[(rank_of(card) + 4) % 10]
        for number in range(len(goals)):
            own = [(card, 2) if number == which else (neutral, 2) for which in range(len(goals))]
            rules.check(Place([neutral], own, [], centre))
        others = [(neutral, 2)] * len(goals)
        rules.check(Place([card], others, [], centre))
        rules.check(Place([card, card], others, [[card, neutral], [neutral]], centre))
        rules.check(Place([neutral], others, [[], [neutral, card]], centre))
        if rules.partner is not None:
            rules.check(Place([neutral], others, [], centre, card, [neutral]))
            rules.check(Place([neutral], others, [], centre, neutral, [card]))
