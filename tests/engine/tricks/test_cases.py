"""The written cases of the trick games, by number, each sentence of each."""

from collections.abc import Callable

import pytest

from engine.errors import IllegalMoveError
from engine.game import DealResult
from engine.tricks.deal import TrickDeal
from tests.engine.tricks.positions import (
    dealt_hands,
    new_game,
    result_of,
    to_follow,
    winner_of,
    with_tricks,
)

Check = Callable[[], object]

# The worked deal: S (seat 0) deals and turns the nine of diamonds, W leads. What it does not name is ours.
S, W, N, E = range(4)
WORKED = ["AH 7C 9S 3H 4C", "JD 2C KS 3D 5S", "5D {n} 6S 7H 4H", "AD 8C {e} JS KH"]


def worked(n: str, e: str, order: str = "traditional") -> TrickDeal:
    """Deal the worked deal: `n` is North's club, `e` another card of East's."""
    return dealt_hands(
        [hand.format(n=n, e=e) for hand in WORKED],
        "9D",
        new_game(players=4, scoring="pool", order=order),
        dealer=S,
    )


def play(deal: TrickDeal, moves: str) -> int:
    """Make moves such as `W:JD`, and return who leads after them: the winner of a completed trick."""
    for text in moves.split(", "):
        seat, move = text.split(":")
        assert deal.to_act == "SWNE".index(seat), text
        deal.apply(move)
    return deal.leader


def printed_second_trick() -> int:
    """The second trick as printed, but for East's card: North's jack of clubs takes it."""
    deal = worked("JC", "9C")
    play(deal, "W:JD, N:5D, E:rob 8C>9D, S:AH")
    return play(deal, "N:JC, E:9C, S:7C, W:2C")


def card_laid_away() -> str:
    """East plays the eight of clubs he has laid away."""
    deal = worked("JC", "9C")
    play(deal, "W:JD, N:5D, E:rob 8C>9D, S:AH, N:JC")
    with pytest.raises(IllegalMoveError) as refused:
        deal.apply("8C")
    return str(refused.value)


def repaired(order: str = "traditional") -> tuple[list[int], DealResult | None]:
    """The repaired deal played through: its winners and its end."""
    deal = worked("10C", "9C", order)
    winners = [
        play(deal, "W:JD, N:5D, E:rob 9C>9D, S:AH"),
        play(deal, "N:10C, E:8C, S:7C, W:2C"),
    ]
    if order == "traditional":
        winners.append(play(deal, "W:KS, N:6S, E:AD, S:9S"))
        winners.append(play(deal, "E:JS, S:3H, W:3D, N:7H"))
        winners.append(play(deal, "W:5S, N:4H, E:KH, S:4C"))
    return winners, deal.result


def south_s_choice(hand: str) -> list[str]:
    """What South may play to the first trick of the worked deal with another hand."""
    hands = [hand, *(text.format(n="10C", e="9C") for text in WORKED[1:])]
    deal = dealt_hands(hands, "9D", new_game(players=4), dealer=S)
    play(deal, "W:JD, N:5D, E:rob 9C>9D")
    return list(deal.legal())


def norths_choice() -> list[str]:
    """What North may play to the first trick of the worked deal."""
    deal = worked("10C", "9C")
    play(deal, "W:JD")
    return list(deal.legal())


def taken(scoring: str, players: int) -> DealResult | None:
    """Somebody wins tricks 1-3 and takes."""
    deal = with_tricks(new_game(players=players, scoring=scoring), [1, 1, 1])
    assert list(deal.legal()) == ["take", "jink"]
    deal.apply("take")
    return deal.result


POOL4 = new_game(players=4, scoring="pool")
POINTS5 = new_game(players=5)

CASES: list[tuple[str, Check, object]] = [
    ("33 a jack led, the five may be kept", lambda: to_follow("5D 6S JC", "JD", "2D"), ["JC", "5D", "6S"]),
    (
        "33 a jack led, the ace of hearts may not be kept",
        lambda: to_follow("AH 7C 9S", "JD", "2D"),
        ["AH"],
    ),
    ("33 a jack led, common trumps must follow", lambda: to_follow("9D AD JS", "JD", "2D"), ["AD", "9D"]),
    (
        "34 a low trump led, the ace of hearts may be kept",
        lambda: to_follow("AH 7C", "2D", "9D"),
        ["7C", "AH"],
    ),
    (
        "34 beside a common trump it may be played but nothing else",
        lambda: to_follow("AH 4D 7C", "2D", "9D"),
        ["4D", "AH"],
    ),
    ("35 the ace of hearts led, the jack may be kept", lambda: to_follow("JD 7C", "AH", "9D"), ["7C", "JD"]),
    ("35 the five led, nothing may be kept", lambda: to_follow("JD 7C", "5D", "9D"), ["JD"]),
    ("39 plain spades: the ace beats the two", lambda: winner_of("2S AS", "D"), "AS"),
    ("39 plain spades: the two beats the nine", lambda: winner_of("9S 2S", "D"), "2S"),
    ("39 plain spades: the nine beats the ten", lambda: winner_of("10S 9S", "D"), "9S"),
    ("39 plain spades: the jack beats the ace", lambda: winner_of("AS JS", "D"), "JS"),
    ("39 plain diamonds: the two beats the ace", lambda: winner_of("AD 2D", "C"), "2D"),
    ("39 plain diamonds, simple: the ace beats the two", lambda: winner_of("2D AD", "C", "simple"), "AD"),
    ("40 clubs are trumps: the ace wins", lambda: winner_of("10C 2C KC AC", "C"), "AC"),
    ("40 clubs are trumps: the two beats the ten", lambda: winner_of("10C 2C", "C"), "2C"),
    ("41 trick 1: North's five wins", lambda: play(worked("10C", "9C"), "W:JD, N:5D, E:rob 9C>9D, S:AH"), N),
    ("41 trick 1: North could keep the five", norths_choice, ["10C", "5D", "4H", "7H", "6S"]),
    ("41 trick 1: South must play the ace, his only trump", lambda: south_s_choice("AH 7C 9S"), ["AH"]),
    ("41 trick 2 as printed: the jack wins", lambda: winner_of("JC 8C 7C 2C", "D"), "JC"),
    ("41 trick 2 as printed, simple: the jack wins", lambda: winner_of("JC 8C 7C 2C", "D", "simple"), "JC"),
    ("41 trick 2: North wins, not West", printed_second_trick, N),
    ("41 trick 2: East's eight was laid away", card_laid_away, "'8C': the 8C was laid away for the turn-up"),
    ("41 trick 3: East trumps, though he holds a spade", lambda: winner_of("KS 6S AD 9S", "D"), "AD"),
    (
        "41 repaired: N, W, E, W, W, and West wins the pool",
        repaired,
        ([N, W, E, W, W], DealResult((-1, 3, -1, -1), "won", 0)),
    ),
    ("41 repaired, simple: the ten of clubs wins trick 2", lambda: repaired("simple"), ([N, N], None)),
    ("42 take: the pool", lambda: taken("pool", 4), DealResult((-1, 3, -1, -1), "taken", 0)),
    (
        "42 a jink that loses trick 4: spoiled, the pool is carried",
        lambda: result_of(POOL4, [1, 1, 1, 2]),
        DealResult((-1, -1, -1, -1), "jink_failed", 4),
    ),
    (
        "42 and the next dealer adds one",
        lambda: (POOL4.deal(bytes(32), 1, 1, 4).view(0).pool, result_of(POOL4, [2, 3, 2, 3, 2], 1, 4).points),
        (5, (0, -1, 5, 0)),
    ),
    (
        "42 five tricks: the pool and one from each of three",
        lambda: result_of(POOL4, [1, 1, 1, 1, 1]),
        DealResult((-2, 6, -2, -2), "jinked", 0),
    ),
    (
        "43 tricks 2-1-2: spoiled",
        lambda: result_of(new_game(players=3, scoring="pool"), [0, 1, 2, 0, 2]),
        DealResult((-1, -1, -1), "spoiled", 3),
    ),
    ("43 points, five players: take is 4", lambda: taken("points", 5), DealResult((0, 4, 0, 0, 0), "taken")),
    (
        "43 points, five players: five tricks are 8",
        lambda: result_of(POINTS5, [2, 2, 2, 2, 2]),
        DealResult((0, 0, 8, 0, 0), "jinked"),
    ),
    (
        "43 points, five players: spoiled is nothing",
        lambda: result_of(POINTS5, [2, 1, 2, 1, 0]),
        DealResult((0, 0, 0, 0, 0), "spoiled"),
    ),
    (
        "45 side 3-2",
        lambda: result_of(new_game("forty-five", 2), [0, 1, 0, 1, 0]),
        DealResult((5, 0), "won"),
    ),
    (
        "45 side 5-0",
        lambda: result_of(new_game("forty-five", 4), [1, 3, 3, 1, 1]),
        DealResult((0, 10, 0, 10), "five"),
    ),
    (
        "45 trick 3-2",
        lambda: result_of(new_game("forty-five", 2, scoring="trick"), [0, 1, 0, 1, 0]),
        DealResult((15, 10), "won"),
    ),
]


@pytest.mark.parametrize(("check", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_case(check: Check, expected: object) -> None:
    assert check() == expected
