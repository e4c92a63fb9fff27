"""What must hold in every position of Parlett's game, over whole deals under every option, by good and bad players."""

import random
from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest

from engine.errors import IllegalMoveError
from engine.parlett.deal import HAND_CARDS, LOW_STOCK, ParlettDeal
from engine.parlett.moves import PARTS
from engine.parlett.options import Options
from engine.parlett.rules import ParlettGame
from engine.parlett.sides import fits_of
from engine.parlett.table import Table, first_slots
from engine.replay import replay
from tests.engine.logs import played_log
from tests.engine.parlett.naive import Naming, Position, expected_legal, with_card, without_top
from tests.engine.parlett.positions import Policy, all_cards, new_deal, played_out, shuffle_hidden
from tests.engine.policies import POLICIES, at_random

OPTIONS = {
    "default": Options(),
    "three jokers": Options(jokers=3),
    "joker memory": Options(joker_memory=True),
}

every_option = pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)


def generous(seed: int) -> Policy:
    """Play what can be played but the personal pack, and discard a lot: many long side piles and centre piles."""
    source = random.Random(seed)

    def policy(deal: ParlettDeal) -> str:
        legal = deal.legal()
        plays = [move for move in legal if move[0] in "hd" and ">c" in move]
        discards = [move for move in legal if ">d" in move]
        wanted = plays if source.random() < 0.3 else discards
        return source.choice(wanted or legal)

    return policy


PLAYERS: dict[str, Policy] = {
    **POLICIES,
    "random": at_random(1),
    "lively": at_random(2, 0.8),
    "generous": generous(3),
}


def positions(options: Options, policy: Policy, number: int) -> Iterator[ParlettDeal]:
    """Yield a deal at every decision of it, and once more when it is over."""
    deal = new_deal(number, options)
    while deal.result is None:
        yield deal
        deal.apply(policy(deal))
    yield deal


def printed(deal: ParlettDeal, cards: list[int]) -> tuple[str, ...]:
    return tuple(deal.table.deck.printed[card] for card in cards)


def as_printed(deal: ParlettDeal, namings: tuple[frozenset[Naming], ...] | None = None) -> Position:
    """Return what the seat to act has before it, for the naive rules."""
    assert deal.to_act is not None
    table = deal.table
    return Position(
        goal=printed(deal, table.goals[deal.to_act])[-1],
        hand=printed(deal, table.hands[deal.to_act]),
        sides=tuple(printed(deal, pile) for pile in table.discards[deal.to_act]),
        centre=tuple(len(pile) for pile in table.centre),
        frozen=deal.idle >= 2,
        namings=namings,
    )


@every_option
def test_every_card_is_in_one_place_after_every_action(options: Options) -> None:
    for deal in positions(options, at_random(1, 0.5), 1):
        assert sorted(all_cards(deal)) == list(range(len(deal.table.deck)))


@every_option
@pytest.mark.parametrize("player", ["random", "lively", "generous", "hoarding"])
def test_what_the_table_keeps_ready_is_what_lies_there(options: Options, player: str) -> None:
    for deal in positions(options, PLAYERS[player], 2):
        table = deal.table
        ranks = table.deck.ranks
        assert table.heights == [len(pile) for pile in table.centre]
        assert table.heights[-1] == 0
        assert max(table.heights) < 13
        assert table.first == first_slots(table.heights)
        for seat in range(2):
            assert table.hands[seat] == sorted(table.hands[seat])
            assert len(table.hands[seat]) <= HAND_CARDS
            assert table.tops[seat] == [ranks[pile[-1]] if pile else 0 for pile in table.discards[seat]]
            assert table.fits[seat] == fits_of(table.sets[seat])
            assert [len(pile) for pile in table.discards[seat]] == [len(sets) for sets in table.sets[seat]]
        spent = Counter(ranks[card] for pile in [*table.centre, table.dead] for card in pile)
        assert {rank: count for rank, count in enumerate(table.spent) if count} == spent
        assert table.stock.count >= LOW_STOCK or not table.dead


def test_the_open_ranks_of_side_piles_follow_from_the_piles_alone() -> None:
    for deal in positions(Options(), generous(4), 3):
        for seat in range(2):
            table = Table(deal.table.packs, False)
            for pile, cards in enumerate(deal.table.discards[seat]):
                for card in cards:
                    table.discard(seat, card, pile)
            assert table.sets[seat] == deal.table.sets[seat]


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("options", [Options(), Options(jokers=3)], ids=["default", "three jokers"])
def test_the_legal_list_is_what_the_rule_text_gives(options: Options, player: str) -> None:
    for number in range(2):
        for deal in positions(options, PLAYERS[player], number):
            if deal.result is None:
                assert deal.legal() == expected_legal(as_printed(deal))


NOTHING: frozenset[Naming] = frozenset({()})


@pytest.mark.parametrize("player", ["random", "lively", "generous", "burying", "discarding lowest"])
def test_with_joker_memory_the_legal_list_is_what_all_namings_give(player: str) -> None:
    options = Options(joker_memory=True)
    for number in range(2):
        namings = [[NOTHING] * 4, [NOTHING] * 4]
        deal = new_deal(number, options)
        while deal.to_act is not None:
            seat = deal.to_act
            assert deal.legal() == expected_legal(as_printed(deal, tuple(namings[seat])))
            redeals = deal.redeals
            move = PLAYERS[player](deal)
            if ">d" in move:
                pile = int(move[-1])
                namings[seat][pile] = with_card(namings[seat][pile], move[1:].split(">")[0])
            elif move[0] == "d":
                namings[seat][int(move[1])] = without_top(namings[seat][int(move[1])])
            deal.apply(move)
            if deal.redeals > redeals:
                namings = [[NOTHING] * 4, [NOTHING] * 4]


def resolved_or_why(deal: ParlettDeal, move: str) -> str:
    """Return what a move resolves to, or why it does not."""
    try:
        return deal.resolve(move)
    except IllegalMoveError as error:
        return str(error)


def test_every_legal_form_resolves_to_a_listed_one_and_no_other_does() -> None:
    source = random.Random(5)
    for deal in positions(Options(), at_random(5, 0.5), 5):
        if deal.result is None and source.random() < 0.05:
            legal = deal.legal()
            for move in PARTS:
                resolved = resolved_or_why(deal, move)
                assert resolved in legal or resolved.startswith(f"'{move}': ")
                assert resolved not in legal or resolved.partition(">")[0] == move.partition(">")[0]
                assert (resolved == move) == (move in legal)


@every_option
def test_a_seat_cannot_tell_when_hidden_cards_change_places(options: Options) -> None:
    source = random.Random(6)
    for deal in positions(options, at_random(6, 0.5), 6):
        if deal.result is None and source.random() < 0.1:
            for seat in range(2):
                twin = deal.copy()
                shuffle_hidden(twin, seat, source)
                assert sorted(all_cards(twin)) == sorted(all_cards(deal))
                assert msgspec.json.encode(twin.view(seat)) == msgspec.json.encode(deal.view(seat))
                if deal.to_act == seat:
                    assert twin.legal() == deal.legal()


@every_option
def test_events_tell_a_seat_its_whole_hand_and_nobody_else_s(options: Options) -> None:
    hands = [Counter[str](), Counter[str]()]
    redeals = 0
    for deal in positions(options, at_random(7, 0.5), 7):
        for seat, hand in enumerate(hands):
            events = deal.take_events(seat)
            assert all(event.cards is None for event in events if event.e == "draw" and event.seat != seat)
            if deal.redeals > redeals:
                # Hands were gathered and dealt anew after everything else.
                hand.clear()
                events = events[-2:]
            for event in events:
                if event.seat == seat and event.e == "draw":
                    hand.update(event.cards or [])
                elif event.seat == seat and event.move is not None and event.move.startswith("h"):
                    hand.subtract(event.cards or [])
            assert +hand == Counter(deal.view(seat).hand)
        redeals = deal.redeals
    assert redeals > 0


@every_option
@pytest.mark.parametrize("player", PLAYERS)
def test_every_deal_ends_whoever_plays(options: Options, player: str) -> None:
    for number in range(3):
        deal = new_deal(number, options)
        result = played_out(deal, PLAYERS[player])
        left = [len(pile) for pile in deal.table.goals]
        assert (result.reason == "won") == (0 in left)
        assert result.reason in ("won", "redeals", "turns", "plays")
        assert result.points == (max(0, left[1] - left[0]), max(0, left[0] - left[1]))


@pytest.mark.parametrize(
    "pair", [("refusing", "eager"), ("last", "eager"), ("idle", "lively"), ("burying", "hoarding")]
)
def test_every_deal_ends_when_the_players_differ(pair: tuple[str, str]) -> None:
    def policy(deal: ParlettDeal) -> str:
        return PLAYERS[pair[deal.to_act or 0]](deal)

    for number in range(4):
        assert played_out(new_deal(number), policy).reason in ("won", "redeals", "turns", "plays")


@every_option
def test_a_copy_and_its_original_go_their_own_ways_to_the_same_end(options: Options) -> None:
    deal = new_deal(8, options)
    policy = at_random(8, 0.7)
    for _ in range(150):
        deal.apply(policy(deal))
    copy = deal.copy()
    before = [msgspec.json.encode(copy.view(seat)) for seat in range(2)]
    policy = at_random(9, 0.7)
    moves = []
    while deal.result is None:
        moves.append(policy(deal))
        deal.apply(moves[-1])
    assert [msgspec.json.encode(copy.view(seat)) for seat in range(2)] == before
    assert [copy.take_events(seat) for seat in range(2)] == [[], []]
    for move in moves:
        copy.apply(move)
    assert copy.result == deal.result
    assert copy.starting_cards() == deal.starting_cards()
    assert [copy.view(seat) for seat in range(2)] == [deal.view(seat) for seat in range(2)]


@every_option
def test_a_log_replays(options: Options) -> None:
    log = played_log(2, 25, msgspec.to_builtins(options), game_name="parlett")
    replayed = replay(log)
    assert replayed.reason in ("target", "deals", "decisions")
    assert replayed.decisions > 100


@every_option
def test_every_move_made_is_one_of_those_there_can_be(options: Options) -> None:
    known = ParlettGame(options).moves()
    assert len(known) == len(set(known))
    for deal in positions(options, at_random(10, 0.5), 10):
        assert set(deal.legal()) <= set(known)
