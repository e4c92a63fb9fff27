"""Every named ambiguity of Parlett's game, and the rules around it."""

from collections import Counter

import pytest

from engine.errors import RulesError
from engine.game import Event
from engine.games import game_from_document, game_from_profile
from engine.parlett.deal import MAX_PLAYS, MAX_REDEALS, MAX_TURNS, ParlettDeal
from engine.parlett.options import Options
from engine.parlett.rules import ParlettGame
from tests.engine.parlett.positions import after, all_cards, new_deal, played_out, position, stacked

MEMORY = Options(joker_memory=True)


def ends(deal: ParlettDeal) -> str:
    """End the turn wherever that is legal."""
    return "end" if "end" in deal.legal() else deal.legal()[0]


def names(deal: ParlettDeal, cards: list[int]) -> list[str]:
    return [deal.table.deck.names[card] for card in cards]


def test_the_personal_packs_are_one_pack_and_hands_and_stock_the_other_with_four_jokers() -> None:
    deal = new_deal()
    start = deal.starting_cards()
    goals = [name for pile in start["goals"] for name in pile]
    assert [len(pile) for pile in start["goals"]] == [26, 26]
    assert len(goals) == 52
    assert all(name.startswith("0/") and "*" not in name for name in goals)
    assert Counter(name[0] for name in start["stock"] if "*" not in name) == {"1": 52}
    assert sum("*" in name for name in start["stock"]) == 4
    assert [len(hand) for hand in deal.table.hands] == [5, 5]
    assert deal.table.stock.count == 46
    assert names(deal, sorted(deal.table.hands[0])) == sorted(
        start["stock"][:5], key=deal.table.deck.names.index
    )


def test_the_higher_top_starts_whoever_deals() -> None:
    game = ParlettGame(Options())
    starts = set()
    for number in range(30):
        for dealer in (0, 1):
            deal = game.deal(bytes(32), number, dealer)
            tops = [deal.table.deck.ranks[pile[-1]] for pile in deal.table.goals]
            assert tops[0] != tops[1]
            assert deal.to_act == tops.index(max(tops))
            starts.add(deal.to_act)
    assert starts == {0, 1}


def test_equal_tops_have_both_personal_packs_reshuffled() -> None:
    deals = [new_deal(number) for number in range(150)]
    again = [deal for deal in deals if deal.epoch > 2]
    assert again
    assert all(deal.epoch % 2 == 0 for deal in again)


def test_a_king_closes_a_pile_and_nothing_goes_on_it() -> None:
    deal = position(hand="K * A", goal="K", centre=(12, 12), stock=30)
    assert "g>c0" in deal.legal()
    after(deal, "g>c0", "h*>c1")
    assert deal.view(0).centre == [0, 0, 0]
    assert len(deal.table.dead) == 26
    assert [move for move in deal.legal() if ">c" in move] == ["hA>c0"]


def test_centre_piles_are_as_many_as_there_are_aces_and_jokers() -> None:
    deal = position(hand="* * * *", goal="10", centre=(1,) * 8)
    after(deal, "h*>c8", "h*>c9", "h*>c10")
    assert deal.view(0).centre == [1] * 11 + [0]
    deal.apply("h*>c11")
    assert deal.view(0).centre == [1] * 12 + [0]
    assert deal.view(0).hand_sizes[0] == 5


def test_a_joker_is_whatever_a_centre_pile_needs() -> None:
    deal = position(hand="* 9", goal="9", centre=(12, 5, 5, 1), stock=30)
    assert deal.legal()[:4] == ["h*>c0", "h*>c1", "h*>c3", "h*>c4"]
    assert after(deal, "h*>c1").view(0).spent["*"] == 1


def test_the_opponents_piles_and_moves_between_side_piles_are_out_of_reach() -> None:
    deal = position(hand="9", goal="9", sides=["5", "4"], other_sides=["4"], centre=(3,))
    assert deal.legal() == ["d1>c0", "h9>d2", "end"]


def test_a_par_01_an_ace_on_the_personal_pack_must_be_played() -> None:
    assert position(goal="A", hand="3 4", centre=(2,)).legal() == ["g>c1"]


def test_a_par_02_no_ace_ever_lies_on_a_side_pile() -> None:
    for sides in ([], ["2"], ["*"], ["2 *"], ["5", "5", "9", "2"]):
        assert not [move for move in position(hand="A", sides=sides).legal() if move.startswith("hA>d")]


def test_a_par_02_aces_and_twos_of_the_hand_are_free() -> None:
    legal = position(hand="A 2 9", goal="9", centre=(1,)).legal()
    assert legal == ["hA>c1", "h2>c0", "h2>d0", "h9>d0", "end"]


def test_a_par_03_the_compulsion_comes_before_everything_and_also_in_mid_turn() -> None:
    deal = position(hand="A 9 8", goal="10", sides=["3 2"], centre=(9,))
    assert "end" in deal.legal()
    deal.apply("hA>c1")
    assert deal.legal() == ["d0>c1"]
    deal.apply("d0>c1")
    assert "g>c0" in deal.legal()


def test_a_par_03_a_personal_card_turned_up_binds_at_once() -> None:
    deal = position(hand="9", goal="5", centre=(4, 1))
    table = deal.table
    two = next(card for card in table.stock.cards() if table.deck.ranks[card] == 2)
    table.goals[0][-2] = two
    deal.apply("g>c0")
    assert deal.legal() == ["g>c1"]


def test_a_par_03_nothing_is_compulsory_on_the_opponents_turn() -> None:
    deal = position(hand="9 8", goal="9", centre=(1,), other_goal="2", other_hand="2 3")
    assert "end" in deal.legal()
    assert after(deal, "end").legal() == ["g>c0"]


def test_a_par_04_a_joker_is_no_cover() -> None:
    legal = position(hand="* 9", goal="9", sides=["2"], centre=(1,)).legal()
    assert legal == ["d0>c0"]


def test_a_par_04_a_joker_standing_as_an_ace_can_be_what_must_be_covered() -> None:
    deal = position(hand="* 9", goal="2", sides=[])
    assert "end" in deal.legal()
    assert after(deal, "h*>c0").legal() == ["g>c0"]


def test_a_par_05_a_joker_on_a_two_of_a_side_pile_lifts_the_compulsion() -> None:
    deal = position(hand="9", goal="9", sides=["2 *"], centre=(1,))
    assert deal.legal() == ["d0>c0", "d0>c1", "h9>d1", "end"]
    assert after(deal, "d0>c1").legal() == ["d0>c0"]


@pytest.mark.parametrize(
    ("pile", "takes"),
    [
        ("", "2 3 4 5 6 7 8 9 10 J Q K *"),
        ("7", "6 7 *"),
        ("2", "2 *"),
        ("3", "2 3 *"),
        ("K", "Q K *"),
        ("K *", "J Q K *"),
        ("3 *", "2 3 *"),
        ("* *", "2 3 4 5 6 7 8 9 10 J Q K *"),
        ("* 7", "6 7 *"),
        ("10 * 8", "7 8 *"),
        ("10 * 10", "9 10 *"),
        ("10 * 9 *", "8 9 * 7"),
    ],
)
@pytest.mark.parametrize("options", [Options(), MEMORY])
def test_a_par_06_what_a_side_pile_takes(pile: str, takes: str, options: Options) -> None:
    full = ["5", "5", "5"] if pile else []
    found = set()
    for card in ("A", *"23456789", "10", "J", "Q", "K", "*"):
        deal = position(hand=card, sides=[pile, *full], options=options)
        if f"h{card}>d0" in deal.legal():
            found.add(card)
    assert found == set(takes.split())


def memory_of(*, options: Options) -> ParlettDeal:
    """Return a deal whose side pile 0 is ten and joker, an eight having lain on them."""
    deal = position(hand="9 10 8 7 6", sides=["10 *", "5", "5", "5"], centre=(7,), options=options)
    return after(deal, "h8>d0", "end", "d0>c0")


def test_a_par_06_without_memory_a_joker_is_open_again_when_the_cards_on_it_are_gone() -> None:
    deal = memory_of(options=Options())
    assert deal.view(0).stands_for is None
    assert "h10>d0" in deal.legal()
    assert "h9>d0" in deal.legal()


def test_a_par_06_with_joker_memory_it_stays_what_they_made_it() -> None:
    deal = memory_of(options=MEMORY)
    stands_for = deal.view(0).stands_for
    assert stands_for is not None
    assert stands_for[0][0] == (("10",), ("9",))
    assert "h10>d0" not in deal.legal()
    assert "h9>d0" in deal.legal()


def test_a_par_06_with_joker_memory_a_card_tells_about_all_jokers_below_it() -> None:
    deal = position(hand="7", sides=["* * *"], options=MEMORY)
    deal.apply("h7>d0")
    stands_for = deal.view(0).stands_for
    assert stands_for is not None
    assert stands_for[0][0] == (("7", "8", "9", "10"), ("7", "8", "9"), ("7", "8"), ("7",))


def test_a_par_06_with_joker_memory_the_rank_next_to_a_natural_card_is_all_that_is_narrowed() -> None:
    deal = position(hand="6", sides=["9 8 *"], options=MEMORY)
    deal.apply("h6>d0")
    stands_for = deal.view(0).stands_for
    assert stands_for is not None
    assert stands_for[0][0] == (("9",), ("8",), ("7",), ("6",))


def test_a_par_06_taken_to_the_centre_a_joker_is_free_again() -> None:
    deal = position(hand="9", sides=["10 *"], centre=(3,), options=MEMORY)
    assert "d0>c0" in deal.legal()


def test_a_par_07_hands_are_dealt_at_the_start_and_drawn_up_at_the_end_of_a_turn() -> None:
    deal = new_deal()
    assert deal.view(0).hand_sizes == [5, 5]
    deal = position(hand="A 9 8", goal="10", other_hand="4 5 6 7 8")
    after(deal, "hA>c0", "h9>d0")
    assert deal.to_act == 1
    assert deal.view(0).hand_sizes == [5, 5]


def test_a_par_07_a_turn_ends_without_a_discard_too_and_draws_then() -> None:
    deal = after(position(hand="A 9 8", goal="10"), "hA>c0", "end")
    assert (deal.to_act, deal.view(0).hand_sizes[0], deal.turn) == (1, 5, 2)


def test_a_par_08_a_hand_played_out_is_refilled_in_the_same_turn() -> None:
    deal = stacked(position(hand="A 2", goal="10"), "3 4 J Q K")
    after(deal, "hA>c0", "h2>c0")
    assert deal.to_act == 0
    assert deal.view(0).hand == ["3", "4", "J", "Q", "K"]
    assert deal.turn == 1


def test_a_par_08_when_the_last_card_is_discarded_the_turn_is_over_first() -> None:
    deal = after(position(hand="9", goal="10"), "h9>d0")
    assert (deal.to_act, deal.view(0).hand_sizes[0]) == (1, 5)


def test_a_par_08_an_empty_hand_is_refilled_by_the_last_card_played_from_it_and_by_nothing_else() -> None:
    deal = position(hand="", goal="K", sides=["5", "7"], centre=(12, 4), stock=0)
    after(deal, "g>c0", "d0>c1")
    assert (deal.to_act, deal.view(0).hand_sizes[0], deal.view(0).stock) == (0, 0, 13)
    after(deal, "end")
    assert (deal.view(0).hand_sizes[0], deal.to_act) == (5, 1)


def test_a_par_09_a_finished_pile_waits_for_the_draw_that_makes_the_stock_low() -> None:
    deal = position(hand="9 8 7 6", goal="10", finished=1, stock=13)
    deal.apply("h9>d0")
    # Two drawn: the first leaves twelve, the second eleven, and then thirteen come back.
    assert (deal.view(0).hand_sizes[0], deal.view(0).stock, deal.table.dead) == (5, 24, [])


def test_a_par_09_a_draw_in_progress_goes_on_from_the_new_stock() -> None:
    deal = position(hand="9", goal="10", centre=(10, 3), stock=2)
    deal.apply("h9>d0")
    assert deal.view(0).hand_sizes[0] == 5
    assert (deal.view(0).stock, deal.view(0).centre) == (2 + 13 - 5, [0])


def test_a_par_09_a_completion_with_a_low_stock_is_replenished_before_the_refill() -> None:
    deal = position(hand="K", goal="10", centre=(12,), stock=3)
    deal.apply("hK>c0")
    assert (deal.to_act, deal.view(0).hand_sizes[0], deal.view(0).stock) == (0, 5, 3 + 13 - 5)
    assert [event.e for event in deal.take_events(1)] == ["play", "recycle", "draw"]


def test_a_par_10_with_stock_and_centre_empty_hands_stay_short() -> None:
    deal = position(hand="9 8", goal="10", stock=0, other_hand="4 5")
    deal.apply("h9>d0")
    assert (deal.to_act, deal.view(0).hand_sizes) == (1, [1, 2])
    assert [event.e for event in deal.take_events(1)] == ["discard"]


def test_a_par_10_what_comes_into_the_centre_can_be_drawn_again() -> None:
    deal = position(hand="A 9 8", goal="10", stock=0)
    after(deal, "hA>c0", "h9>d0")
    assert deal.view(0).centre == [0]
    assert deal.view(0).hand == ["A", "8"]


def test_a_par_11_a_seat_frozen_in_hand_still_has_its_turn() -> None:
    deal = position(hand="7 7 J", goal="9", sides=["5", "5", "3 ", "9"], centre=(8,))
    assert deal.legal() == ["g>c0", "d3>c0", "end"]


def test_a_par_11_a_turn_in_which_nothing_moved_is_idle_even_by_choice() -> None:
    deal = position(hand="A 2 3", goal="9", other_hand="A 2 3")
    assert after(deal, "end").idle == 1
    assert deal.view(1).idle == 1
    assert deal.view(1).must is None


def frozen(hand: str, other_hand: str, idle: int = 0, goal: str = "9") -> ParlettDeal:
    """Return a deal before two idle turns in a row, or after as many as told; a nine and an ace lie in the centre."""
    return position(hand=hand, goal=goal, other_hand=other_hand, other_goal="9", centre=(9, 1), idle=idle)


def test_a_par_12_after_two_idle_turns_an_ace_or_two_must_be_played() -> None:
    deal = after(frozen("A 2 10 * 7", "2 10 * 7 7"), "end", "end")
    assert deal.view(0).must == "forced"
    assert deal.legal() == ["hA>c2", "h2>c1"]


def test_a_par_12_twos_of_side_piles_and_the_personal_pack_count() -> None:
    deal = position(hand="10 7", goal="9", sides=["3 2"], centre=(9, 1), idle=2)
    assert deal.legal() == ["d0>c1"]
    assert frozen("10 7", "10", idle=2, goal="2").legal() == ["g>c1"]


def test_a_par_12_whoever_has_none_must_idle_though_other_moves_exist() -> None:
    deal = frozen("10 * 7", "2 10 7", idle=2)
    assert deal.legal() == ["end"]
    deal.apply("end")
    assert deal.view(1).must == "forced"
    assert deal.legal() == ["h2>c1"]


def test_a_par_12_any_move_leaves_the_forced_mode() -> None:
    deal = after(frozen("2 10 7", "10 7", idle=2), "h2>c1")
    assert deal.view(0).must is None
    assert deal.idle == 0
    assert "h10>c0" in deal.legal()
    after(deal, "end")
    assert "h10>c0" in deal.legal()


def test_a_par_12_two_forced_idle_turns_redeal_all_but_the_personal_packs() -> None:
    deal = position(
        hand="10 7", goal="9", sides=["K Q"], other_hand="8 7", other_sides=["4 3"], centre=(9, 3), idle=2
    )
    goals = [pile.copy() for pile in deal.table.goals]
    cards = len(all_cards(deal)) - deal.table.stock.count - 20
    deal.take_events(0)
    after(deal, "end", "end")
    view = deal.view(0)
    assert deal.table.goals == goals
    assert (view.hand_sizes, view.centre, view.must, view.idle, view.redeals) == ([5, 5], [0], None, 0, 1)
    assert view.discards == (((),) * 4,) * 2
    assert view.stock == 108 - 20 - 10
    events = deal.take_events(0)
    draws = [event for event in events if event.e == "draw"]
    assert [event.n for event in events if event.e == "recycle"] == [cards + _drawn(draws[:-2])]
    assert [event.seat for event in draws[-2:]] == [0, 1]


def _drawn(events: list[Event]) -> int:
    """Return what the draws before the redeal took out of the stock."""
    return sum(event.n or 0 for event in events)


def test_a_par_13_the_next_player_in_turn_starts_after_a_redeal() -> None:
    assert after(frozen("10 7", "10 7", idle=3), "end").to_act == 1
    deal = after(frozen("10 7", "10 7", idle=2), "end", "end")
    assert (deal.to_act, deal.redeals, deal.turn) == (0, 1, 3)


def test_a_par_14_after_twenty_redeals_the_next_that_is_due_draws_the_deal() -> None:
    deal = position(hand="10 7 7 8 J", other_hand="10 7 8 8 J", left=(4, 11), idle=3)
    deal.redeals = MAX_REDEALS - 1
    assert after(deal, "end").redeals == MAX_REDEALS
    result = played_out(deal, ends)
    assert (result.points, result.reason) == ((7, 0), "redeals")
    assert deal.redeals == MAX_REDEALS


def test_a_par_14_a_deal_of_two_thousand_turns_is_drawn_and_scored_by_difference() -> None:
    deal = position(hand="10 7", goal="9", left=(9, 4))
    deal.turn = MAX_TURNS - 1
    deal.apply("h10>d0")
    assert (deal.result, deal.turn) == (None, MAX_TURNS)
    deal.apply(deal.passive_move())
    assert deal.result is not None
    assert (deal.result.points, deal.result.reason) == ((0, 5), "turns")


def test_a_par_14_who_is_level_scores_nothing() -> None:
    deal = position(hand="10 7", goal="9", left=(9, 9))
    deal.turn = MAX_TURNS
    deal.apply("end")
    assert deal.result is not None
    assert deal.result.points == (0, 0)


def test_a_par_14_two_that_only_end_their_turns_are_stopped() -> None:
    for number in range(3):
        deal = new_deal(number)
        result = played_out(deal, ends)
        assert result.reason == "redeals"
        assert deal.redeals == MAX_REDEALS


def test_a_par_14_a_turn_in_which_four_aces_go_round_and_round_draws_the_deal() -> None:
    deal = position(hand="A A A A", goal="9", left=(9, 4), stock=0)
    for plays in range(1, MAX_PLAYS):
        deal.apply(next(move for move in deal.legal() if move.startswith("hA>c")))
        assert (deal.result, deal.to_act, deal.plays) == (None, 0, plays)
    deal.apply(deal.legal()[0])
    assert deal.result is not None
    assert (deal.result.points, deal.result.reason) == ((0, 5), "plays")


def test_a_par_14_the_plays_of_each_turn_are_counted_anew() -> None:
    deal = position(hand="A 9", goal="9")
    deal.apply("hA>c0")
    deal.apply("h9>d0")
    assert deal.plays == 0


def test_a_par_14_a_turn_of_two_hundred_plays_draws_the_deal() -> None:
    deal = position(hand="A A A A", other_hand="10 7 J K Q", stock=0, left=(5, 11))
    for made in range(1, MAX_PLAYS):
        deal.apply(next(move for move in deal.legal() if move.startswith("hA>c")))
        assert deal.view(0).plays == made
        assert (deal.to_act, deal.result) == (0, None)
    deal.apply(next(move for move in deal.legal() if move.startswith("hA>c")))
    assert deal.result is not None
    assert (deal.result.points, deal.result.reason) == ((6, 0), "plays")


def test_a_par_15_a_frozen_seat_has_nothing_to_draw() -> None:
    deal = position(hand="7 7 J J Q", goal="8", sides=["5", "5", "9", "9"])
    stock = deal.view(0).stock
    after(deal, "end")
    assert deal.view(0).stock == stock
    assert [event.e for event in deal.take_events(0)] == ["end"]


@pytest.mark.parametrize(("jokers", "cards"), [(3, 107), (4, 108)])
def test_a_par_16_there_may_be_three_jokers(jokers: int, cards: int) -> None:
    game = game_from_profile("parlett", 2, {"jokers": jokers})
    deal = game.deal(bytes(32), 0, 0)
    start = deal.starting_cards()
    assert sum(len(pile) for pile in start["goals"]) + len(start["stock"]) == cards
    assert game.document()["options"] == ({} if jokers == 4 else {"jokers": 3})
    assert len([move for move in game.moves() if move.startswith("g>")]) == 8 + jokers


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"players": 3}, "Invalid enum value 3"),
        ({"options": {"jokers": 2}}, "Invalid enum value 2"),
        ({"options": {"joker_memory": 1}}, "Expected `bool`"),
        ({"options": {"goal": 26}}, "unknown field `goal`"),
        ({"rules_version": 2}, "Invalid enum value 2"),
    ],
)
def test_rules_that_do_not_exist_are_refused_with_the_reason(
    document: dict[str, object], message: str
) -> None:
    rules = {"game": "parlett", "rules_version": 1, "players": 2, "options": {}}
    with pytest.raises(RulesError, match=f"rules of parlett: .*{message}"):
        game_from_document({**rules, **document})
