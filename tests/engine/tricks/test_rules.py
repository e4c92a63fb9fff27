"""Rule sets of the trick games: options, profiles, documents, sides, the cards dealt, whole matches."""

from typing import Any

import pytest

from engine.errors import RulesError
from engine.game import Game
from engine.games import game_from_document, game_from_profile, rules_hash
from engine.match import Match
from engine.tricks.cards import NAMES
from engine.tricks.scoring import POINTS, Terms
from tests.engine.tricks.positions import SEED, dealt_hands, new_game

SPOIL: dict[str, Any] = {"game": "spoil-five", "rules_version": 1, "players": 5, "options": {}}
FORTY: dict[str, Any] = {"game": "forty-five", "rules_version": 1, "players": 4, "options": {}}


@pytest.mark.parametrize("players", range(2, 11))
def test_in_spoil_five_each_plays_for_himself(players: int) -> None:
    game: Game = new_game(players=players)
    assert (game.players, game.sides, game.fixed_deals) == (players, players, None)
    assert new_game(players=players, scoring="pool").fixed_deals == 5 * players


@pytest.mark.parametrize("players", [2, 4, 6])
def test_forty_five_has_two_sides(players: int) -> None:
    game: Game = new_game("forty-five", players)
    assert (game.players, game.sides, game.fixed_deals) == (players, 2, None)


def test_a_document_names_only_what_differs_from_the_defaults() -> None:
    assert new_game(players=5, scoring="points", order="traditional").document() == SPOIL
    assert new_game("forty-five", 4, scoring="side", five_wins=False).document() == FORTY
    simple = game_from_profile("spoil-five-simple", 5, {"scoring": "pool"}).document()
    assert simple == {**SPOIL, "options": {"order": "simple", "scoring": "pool"}}
    assert game_from_document(simple).document() == simple
    assert (
        rules_hash(simple) != rules_hash(SPOIL) == rules_hash({**SPOIL, "options": {"order": "traditional"}})
    )


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({**SPOIL, "players": 1}, r"rules of spoil-five: .*>= 2"),
        ({**SPOIL, "players": 11}, "<= 10"),
        ({**FORTY, "players": 3}, r"rules of forty-five: Invalid enum value 3"),
        ({**FORTY, "rules_version": 2}, "Invalid enum value 2"),
        ({**SPOIL, "options": {"scoring": "side"}}, "Invalid enum value 'side'"),
        ({**FORTY, "options": {"scoring": "pool"}}, "Invalid enum value 'pool'"),
        ({**SPOIL, "options": {"five_wins": True}}, "unknown field `five_wins`"),
        ({**FORTY, "options": {"order": "odd"}}, "Invalid enum value 'odd'"),
        ({**FORTY, "seats": 4}, "unknown field `seats`"),
    ],
)
def test_a_document_that_cannot_be_played_is_refused_with_the_reason(
    document: dict[str, Any], message: str
) -> None:
    with pytest.raises(RulesError, match=message):
        game_from_document(document)


def test_the_pack_is_dealt_in_order_of_seats_whoever_deals() -> None:
    game = new_game(players=10)
    cards = game.deal(SEED, 3, 7).starting_cards()
    assert cards == game.deal(SEED, 3, 2).starting_cards() != game.deal(SEED, 4, 7).starting_cards()
    dealt = [name for hand in cards["hands"] for name in hand] + [cards["turn_up"], *cards["stock"]]
    assert sorted(dealt) == sorted(NAMES)
    assert len(cards["stock"]) == 1
    assert cards["turn_up"].startswith("0/")


def test_one_pack_cannot_be_dealt_to_eleven() -> None:
    with pytest.raises(ValueError, match="one pack does not deal 5 cards to 11 players"):
        Terms(11, 11, False, POINTS, False)


def test_a_new_pool_holds_a_stake_from_each_and_a_carried_one_the_dealer_s_besides() -> None:
    game = new_game(players=5, scoring="pool")
    assert game.deal(SEED, 0, 0).view(0).pool == 5
    assert game.deal(SEED, 1, 1, 5).view(0).pool == 6
    assert new_game(players=5).deal(SEED, 0, 0, 5).view(0).pool is None


def test_five_wins_lifts_the_winners_to_the_target() -> None:
    match = Match(new_game("forty-five", 2, five_wins=True), 45, SEED)
    # Every other card falls to the queens and kings of seat 1, who leads.
    match.deal = dealt_hands(
        ["2S 3S 4S 2C 3C", "KS QS JS KC QC"], "9D", new_game("forty-five", 2, five_wins=True)
    )
    match.scores[:] = [40, 15]
    for move in ("KS", "2S", "QS", "3S", "JS", "4S", "KC", "2C", "QC"):
        match.apply(move)
    result = match.apply("3C")
    assert result is not None
    assert (result.points, result.reason) == ((0, 30), "five")
    assert (match.scores, match.reason, match.places()) == ([40, 45], "target", (2, 1))


def test_what_stands_in_for_a_seat_declines_whatever_can_be_declined() -> None:
    asked = dealt_hands(["KS 2S 3S 4S 6S", "3D 2D 8C 9C 10C"], "AD", new_game(players=2), dealer=1)
    assert asked.passive_move() == "stand"
    holder = dealt_hands(["KS 2S 3S 4S 6S", "AD 2D 8C 9C 10C"], "9D", new_game(players=2), dealer=0)
    assert (holder.to_act, holder.passive_move()) == (1, "8C")
