"""No seat can tell from anything it is given what it may not see: who holds the trump ace, what was laid away."""

import random
from collections.abc import Iterator

import msgspec
import pytest

from engine.game import Event
from engine.tricks.cards import TEXTS
from engine.tricks.deal import TrickDeal, dealt
from engine.tricks.moves import MOVES, PLAY
from engine.tricks.rules import TrickGame
from tests.engine.tricks.positions import SEED, dealt_hands, new_game

GAMES = {
    **{f"spoil-five-{players}": new_game(players=players) for players in (2, 3, 5, 8, 10)},
    "spoil-five-5-pool-simple": new_game(players=5, scoring="pool", order="simple"),
    "forty-five-4": new_game("forty-five", 4),
    "forty-five-6": new_game("forty-five", 6, scoring="best_trump"),
}

every_game = pytest.mark.parametrize("name", GAMES)

Seen = tuple[bytes, list[str], list[Event]]


def seen_by(deal: TrickDeal, seat: int) -> Seen:
    """All a seat is given: view, legal moves when it is to act, events since the last time."""
    legal = list(deal.legal()) if deal.to_act == seat else []
    return msgspec.json.encode(deal.view(seat)), legal, deal.take_events(seat)


def course(game: TrickGame, number: int) -> tuple[list[int], list[str], TrickDeal]:
    """Play some of a deal at random; return its pack as dealt, its moves and how it stands."""
    deal = game.deal(SEED, number, number % game.players)
    order = list(deal._order)
    source = random.Random(number)
    moves: list[str] = []
    length = source.randint(2, 4 * game.players)
    while deal.result is None and len(moves) < length:
        moves.append(source.choice(deal.legal()))
        deal.apply(moves[-1])
    return order, moves, deal


def exchanged_packs(
    order: list[int], shown: set[int], source: random.Random
) -> Iterator[tuple[list[int], set[int]]]:
    """Yield packs in which two cards that were never shown have changed places, and the places."""
    hidden = [place for place, card in enumerate(order) if card not in shown]
    for _ in range(12 if len(hidden) > 1 else 0):
        one, other = source.sample(hidden, 2)
        pack = list(order)
        pack[one], pack[other] = pack[other], pack[one]
        yield pack, {one, other}


@every_game
def test_cards_never_shown_may_change_places_and_whoever_did_not_hold_them_sees_the_same(name: str) -> None:
    game = GAMES[name]
    compared = 0
    for number in range(12):
        order, moves, ended = course(game, number)
        # What robbing and playing have shown; a card laid away has a part in the robber's move.
        shown = {ended.turn_up, ended.laid, *(card & 63 for card in ended.cards)}
        for pack, places in exchanged_packs(order, shown, random.Random(number)):
            outsiders = set(range(game.players)) - {place // 5 for place in places}
            compared += compare(game, order, pack, moves, number % game.players, outsiders)
    assert compared > 100


def compare(
    game: TrickGame, order: list[int], pack: list[int], moves: list[str], dealer: int, outsiders: set[int]
) -> int:
    """Make the same moves in both worlds as long as both allow them; return how many positions were alike."""
    one, other = (dealt(game.terms, cards, dealer, 0) for cards in (order, pack))
    alike = 0
    for move in moves:
        if one.to_act != other.to_act or move not in other.legal():
            return alike
        assert [seen_by(one, seat) for seat in outsiders] == [seen_by(other, seat) for seat in outsiders]
        one.apply(move)
        other.apply(move)
        alike += 1
    return alike


@pytest.mark.parametrize("trump", "CDHS")
@pytest.mark.parametrize("players", [3, 5, 10])
def test_a_silent_ace_is_like_no_ace_to_everybody_else_until_it_is_played(players: int, trump: str) -> None:
    """A-SF-12: the same first trick where seat 2 holds the ace, and keeps silent, and where the ace is in the stock."""
    game = new_game(players=players)
    tested = 0
    for number in range(400):
        held = game.deal(SEED, number, 0)
        ace = held.ace
        if held.trump != "CDHS".index(trump) or ace not in held.hands[2] or tested == 5:
            continue
        order = list(held._order)
        stock = [
            card for card in order[5 * players + 1 :] if card // 13 != held.trump and TEXTS[card] != "AH"
        ]
        if not stock:
            continue
        pack = list(order)
        one, other = pack.index(ace), pack.index(stock[0])
        pack[one], pack[other] = pack[other], pack[one]
        away = dealt(game.terms, pack, 0, 0)
        tested += silent_course(held, away, random.Random(number))
    assert tested >= 2


def silent_course(held: TrickDeal, away: TrickDeal, source: random.Random) -> int:
    """Play both worlds alike, the holder silent, until the ace or the card in its stead is played; compare all others."""
    ace = TEXTS[held.ace]
    others = [seat for seat in range(len(held.hands)) if seat != 2]
    compared = 0
    while held.result is None:
        assert [seen_by(held, seat) for seat in others] == [seen_by(away, seat) for seat in others]
        assert held.to_act == away.to_act
        compared += 1
        common = [move for move in held.legal() if move in away.legal() and ace not in move]
        if not common:
            break
        move = source.choice(common)
        held.apply(move)
        away.apply(move)
        assert not any(held.view(seat).ace_fell for seat in others)
        assert held.view(2).ace_fell == (any(card >> 6 == 2 for card in held.cards))
    return compared > len(held.hands)


def test_only_the_robber_sees_what_was_laid_away() -> None:
    hands = ["KD 2S 3S 4S 6S", "AD 2D 8C 9C 10C", "7C 6C 5C 4C 3C"]
    seen = []
    for laid in ("8C", "9C"):
        deal = dealt_hands(hands, "9D", new_game(players=3), dealer=2)
        deal.apply("KD")
        deal.apply(f"rob {laid}>2D")
        assert [deal.view(seat).laid for seat in range(3)] == [None, laid, None]
        seen.append([seen_by(deal, seat) for seat in (0, 2)])
        events = deal.take_events(1)
        assert [event.move for event in events if event.e == "rob"] == [f"rob {laid}"]
    assert seen[0] == seen[1]
    assert all(b"8C" not in view for view, _, _ in seen[0])


def test_only_the_dealer_sees_what_he_laid_away_under_a_turned_ace() -> None:
    seen = []
    for laid in ("2S", "6S"):
        deal = dealt_hands(["2S 3S 4S 6S 7S", "KD QD 8C 9C 10C"], "AD", new_game(players=2), dealer=0)
        deal.apply(f"rob {laid}")
        seen.append(seen_by(deal, 1))
    assert seen[0] == seen[1]


def test_events_of_a_declaration_come_before_the_card_and_name_it_alone() -> None:
    deal = dealt_hands(["KD 2S 3S 4S 6S", "AD 2D 8C 9C 10C"], "9D", new_game(players=2), dealer=1)
    deal.take_events(0)
    deal.apply("KD")
    deal.apply("rob 8C>9D")
    assert deal.take_events(0) == [
        Event("play", 0, "KD", None, ["KD"]),
        Event("rob", 1, None, None, ["9D"]),
        Event("play", 1, "9D", None, ["9D"]),
        Event("trick", 0),
    ]
    standing = dealt_hands(["KD 2S 3S 4S 6S", "AD 2D 8C 9C 10C"], "9D", new_game(players=2), dealer=1)
    standing.apply("KD")
    standing.take_events(0)
    standing.apply("stand>2D")
    assert standing.take_events(0) == [
        Event("stand", 1, "stand"),
        Event("play", 1, "2D", None, ["2D"]),
        Event("trick", 0),
    ]


def test_what_the_dealer_and_a_jinker_say_is_told_to_all() -> None:
    deal = dealt_hands(["2S 3S 4S 6S 7S", "KD QD 5D JD AH"], "AD", new_game(players=2), dealer=0)
    deal.apply("stand")
    for move in ("KD", "2S", "QD", "3S", "5D", "4S"):
        deal.apply(move)
    deal.apply("jink")
    told = deal.take_events(0)
    assert told[:3] == [
        Event("deal", 0, None, 5, ["2S", "3S", "4S", "6S", "7S"]),
        Event("turn", None, None, None, ["AD"]),
        Event("stand", 0, "stand"),
    ]
    assert told[-1] == Event("jink", 1, "jink")
    assert deal.take_events(1)[1:] == told[1:]
    twin = dealt_hands(["2S 3S 4S 6S 7S", "KD QD 5D JD AH"], "AD", new_game(players=2), dealer=0)
    for move in ("stand", "KD", "2S", "QD", "3S", "5D", "4S", "take"):
        twin.apply(move)
    assert twin.take_events(0)[-1] == Event("take", 1, "take")


def test_a_move_that_needs_no_declaration_is_the_card_alone() -> None:
    assert all((MOVES[text] >> 12) == PLAY for text in TEXTS)
