"""Every named ambiguity of Spoil Five and Forty-five, answered as the rules pages answer it."""

import pytest

from engine.errors import IllegalMoveError, RulesError
from engine.game import DealResult
from engine.games import game_from_profile
from engine.match import Match
from engine.tricks.deal import TrickDeal
from tests.engine.tricks.positions import (
    SEED,
    dealt_hands,
    late,
    new_game,
    result_of,
    to_follow,
    winner_of,
    with_tricks,
)


def lead_to(hand: str, led: str, turn_up: str = "9D") -> TrickDeal:
    """Return a deal of two at its first card but one: seat 0 has led to the hand of seat 1, the dealer."""
    deal = dealt_hands([f"{led} 2S 3S 4S 6S", hand], turn_up, new_game(players=2), dealer=1)
    deal.apply(led)
    return deal


def test_a_sf_01_three_tricks_end_the_deal_but_for_tricks_one_to_three_and_a_jink() -> None:
    game = new_game(players=3)
    assert result_of(game, [0, 1, 0, 0]) == DealResult((2, 0, 0), "won")
    assert result_of(game, [1, 0, 2, 0, 0]) == DealResult((2, 0, 0), "won")
    assert with_tricks(game, [0, 0, 0]).result is None


def test_a_sf_02_taking_or_jinking_is_chosen_after_the_third_trick_and_before_any_lead() -> None:
    deal = with_tricks(new_game(players=3), [2, 2, 2])
    assert (deal.to_act, list(deal.legal())) == (2, ["take", "jink"])
    deal.apply("jink")
    assert (deal.to_act, deal.view(0).jinker, deal.result) == (2, 2, None)
    assert all(move in deal.view(2).hand for move in deal.legal())


def test_a_sf_02_a_jinker_s_failure_is_settled_when_he_loses_a_trick() -> None:
    deal = with_tricks(new_game(players=3), [2, 2, 2, 0])
    assert deal.result == DealResult((0, 0, 0), "jink_failed")
    assert [len(hand) for hand in deal.hands] == [1, 1, 1]


def test_a_sf_03_a_failed_jink_leaves_the_pool_and_pays_nobody() -> None:
    game = new_game(players=3, scoring="pool")
    assert result_of(game, [2, 2, 2, 2, 0], dealer=1, carry=6) == DealResult((0, -1, 0), "jink_failed", 7)


def test_a_sf_04_a_jink_brings_one_initial_stake_from_each_however_the_pool_has_grown() -> None:
    game = new_game(players=3, scoring="pool")
    result = result_of(game, [2, 2, 2, 2, 2], dealer=1, carry=8)
    assert result == DealResult((-1, -2, 9 + 2), "jinked", 0)


def test_a_sf_05_a_late_third_trick_wins_at_once_without_a_jink() -> None:
    assert result_of(new_game(players=3), [1, 0, 0, 0]) == DealResult((2, 0, 0), "won")


def test_a_sf_06_a_trump_is_kept_by_its_rank_against_the_card_led_not_the_best_so_far() -> None:
    # The two was led and the five played upon it: the jack need not follow, for it outranks the two.
    deal = late(["2D 3S", "5D 6S", "JD 7C"], "9D")
    deal.apply("2D")
    deal.apply("5D")
    assert list(deal.legal()) == ["7C", "JD"]


def test_a_sf_07_silence_counts_from_the_very_card_with_which_it_is_kept() -> None:
    deal = lead_to("AD 7C 8C 9C 10C", "KD")
    deal.apply("AD")
    # The king has won: the ace has become the lowest trump.
    assert (deal.leader, deal.won, deal.view(0).ace_fell) == (0, [1, 0], True)


def test_a_sf_07_silence_with_another_card_costs_the_ace_its_rank_later() -> None:
    deal = lead_to("AD 2D 8C 9C 10C", "KD")
    deal.apply("2D")
    assert deal.view(1).ace_fell
    assert not deal.view(0).ace_fell
    assert winner_of("AD 6D", "D", fallen=True) == "6D"
    assert winner_of("AD KC", "D", fallen=True) == "AD"


def test_a_sf_07_a_fallen_ace_loses_to_the_two_even_in_a_copy_of_the_deal() -> None:
    for copied in (False, True):
        deal = dealt_hands(["2D 6D 3S 4S 6S", "AD KS 8C 9C 10C"], "9D", new_game(players=2), dealer=0)
        for move in ("KS", "3S", "AD", "2D"):
            deal = deal.copy() if copied else deal
            deal.apply(move)
        assert (deal.won, deal.view(0).ace_fell) == ([1, 1], True)


def test_a_sf_07_a_silent_ace_of_hearts_is_the_lowest_heart_and_may_not_be_kept() -> None:
    deal = lead_to("AH 7C 8C 9C 10C", "2H", "9H")
    silent = [move for move in deal.legal() if ">" not in move]
    assert silent == ["AH"]
    assert {"stand>7C", "stand>AH"} <= set(deal.legal())
    assert winner_of("AH 2H", "H", fallen=True) == "2H"
    assert winner_of("AH KH", "H") == "AH"


def test_a_sf_08_the_new_trump_may_be_played_at_once_and_any_card_but_the_ace_laid_away() -> None:
    deal = lead_to("AD 7C 8C 9C 10C", "KD", "5D")
    assert "rob 7C>5D" in deal.legal()
    with pytest.raises(IllegalMoveError, match="the ace of trumps, may not be laid away"):
        deal.apply("rob AD>5D")
    deal.apply("rob 7C>5D")
    assert (deal.leader, deal.robbed) == (1, 1)


def test_a_sf_09_the_dealer_takes_a_turned_ace_before_the_lead_and_nobody_else_may() -> None:
    deal = dealt_hands(["2S 3S 4S 6S 7S", "KD QD 8C 9C 10C"], "AD", new_game(players=2), dealer=0)
    assert (deal.to_act, list(deal.legal())) == (
        0,
        ["stand", "rob 2S", "rob 3S", "rob 4S", "rob 6S", "rob 7S"],
    )
    deal.apply("rob 3S")
    assert (deal.to_act, deal.view(0).hand, deal.view(0).laid) == (1, ["AD", "2S", "4S", "6S", "7S"], "3S")
    assert list(deal.legal()) == deal.view(1).hand
    deal.apply("KD")
    # The ace is his as if dealt to him: no declaration, full rank.
    assert list(deal.legal()) == ["AD"]
    deal.apply("AD")
    assert deal.leader == 0


def test_a_sf_09_a_dealer_who_stands_leaves_the_ace_out_of_play() -> None:
    deal = dealt_hands(["2S 3S 4S 6S 7S", "KD QD 8C 9C 10C"], "AD", new_game(players=2), dealer=0)
    deal.apply("stand")
    assert (deal.to_act, deal.view(1).robbed, deal.view(1).stood) == (1, None, None)
    assert "AD" not in deal.view(0).hand


def test_a_sf_10_the_ace_of_hearts_does_not_rob_unless_hearts_are_trumps() -> None:
    assert list(lead_to("AH 7C 8C 9C 10C", "KD").legal()) == ["7C", "8C", "9C", "10C", "AH"]
    assert "rob 7C>9H" in lead_to("AH 7C 8C 9C 10C", "KH", "9H").legal()


def test_a_sf_11_five_cards_are_dealt_to_each_and_the_next_is_turned() -> None:
    cards = new_game(players=3).deal(SEED, 0, 2).starting_cards()
    assert [len(hand) for hand in cards["hands"]] == [5, 5, 5]
    assert len(cards["stock"]) == 52 - 16
    # The same pack for fewer: whoever sits in a seat is dealt the same cards, whoever deals.
    fewer = new_game(players=2).deal(SEED, 0, 0).starting_cards()
    assert fewer["hands"] == cards["hands"][:2]
    assert fewer["turn_up"] == cards["hands"][2][0]


def test_a_sf_12_the_holder_decides_with_his_own_first_card() -> None:
    deal = lead_to("AD 2D 8C 9C 10C", "KD")
    assert list(deal.legal()) == [
        *("AD", "2D"),
        *("stand>AD", "stand>2D"),
        *("rob 8C>AD", "rob 8C>2D", "rob 8C>9D"),
        *("rob 9C>AD", "rob 9C>2D", "rob 9C>9D"),
        *("rob 10C>AD", "rob 10C>2D", "rob 10C>9D"),
        *("rob 2D>AD", "rob 2D>9D"),
    ]
    deal.apply("stand>2D")
    assert (deal.view(0).stood, deal.view(0).robbed, deal.view(0).ace_fell) == (1, None, False)


def test_a_sf_12_who_has_declared_or_kept_silent_is_not_asked_again() -> None:
    deal = lead_to("AD 2D 8C 9C 10C", "JS")
    deal.apply("10C")
    assert deal.to_act == 0
    deal.apply("2S")
    assert all(">" not in move for move in deal.legal())


@pytest.mark.parametrize("number", range(30))
def test_a_sf_13_between_two_somebody_takes_three(number: int) -> None:
    deal = new_game(players=2).deal(SEED, number, 0)
    while deal.result is None:
        deal.apply(deal.legal()[0])
    assert deal.result.reason in ("won", "taken")
    assert sorted(deal.result.points) == [0, 1]


def test_a_sf_14_a_deal_has_one_scorer_so_points_matches_end_without_a_tie() -> None:
    for number in range(4):
        match = Match(new_game(players=3), 10, bytes([number]) * 32)
        while not match.over:
            result = match.apply(match.deal.legal()[number % len(match.deal.legal())])
            assert result is None or sum(points > 0 for points in result.points) <= 1
        assert match.reason == "target"
        assert match.places().count(1) == 1


def test_a_sf_15_a_revoke_is_refused_rather_than_penalised() -> None:
    deal = lead_to("2D 7C 8C 9C 10C", "KD")
    assert list(deal.legal()) == ["2D"]
    with pytest.raises(
        IllegalMoveError, match="you must follow trumps: KD, a trump, was led, and you hold 2D"
    ):
        deal.apply("7C")


def test_a_sf_16_nobody_need_lead_a_trump_or_play_a_higher_one() -> None:
    leads = late(["5D 7C", "2S 3S"], "9D").legal()
    assert list(leads) == ["7C", "5D"]
    assert to_follow("2D 5D KC", "6D", "9D") == ["2D", "5D"]


def test_a_sf_17_a_pool_match_is_five_deals_a_seat_and_scores_chips() -> None:
    match = Match(new_game(players=3, scoring="pool"), 1, SEED)
    while not match.over:
        match.apply(match.deal.legal()[0])
    assert (match.reason, match.deals) == ("deals", 15)
    deal = match.deal
    assert deal.result is not None
    assert sum(match.scores) == -deal.result.carry
    assert min(match.scores) < 0


def test_a_45_1_the_side_with_three_or_four_tricks_scores_five_and_with_all_five_ten() -> None:
    game = new_game("forty-five", 4)
    assert result_of(game, [0, 1, 2, 3, 0]).points == (5, 0, 5, 0)
    assert result_of(game, [1, 1, 3, 3, 0]).points == (0, 5, 0, 5)
    assert result_of(game, [1, 1, 3, 3, 1]).points == (0, 10, 0, 10)
    assert game.document()["options"] == {}


def test_a_45_2_of_two_sides_past_the_target_the_higher_wins_and_level_they_play_on() -> None:
    match = Match(new_game("forty-five", 4, scoring="trick"), 45, SEED)
    for scores, over in (([50, 50], False), ([65, 60], True)):
        number, twin = match.number, match.deal.copy()
        while twin.result is None:
            twin.apply(twin.legal()[0])
        points = twin.result.points
        match.scores[:] = [scores[seat % 2] - points[seat] for seat in range(4)]
        while not match.over and match.number == number:
            match.apply(match.deal.legal()[0])
        assert (match.scores[:2], match.over) == (scores, over)
    assert (match.reason, match.places()) == ("target", (1, 2, 1, 2))


@pytest.mark.parametrize("scoring", ["side", "trick", "best_trump"])
def test_a_45_3_with_five_wins_all_five_tricks_are_the_match(scoring: str) -> None:
    result = result_of(new_game("forty-five", 2, scoring=scoring, five_wins=True), [1, 1, 1, 1, 1])
    assert (result.wins_match, result.reason, result.points[0]) == (True, "five", 0)
    assert not result_of(new_game("forty-five", 2, five_wins=True), [1, 1, 1, 1, 0]).wins_match
    assert not result_of(new_game("forty-five", 2, scoring=scoring), [1, 1, 1, 1, 1]).wins_match


def test_a_45_4_the_dealer_takes_a_turned_ace_before_the_lead() -> None:
    game = new_game("forty-five", 2)
    deal = dealt_hands(["2S 3S 4S 6S 7S", "KD QD 8C 9C 10C"], "AD", game, dealer=0)
    assert (deal.to_act, deal.legal()[0]) == (0, "stand")
    deal.apply("rob 2S")
    assert deal.to_act == 1


def test_a_45_5_forty_five_is_spoil_five_without_pool_spoil_and_jink() -> None:
    game = new_game("forty-five", 2)
    deal = with_tricks(game, [0, 0, 0])
    assert (deal.result, deal.view(0).pool) == (None, None)
    assert not {"take", "jink"} & set(deal.legal())
    assert with_tricks(game, [0, 0, 0, 0]).result is None


def test_a_45_6_there_is_no_net_scoring() -> None:
    with pytest.raises(RulesError, match="Invalid enum value 'net'"):
        game_from_profile("forty-five", 2, {"scoring": "net"})


def test_a_45_7_there_is_no_bidding() -> None:
    with pytest.raises(RulesError, match="unknown field `bid`"):
        game_from_profile("forty-five", 2, {"bid": 15})


def test_the_best_trump_is_worth_five_more_whoever_wins_the_tricks() -> None:
    game = new_game("forty-five", 2, scoring="best_trump")
    # Seat 1 takes one trick, the one with the five of trumps.
    hands = ["KS QS JS KC KD", "5D 2S 3S 4S 6S"]
    deal = dealt_hands(hands, "9D", game, dealer=1)
    for move in ("KS", "2S", "QS", "3S", "JS", "4S", "KC", "6S", "KD", "5D"):
        deal.apply(move)
    assert deal.result == DealResult((20, 10), "won")


def test_without_a_trump_played_nobody_has_the_best() -> None:
    game = new_game("forty-five", 2, scoring="best_trump")
    deal = dealt_hands(["KS QS JS AS 2S", "3S 4S 6S 7S 8S"], "9D", game, dealer=1)
    for move in ("KS", "3S", "QS", "4S", "JS", "6S", "AS", "7S", "2S", "8S"):
        deal.apply(move)
    assert deal.result == DealResult((25, 0), "five")
