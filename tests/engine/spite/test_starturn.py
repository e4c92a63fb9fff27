"""Starturn and each of its named ambiguities."""

from collections import Counter

import pytest

from engine.spite.options import StarturnOptions
from tests.engine.spite.positions import game_of, new_deal, position

PLAIN = StarturnOptions()


def test_a_st_1_both_colours_run_from_one_to_fifteen_again_and_again() -> None:
    deck = game_of(2, PLAIN).plan.deck
    ranks = {
        dark: Counter(rank for rank, is_dark in zip(deck.ranks, deck.dark, strict=True) if is_dark is dark)
        for dark in (True, False)
    }
    assert ranks[True] == {**dict.fromkeys(range(1, 15), 3), 15: 2}
    assert ranks[False] == {**dict.fromkeys(range(1, 8), 4), **dict.fromkeys(range(8, 16), 3)}


@pytest.mark.parametrize(("players", "goal", "aside"), [(2, 22, 0), (3, 14, 2), (4, 11, 0)])
def test_the_dark_cards_are_shared_out_as_goal_piles_and_what_is_left_over_is_set_aside(
    players: int, goal: int, aside: int
) -> None:
    starting = new_deal(players, PLAIN).starting_cards()
    assert [len(pile) for pile in starting["goals"]] == [goal] * players
    dark = [card for pile in starting["goals"] for card in pile] + starting.get("aside", [])
    assert len(starting.get("aside", [])) == aside
    assert all("/dark/" in card for card in dark)
    assert all("/red/" in card for card in starting["stock"])
    assert len(starting["stock"]) == 52


def test_cards_set_aside_are_among_the_unseen_and_never_drawn() -> None:
    deal = new_deal(3, PLAIN)
    view = deal.view(0)
    face_down = sum(pile.left - 1 for piles in view.goals for pile in piles)
    assert view.hand_sizes == [5, 5, 5]
    assert sum(view.unseen.values()) == view.stock + face_down + 10 + 2
    aside = list(deal.table.aside)
    while deal.to_act is not None:
        deal.apply(deal.passive_move())
    assert deal.table.aside == aside


def test_everybody_has_five_red_cards_before_the_first_turn() -> None:
    deal = new_deal(2, PLAIN)
    assert (deal.view(0).hand_sizes, deal.view(0).stock) == ([5, 5], 42)


def test_a_st_2_no_card_is_wild() -> None:
    assert not any(game_of(2, PLAIN).plan.wild)


def test_a_st_3_a_hand_played_out_ends_the_turn_without_a_discard_and_without_a_redraw() -> None:
    deal = position(hand="1", goal="2", options=PLAIN)
    deal.apply("h1>c0")
    assert (deal.to_act, deal.view(0).hand_sizes) == (1, [0, 5])
    assert deal.view(0).turn == 2


def test_a_st_3_the_option_draws_anew_and_goes_on() -> None:
    deal = position(hand="1", goal="2", options=StarturnOptions(continue_on_empty=True))
    deal.apply("h1>c0")
    assert (deal.to_act, deal.view(0).hand_sizes) == (0, [5, 0])


def test_a_st_4_any_card_may_be_discarded_on_any_pile() -> None:
    deal = position(hand="1 15", goal="9", discards=["3", "1"], centre=(3, 4, 5, 6), options=PLAIN)
    assert deal.legal() == [f"h{card}>d{pile}" for card in (1, 15) for pile in (0, 1, 2)]


def test_a_st_5_the_dealer_begins_who_is_seat_0_at_first() -> None:
    assert [new_deal(2, PLAIN, dealer=dealer).to_act for dealer in (0, 1)] == [0, 1]


@pytest.mark.parametrize(
    ("options", "points"), [(PLAIN, (7, 0, 0)), (StarturnOptions(score="win"), (1, 0, 0))]
)
def test_a_st_6_a_point_for_every_card_left_to_the_others_or_one_for_winning(
    options: StarturnOptions, points: tuple[int, ...]
) -> None:
    deal = position(hand="9", goal="4", centre=(3, 0, 0, 0), left=(1, 3, 4), options=options)
    deal.apply("g>c0")
    assert deal.result is not None
    assert (deal.result.points, deal.result.reason) == (points, "won")


@pytest.mark.parametrize(("options", "points"), [(PLAIN, (3, 0)), (StarturnOptions(score="win"), (0, 0))])
def test_a_st_6_a_deal_without_cards_pays_the_difference_or_nothing(
    options: StarturnOptions, points: tuple[int, ...]
) -> None:
    deal = position(hand="9", goal="4", stock=0, left=(7, 10), options=options)
    deal.apply("h9>d0")
    assert deal.result is not None
    assert (deal.result.points, deal.result.reason) == (points, "exhausted")


def test_a_st_7_a_finished_pile_goes_straight_back_dark_cards_and_red_ones_alike() -> None:
    deal = position(hand="15 9", goal="3", centre=(14, 0, 0, 0), stock=20, options=PLAIN)
    pile = list(deal.table.centre[0])
    assert any(deal.table.deck.dark[card] for card in pile)
    deal.apply("h15>c0")
    assert (deal.view(0).centre, deal.view(0).stock, deal.table.dead) == ([0, 0, 0, 0], 35, [])
    assert set(pile) <= set(deal.table.stock.cards())
