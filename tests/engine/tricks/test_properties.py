"""What must hold in every position of every trick game: 2 to 10 players, both orders, all scorings, many policies."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from engine.game import Event
from engine.replay import replay, steps
from engine.tricks.cards import NAMES, TEXTS
from engine.tricks.deal import TrickDeal
from engine.tricks.rules import TrickGame
from tests.engine.logs import played_log
from tests.engine.tricks import naive
from tests.engine.tricks.positions import SEED, new_game

Policy = Callable[[TrickDeal], str]

DEALS = 12
"""Deals a game in each test; every fourth or so turns an ace or lets its holder declare."""

GAMES: dict[str, tuple[str, int, dict[str, Any]]] = {
    f"{name}-{players}-{scoring}-{order}": (name, players, {"scoring": scoring, "order": order})
    for name, numbers, scorings in (
        ("spoil-five", range(2, 11), ("points", "pool")),
        ("forty-five", (2, 4, 6), ("side", "trick", "best_trump")),
    )
    for players in numbers
    for scoring in scorings
    for order in ("traditional", "simple")
}

every_game = pytest.mark.parametrize("name", GAMES)


def game_of(name: str) -> TrickGame:
    game, players, options = GAMES[name]
    return new_game(game, players, **options)


def at_random(seed: int) -> Policy:
    """Choose any legal move; robbing, standing and silence are about as likely as each other."""
    source = random.Random(seed)

    def policy(deal: TrickDeal) -> str:
        kinds: dict[str, list[str]] = {}
        for move in deal.legal():
            kinds.setdefault(move[:3] if ">" in move or move.startswith("rob") else "", []).append(move)
        return source.choice(kinds[source.choice(sorted(kinds))])

    return policy


def timid(deal: TrickDeal) -> str:
    """Decline and play the first card there is."""
    return deal.passive_move()


def bold(deal: TrickDeal) -> str:
    """Rob, jink, and play the last card there is."""
    return deal.legal()[-1]


def positions(name: str, policy: Policy, deals: int = DEALS) -> Iterator[TrickDeal]:
    """Yield a game's deals at every decision, and once more when they are over; a pool is carried on."""
    game = game_of(name)
    carry = 0
    for number in range(deals):
        deal = game.deal(SEED, number, number % game.players, carry)
        while deal.result is None:
            yield deal
            deal.apply(policy(deal))
        yield deal
        carry = deal.result.carry


@every_game
def test_every_card_is_in_one_place_after_every_action(name: str) -> None:
    for deal in positions(name, at_random(1)):
        start = deal.starting_cards()
        cards = [NAMES[card] for hand in deal.hands for card in hand]
        cards += [NAMES[card & 63] for card in deal.cards]
        cards += [NAMES[deal.laid]] if deal.robbed >= 0 else [start["turn_up"]]
        assert sorted(cards + start["stock"]) == sorted(NAMES)


@every_game
def test_the_legal_list_is_what_the_rule_text_gives(name: str) -> None:
    order = GAMES[name][2]["order"]
    for deal in positions(name, at_random(2)):
        if deal.to_act is None:
            assert deal.legal() == []
            continue
        view = deal.view(deal.to_act)
        assert view.turn == len(view.played) + 1
        legal = list(deal.legal())
        led = view.trick[0].card if view.trick else None
        ace = "A" + view.trump
        if legal[0] == "stand":
            assert legal == ["stand"] + ["rob " + card for card in view.hand]
            assert (view.turn_up, deal.to_act, view.played, view.trick) == (ace, view.dealer, [], [])
        elif legal[0] == "take":
            assert legal == ["take", "jink"]
            assert (len(view.played), view.tricks_won[deal.to_act], view.trick) == (3, 3, [])
        elif ace in view.hand and view.turn == 1 and view.robbed != deal.to_act:
            assert legal == naive.first_moves(view.hand, led, view.trump, view.turn_up, order)
        else:
            assert legal == naive.playable(view.hand, led, view.trump, order, view.ace_fell)
        assert legal
        assert len(set(legal)) == len(legal)
        assert [deal.resolve(move) for move in legal] == legal


@every_game
def test_the_winner_of_every_trick_is_who_the_rule_text_says(name: str) -> None:
    order = GAMES[name][2]["order"]
    for deal in positions(name, at_random(3)):
        if deal.result is not None:
            view = deal.view(0)
            fallen = deal.fell >= 0
            won = [0] * len(deal.hands)
            for trick in view.played:
                best = naive.winning_card([played.card for played in trick], view.trump, order, fallen)
                won[next(played.seat for played in trick if played.card == best)] += 1
            assert won == view.tricks_won
            leads = [trick[0].seat for trick in view.played]
            assert leads[0] == (view.dealer + 1) % len(won)
            assert (view.turn, view.trick) == (len(leads), [])
            assert all(
                [played.seat for played in trick] == [(lead + n) % len(won) for n in range(len(won))]
                for trick, lead in zip(view.played, leads, strict=True)
            )


@every_game
@pytest.mark.parametrize("policy", [timid, bold, at_random(4)], ids=["timid", "bold", "random"])
def test_every_deal_ends_for_a_reason_that_is_documented(name: str, policy: Policy) -> None:
    game = game_of(name)
    spoil = game.name == "spoil-five"
    reasons = {"won", "taken", "jinked", "jink_failed", "spoiled"} if spoil else {"won", "five"}
    for deal in positions(name, policy):
        if deal.result is not None:
            assert deal.result.reason in reasons
            assert (deal.to_act, deal.legal()) == (None, [])
            assert len(deal.result.points) == game.players
            sides = deal.result.points[: game.sides]
            assert deal.result.points == sides * (game.players // game.sides)
            if not spoil:
                assert sum(deal.won) == 5


@every_game
def test_events_tell_a_seat_its_hand_and_everything_in_the_open(name: str) -> None:
    players = GAMES[name][1]
    hands = [Counter[str]() for _ in range(players)]
    won = [[0] * players for _ in range(players)]
    for deal in positions(name, at_random(5)):
        for seat, hand in enumerate(hands):
            for event in deal.take_events(seat):
                follow(event, seat, hand, won[seat])
            view = deal.view(seat)
            assert +hand == Counter(view.hand)
            assert won[seat] == view.tricks_won
            assert deal.take_events(seat) == []


def follow(event: Event, seat: int, hand: Counter[str], won: list[int]) -> None:
    """Keep a hand and the tricks won by what an event says."""
    if event.e == "deal":
        hand.clear()
        hand.update(event.cards or [])
        won[:] = [0] * len(won)
    elif event.e == "play" and event.seat == seat:
        hand.subtract(event.cards or [])
    elif event.e == "rob" and event.seat == seat:
        assert event.move is not None
        hand.subtract([event.move.removeprefix("rob ")])
        hand.update(event.cards or [])
    elif event.e == "rob":
        assert event.move is None
    elif event.e == "trick":
        won[event.seat or 0] += 1


@every_game
def test_the_same_moves_give_the_same_deal_and_a_copy_goes_its_own_way(name: str) -> None:
    game = game_of(name)
    for number in range(4):
        source = random.Random(number)
        deal, twin = (game.deal(SEED, number, 0) for _ in range(2))
        while deal.result is None:
            assert deal.to_act is not None
            before = deal.copy()
            views = [msgspec.json.encode(deal.view(seat)) for seat in range(game.players)]
            move = source.choice(deal.legal())
            deal.apply(move)
            assert [msgspec.json.encode(before.view(seat)) for seat in range(game.players)] == views
            assert all(before.take_events(seat) == [] for seat in range(game.players))
            twin.apply(move)
            before.apply(move)
            for seat in range(game.players):
                assert deal.view(seat) == twin.view(seat) == before.view(seat)
                assert deal.take_events(seat) == twin.take_events(seat)
            assert deal.legal() == twin.legal() == before.legal()
        assert deal.result == twin.result == before.result


@every_game
def test_asking_changes_nothing_and_old_views_stay_as_they_were(name: str) -> None:
    for deal in positions(name, at_random(6), deals=3):
        seats = range(len(deal.hands))
        views = [deal.view(seat) for seat in seats]
        encoded = [msgspec.json.encode(view) for view in views]
        if deal.to_act is not None:
            deal.resolve(deal.passive_move())
            twin = deal.copy()
            twin.apply(twin.legal()[-1])
        assert [msgspec.json.encode(view) for view in views] == encoded
        assert [deal.view(seat) for seat in seats] == views
        assert all(msgspec.json.decode(msgspec.json.encode(view), type=type(view)) == view for view in views)


@every_game
def test_every_move_is_one_of_the_action_space(name: str) -> None:
    space = list(game_of(name).moves())
    assert len(space) == len(set(space))
    seen = {move for deal in positions(name, bold) for move in deal.legal()}
    assert seen <= set(space)
    assert set(TEXTS) <= set(space)
    assert ({"take", "jink"} <= set(space)) == name.startswith("spoil-five")


@every_game
def test_a_match_replays_from_its_log(name: str) -> None:
    game, players, options = GAMES[name]
    log = played_log(players, 12, options, game_name=game)
    replayed = replay(log)
    assert replayed.reason in ("target", "deals")
    assert len(replayed.points) == players
    sides = game_of(name).sides
    assert replayed.points == replayed.points[:sides] * (players // sides)
    if options["scoring"] == "pool":
        assert (replayed.reason, replayed.deals) == ("deals", 5 * players)
    results = [step.result for step in steps(log) if step.result is not None]
    assert [sum(result.points[seat] for result in results) for seat in range(players)] == list(
        replayed.points
    )


@pytest.mark.parametrize("players", range(2, 11))
@pytest.mark.parametrize("policy", [timid, bold, at_random(7)], ids=["timid", "bold", "random"])
def test_chips_are_conserved_over_a_pool_match(players: int, policy: Policy) -> None:
    pool = 0
    purses = [0] * players
    for deal in positions(f"spoil-five-{players}-pool-traditional", policy, deals=5 * players):
        stakes = players if pool == 0 else pool + 1
        assert deal.view(0).pool == stakes
        if deal.result is not None:
            assert sum(deal.result.points) == pool - deal.result.carry
            assert deal.result.carry in (0, stakes)
            purses = [purse + won for purse, won in zip(purses, deal.result.points, strict=True)]
            pool = deal.result.carry
            assert sum(purses) + pool == 0


@pytest.mark.parametrize(
    ("name", "players", "faults"),
    [
        ("forty-five", 4, {9: [2]}),
        ("forty-five", 6, {0: [1, 4]}),
        ("spoil-five", 5, {3: [1], 30: [4]}),
        ("spoil-five", 3, {5: [0], 6: [1], 7: [2]}),
    ],
)
def test_a_match_with_faults_replays_and_places_their_sides_last(
    name: str, players: int, faults: dict[int, list[int]]
) -> None:
    replayed = replay(played_log(players, 10, {}, faults, game_name=name))
    sides = 2 if name == "forty-five" else players
    offenders = {seat % sides for seats in faults.values() for seat in seats}
    last = max(replayed.places)
    assert (replayed.reason == "fault") == (sides == 2 or len(offenders) == sides)
    for seat, place in enumerate(replayed.places):
        assert (place == last) == (seat % sides in offenders)
