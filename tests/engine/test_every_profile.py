"""What must hold for every game, named profile and number of players there is, in every position, whoever plays.

Profiles come from the register, so a new one is tested from the day it is there. The environment variable
MALICE_SWEEP multiplies the deals: `MALICE_SWEEP=50 python -m pytest -n 2 tests/engine/test_every_profile.py`.
"""

import hashlib
import os
import random
import re
from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest

from engine.errors import IllegalMoveError, LogError
from engine.game import Deal, Event
from engine.games import game_from_document, game_from_profile, profiles
from engine.match import Match
from engine.replay import replay
from engine.spite.view import SpiteView
from engine.tricks.view import TrickView
from tests.engine.logs import played_log, rows_of, signed
from tests.engine.places import all_cards, shuffle_hidden, starting_names
from tests.engine.policies import POLICIES, Policy, at_random

SWEEP = int(os.environ.get("MALICE_SWEEP", "1"))
DECISIONS = 20_000
"""More than any deal may take: the cap of a whole match."""
CASES = [(name, players) for name, profile in profiles().items() for players in profile.players]

every_game = pytest.mark.parametrize(
    ("name", "players"), CASES, ids=[f"{name}-{players}" for name, players in CASES]
)


def seed_of(*words: object) -> bytes:
    """Return 32 bytes that depend on the words alone."""
    return hashlib.sha256("/".join(map(str, words)).encode()).digest()


def dealt(name: str, players: int, number: int) -> Deal:
    """Return one of a profile's deals; the dealer changes with the number."""
    game = game_from_profile(name, players)
    return game.deal(seed_of("every profile", name, players), number, number % players)


def decisions(deal: Deal, policy: Policy) -> Iterator[int]:
    """Yield the seat to act at every decision of a deal; fail when it does not end."""
    for _ in range(DECISIONS):
        seat = deal.to_act
        if seat is None:
            return
        yield seat
        deal.apply(policy(deal))
    raise AssertionError(f"the deal has not ended after {DECISIONS} decisions")


def encoded(deal: Deal, seat: int) -> bytes:
    """Return a view as it is sent."""
    return msgspec.json.encode(deal.view(seat))


@every_game
@pytest.mark.parametrize("player", [*POLICIES, "random", "lively"])
def test_every_deal_ends_whoever_plays(name: str, players: int, player: str) -> None:
    game = game_from_profile(name, players)
    for number in range(2 * SWEEP):
        deal = dealt(name, players, number)
        lively = 0.7 if player == "lively" else 0.0
        policy = POLICIES.get(player) or at_random(number, lively)
        for _ in decisions(deal, policy):
            assert deal.result is None
            assert deal.legal()
        result = deal.result
        assert result is not None
        assert result.reason
        assert len(result.points) == players
        assert all(result.points[seat] == result.points[seat % game.sides] for seat in range(players))
        assert list(deal.legal()) == []
        with pytest.raises(IllegalMoveError, match="the deal is over"):
            deal.apply(game.moves()[0])


@pytest.mark.parametrize(
    ("name", "players", "cards", "of_a_rank"),
    [
        ("classic", 4, 156, {"A": 12, "K": 12}),
        ("two-pack", 2, 104, {"A": 8, "K": 8}),
        ("misery", 2, 104, {"K": 8}),
        ("misery", 3, 156, {"K": 12}),
        ("pack-per-player", 2, 104, {"K": 8}),
        ("pack-per-player", 4, 208, {"K": 16}),
        ("king-high", 2, 162, {"K": 12, "*": 6}),
        ("skip-bo", 6, 162, {"1": 12, "12": 12, "*": 18}),
        ("starturn", 2, 96, {"1": 7, "7": 7, "8": 6, "14": 6, "15": 5}),
        ("starturn", 3, 96, {"1": 7, "15": 5}),
        ("parlett", 2, 108, {"A": 8, "*": 4}),
        ("spoil-five", 10, 52, {"A": 4}),
        ("forty-five", 2, 52, {"5": 4}),
    ],
)
def test_the_deck_is_that_of_the_rules(
    name: str, players: int, cards: int, of_a_rank: dict[str, int]
) -> None:
    names = starting_names(dealt(name, players, 0))
    assert len(set(names)) == len(names) == cards
    ranks = Counter(card.rpartition("/")[2] for card in names)
    assert {rank: ranks[rank] for rank in of_a_rank} == of_a_rank


@every_game
def test_every_card_is_in_one_place_after_every_action(name: str, players: int) -> None:
    for number in range(SWEEP):
        deal = dealt(name, players, number)
        start = sorted(starting_names(deal))
        assert len(set(start)) == len(start)
        for _ in decisions(deal, at_random(number, 0.6)):
            assert sorted(all_cards(deal)) == start
        assert sorted(all_cards(deal)) == start
        assert sorted(starting_names(deal)) == start


@every_game
def test_what_a_seat_sees_and_does_not_see_is_the_whole_deck(name: str, players: int) -> None:
    for number in range(SWEEP):
        deal = dealt(name, players, number)
        deck = starting_names(deal)
        for _ in decisions(deal, at_random(number + 100, 0.6)):
            for seat in range(players):
                _check_whole(deal.view(seat), deck)


def _check_whole(view: msgspec.Struct, deck: list[str]) -> None:
    if isinstance(view, SpiteView):
        seen = Counter(view.hand) + Counter(view.spent)
        seen.update(goal.top for piles in view.goals for goal in piles if goal.top is not None)
        seen.update(card for piles in view.discards for pile in piles for card in pile)
        assert min([0, *view.unseen.values(), *view.spent.values()]) == 0
        assert seen + Counter(view.unseen) == Counter(card.rpartition("/")[2] for card in deck)
        hidden = view.stock + sum(view.hand_sizes) - len(view.hand)
        assert hidden <= sum(view.unseen.values())
    else:
        assert isinstance(view, TrickView)
        shown = [*view.hand, *(played.card for trick in (*view.played, view.trick) for played in trick)]
        assert len(set(shown)) == len(shown)
        assert {*shown, view.turn_up} <= {f"{rank}{suit}" for _, suit, rank in (c.split("/") for c in deck)}


@every_game
def test_the_legal_list_is_canonical(name: str, players: int) -> None:
    vocabulary = game_from_profile(name, players).moves()
    known = set(vocabulary)
    assert len(known) == len(vocabulary)
    for number in range(SWEEP):
        deal = dealt(name, players, number)
        for _ in decisions(deal, at_random(number + 200, 0.5)):
            legal = list(deal.legal())
            assert len(set(legal)) == len(legal)
            assert set(legal) <= known
            assert [deal.resolve(move) for move in legal] == legal
            assert deal.passive_move() in legal
            for nonsense in ("", "h>c0", "no move", "\n", "c0>c1", "9" * 5_000):
                with pytest.raises(IllegalMoveError, match=r"\S"):
                    deal.resolve(nonsense)


@every_game
def test_moves_outside_the_list_resolve_into_it_or_are_refused_with_a_reason(name: str, players: int) -> None:
    vocabulary = game_from_profile(name, players).moves()
    source = random.Random(name)
    deal = dealt(name, players, 7)
    for _ in decisions(deal, at_random(7, 0.5)):
        if source.random() < 0.05:
            legal = list(deal.legal())
            for move in vocabulary:
                refusal = _refusal(deal, move)
                if refusal is None:
                    assert deal.resolve(move) in legal
                else:
                    assert len(refusal) > len(move) + 4
                    with pytest.raises(IllegalMoveError):
                        deal.apply(move)
                assert list(deal.legal()) == legal


def _refusal(deal: Deal, move: str) -> str | None:
    try:
        deal.resolve(move)
    except IllegalMoveError as refused:
        return str(refused)
    return None


@every_game
def test_a_seat_cannot_tell_when_hidden_cards_change_places(name: str, players: int) -> None:
    source = random.Random(name)
    for number in range(SWEEP):
        deal = dealt(name, players, number)
        for actor in decisions(deal, at_random(number + 300, 0.5)):
            if source.random() < 0.2:
                for seat in range(players):
                    twin = deal.copy()
                    shuffle_hidden(twin, seat, source)
                    assert sorted(all_cards(twin)) == sorted(all_cards(deal))
                    assert encoded(twin, seat) == encoded(deal, seat)
                    if actor == seat:
                        assert list(twin.legal()) == list(deal.legal())


@every_game
def test_what_a_seat_is_told_of_a_move_does_not_depend_on_cards_it_cannot_see(
    name: str, players: int
) -> None:
    source = random.Random(name)
    compared = 0
    for number in range(3 * SWEEP):
        deal = dealt(name, players, number)
        policy = at_random(number + 400, 0.5)
        for actor in decisions(deal, policy):
            if source.random() < 0.4:
                move = policy(deal)
                seat = source.choice([seat for seat in range(players) if seat != actor])
                compared += _check_told_alike(deal, seat, move, source)
    assert compared > 0


def _check_told_alike(deal: Deal, seat: int, move: str, source: random.Random) -> bool:
    """Make a move in a deal and, if it is legal there, one that looks the same in a twin with hidden cards shuffled."""
    straight, twin = deal.copy(), deal.copy()
    shuffle_hidden(twin, seat, source, _public(move))
    alike = [other for other in twin.legal() if _public(other) == _public(move)]
    if not alike:
        return False
    for each, chosen in ((straight, move), (twin, source.choice(alike))):
        each.take_events(seat)
        each.apply(chosen)
    assert _without_own_draws(straight, seat) == _without_own_draws(twin, seat)
    return True


def _public(move: str) -> str:
    """Return what others see of a move: not the card laid away for the turn-up."""
    return re.sub("^rob [^>]+", "rob", move)


def _without_own_draws(deal: Deal, seat: int) -> list[Event]:
    """Return what a seat was told, but for the cards it drew itself, which differ when the stock does."""
    events = []
    for event in deal.take_events(seat):
        if event.e == "draw" and event.seat == seat:
            events.append(msgspec.structs.replace(event, cards=None))
        elif event.e == "draw":
            assert event.cards is None
            events.append(event)
        else:
            events.append(event)
    return events


@every_game
def test_the_same_moves_give_the_same_deal(name: str, players: int) -> None:
    deal, twin = dealt(name, players, 3), dealt(name, players, 3)
    policy = at_random(3, 0.5)

    def recorded(asked: Deal) -> str:
        move = policy(asked)
        twin.apply(move)
        return move

    for seat in decisions(deal, recorded):
        assert twin.to_act == seat
        assert list(twin.legal()) == list(deal.legal())
        for watcher in range(players):
            assert twin.view(watcher) == deal.view(watcher)
            assert twin.take_events(watcher) == deal.take_events(watcher)
    assert twin.result == deal.result


@every_game
def test_asking_changes_nothing(name: str, players: int) -> None:
    deal, unasked = dealt(name, players, 4), dealt(name, players, 4)
    policy = at_random(4, 0.5)
    moves: list[str] = []
    for _ in decisions(deal, lambda asked: moves[-1]):
        start = deal.starting_cards()
        before = [encoded(deal, seat) for seat in range(players)]
        deal.resolve(deal.passive_move())
        deal.copy()
        moves.append(policy(deal))
        assert [encoded(deal, seat) for seat in range(players)] == before
        assert deal.starting_cards() == start
    for move in moves:
        unasked.apply(move)
    assert unasked.result == deal.result
    for seat in range(players):
        assert unasked.take_events(seat) == deal.take_events(seat)
        assert unasked.take_events(seat) == []


@every_game
def test_a_view_and_a_legal_list_taken_earlier_do_not_change_with_the_deal(name: str, players: int) -> None:
    deal = dealt(name, players, 5)
    taken = []
    for seat in decisions(deal, at_random(5, 0.5)):
        view, legal = deal.view(seat), deal.legal()
        taken.append((view, msgspec.json.encode(view), legal, list(legal)))
    for view, as_sent, legal, as_listed in taken:
        assert msgspec.json.encode(view) == as_sent
        assert list(legal) == as_listed


@every_game
def test_a_copy_and_its_original_go_their_own_ways(name: str, players: int) -> None:
    source = random.Random(name)
    deal = dealt(name, players, 6)
    for seat in decisions(deal, at_random(6, 0.5)):
        if source.random() < 0.05:
            before = [encoded(deal, watcher) for watcher in range(players)]
            copy = deal.copy()
            assert copy.to_act == seat
            assert [encoded(copy, watcher) for watcher in range(players)] == before
            assert list(copy.legal()) == list(deal.legal())
            assert [copy.take_events(watcher) for watcher in range(players)] == [[]] * players
            _played_out(copy, at_random(source.randrange(1_000), 0.5))
            assert deal.to_act == seat
            assert deal.result is None
            assert [encoded(deal, watcher) for watcher in range(players)] == before
            assert sorted(all_cards(deal)) == sorted(all_cards(copy))


@every_game
@pytest.mark.parametrize("copied_at", [0, 2, 5])
def test_a_copy_played_like_its_original_ends_like_it(name: str, players: int, copied_at: int) -> None:
    deal = dealt(name, players, 8)
    policy = at_random(8, 0.5)
    copies: list[Deal] = []

    def both(asked: Deal) -> str:
        move = policy(asked)
        for copy in copies:
            copy.apply(move)
        return move

    for number, _ in enumerate(decisions(deal, both)):
        if number == copied_at:
            copies.append(deal.copy())
    (copy,) = copies
    assert copy.result == deal.result
    assert copy.starting_cards() == deal.starting_cards()
    for seat in range(players):
        assert encoded(copy, seat) == encoded(deal, seat)


@every_game
def test_a_sampled_deal_looks_the_same_to_the_seat_and_can_be_played_out(name: str, players: int) -> None:
    game = game_from_profile(name, players)
    for number in range(SWEEP):
        deal = dealt(name, players, number)
        for decision, seat in enumerate(decisions(deal, at_random(number + 500, 0.5)), number):
            if decision & (decision - 1):
                # Often enough: decisions 0, 1, 2, 4, 8 and so on, moved on by one in every deal.
                continue
            samples = [game.sample(deal.view(seat), seat, seed_of("sample", number)) for _ in range(2)]
            for sample in samples:
                assert sample.to_act == seat
                assert encoded(sample, seat) == encoded(deal, seat)
                assert list(sample.legal()) == list(deal.legal())
                assert len(set(all_cards(sample))) == len(all_cards(deal))
            first, second = (_played_out(sample, at_random(number, 0.5)) for sample in samples)
            assert first.result == second.result


def _played_out(deal: Deal, policy: Policy) -> Deal:
    for _ in decisions(deal, policy):
        pass
    return deal


@every_game
def test_every_seed_samples_other_hidden_cards(name: str, players: int) -> None:
    game = game_from_profile(name, players)
    deal = dealt(name, players, 11)
    seat = deal.to_act
    assert seat is not None
    samples = {tuple(all_cards(game.sample(deal.view(seat), seat, seed_of(number)))) for number in range(8)}
    assert len(samples) == 8
    assert {frozenset(cards) for cards in samples} == {frozenset(all_cards(deal))}


@every_game
def test_the_document_of_a_profile_makes_the_same_game(name: str, players: int) -> None:
    game = game_from_profile(name, players)
    again = game_from_document(game.document())
    assert again.document() == game.document()
    assert (again.name, again.players, again.sides) == (game.name, game.players, game.sides)
    assert (again.fixed_deals, list(again.moves())) == (game.fixed_deals, list(game.moves()))
    assert again.deal(bytes(32), 0, 0).starting_cards() == game.deal(bytes(32), 0, 0).starting_cards()


@every_game
def test_matches_hand_on_what_a_deal_leaves_and_end(name: str, players: int) -> None:
    game = game_from_profile(name, players)
    match = Match(game, 25, seed_of("match", name, players))
    policy = at_random(9, 0.7)
    totals = [0] * players
    while not match.over:
        result = match.apply(policy(match.deal))
        if result is not None:
            totals = [total + points for total, points in zip(totals, result.points, strict=True)]
    assert match.scores == totals
    assert match.reason in ("target", "deals", "decisions")
    assert match.deals == game.fixed_deals or game.fixed_deals is None
    places = match.places()
    assert min(places) == 1
    assert all(places[seat] == places[seat % game.sides] for seat in range(players))


@every_game
def test_a_log_proves_its_result_and_a_changed_move_does_not(name: str, players: int) -> None:
    profile = profiles()[name]
    for number in range(SWEEP):
        log = played_log(
            players, 5, profile.options, seed=seed_of("log", number, name), game_name=profile.game
        )
        replayed = replay(log)
        rows = rows_of(log)
        assert list(replayed.points) == rows[-1]["scores"]
        assert list(replayed.places) == rows[-1]["places"]
        assert replayed.decisions == sum(row["type"] == "act" for row in rows)
        acts = [index for index, row in enumerate(rows) if row["type"] == "act"]
        changed = random.Random(number).choice(acts)
        rows[changed]["move"] = "no move"
        with pytest.raises(LogError, match="an illegal move") as refused:
            replay(signed(rows))
        assert refused.value.line == changed + 1


@every_game
def test_a_log_with_a_fault_in_it_proves_its_result(name: str, players: int) -> None:
    profile = profiles()[name]
    offender = players - 1
    log = played_log(players, 5, profile.options, {3: [offender]}, seed_of("fault", name), profile.game)
    replayed = replay(log)
    sides = game_from_profile(name, players).sides
    assert replayed.places[offender] == max(replayed.places) > 1
    assert (replayed.reason == "fault") == (sides == 2)
    assert [fault.seat for fault in replayed.faults] == [offender]
