"""The numbered cases of the common game: a position, its legal moves, what a move leads to."""

import pytest

from engine.errors import RulesError
from engine.games import game_from_document
from engine.spite.scoring import drawn_points
from tests.engine.spite.positions import position, stacked


def test_case_1_a_king_cannot_open_a_pile() -> None:
    deal = position(hand="K K 5 6 7", goal="K")
    assert deal.legal() == ["h5>d0", "h6>d0", "h7>d0", "hK>d0"]


def test_case_2_a_king_completes_a_pile_as_queen_and_frees_the_slot() -> None:
    deal = position(hand="2", goal="K", centre=(11, 0, 0, 0))
    assert deal.legal() == ["g>c0", "h2>d0"]
    deal.apply("g>c0")
    assert deal.view(0).centre == [0, 0, 0, 0]
    assert len(deal.table.dead) == 12


def test_case_3_five_aces_and_nowhere_to_go_leave_only_a_pass() -> None:
    assert position(hand="A A A A A", goal="9", centre=(3, 4, 5, 6)).legal() == ["pass"]


def test_case_5_a_playable_goal_card_must_be_played_when_nothing_else_is_legal() -> None:
    assert position(hand="A A A A A", goal="4", centre=(3, 4, 5, 6)).legal() == ["g>c0"]


def test_case_6_equal_centre_piles_and_empty_discard_slots_merge() -> None:
    deal = position(hand="9 9", goal="9", centre=(4, 4, 0, 7), discards=["5 K"])
    assert deal.legal() == ["d0>c0", "d0>c3", "h9>d0", "h9>d1"]
    assert deal.resolve("d0>c1") == "d0>c0"
    assert deal.resolve("h9>d3") == "h9>d1"


def test_case_8_a_redraw_that_gets_nothing_draws_the_deal_at_once() -> None:
    deal = position(hand="4", goal="9", centre=(3, 2, 4, 5), stock=0)
    deal.apply("h4>c0")
    assert deal.result is not None
    assert (deal.result.points, deal.result.reason) == ((0, 0), "exhausted")
    assert deal.to_act is None


def test_case_9_the_last_goal_card_wins_at_once_with_a_hand_left() -> None:
    deal = position(hand="2 3 J", goal="4", centre=(3, 0, 0, 0), left=(1, 3))
    deal.apply("g>c0")
    assert deal.result is not None
    assert (deal.result.points, deal.result.reason) == ((8, 0), "won")
    assert deal.view(0).hand == ["2", "3", "J"]


def test_case_10_discarding_the_last_card_ends_the_turn_and_a_short_draw_plays_on() -> None:
    deal = position(hand="4", goal="9", stock=3)
    deal.apply("h4>d0")
    assert deal.to_act == 1
    assert deal.view(1).hand_sizes == [0, 3]
    assert deal.result is None


@pytest.mark.parametrize(
    ("left", "points"),
    [
        ([7, 10], (3, 0)),
        ([4, 9, 11], (12, 0, 0)),
        ([6, 6, 9], (0, 0, 0)),
        ([10, 7], (0, 3)),
        ([5, 5], (0, 0)),
        ([9, 1, 9, 9], (0, 24, 0, 0)),
    ],
)
def test_case_12_a_drawn_deal_pays_the_difference_to_whoever_has_fewest(
    left: list[int], points: tuple[int, ...]
) -> None:
    assert drawn_points(left) == points


def test_case_14_a_hand_played_out_is_refilled_in_the_same_turn() -> None:
    deal = stacked(position(hand="A 2 3 A 2", goal="9"), "J J Q K 10")
    for move in ("hA>c0", "h2>c0", "h3>c0", "hA>c1", "h2>c1"):
        assert deal.to_act == 0
        deal.apply(move)
    assert deal.to_act == 0
    assert deal.view(0).hand == ["10", "J", "J", "Q", "K"]
    assert deal.view(0).turn == 1


def test_case_15_a_playable_goal_card_may_be_held() -> None:
    deal = position(hand="5 6", goal="A")
    assert "h5>d0" in deal.legal()
    deal.apply("h5>d0")
    assert deal.to_act == 1


@pytest.mark.parametrize(("players", "needed"), [(4, 136), (3, 105)])
def test_case_16_two_packs_cannot_supply_that_many_goal_piles(players: int, needed: int) -> None:
    document = {"game": "spite-and-malice", "rules_version": 1, "players": players, "options": {"packs": 2}}
    with pytest.raises(RulesError, match=f"need {needed} cards, the packs have 104"):
        game_from_document(document)
