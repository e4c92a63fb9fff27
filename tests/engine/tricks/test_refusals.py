"""What is not legal is refused with a reason its author can act on, and changes nothing."""

import msgspec
import pytest

from engine.errors import IllegalMoveError
from engine.tricks.deal import TrickDeal
from engine.tricks.rules import TrickGame
from tests.engine.tricks.positions import dealt_hands, late, new_game, with_tricks

TWO = new_game(players=2)


def refused(deal: TrickDeal, move: str) -> str:
    """Return why a move is refused by `resolve`, and by `apply` alike, and check that nothing has changed."""
    before = [msgspec.json.encode(deal.view(seat)) for seat in range(len(deal.hands))]
    messages = []
    for make in (deal.resolve, deal.apply):
        with pytest.raises(IllegalMoveError) as error:
            make(move)
        messages.append(str(error.value))
    assert messages[0] == messages[1]
    assert [msgspec.json.encode(deal.view(seat)) for seat in range(len(deal.hands))] == before
    return messages[0]


def first_lead(turn_up: str = "9D", game: TrickGame = TWO) -> TrickDeal:
    """A deal in which seat 0 is to lead: it has no trump, seat 1 holds the ace."""
    return dealt_hands(["KS 2S 3S 4S 6S", "AD 2D 8C 9C 10C"], turn_up, game, dealer=1)


@pytest.mark.parametrize(
    "move", ["", "AA", "5d", "H5", "5D ", "rob", "rob 8C>8C", "pass", "0", "take 5D", "x" * 99]
)
def test_what_is_no_move_of_the_game_is_refused_with_one_that_is(move: str) -> None:
    message = refused(first_lead(), move)
    assert message.endswith("is not a move of this game; one of `legal` is wanted, such as 2S")
    assert len(message) < 120


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("5D", "there is no 5D in the hand"),
        (
            "stand",
            "only the dealer says it without a card, before the first lead, when an ace was turned; the holder of",
        ),
        ("rob 2S", "only the dealer says it without a card"),
        ("stand>2S", "only who was dealt AD, the ace of trumps, may rob or stand, with his first card"),
        ("rob 2S>9D", "only who was dealt AD, the ace of trumps, may rob or stand"),
        ("take", "only who has won the first three tricks may take or jink, before he leads to the fourth"),
        ("jink", "only who has won the first three tricks may take or jink"),
    ],
)
def test_the_leader_of_the_first_trick_is_told_what_he_may_not(move: str, reason: str) -> None:
    assert refused(first_lead(), move).startswith(f"{move!r}: {reason}")


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("rob 2S>9D", "there is no 2S in the hand to lay away"),
        ("rob AD>9D", "AD, the ace of trumps, may not be laid away: it is what takes the turn-up"),
        ("rob 8C>8D", "there is no 8D in the hand"),
        ("9D", "there is no 9D in the hand"),
        ("stand>9D", "there is no 9D in the hand"),
        ("stand>8C", "you must follow trumps: JD, a trump, was led, and you hold AD 2D"),
        ("8C", "you must follow trumps: JD, a trump, was led, and you hold AD 2D"),
        ("rob 8C>9C", "you must follow trumps: JD, a trump, was led, and you hold AD 2D 9D"),
    ],
)
def test_the_holder_of_the_ace_is_told_what_he_may_not(move: str, reason: str) -> None:
    deal = dealt_hands(["JD 2S 3S 4S 6S", "AD 2D 8C 9C 10C"], "9D", TWO, dealer=1)
    deal.apply("JD")
    assert refused(deal, move) == f"{move!r}: {reason}"


def test_a_silent_ace_of_hearts_must_follow() -> None:
    deal = dealt_hands(["2H 2S 3S 4S 6S", "AH 7C 8C 9C 10C"], "9H", TWO, dealer=1)
    deal.apply("2H")
    assert refused(deal, "7C") == "'7C': you must follow trumps: 2H, a trump, was led, and you hold AH"


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (
            "2D",
            "an ace was turned: the dealer says `stand`, or `rob` and the card he lays away, before anything",
        ),
        ("take", "an ace was turned: the dealer says `stand`, or `rob`"),
        ("rob 8C>2D", "an ace was turned: the dealer says `stand`, or `rob`"),
        ("rob KS", "there is no KS in the hand to lay away"),
    ],
)
def test_the_dealer_under_a_turned_ace_is_told_what_is_asked(move: str, reason: str) -> None:
    deal = dealt_hands(["KS 2S 3S 4S 6S", "3D 2D 8C 9C 10C"], "AD", TWO, dealer=1)
    assert refused(deal, move).startswith(f"{move!r}: {reason}")


def test_after_the_dealer_has_spoken_nobody_may_take_the_ace() -> None:
    deal = dealt_hands(["KS 2S 3S 4S 6S", "3D 2D 8C 9C 10C"], "AD", TWO, dealer=1)
    deal.apply("rob 8C")
    assert refused(deal, "rob 2S>KS") == (
        "'rob 2S>KS': an ace was turned: only the dealer might take it, before the first lead"
    )
    deal.apply("KS")
    assert refused(deal, "8C") == "'8C': the 8C was laid away for the turn-up"


@pytest.mark.parametrize(
    ("hand", "led", "move", "reason"),
    [
        ("7S 2H 3C", "KS", "2H", "you must follow spades or trump: KS was led, and you may play 7S"),
        ("7S 2D 3C", "KS", "3C", "you must follow spades or trump: KS was led, and you may play 2D 7S"),
        ("7H AH 3C", "KH", "3C", "you must follow hearts or trump: KH was led, and you may play AH 7H"),
        ("5D 2D 3C", "6D", "3C", "you must follow trumps: 6D, a trump, was led, and you hold 2D 5D"),
        ("JD 3C 4C", "5D", "3C", "you must follow trumps: 5D, a trump, was led, and you hold JD"),
    ],
)
def test_who_must_follow_is_told_with_what(hand: str, led: str, move: str, reason: str) -> None:
    deal = late([f"{led} 8S 9S", hand], "9D", TWO)
    deal.apply(led)
    assert refused(deal, move) == f"{move!r}: {reason}"


def test_a_card_played_before_is_named_as_such() -> None:
    deal = first_lead()
    deal.apply("KS")
    deal.apply("stand>8C")
    assert deal.to_act == 0
    assert refused(deal, "KS") == "'KS': the KS has been played already"


def test_before_the_fourth_lead_taking_or_jinking_is_asked_for() -> None:
    deal = with_tricks(new_game(players=3), [1, 1, 1])
    card = deal.view(1).hand[0]
    assert (
        refused(deal, card)
        == f"{card!r}: the first three tricks are won: `take` or `jink` is wanted before the lead"
    )


def test_nothing_is_legal_once_the_deal_is_over() -> None:
    deal = with_tricks(new_game(players=3), [1, 1, 1])
    deal.apply("take")
    assert refused(deal, "take") == "'take': the deal is over"
    assert deal.legal() == []
