"""Every named ambiguity of docs/rules/common.md, as it is resolved there; each test names its item."""

import pytest

from engine.errors import IllegalMoveError
from engine.game import Event
from engine.match import Match
from engine.spite.cards import JOKER, RANK_OF, common_deck
from engine.spite.deal import SpiteDeal
from engine.spite.options import Options
from engine.spite.plan import DROUGHT_TURNS
from tests.engine.policies import at_random
from tests.engine.spite.positions import (
    SEED,
    game_of,
    never_the_goal,
    new_deal,
    played_out,
    position,
    stacked,
)


@pytest.mark.parametrize(
    ("options", "cards"), [(Options(), 156), (Options(packs=2), 104), (Options(jokers_wild=4), 160)]
)
def test_a_std_01_the_number_of_packs_and_jokers_is_an_option(options: Options, cards: int) -> None:
    starting = new_deal(options=options).starting_cards()
    dealt = [card for pile in (*starting["goals"], starting["stock"]) for card in pile]
    assert len(dealt) == len(set(dealt)) == cards


def test_a_std_02_seat_0_deals_first_and_the_deal_moves_on() -> None:
    match = Match(game_of(3, Options(goal=1)), 1_000, SEED)
    dealers: list[int] = []
    for number in range(4):
        deal = match.deal
        assert isinstance(deal, SpiteDeal)
        dealers.append(deal.view(0).dealer)
        assert deal.to_act == dealers[-1]
        while match.number == number:
            match.apply(match.deal.legal()[0])
    assert dealers == [0, 1, 2, 0]


@pytest.mark.parametrize(("first", "seat"), [("dealer", 2), ("eldest", 0)])
def test_a_std_03_the_dealer_begins_or_eldest_where_the_rules_say_so(first: str, seat: int) -> None:
    options = Options(first="eldest" if first == "eldest" else "dealer")
    assert new_deal(3, options, dealer=2).to_act == seat


def test_a_std_03_the_highest_goal_card_begins_and_ties_are_turned_again() -> None:
    tied = 0
    for number in range(60):
        seed = bytes([number]) * 32
        as_dealt = new_deal(2, Options(first="dealer"), seed)
        deal = new_deal(2, Options(first="high_goal"), seed)
        tops = [pile[-1] for pile in deal.table.goals]
        ranks = [deal.table.deck.ranks[card] for card in tops]
        assert deal.to_act == ranks.index(max(ranks))
        assert ranks[0] != ranks[1]
        tied += [pile[-1] for pile in as_dealt.table.goals] != tops
        assert deal.starting_cards() == as_dealt.starting_cards()
    assert tied > 0


def test_a_std_03_after_a_tie_the_tops_of_all_are_compared_again() -> None:
    # Of 8 8 6 the eights are turned again: 5 A 6.
    deal = new_deal(3, Options(first="high_goal"), seed=(80).to_bytes(32, "big"))
    dealt = [pile[-1].split("/")[2] for pile in deal.starting_cards()["goals"]]
    assert dealt == ["8", "8", "6"]
    assert [piles[0].top for piles in deal.view(0).goals] == ["5", "A", "6"]
    assert deal.to_act == 2


def test_a_std_03_goal_piles_that_tie_to_their_last_card_leave_the_start_to_the_dealer() -> None:
    options = Options(goal=1, first="high_goal")
    for number in range(60):
        deal = new_deal(2, options, bytes([number]) * 32, dealer=1)
        ranks = [deal.table.deck.ranks[pile[-1]] for pile in deal.table.goals]
        assert deal.to_act == (1 if ranks[0] == ranks[1] else ranks.index(max(ranks)))


def test_a_std_04_a_seat_has_no_cards_before_its_first_turn() -> None:
    assert new_deal(3).view(0).hand_sizes == [5, 0, 0]


def test_a_std_04_hands_may_be_dealt_up_front() -> None:
    deal = new_deal(3, Options(hands_dealt_upfront=True), dealer=1)
    assert deal.view(0).hand_sizes == [5, 5, 5]
    assert deal.to_act == 1


def test_a_std_05_the_redraw_comes_exactly_when_the_last_hand_card_is_played() -> None:
    deal = stacked(position(hand="A 2", goal="3"), "9 9 10 J Q")
    deal.apply("hA>c0")
    assert deal.view(0).hand == ["2"]
    deal.apply("h2>c0")
    assert deal.view(0).hand == ["9", "9", "10", "J", "Q"]


def test_a_std_05_playing_out_the_goal_pile_or_a_discard_pile_redraws_nothing() -> None:
    deal = position(hand="A 9", goal="2", discards=["3"], centre=(1, 4, 5, 6))
    deal.apply("g>c0")
    deal.apply("d0>c0")
    assert deal.view(0).hand == ["A", "9"]


def test_a_std_06_discarding_the_last_card_ends_the_turn_without_a_redraw() -> None:
    deal = position(hand="9", goal="3")
    deal.apply("h9>d0")
    assert deal.to_act == 1
    assert deal.view(0).hand_sizes[0] == 0


def test_a_std_07_nobody_must_play() -> None:
    deal = position(hand="A 2", goal="A", discards=["A"])
    assert [move for move in deal.legal() if ">d" in move] == ["h2>d0", "h2>d1"]


def test_a_std_08_an_ace_may_not_be_discarded() -> None:
    deal = position(hand="A 2", goal="9")
    with pytest.raises(IllegalMoveError, match="an ace may not be discarded"):
        deal.resolve("hA>d0")


def test_a_std_09_an_all_ace_hand_with_a_free_slot_must_play() -> None:
    assert position(hand="A A A A A", goal="9", centre=(3, 0, 0, 5)).legal() == ["hA>c1"]


def test_a_std_09_passing_is_refused_while_anything_else_is_legal() -> None:
    with pytest.raises(IllegalMoveError, match="may not pass"):
        position(hand="A 2", goal="9").resolve("pass")


def test_a_std_10_a_discarded_king_is_a_king_and_plays_as_a_wild_later() -> None:
    deal = position(hand="K", goal="9", discards=["5 K"], centre=(2, 0, 0, 7))
    assert deal.legal() == ["hK>c0", "hK>c3", "d0>c0", "d0>c3", "hK>d0", "hK>d1"]
    deal.apply("d0>c0")
    assert deal.view(0).centre == [3, 0, 0, 7]
    assert deal.view(0).discards[0][0] == ("5",)


def test_a_std_11_a_wild_is_never_named_and_is_a_king_again_when_recycled() -> None:
    deal = position(hand="2", goal="K", centre=(11, 0, 0, 0))
    deal.apply("g>c0")
    assert deal.view(0).spent["K"] == 1
    assert deal.view(0).spent["Q"] == 0


def test_a_std_12_dead_piles_are_recycled_when_a_card_is_wanted_and_the_stock_is_empty() -> None:
    deal = position(hand="9", goal="3", stock=2, dead=12)
    deal.apply("h9>d0")
    assert [event.e for event in deal.take_events(1)] == ["discard", "recycle", "draw"]
    view = deal.view(1)
    assert (view.hand_sizes, view.stock, deal.table.dead) == ([0, 5], 9, [])
    assert sum(view.spent.values()) == 0


def test_a_std_12_a_lazy_recycling_waits_for_the_stock_to_run_out() -> None:
    deal = position(hand="Q 9", goal="3", centre=(11, 0, 0, 0), stock=20)
    deal.apply("hQ>c0")
    assert (deal.view(0).stock, len(deal.table.dead)) == (20, 12)


def test_a_std_12_an_immediate_recycling_comes_with_the_completion() -> None:
    options = Options(recycle="immediate")
    deal = position(hand="Q 9", goal="3", centre=(11, 0, 0, 0), stock=20, options=options)
    deal.apply("hQ>c0")
    assert (deal.view(0).stock, deal.table.dead) == (32, [])
    assert deal.take_events(1)[-1] == Event("recycle", n=12)


@pytest.mark.parametrize(("dead", "stock", "left"), [(11, 20, 23), (12, 44, 0)])
def test_a_std_12_a_threshold_recycling_waits_for_enough_dead_cards(dead: int, stock: int, left: int) -> None:
    options = Options(recycle="threshold", threshold=24)
    deal = position(hand="Q 9", goal="3", centre=(11, 0, 0, 0), stock=20, dead=dead, options=options)
    deal.apply("hQ>c0")
    assert (deal.view(0).stock, len(deal.table.dead)) == (stock, left)


@pytest.mark.parametrize("exhaustion", ["on_failed_draw", "on_short_draw", "play_on"])
def test_a_std_13_a_full_hand_needs_no_draw(exhaustion: str) -> None:
    deal = position(hand="2", goal="9", stock=0, options=_exhaustion(exhaustion))
    deal.table.hands[1] = deal.table.discards[1][0][-5:]
    deal.apply("h2>d0")
    assert (deal.to_act, deal.result) == (1, None)


@pytest.mark.parametrize(
    ("exhaustion", "stock", "ends"),
    [
        ("on_failed_draw", 0, True),
        ("on_failed_draw", 1, False),
        ("on_short_draw", 0, True),
        ("on_short_draw", 4, True),
        ("on_short_draw", 5, False),
        ("play_on", 0, False),
        ("play_on", 4, False),
    ],
)
def test_a_std_13_what_a_draw_does_that_the_cards_do_not_suffice_for(
    exhaustion: str, stock: int, ends: bool
) -> None:
    deal = position(hand="2", goal="9", stock=stock, left=(7, 10), options=_exhaustion(exhaustion))
    deal.apply("h2>d0")
    assert (deal.result is not None) is ends
    if deal.result is not None:
        assert (deal.result.points, deal.result.reason) == ((3, 0), "exhausted")


def test_a_std_13_play_on_goes_on_until_all_pass() -> None:
    deal = position(hand="2", goal="9", stock=0, left=(7, 10), options=_exhaustion("play_on"))
    deal.apply("h2>d0")
    while deal.to_act == 1 and deal.legal() != ["pass"]:
        deal.apply(deal.legal()[0])
    deal.apply("pass")
    assert deal.result is None
    assert deal.legal() == ["pass"]
    deal.apply("pass")
    assert deal.result is not None
    assert (deal.result.points, deal.result.reason) == ((3, 0), "passed")


@pytest.mark.parametrize(
    ("left", "points"),
    [
        ((7, 10), (3, 0)),
        ((10, 7), (0, 3)),
        ((4, 9, 11), (12, 0, 0)),
        ((6, 6, 9), (0, 0, 0)),
        ((5, 5), (0, 0)),
    ],
)
def test_a_std_14_a_drawn_deal_pays_the_fewest_goal_cards_the_difference_to_each_other(
    left: tuple[int, ...], points: tuple[int, ...]
) -> None:
    deal = position(hand="4", goal="9", centre=(3, 2, 4, 5), stock=0, left=left)
    deal.apply("h4>c0")
    assert deal.result is not None
    assert (deal.result.points, deal.result.reason) == (points, "exhausted")


def test_a_std_15_a_play_between_two_passes_keeps_the_deal_alive() -> None:
    deal = position(hand="A A A A A", goal="9", centre=(3, 4, 5, 6), left=(7, 10))
    deal.apply("pass")
    assert deal.to_act == 1
    deal.apply(deal.passive_move())
    assert deal.to_act == 0
    deal.apply("pass")
    assert deal.result is None


@pytest.mark.parametrize("seed", [3, 4, 5, 6])
def test_a_std_15_five_hundred_turns_without_a_goal_card_draw_the_deal(seed: int) -> None:
    deal = new_deal(2, Options(goal=13), bytes([seed]) * 32)
    last_goal_turn = 0

    def policy(deal: SpiteDeal) -> str:
        nonlocal last_goal_turn
        move = never_the_goal(deal)
        if move.startswith("g"):
            last_goal_turn = deal.view(0).turn
        return move

    assert played_out(deal, policy).reason == "drought"
    assert deal.view(0).turn == last_goal_turn + DROUGHT_TURNS


def test_a_std_16_a_king_may_be_the_last_goal_card_and_needs_an_open_pile() -> None:
    assert "g>c0" in position(hand="2", goal="K", centre=(5, 0, 0, 0), left=(1, 4)).legal()
    assert "g>c0" not in position(hand="2", goal="K", left=(1, 4)).legal()


def test_a_std_16_a_king_as_last_goal_card_completing_a_pile_wins() -> None:
    deal = position(hand="2", goal="K", centre=(11, 0, 0, 0), left=(1, 4))
    deal.apply("g>c0")
    assert deal.result is not None
    assert deal.result.points == (9, 0)
    view = deal.view(0)
    assert (view.goals[0][0].top, view.goals[0][0].left) == (None, 0)


def test_a_std_17_no_two_players_score_in_a_deal() -> None:
    scorers: set[int] = set()
    for number in range(8):
        deal = new_deal(3, Options(goal=3), bytes([number]) * 32)
        points = played_out(deal, at_random(number, 0.9)).points
        scorers.add(sum(won > 0 for won in points))
    assert 1 in scorers
    assert scorers <= {0, 1}


def test_a_std_18_the_leader_may_run_the_stock_out_although_he_could_discard() -> None:
    deal = position(hand="4", goal="9", centre=(3, 2, 4, 5), stock=0, left=(2, 20))
    assert {"h4>c0", "h4>d0"} <= set(deal.legal())
    deal.apply("h4>c0")
    assert deal.result is not None
    assert deal.result.points == (18, 0)


def test_a_std_19_hand_cards_merge_by_rank_and_the_lowest_pack_and_suit_moves() -> None:
    deal = position(hand="7 7 7", goal="9")
    assert deal.legal() == ["h7>d0"]
    deal.apply("h7>d0")
    names = deal.table.deck.names
    assert names[deal.table.discards[0][0][0]] == min(
        (name for name in names if name.endswith("/7")), key=common_deck(3, 0).numbers.__getitem__
    )
    assert names[deal.table.discards[0][0][0]] == "0/C/7"


def test_a_std_19_every_discard_pile_is_a_source_of_its_own() -> None:
    deal = position(hand="9", goal="9", discards=["5", "8 5"], centre=(4, 0, 0, 0))
    assert deal.legal()[:2] == ["d0>c0", "d1>c0"]


@pytest.mark.parametrize(
    ("move", "listed"),
    [
        ("g>c2", "g>c0"),
        ("g0>c0", "g>c0"),
        ("g0>c2", "g>c0"),
        ("h5>c2", "h5>c0"),
        ("d1>c2", "d1>c0"),
        ("h5>d3", "h5>d0"),
        ("h5>d2", "h5>d0"),
        ("h5>d1", "h5>d1"),
    ],
)
def test_a_std_19_an_equivalent_move_resolves_to_its_listed_form(move: str, listed: str) -> None:
    deal = position(hand="5", goal="5", discards=["", "5"], centre=(4, 3, 4, 9))
    assert deal.resolve(move) == listed


def test_jokers_are_wild_beside_the_kings_and_keep_their_own_rank() -> None:
    deal = position(hand="K *", goal="*", centre=(3, 0, 0, 0), options=Options(jokers_wild=4))
    assert deal.legal() == ["g>c0", "hK>c0", "h*>c0", "hK>d0", "h*>d0"]
    deal.apply("g>c0")
    assert deal.view(0).spent["*"] == 1
    assert RANK_OF["*"] == JOKER


def test_the_same_seed_number_and_dealer_give_the_same_cards_and_others_do_not() -> None:
    assert new_deal(seed=SEED).starting_cards() == new_deal(seed=SEED, dealer=1).starting_cards()
    assert new_deal(seed=SEED).starting_cards() != new_deal(seed=bytes(32)).starting_cards()


def _exhaustion(name: str) -> Options:
    match name:
        case "on_short_draw":
            return Options(exhaustion="on_short_draw")
        case "play_on":
            return Options(exhaustion="play_on")
        case _:
            return Options()
