"""What must hold in every position, over many whole deals under every option and by good and bad players."""

import copy
import random
from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest

from engine.spite.cards import PRINTED
from engine.spite.deal import SpiteDeal
from engine.spite.moves import HAND, MOVES
from engine.spite.options import Options
from engine.spite.view import SpiteView
from tests.engine.spite.naive import expected_legal, is_legal
from tests.engine.spite.positions import Policy, never_the_goal, new_deal, played_out

RULES = {
    "classic, two": (2, Options()),
    "classic, four": (4, Options()),
    "short, three": (3, Options(goal=13)),
    "two packs": (2, Options(packs=2)),
    "jokers, recycled at once": (2, Options(goal=5, jokers_wild=6, recycle="immediate")),
    "threshold, short draw": (
        3,
        Options(goal=4, recycle="threshold", threshold=24, exhaustion="on_short_draw"),
    ),
    "one pack, played on": (2, Options(packs=1, goal=8, exhaustion="play_on", first="high_goal")),
    "one pack, hands up front": (2, Options(packs=1, goal=6, hands_dealt_upfront=True, first="eldest")),
}


def eager(deal: SpiteDeal) -> str:
    """Play whatever can be played, goal first."""
    return deal.legal()[0]


def idle(deal: SpiteDeal) -> str:
    """Discard whenever that is legal."""
    return deal.passive_move()


def at_random(seed: int) -> Policy:
    """Choose any legal move, plays more often than discards, so that piles are completed."""
    source = random.Random(seed)

    def policy(deal: SpiteDeal) -> str:
        plays = [move for move in deal.legal() if ">c" in move]
        return source.choice(plays if plays and source.random() < 0.7 else deal.legal())

    return policy


def positions(name: str, policy: Policy, seed: int) -> Iterator[SpiteDeal]:
    """Yield a deal at every decision of it, and once more when it is over."""
    players, options = RULES[name]
    deal = new_deal(players, options, bytes([seed]) * 32, dealer=seed % players)
    while deal.result is None:
        yield deal
        deal.apply(policy(deal))
    yield deal


every_game = pytest.mark.parametrize("name", RULES)


@every_game
def test_every_card_is_in_one_place_after_every_action(name: str) -> None:
    for deal in positions(name, at_random(1), 1):
        table = deal.table
        cards = table.stock.cards() + table.dead
        for pile in (*table.hands, *table.goals, *table.centre):
            cards += pile
        for piles in table.discards:
            for pile in piles:
                cards += pile
        assert sorted(cards) == list(range(len(table.deck)))
        assert table.heights == [len(pile) for pile in table.centre]


@every_game
def test_what_a_seat_sees_and_does_not_see_is_the_whole_deck(name: str) -> None:
    for deal in positions(name, at_random(2), 2):
        table = deal.table
        for seat in range(len(table.hands)):
            view = deal.view(seat)
            seen = Counter(view.hand) + Counter(view.spent)
            seen.update(pile[0].top for pile in view.goals if pile[0].top)
            seen.update(text for piles in view.discards for pile in piles for text in pile)
            assert seen + Counter(view.unseen) == Counter(table.deck.printed)
            hidden = table.stock.cards() + [card for pile in table.goals for card in pile[:-1]]
            hidden += [card for other, hand in enumerate(table.hands) if other != seat for card in hand]
            assert Counter(table.deck.printed[card] for card in hidden) == +Counter(view.unseen)


@every_game
def test_the_legal_list_is_what_the_rule_text_gives(name: str) -> None:
    for deal in positions(name, at_random(3), 3):
        if deal.result is None:
            assert deal.legal() == expected_legal(deal)
            assert deal.legal()


@every_game
def test_every_legal_form_resolves_to_a_listed_one_and_no_other_does(name: str) -> None:
    for deal in positions(name, at_random(4), 4):
        if deal.result is None and random.Random(deal.view(0).turn).random() < 0.2:
            for text, move in MOVES.items():
                if is_legal(deal, move):
                    assert deal.resolve(text) in deal.legal()
                else:
                    with pytest.raises(ValueError, match=r"\S: "):
                        deal.resolve(text)


@every_game
def test_a_view_does_not_change_when_hidden_cards_change_places(name: str) -> None:
    source = random.Random(5)
    for deal in positions(name, at_random(5), 5):
        if source.random() < 0.1:
            for seat in range(len(deal.table.hands)):
                twin = _hidden_shuffled(deal, seat, source)
                assert _encoded(twin.view(seat)) == _encoded(deal.view(seat))
                if deal.to_act == seat:
                    assert twin.legal() == deal.legal()


@every_game
def test_events_show_a_card_only_to_those_who_may_see_it(name: str) -> None:
    for deal in positions(name, at_random(6), 6):
        if deal.result is None:
            for seat in range(len(deal.table.hands)):
                for event in deal.take_events(seat):
                    shown = event.cards or []
                    if event.e == "draw" and event.seat != seat:
                        assert event.cards is None
                    elif event.e == "draw":
                        assert len(shown) == event.n
                    elif event.e in ("play", "discard"):
                        assert len(shown) == 1
                        move = MOVES[event.move or ""]
                        assert move.source != HAND or PRINTED[move.card] == shown[0]
                    else:
                        assert event.cards is None


@every_game
def test_events_tell_a_seat_its_whole_hand(name: str) -> None:
    players, _ = RULES[name]
    hands = [Counter[str]() for _ in range(players)]
    for deal in positions(name, at_random(7), 7):
        for seat, hand in enumerate(hands):
            for event in deal.take_events(seat):
                if event.seat == seat and event.e == "draw":
                    hand.update(event.cards or [])
                elif event.seat == seat and event.move is not None and event.move.startswith("h"):
                    hand.subtract(event.cards or [])
            assert +hand == Counter(deal.view(seat).hand)


@every_game
@pytest.mark.parametrize(
    "policy", [eager, idle, never_the_goal, at_random(8)], ids=["eager", "idle", "miser", "random"]
)
def test_every_deal_ends_whoever_plays(name: str, policy: Policy) -> None:
    players, options = RULES[name]
    for seed in range(3):
        deal = new_deal(players, options, bytes([seed]) * 32)
        result = played_out(deal, policy)
        assert result.reason in ("won", "exhausted", "passed", "drought")
        assert len(result.points) == players
        assert sum(points > 0 for points in result.points) <= 1
        assert (result.reason == "won") == any(pile[0].left == 0 for pile in deal.view(0).goals)


@every_game
def test_the_same_moves_give_the_same_deal(name: str) -> None:
    players, options = RULES[name]
    twin = new_deal(players, options, bytes([9]) * 32, dealer=9 % players)
    policy = at_random(9)

    def recorded(deal: SpiteDeal) -> str:
        move = policy(deal)
        twin.apply(move)
        return move

    for deal in positions(name, recorded, 9):
        for seat in range(players):
            assert twin.view(seat) == deal.view(seat)
            assert twin.take_events(seat) == deal.take_events(seat)
    assert twin.result == deal.result


@every_game
def test_asking_changes_nothing(name: str) -> None:
    for deal in positions(name, at_random(10), 10):
        seats = range(len(deal.table.hands))
        before = [_encoded(deal.view(seat)) for seat in seats]
        start = deal.starting_cards()
        if deal.result is None:
            deal.resolve(deal.passive_move())
        assert [_encoded(deal.view(seat)) for seat in seats] == before
        assert deal.starting_cards() == start


def test_a_view_taken_earlier_does_not_change_with_the_deal() -> None:
    views = [deal.view(0) for deal in positions("short, three", at_random(11), 11)]
    replayed = [_encoded(deal.view(0)) for deal in positions("short, three", at_random(11), 11)]
    assert [_encoded(view) for view in views] == replayed


def _encoded(view: SpiteView) -> bytes:
    return msgspec.json.encode(view)


def _hidden_shuffled(deal: SpiteDeal, seat: int, source: random.Random) -> SpiteDeal:
    """Return a copy in which all cards the seat cannot see have changed places."""
    twin = copy.deepcopy(deal)
    table = twin.table
    stock = table.stock.cards()
    hands = [hand for other, hand in enumerate(table.hands) if other != seat]
    hidden = (
        stock
        + [card for hand in hands for card in hand]
        + [card for pile in table.goals for card in pile[:-1]]
    )
    source.shuffle(hidden)
    table.stock.refill([hidden.pop() for _ in stock])
    for hand in hands:
        hand[:] = sorted(hidden.pop() for _ in hand)
    for pile in table.goals:
        pile[:-1] = [hidden.pop() for _ in pile[:-1]]
    return twin
