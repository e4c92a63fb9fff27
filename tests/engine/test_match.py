"""Matches: targets, caps, forfeits, places. Played with a game that is nothing like Spite & Malice."""

import pytest

from engine.errors import EngineError, IllegalMoveError
from engine.game import Game
from engine.games import game_from_profile
from engine.match import MAX_DEALS, MAX_DECISIONS, Match
from tests.engine.high_card import HighCard, HighCardDeal

SEED = bytes(range(32))


def new_match(players: int = 2, target: int = 5, cards: int = 1, worth: int = 1) -> Match:
    return Match(HighCard(players, cards, worth), target, SEED)


def play_on(match: Match, decisions: int = MAX_DECISIONS) -> Match:
    for _ in range(decisions):
        if match.over:
            break
        match.apply(match.deal.legal()[0])
    return match


def test_the_test_s_own_game_is_a_game() -> None:
    game: Game = HighCard(2)
    assert game.deal(SEED, 0, 0).legal()


def test_a_match_ends_when_somebody_reaches_the_target() -> None:
    match = play_on(new_match())
    assert match.reason == "target"
    assert max(match.scores) == 5
    assert sum(match.scores) == match.deals


def test_the_deal_moves_on_by_one_seat() -> None:
    match = new_match(players=3, target=50)
    for number in range(7):
        assert (match.number, match.dealer, match.deal.to_act) == (number, number % 3, number % 3)
        play_on(match, 3)


def test_every_deal_is_shuffled_anew_from_the_seed_and_its_number() -> None:
    match = new_match(cards=9, target=50)
    first = match.deal.starting_cards()
    play_on(match, 18)
    assert match.deal.starting_cards() != first
    assert match.deal.starting_cards() == HighCard(2, 9).deal(SEED, 1, 1).starting_cards()


def test_applying_the_last_move_of_a_deal_returns_its_result_and_deals_the_next() -> None:
    match = new_match()
    assert match.apply(match.deal.legal()[0]) is None
    over = match.deal
    result = match.apply(match.deal.legal()[0])
    assert result is not None
    assert result == over.result
    assert list(result.points) == match.scores
    assert (match.number, match.decisions) == (1, 2)
    assert match.deal is not over


def test_a_match_over_keeps_its_last_deal_and_takes_no_more_moves() -> None:
    match = play_on(new_match(target=1))
    assert match.deal.result is not None
    assert match.deals == 1
    with pytest.raises(EngineError, match="the match is over"):
        match.apply("0")


def test_an_illegal_move_changes_nothing() -> None:
    match = new_match()
    with pytest.raises(IllegalMoveError):
        match.apply("99")
    assert match.decisions == 0


def test_a_match_ends_as_it_stands_after_sixty_deals() -> None:
    match = play_on(new_match(worth=0))
    assert (match.reason, match.deals, match.places()) == ("deals", MAX_DEALS, (1, 1))


def test_a_match_ends_as_it_stands_after_twenty_thousand_decisions_and_a_deal_cut_short_scores_nothing() -> (
    None
):
    match = new_match(cards=600, target=50)
    play_on(match, MAX_DECISIONS - 1)
    assert not match.over
    play_on(match)
    assert (match.reason, match.decisions) == ("decisions", MAX_DECISIONS)
    assert sum(match.scores) == MAX_DECISIONS // 1_200
    assert match.deal.result is None


def test_the_cap_on_decisions_may_fall_on_the_end_of_a_deal() -> None:
    match = play_on(new_match(cards=500, target=50))
    assert (match.reason, match.decisions, sum(match.scores)) == ("decisions", MAX_DECISIONS, 20)


def test_a_forfeit_ends_a_match_of_two_and_the_other_is_first_whatever_the_points() -> None:
    match = play_on(new_match(target=50), 20)
    leader = match.scores.index(max(match.scores))
    match.forfeit(leader)
    assert match.over
    assert match.reason == "fault"
    assert match.places()[leader] == 2
    assert match.places()[1 - leader] == 1


def test_a_match_of_three_goes_on_after_a_forfeit_and_who_forfeited_is_last() -> None:
    match = play_on(new_match(players=3, target=5), 6)
    match.forfeit(1)
    assert not match.over
    play_on(match)
    assert match.reason == "target"
    assert match.places()[1] == 3
    assert sorted(match.places())[0] == 1


def test_several_who_forfeited_share_the_last_place() -> None:
    match = new_match(players=4, target=50)
    match.forfeit(0)
    match.forfeit(2)
    assert match.places() == (3, 1, 3, 1)


def test_a_match_ends_when_all_have_forfeited() -> None:
    match = new_match(players=3)
    for seat in range(3):
        match.forfeit(seat)
    assert (match.reason, match.places()) == ("fault", (1, 1, 1))


def test_both_of_two_may_forfeit_before_the_same_decision() -> None:
    match = new_match()
    match.forfeit(1)
    match.forfeit(0)
    assert match.places() == (1, 1)


def test_a_seat_cannot_forfeit_twice_or_after_the_match() -> None:
    match = new_match()
    match.forfeit(1)
    with pytest.raises(EngineError, match="seat 1 has nothing left to forfeit"):
        match.forfeit(1)
    with pytest.raises(EngineError, match="seat 0 has nothing left to forfeit"):
        play_on(new_match()).forfeit(0)


@pytest.mark.parametrize("target", [0, -5])
def test_a_target_below_one_point_is_refused(target: int) -> None:
    with pytest.raises(EngineError, match="at least 1 point"):
        new_match(target=target)


def test_equal_scores_share_a_place() -> None:
    match = play_on(new_match(players=4, target=50), 0)
    match.scores[:] = [7, 3, 7, 0]
    assert match.places() == (1, 3, 1, 4)


def test_a_match_of_spite_and_malice_runs_to_its_target() -> None:
    match = Match(game_from_profile("short"), 25, SEED)
    while not match.over:
        match.apply(match.deal.legal()[0])
    assert match.reason in ("target", "deals")


def new_sides_match(
    players: int, sides: int, target: int = 5, worth: int = 1, cards: int = 1, wins_from: int | None = None
) -> Match:
    game = HighCard(players, cards, worth, sides, wins_match_from=wins_from)
    return Match(game, target, SEED)


def test_partners_have_equal_scores_and_places_and_sides_are_placed() -> None:
    match = play_on(new_sides_match(4, 2))
    assert match.reason == "target"
    assert match.scores[:2] == match.scores[2:]
    assert sorted(match.places()) == [1, 1, 2, 2]
    assert match.places()[:2] == match.places()[2:]


def test_a_match_goes_on_while_two_sides_are_level_at_or_above_the_target() -> None:
    match = new_sides_match(4, 2, target=3, worth=0)
    match.scores[:] = [7, 7, 7, 7]
    play_on(match, 4)
    assert (match.over, match.number) == (False, 1)
    match.scores[:] = [7, 9, 7, 9]
    play_on(match, 4)
    assert (match.reason, match.places()) == ("target", (2, 1, 2, 1))


def test_the_score_of_a_side_below_the_target_decides_nothing() -> None:
    match = new_match(players=3, target=5, worth=0)
    match.scores[:] = [4, 1, 0]
    play_on(match, 3)
    assert not match.over


def test_a_fault_of_any_of_two_sides_ends_the_match_and_places_the_whole_side_last() -> None:
    match = new_sides_match(4, 2)
    match.scores[:] = [1, 3, 1, 3]
    match.forfeit(3)
    assert (match.reason, match.places()) == ("fault", (1, 2, 1, 2))


def test_three_sides_play_on_after_a_fault_until_every_side_has_one() -> None:
    match = new_sides_match(6, 3)
    match.forfeit(1)
    match.forfeit(4)
    assert (match.over, match.places()) == (False, (1, 3, 1, 1, 3, 1))
    match.forfeit(0)
    match.forfeit(5)
    assert (match.reason, match.places()) == ("fault", (1, 1, 1, 1, 1, 1))


def test_what_a_deal_leaves_is_handed_to_the_next() -> None:
    match = new_match(target=50)
    carried = []
    for _ in range(4):
        deal = match.deal
        assert isinstance(deal, HighCardDeal)
        carried.append(deal.carry)
        play_on(match, 2)
    assert carried == [0, 1, 2, 3]


@pytest.mark.parametrize(("fixed", "played"), [(7, 7), (1, 1), (80, MAX_DEALS)])
def test_a_match_of_fixed_deals_ends_after_them_and_knows_no_target(fixed: int, played: int) -> None:
    match = play_on(Match(HighCard(2, fixed_deals=fixed), 1, SEED))
    assert (match.reason, match.deals, sum(match.scores)) == ("deals", played, played)


def test_a_deal_that_wins_the_match_counts_as_many_points_as_lift_the_winners_to_the_target() -> None:
    match = new_sides_match(4, 2, target=50, worth=5, wins_from=3)
    points = [0] * 4
    while not match.over:
        result = match.apply(match.deal.legal()[0])
        if result is not None:
            points = [own + won for own, won in zip(points, result.points, strict=True)]
    assert (match.reason, match.deals, max(match.scores)) == ("target", 4, 50)
    assert points == match.scores


def test_a_deal_that_wins_the_match_lifts_its_winners_above_everybody() -> None:
    match = new_sides_match(2, 2, target=50, worth=5, wins_from=0)
    match.scores[:] = [70, 70]
    result = play_on(match).deal.result
    assert result is not None
    winner = result.points.index(5)
    assert (match.scores[winner], match.scores[1 - winner]) == (75, 70)


def test_a_deal_that_wins_the_match_beats_a_side_that_stands_far_above_the_target() -> None:
    match = new_sides_match(2, 2, target=50, worth=5, wins_from=0)
    probe = play_on(new_sides_match(2, 2, worth=5), 2)
    loser = probe.scores.index(0)
    match.scores[loser] = 90
    play_on(match, 2)
    assert (match.reason, match.scores[1 - loser], match.places()[loser]) == ("target", 91, 2)
