"""The options V1 to V7 of the common game and each of their named ambiguities."""

import pytest

from engine.errors import IllegalMoveError
from engine.spite.options import Options
from tests.engine.spite.positions import game_of, new_deal, position, stacked

UNLIMITED = Options(centre="unlimited")
FORCED = Options(forced_low=True)
MISERY = Options(misery=True)
TO_KING = Options(jokers_to_king=True)
COVER = Options(cover_wild=True)
PAIRS = Options(natural_low_pairs=True)


def plays(legal: list[str]) -> list[str]:
    return [move for move in legal if ">c" in move]


def test_v1_a_centre_without_limit_always_has_a_place_for_an_ace() -> None:
    deal = position(hand="A 5", goal="2", centre=(5, 6, 7, 8, 9, 10), options=UNLIMITED)
    assert deal.view(0).centre == [5, 6, 7, 8, 9, 10, 0]
    assert plays(deal.legal()) == ["hA>c6"]
    deal.apply("hA>c6")
    assert deal.view(0).centre == [5, 6, 7, 8, 9, 10, 1, 0]
    assert plays(deal.legal()) == ["g>c6"]


def test_v1_the_place_of_a_completed_pile_is_free_again_and_comes_before_the_last() -> None:
    deal = position(hand="Q A 9", goal="3", centre=(5, 11, 7), options=UNLIMITED)
    deal.apply("hQ>c1")
    assert deal.view(0).centre == [5, 0, 7, 0]
    assert plays(deal.legal()) == ["hA>c1"]


def test_v1_completed_piles_stay_until_the_stock_has_run_out() -> None:
    deal = position(hand="9 Q", goal="3", centre=(11, 0), dead=12, stock=4, options=UNLIMITED)
    deal.apply("hQ>c0")
    assert (deal.view(0).stock, len(deal.table.dead)) == (4, 24)
    deal.apply("h9>d0")
    assert (deal.view(1).stock, deal.view(1).hand_sizes[1], deal.table.dead) == (23, 5, [])


def test_a_v1_unfinished_piles_are_not_taken_up_so_that_without_a_finished_one_the_deal_is_exhausted() -> (
    None
):
    deal = position(hand="9", goal="3", centre=(11, 8, 0), stock=0, left=(7, 10), options=UNLIMITED)
    deal.apply("h9>d0")
    assert deal.result is not None
    assert (deal.result.points, deal.result.reason) == ((3, 0), "exhausted")


def test_a_v2a_a_wild_is_never_a_two_that_must_be_played() -> None:
    deal = position(hand="K 7 8 9 9", goal="5", centre=(1, 0, 0, 0), options=FORCED)
    assert deal.legal()[0] == "hK>c0"
    assert "h7>d0" in deal.legal()


def test_a_v2b_the_mover_chooses_among_the_aces_and_twos_of_goal_hand_and_discards() -> None:
    deal = position(hand="A 2 9", goal="2", discards=["7 2", "4"], centre=(1, 0, 6, 3), options=FORCED)
    assert deal.legal() == ["g>c0", "hA>c1", "h2>c0", "d0>c0"]
    with pytest.raises(
        IllegalMoveError, match="'d1>c3': an ace or a two that can be played must be played first"
    ):
        deal.resolve("d1>c3")
    with pytest.raises(
        IllegalMoveError, match="'h9>d0': an ace or a two that can be played must be played first"
    ):
        deal.resolve("h9>d0")


def test_a_v2c_the_compulsion_is_looked_at_anew_after_every_action_and_after_a_redraw() -> None:
    deal = stacked(position(hand="A 7", goal="9", centre=(6, 0, 0, 0), options=FORCED), "2 K 9 9 J")
    deal.apply("hA>c1")
    assert deal.legal() == ["h7>c0", "h7>d0"]
    deal.apply("h7>c0")
    assert deal.legal() == ["h2>c1"]


def test_a_v2d_nothing_is_forced_out_of_turn() -> None:
    deal = position(hand="9", goal="3", centre=(1, 4, 5, 6), goals={1: "2"}, options=FORCED)
    assert deal.legal() == ["h9>d0"]


def test_a_v3a_both_goal_piles_are_live() -> None:
    deal = position(hand="9", goal="3 6", centre=(5, 2, 0, 0), left=(12, 12, 12, 12), options=MISERY)
    assert deal.legal() == ["g>c1", "g1>c0", "h9>d0"]
    assert deal.resolve("g0>c1") == "g>c1"
    assert [pile.top for pile in deal.view(0).goals[0]] == ["3", "6"]


def test_a_v3b_a_deal_is_won_when_both_piles_are_empty_and_both_piles_of_the_others_count() -> None:
    deal = position(hand="9", goal="3 6", centre=(5, 2, 0, 0), left=(1, 1, 3, 4), options=MISERY)
    deal.apply("g1>c0")
    assert (deal.to_act, deal.result) == (0, None)
    with pytest.raises(IllegalMoveError, match="'g1>c0': goal pile 1 is empty"):
        deal.resolve("g1>c0")
    deal.apply("g>c1")
    assert deal.result is not None
    assert (deal.result.points, deal.result.reason) == ((12, 0), "won")


@pytest.mark.parametrize(("left", "points"), [((7, 2, 6, 6), (3, 0)), ((7, 3, 4, 6), (0, 0))])
def test_a_v3b_a_drawn_deal_counts_both_piles(left: tuple[int, ...], points: tuple[int, int]) -> None:
    deal = position(hand="9", goal="3 6", left=left, stock=0, options=MISERY)
    deal.apply("h9>d0")
    assert deal.result is not None
    assert (deal.result.points, deal.result.reason) == (points, "exhausted")


def test_a_v3c_hands_have_six_cards_at_the_start_and_when_played_out() -> None:
    assert new_deal(options=MISERY).view(0).hand_sizes == [6, 0]
    deal = position(hand="A", goal="9 9", left=(12, 12, 12, 12), options=MISERY)
    deal.apply("hA>c0")
    assert deal.view(0).hand_sizes[0] == 6


@pytest.mark.parametrize(("players", "cards"), [(2, 104), (3, 156)])
def test_v3_there_is_a_pack_for_every_player_and_two_goal_piles_of_twelve(players: int, cards: int) -> None:
    starting = new_deal(players, MISERY).starting_cards()
    assert [len(pile) for pile in starting["goals"]] == [12] * (2 * players)
    assert len(starting["stock"]) + 24 * players == cards


@pytest.mark.parametrize(("per_pack", "cards"), [(2, 162), (4, 168)])
def test_a_v4a_there_are_two_jokers_in_each_pack_or_as_many_as_the_option_says(
    per_pack: int, cards: int
) -> None:
    deck = game_of(2, Options(jokers_to_king=True, jokers_per_pack=per_pack)).plan.deck
    assert (len(deck), deck.printed.count("*")) == (cards, 3 * per_pack)


@pytest.mark.parametrize("height", range(13))
def test_a_v4b_a_joker_on_the_goal_pile_plays_as_any_rank_but_ace_two_seven_and_jack(height: int) -> None:
    deal = position(hand="5", goal="*", centre=(height, 3, 3, 3), options=TO_KING)
    assert ("g>c0" in deal.legal()) is (height not in (0, 1, 6, 10))


def test_v4_kings_are_natural_and_complete_a_pile() -> None:
    deal = position(hand="K 5", goal="K", centre=(12, 6, 3, 0), options=TO_KING)
    assert plays(deal.legal()) == ["g>c0", "hK>c0"]
    deal.apply("g>c0")
    assert (deal.view(0).centre, len(deal.table.dead)) == ([0, 6, 3, 0], 13)


def test_a_v4c_jokers_may_be_discarded_and_played_later() -> None:
    deal = position(hand="* 5", goal="9", discards=["*"], centre=(3, 0, 0, 0), options=TO_KING)
    assert deal.legal() == ["h*>c0", "d0>c0", "h5>d0", "h5>d1", "h*>d0", "h*>d1"]


@pytest.mark.parametrize(
    ("move", "reason"), [("g>c0", "a \\* cannot stand for 7"), ("g>c1", "a \\* cannot open")]
)
def test_v4_a_joker_refused_says_for_what(move: str, reason: str) -> None:
    with pytest.raises(IllegalMoveError, match=reason):
        position(hand="5", goal="*", centre=(6, 0, 3, 3), options=TO_KING).resolve(move)


@pytest.mark.parametrize(
    ("hand", "goal", "discards", "legal"),
    [
        ("K 5", "9", [], True),
        ("K 9", "5", [], True),
        ("K 9", "9", ["9 5"], True),
        ("K 9", "9", ["5 9"], False),
        ("K K", "9", [], False),
    ],
)
def test_a_v5a_a_wild_needs_a_natural_card_in_sight_to_cover_it(
    hand: str, goal: str, discards: list[str], legal: bool
) -> None:
    deal = position(hand=hand, goal=goal, discards=discards, centre=(3, 0, 0, 0), options=COVER)
    assert ("hK>c0" in deal.legal()) is legal
    if not legal:
        with pytest.raises(IllegalMoveError, match="there is no 5 in sight to cover the K with"):
            deal.resolve("hK>c0")


@pytest.mark.parametrize(("pile", "legal"), [("5 K", True), ("K", False), ("K 5 K", True), ("5 K K", False)])
def test_a_v5a_the_card_a_wild_uncovers_counts(pile: str, legal: bool) -> None:
    deal = position(hand="9", goal="9", discards=[pile], centre=(3, 0, 0, 0), options=COVER)
    assert ("d0>c0" in deal.legal()) is legal


def test_a_v5a_the_face_down_card_under_a_goal_card_does_not_count() -> None:
    deal = position(hand="9", goal="K", centre=(3, 0, 0, 0), options=COVER)
    deal.table.goals[0][-2] = next(card for card in deal.table.stock.cards() if deal.table.ranks[card] == 5)
    assert "g>c0" not in deal.legal()


@pytest.mark.parametrize("height", [0, 6, 11])
def test_a_v5a_a_wild_is_neither_ace_nor_seven_nor_queen(height: int) -> None:
    deal = position(hand="K 2 8 K", goal="9", centre=(height, 3, 3, 3), options=COVER)
    assert "hK>c0" not in deal.legal()


def test_a_v5b_after_a_wild_only_plays_that_cover_it_are_legal() -> None:
    deal = position(hand="K 5 5 9", goal="5", discards=["5", "9"], centre=(4, 3, 0, 8), options=COVER)
    deal.apply("hK>c1")
    assert deal.view(0).must == "c1"
    assert deal.legal() == ["g>c1", "h5>c1", "d0>c1"]
    # Place 0 is as high, but not the one to be covered.
    for move in ("g>c0", "h9>c3", "h9>d0"):
        with pytest.raises(
            IllegalMoveError, match="the wild on centre pile 1 must be covered first, with a 5"
        ):
            deal.resolve(move)
    deal.apply("h5>c1")
    assert deal.view(0).must is None
    assert "h9>d0" in deal.legal()


def test_a_v5b_a_wild_played_as_the_last_hand_card_is_covered_after_the_redraw() -> None:
    deal = stacked(position(hand="K", goal="5", centre=(3, 0, 0, 0), options=COVER), "5 9 9 9 9")
    deal.apply("hK>c0")
    assert deal.legal() == ["g>c0", "h5>c0"]


def test_a_v5c_a_wild_as_the_last_goal_card_wins_at_once_uncovered() -> None:
    deal = position(hand="9", goal="K", centre=(3, 0, 0, 0), left=(1, 4), options=COVER)
    deal.apply("g>c0")
    assert deal.result is not None
    assert (deal.result.points, deal.result.reason) == ((9, 0), "won")


def test_v5_and_v2_together_let_a_wild_be_covered_before_an_ace_is_played() -> None:
    options = Options(cover_wild=True, forced_low=True)
    deal = position(hand="A 5", goal="9", centre=(4, 0, 0, 3), must=0, options=options)
    assert deal.legal() == ["h5>c0"]
    deal.apply("h5>c0")
    assert deal.legal() == ["hA>c1"]


def test_v5_and_v2_together_say_that_an_ace_comes_before_a_wild_which_could_be_covered() -> None:
    options = Options(cover_wild=True, forced_low=True)
    deal = position(hand="A 5 K", goal="9", centre=(3, 0, 4, 5), options=options)
    with pytest.raises(IllegalMoveError, match="'hK>c0': an ace or a two that can be played must be played"):
        deal.resolve("hK>c0")
    deal.apply("hA>c1")
    assert "hK>c0" in deal.legal()
    with pytest.raises(IllegalMoveError, match="'hK>c2': there is no 6 in sight to cover the K with"):
        deal.resolve("hK>c2")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_v6_there_are_as_many_packs_as_players(players: int) -> None:
    assert len(game_of(players, Options(pack_per_player=True)).plan.deck) == 52 * players


def test_v7_a_wild_is_neither_ace_nor_two() -> None:
    deal = position(hand="K", goal="9", centre=(0, 1, 2, 2), options=PAIRS)
    assert plays(deal.legal()) == ["hK>c2"]
    with pytest.raises(IllegalMoveError, match="a K cannot stand for 2"):
        deal.resolve("hK>c1")


def test_a_v7a_a_pair_goes_on_one_pile_as_one_action_and_ends_the_turn() -> None:
    deal = position(hand="9 9 10 10 J", goal="3", options=PAIRS)
    assert deal.legal() == ["h9>d0", "h99>d0", "h10>d0", "h1010>d0", "hJ>d0"]
    deal.apply("h1010>d0")
    assert (deal.to_act, deal.view(0).discards[0][0]) == (1, ("10", "10"))
    event = deal.take_events(1)[0]
    assert (event.e, event.move, event.cards) == ("discard", "h1010>d0", ["10", "10"])


def test_a_v7a_never_more_than_two_cards_are_discarded() -> None:
    deal = position(hand="9 9 9", goal="3", options=PAIRS)
    assert deal.legal() == ["h9>d0", "h99>d0"]
    deal.apply("h99>d0")
    assert deal.view(0).hand == ["9"]


def test_a_v7b_aces_make_no_pair_kings_do_and_a_king_with_another_card_does_not() -> None:
    deal = position(hand="A A K K 9", goal="3", centre=(4, 5, 6, 7), options=PAIRS)
    assert [move for move in deal.legal() if ">d" in move] == ["h9>d0", "hK>d0", "hKK>d0"]
    with pytest.raises(IllegalMoveError, match="'hAA>d0': an ace may not be discarded"):
        deal.resolve("hAA>d0")
    with pytest.raises(IllegalMoveError, match="'h99>d0': there is only one 9 in the hand"):
        deal.resolve("h99>d0")
    with pytest.raises(IllegalMoveError, match="'hK9>d0' is not a move of this game"):
        deal.resolve("hK9>d0")


def test_v7_discarding_the_whole_hand_as_a_pair_ends_the_turn_without_a_redraw() -> None:
    deal = position(hand="9 9", goal="3", options=PAIRS)
    deal.apply("h99>d0")
    assert (deal.to_act, deal.view(0).hand_sizes[0]) == (1, 0)
