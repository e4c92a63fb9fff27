"""The numbered cases of the family: a position, its legal moves, what moves lead to; every test names its case."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from engine.errors import IllegalMoveError, RulesError
from engine.games import game_from_document
from engine.spite.options import Options, SkipBoOptions, StarturnOptions
from engine.spite.view import SpiteView
from tests.engine.spite.positions import position, stacked

FORCED = Options(forced_low=True)
KING_HIGH = Options(jokers_to_king=True)
UNLIMITED = Options(centre="unlimited")
MISERY = Options(misery=True)
SKIP_BO = SkipBoOptions()
STARTURN = StarturnOptions()

Setup = Mapping[str, Any]


class Listed(NamedTuple):
    """A position and all that is legal in it."""

    case: str
    setup: Setup
    legal: Sequence[str]


LISTED = (
    Listed(
        "1: a king opens no pile, from the hand or the goal pile; four cards may be discarded",
        {"hand": "K K 5 6 7", "goal": "K"},
        ["h5>d0", "h6>d0", "h7>d0", "hK>d0"],
    ),
    Listed(
        "2: a king on the goal pile goes as a queen on eleven cards",
        {"hand": "2", "goal": "K", "centre": (11, 0, 0, 0)},
        ["g>c0", "h2>d0"],
    ),
    Listed(
        "3: five aces and no place for them leave only a pass",
        {"hand": "A A A A A", "goal": "9", "centre": (3, 4, 5, 6)},
        ["pass"],
    ),
    Listed(
        "5: a goal card that fits must go when nothing else is legal",
        {"hand": "A A A A A", "goal": "4", "centre": (3, 4, 5, 6)},
        ["g>c0"],
    ),
    Listed(
        "6: equal piles and empty discard piles merge, and the card under a king is not in play",
        {"hand": "9 9", "goal": "9", "centre": (4, 4, 0, 7), "discards": ["5 K"]},
        ["d0>c0", "d0>c3", "h9>d0", "h9>d1"],
    ),
    Listed(
        "15: who has a goal card that fits may discard at once",
        {"hand": "5 6", "goal": "A"},
        ["g>c0", "h5>d0", "h6>d0"],
    ),
    Listed(
        "17: with a free place only the ace",
        {"hand": "A 7 8 9 9", "goal": "Q", "centre": (4, 0, 9, 10), "options": FORCED},
        ["hA>c1"],
    ),
    Listed(
        "17: without a free place everything",
        {"hand": "A 7 8 9 9", "goal": "Q", "centre": (4, 7, 9, 10), "options": FORCED},
        ["h8>c1", "h7>d0", "h8>d0", "h9>d0"],
    ),
    Listed(
        "17: a king that could be a two is not forced",
        {"hand": "K 7 8 9 9", "goal": "Q", "centre": (1, 0, 0, 0), "options": FORCED},
        ["hK>c0", "h7>d0", "h8>d0", "h9>d0", "hK>d0"],
    ),
    *(
        Listed(
            f"18: a joker may not stand for {name}",
            {"hand": "*", "goal": "*", "centre": (height,) * 4, "options": KING_HIGH},
            ["h*>d0"],
        )
        for height, name in ((6, "a seven"), (10, "a jack"), (0, "an ace"), (1, "a two"))
    ),
    *(
        Listed(
            f"18: a joker may stand for {name}",
            {"hand": "*", "goal": "*", "centre": (height,) * 4, "options": KING_HIGH},
            ["g>c0", "h*>c0", "h*>d0"],
        )
        for height, name in ((12, "a king"), (11, "a queen"))
    ),
    Listed(
        "21: an ace opens a seventh pile",
        {"hand": "A", "goal": "9", "centre": (1, 2, 3, 4, 5, 6), "options": UNLIMITED},
        ["hA>c6"],
    ),
    Listed(
        "22: both goal tops are in play",
        {"hand": "9", "goal": "3 4", "centre": (2, 3, 0, 0), "left": (5, 5, 5, 5), "options": MISERY},
        ["g>c0", "g1>c1", "h9>d0"],
    ),
    Listed(
        "23: a wild opens a pile, and may be discarded",
        {"hand": "*", "goal": "*", "options": SKIP_BO},
        ["g>c0", "h*>c0", "h*>d0"],
    ),
    Listed(
        "23: a wild goes on eleven cards, and a one may be discarded",
        {"hand": "1 *", "goal": "5", "centre": (11, 3, 6, 8), "options": SKIP_BO},
        ["h*>c0", "h*>c1", "h*>c2", "h*>c3", "h1>d0", "h*>d0"],
    ),
)


@pytest.mark.parametrize("listed", LISTED, ids=lambda listed: listed.case)
def test_the_legal_moves_of_case(listed: Listed) -> None:
    assert list(position(**listed.setup).legal()) == listed.legal


class Ended(NamedTuple):
    """A position, moves of it, and how they end the deal."""

    case: str
    setup: Setup
    moves: Sequence[str]
    points: tuple[int, ...]
    reason: str


NO_CARDS = {"hand": "4", "goal": "9", "centre": (3, 2, 4, 5), "stock": 0}
DRAWN = "exhausted"
ENDED = (
    Ended("8: a redraw that gets nothing draws the deal at once", NO_CARDS, ["h4>c0"], (0, 0), DRAWN),
    Ended(
        "9: the last goal card wins at once",
        {"hand": "2 3 J", "goal": "4", "centre": (3, 0, 0, 0), "left": (1, 3)},
        ["g>c0"],
        (8, 0),
        "won",
    ),
    Ended("12: seven and ten goal cards left", {**NO_CARDS, "left": (7, 10)}, ["h4>c0"], (3, 0), DRAWN),
    Ended("12: ten and seven left", {**NO_CARDS, "left": (10, 7)}, ["h4>c0"], (0, 3), DRAWN),
    Ended("12: four, nine, eleven left", {**NO_CARDS, "left": (4, 9, 11)}, ["h4>c0"], (12, 0, 0), DRAWN),
    Ended("12: two have the fewest", {**NO_CARDS, "left": (6, 6, 9)}, ["h4>c0"], (0, 0, 0), DRAWN),
    Ended(
        "22: the deal is won when both goal piles are played out, and counts both of the other's",
        {"hand": "9", "goal": "3 4", "centre": (2, 0, 0, 0), "left": (1, 1, 3, 5), "options": MISERY},
        ["g>c0", "g1>c0"],
        (13, 0),
        "won",
    ),
)


@pytest.mark.parametrize("ended", ENDED, ids=lambda ended: ended.case)
def test_the_end_of_case(ended: Ended) -> None:
    deal = position(**ended.setup)
    for move in ended.moves:
        assert deal.result is None
        deal.apply(move)
    assert deal.result is not None
    assert (deal.result.points, deal.result.reason) == (ended.points, ended.reason)
    assert deal.to_act is None


def test_case_2_the_twelfth_card_frees_the_place_and_all_twelve_are_dead() -> None:
    deal = position(hand="A 2", goal="K", centre=(11, 3, 3, 3))
    deal.apply("g>c0")
    assert deal.view(0).centre == [0, 3, 3, 3]
    assert len(deal.table.dead) == 12
    assert deal.legal()[0] == "hA>c0"


@pytest.mark.parametrize(
    ("move", "listed"), [("d0>c1", "d0>c0"), ("h9>d2", "h9>d1"), ("h9>d3", "h9>d1"), ("d0>c3", "d0>c3")]
)
def test_case_6_an_equal_pile_is_understood(move: str, listed: str) -> None:
    deal = position(hand="9 9", goal="9", centre=(4, 4, 0, 7), discards=["5 K"])
    assert deal.resolve(move) == listed


@pytest.mark.parametrize("move", ["h5>c0", "d1>c0", "d0>c2"])
def test_case_6_neither_the_buried_five_nor_a_king_on_an_empty_place_may_be_played(move: str) -> None:
    deal = position(hand="9 9", goal="9", centre=(4, 4, 0, 7), discards=["5 K"])
    with pytest.raises(IllegalMoveError):
        deal.resolve(move)


def test_case_9_the_winner_keeps_his_hand() -> None:
    deal = position(hand="2 3 J", goal="4", centre=(3, 0, 0, 0), left=(1, 3))
    deal.apply("g>c0")
    assert deal.view(0).hand == ["2", "3", "J"]
    assert deal.view(0).discards[0] == ((), (), (), ())


def test_case_10_the_last_card_discarded_ends_the_turn_and_a_short_draw_plays_on() -> None:
    deal = position(hand="4", goal="9", stock=3)
    deal.apply("h4>d0")
    assert (deal.to_act, deal.result) == (1, None)
    assert deal.view(1).hand_sizes == [0, 3]
    assert deal.view(1).stock == 0
    assert deal.legal()


def test_case_14_a_hand_played_out_is_refilled_in_the_same_turn() -> None:
    deal = stacked(position(hand="A 2 3 A 2", goal="9"), "J J Q K 10")
    for move in ("hA>c0", "h2>c0", "h3>c0", "hA>c1", "h2>c1"):
        assert (deal.to_act, deal.view(0).turn) == (0, 1)
        deal.apply(move)
    assert (deal.to_act, deal.view(0).turn) == (0, 1)
    assert deal.view(0).hand == ["10", "J", "J", "Q", "K"]


def test_case_15_a_goal_card_held_back_is_still_there() -> None:
    deal = position(hand="5 6", goal="A")
    deal.apply("h5>d0")
    assert deal.to_act == 1
    assert (deal.view(1).goals[0][0].top, deal.view(1).goals[0][0].left) == ("A", 10)


@pytest.mark.parametrize(("players", "needed"), [(4, 136), (3, 105)])
def test_case_16_two_packs_cannot_supply_that_many_goal_piles(players: int, needed: int) -> None:
    document = {"game": "spite-and-malice", "rules_version": 1, "players": players, "options": {"packs": 2}}
    with pytest.raises(RulesError, match=f"need {needed} cards, the packs have 104"):
        game_from_document(document)


def test_case_17_the_compulsion_is_looked_at_again_after_every_action() -> None:
    deal = position(hand="A 2 7", goal="2", centre=(0, 5, 6, 8), discards=["2"], options=FORCED)
    assert deal.legal() == ["hA>c0"]
    deal.apply("hA>c0")
    assert deal.legal() == ["g>c0", "h2>c0", "d0>c0"]
    deal.apply("d0>c0")
    assert "h7>d0" in deal.legal()


def test_case_18_a_joker_as_a_king_completes_the_pile() -> None:
    deal = position(hand="* 5", goal="9", centre=(12, 0, 0, 0), options=KING_HIGH)
    deal.apply("h*>c0")
    assert deal.view(0).centre == [0, 0, 0, 0]
    assert (len(deal.table.dead), deal.view(0).spent["*"]) == (13, 1)


def test_case_21_complete_piles_stay_until_the_stock_is_out() -> None:
    deal = position(
        hand="Q 9", goal="3", centre=(11, 4, 5), stock=0, dead=24, hands={1: "8 8 8 8 8"}, options=UNLIMITED
    )
    deal.apply("hQ>c0")
    deal.apply("h9>d0")
    assert (deal.to_act, len(deal.table.dead), deal.view(1).stock) == (1, 36, 0)
    deal.apply("h8>d0")
    assert (deal.to_act, deal.table.dead, deal.view(0).stock) == (0, [], 31)
    assert deal.view(0).centre[1:3] == [4, 5]


def test_case_22_clearing_one_goal_pile_does_not_end_the_deal() -> None:
    deal = position(hand="9", goal="3 8", centre=(2, 0, 0, 0), left=(1, 4, 5, 5), options=MISERY)
    deal.apply("g>c0")
    assert (deal.result, deal.to_act) == (None, 0)
    assert [pile.left for pile in deal.view(0).goals[0]] == [0, 4]
    assert deal.legal() == ["h9>d0"]


def test_case_23_a_wild_opens_a_pile_as_a_one_and_completes_one_as_a_twelve() -> None:
    deal = position(hand="* * 5", goal="9", centre=(0, 11, 0, 0), options=SKIP_BO)
    deal.apply("h*>c0")
    assert deal.view(0).centre == [1, 11, 0, 0]
    deal.apply("h*>c1")
    assert deal.view(0).centre == [1, 0, 0, 0]
    assert len(deal.table.dead) == 12


def test_case_25_who_plays_his_last_card_hands_the_turn_on_without_a_discard_or_new_cards() -> None:
    deal = position(hand="4", goal="9", centre=(3, 0, 0, 0), options=STARTURN)
    deal.apply("h4>c0")
    assert deal.to_act == 1
    assert deal.view(0).hand_sizes == [0, 5]
    assert deal.view(0).discards[0] == ((), (), (), ())


def test_case_25_a_pile_of_fifteen_returns_to_the_stock_at_once() -> None:
    deal = position(hand="15 2", goal="9", centre=(14, 0, 0, 0), stock=20, options=STARTURN)
    deal.apply("h15>c0")
    view = deal.view(0)
    assert isinstance(view, SpiteView)
    assert (view.centre, view.stock, deal.table.dead) == ([0, 0, 0, 0], 35, [])
    assert sum(view.spent.values()) == 0


def test_every_case_of_the_family_is_here() -> None:
    titles = [listed.case for listed in LISTED] + [ended.case for ended in ENDED]
    named = {int(title.split(":")[0]) for title in titles}
    named |= {int(name.split("_")[2]) for name in globals() if name.startswith("test_case_")}
    assert named == {1, 2, 3, 5, 6, 8, 9, 10, 12, 14, 15, 16, 17, 18, 21, 22, 23, 25}
