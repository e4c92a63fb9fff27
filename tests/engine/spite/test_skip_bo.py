"""Skip-Bo and each of its named ambiguities."""

import pytest

from engine.errors import IllegalMoveError
from engine.spite.options import SkipBoOptions
from tests.engine.spite.positions import SEED, game_of, new_deal, position, stacked

PLAIN = SkipBoOptions()
PARTNERS = SkipBoOptions(partners=True)
FOUR = (3, 4, 5, 6)


@pytest.mark.parametrize(("players", "goal"), [(2, 30), (3, 30), (4, 30), (5, 20), (6, 20)])
def test_goal_piles_have_thirty_cards_and_for_many_players_twenty(players: int, goal: int) -> None:
    starting = new_deal(players, PLAIN).starting_cards()
    assert [len(pile) for pile in starting["goals"]] == [goal] * players
    assert len(starting["stock"]) == 162 - players * goal


def test_the_deck_has_twelve_of_each_number_and_eighteen_wilds() -> None:
    deck = game_of(2, PLAIN).plan.deck
    assert [deck.printed.count(str(rank)) for rank in range(1, 13)] == [12] * 12
    assert deck.printed.count("*") == 18
    assert len(set(deck.names)) == 162


def test_a_sb_1_the_dealer_begins() -> None:
    assert new_deal(3, PLAIN, dealer=2).to_act == 2


def test_a_sb_2_a_wild_may_be_discarded_and_stays_wild() -> None:
    deal = position(hand="* 5", goal="9", discards=["*"], centre=(3, 0, 0, 0), options=PLAIN)
    assert deal.legal() == [
        *("h*>c0", "h*>c1", "d0>c0", "d0>c1"),
        *("h5>d0", "h5>d1", "h*>d0", "h*>d1"),
    ]


def test_a_wild_opens_a_pile_and_completes_one() -> None:
    deal = position(hand="* 5", goal="*", centre=(11, 0, 0, 0), options=PLAIN)
    deal.apply("g>c0")
    assert len(deal.table.dead) == 12
    deal.apply("h*>c0")
    assert deal.view(0).centre == [1, 0, 0, 0]


def test_a_sb_3_a_round_without_cards_is_drawn_and_pays_five_for_each_card_of_difference() -> None:
    deal = position(hand="5", goal="9", stock=0, left=(7, 10), options=PLAIN)
    deal.apply("h5>d0")
    assert deal.result is not None
    assert (deal.result.points, deal.result.reason) == ((15, 0), "exhausted")


def test_a_sb_4_ones_may_be_discarded() -> None:
    assert position(hand="1", goal="9", centre=(3, 4, 5, 6), options=PLAIN).legal() == ["h1>d0"]


def test_a_round_won_pays_25_and_five_for_every_card_left() -> None:
    deal = position(hand="5", goal="9", centre=(8, 0, 0, 0), left=(1, 4, 6), options=PLAIN)
    deal.apply("g>c0")
    assert deal.result is not None
    assert (deal.result.points, deal.result.reason) == ((75, 0, 0), "won")


def test_a_hand_played_out_is_refilled_and_one_discarded_is_not() -> None:
    deal = stacked(position(hand="1", goal="9", options=PLAIN), "3 4 5 6 7")
    deal.apply("h1>c0")
    assert (deal.to_act, deal.view(0).hand) == (0, ["3", "4", "5", "6", "7"])
    last = position(hand="1", goal="9", options=PLAIN)
    last.apply("h1>d0")
    assert (last.to_act, last.view(0).hand) == (1, [])


def test_finished_piles_are_reshuffled_when_the_draw_pile_is_out() -> None:
    deal = position(hand="12 5", goal="9", centre=(11, 0, 0, 0), stock=2, options=PLAIN)
    deal.apply("h12>c0")
    assert (deal.view(0).stock, len(deal.table.dead)) == (2, 12)
    deal.apply("h5>d0")
    assert (deal.view(1).stock, deal.view(1).hand_sizes) == (9, [0, 5])


def test_partners_sit_opposite_and_carry_the_same_points() -> None:
    game = game_of(4, PARTNERS)
    assert (game.players, game.sides) == (4, 2)
    assert game_of(6, PARTNERS).sides == 3
    deal = position(hand="5", goal="9", centre=(8, 0, 0, 0), left=(1, 4, 0, 6), options=PARTNERS)
    deal.apply("g>c0")
    assert deal.result is not None
    assert (deal.result.points, deal.result.reason) == ((75, 0, 75, 0), "won")


def test_a_partner_s_goal_card_and_discards_may_be_played_and_cards_go_to_one_s_own_discards_only() -> None:
    deal = position(
        hand="7",
        goal="4",
        discards=["4"],
        centre=(3, 5, 0, 0),
        left=FOUR,
        goals={1: "4", 2: "6", 3: "6"},
        others={2: ["4", "1"], 1: ["4"]},
        options=PARTNERS,
    )
    assert deal.legal() == ["g>c0", "pg>c1", "d0>c0", "pd0>c0", "pd1>c2", "h7>d0", "h7>d1"]
    deal.apply("pg>c1")
    assert [piles[0].left for piles in deal.view(0).goals] == [3, 4, 4, 6]
    deal.apply("pd1>c2")
    assert deal.view(0).discards[2][1] == ()
    with pytest.raises(IllegalMoveError, match="'pd1>c3': the partner's discard pile 1 is empty"):
        deal.resolve("pd1>c3")


def test_the_other_side_s_cards_are_not_for_playing() -> None:
    deal = position(
        hand="9",
        goal="9",
        centre=(3, 0, 0, 0),
        left=FOUR,
        goals={1: "4", 2: "8"},
        others={3: ["4"]},
        options=PARTNERS,
    )
    assert deal.legal() == ["h9>d0"]


def test_a_side_wins_only_when_both_of_its_piles_are_empty() -> None:
    deal = position(
        hand="9", goal="4", centre=(3, 0, 0, 0), left=(1, 4, 1, 6), goals={1: "8", 2: "5"}, options=PARTNERS
    )
    deal.apply("g>c0")
    assert (deal.to_act, deal.result) == (0, None)
    assert deal.legal() == ["pg>c0", "h9>d0"]
    deal.apply("pg>c0")
    assert deal.result is not None
    assert deal.result.points == (75, 0, 75, 0)


def test_a_sb_5_a_partner_hears_of_moves_of_the_game_and_of_nothing_else() -> None:
    game = game_of(4, SkipBoOptions(partners=True))
    sayings = {None, *game.moves()}
    deal = game.deal(SEED, 0, 0)
    for _ in range(80):
        deal.apply(deal.legal()[0])
    heard = deal.take_events(2)
    assert len(heard) > 80
    assert {event.move for event in heard} <= sayings
    with pytest.raises(IllegalMoveError, match="is not a move of this game"):
        deal.resolve("I hold a wild")


def test_a_sb_6_an_empty_pile_of_either_partner_is_just_skipped() -> None:
    own = position(
        hand="9", goal="", centre=(3, 0, 0, 0), left=(0, 4, 2, 6), goals={2: "4"}, options=PARTNERS
    )
    assert own.legal() == ["pg>c0", "h9>d0"]
    with pytest.raises(IllegalMoveError, match="'g>c0': the goal pile is empty"):
        own.resolve("g>c0")
    partner = position(hand="9", goal="4", centre=(3, 0, 0, 0), left=(2, 4, 0, 6), options=PARTNERS)
    assert partner.legal() == ["g>c0", "h9>d0"]
    with pytest.raises(IllegalMoveError, match="'pg>c0': the partner's goal pile is empty"):
        partner.resolve("pg>c0")


def test_a_drawn_round_of_partners_compares_the_sides() -> None:
    deal = position(hand="9", goal="4", left=(2, 4, 5, 6), stock=0, options=PARTNERS)
    deal.apply("h9>d0")
    assert deal.result is not None
    assert (deal.result.points, deal.result.reason) == ((15, 0, 15, 0), "exhausted")
