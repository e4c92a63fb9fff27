"""What the thinking bots do in positions where one answer is plainly right."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from bots import planner
from engine.game import Game
from engine.games import game_from_profile
from engine.spite.cards import PRINTED, RANK_OF
from engine.spite.deal import SpiteDeal
from engine.spite.options import Options, SkipBoOptions, StarturnOptions
from engine.spite.view import GoalPile, SpiteView
from engine.tricks.view import Played, TrickView
from tests.bots.programs import Bot, running
from tests.engine.spite.positions import game_of, position
from workers.referee.protocol import Act

GAME = game_from_profile("classic", 2)


class Position(msgspec.Struct, frozen=True):
    """A position as seat 0 sees it; cards as printed, discard piles separated by commas, bottom to top."""

    centre: tuple[int, int, int, int]
    hand: str
    goal: str
    rival: str = "K"
    piles: str = ",,,"
    rival_piles: str = ",,,"

    def request(self) -> Act:
        """What seat 0 is asked. Unseen cards are spread evenly, 8 of each rank."""
        hand = sorted(self.hand.split(), key=RANK_OF.__getitem__)
        own, other = (
            tuple(tuple(pile.split()) for pile in piles.split(","))
            for piles in (self.piles, self.rival_piles)
        )
        return Act(
            id=0,
            deal=0,
            scores=[0, 0],
            view=SpiteView(
                hand=hand,
                hand_sizes=[len(hand), 5],
                goals=((GoalPile(self.goal, 20),), (GoalPile(self.rival, 20),)),
                discards=(own, other),
                centre=list(self.centre),
                stock=60,
                spent=dict.fromkeys(PRINTED[1:14], 1),
                unseen=dict.fromkeys(PRINTED[1:14], 8),
                turn=9,
                dealer=0,
            ),
            legal=position(
                hand=self.hand,
                goal=self.goal,
                centre=self.centre,
                discards=self.piles.split(","),
            ).legal(),
            events=[],
            bank_ms=10_000,
        )


def answers(name: str, *requests: Act) -> list[str]:
    """What a fresh process answers as seat 0."""
    with running(name) as (bot,):
        bot.greet(GAME, 0)
        return [bot.choose(request) for request in requests]


@pytest.mark.parametrize("name", ["planner", "greedy", "starter"])
def test_a_goal_card_that_can_go_goes(name: str) -> None:
    position = Position(centre=(3, 6, 0, 0), hand="4 4 7 9 K", goal="7")
    assert answers(name, position.request()) == ["g>c1"]


@pytest.mark.parametrize(
    ("why", "position", "move"),
    [
        (
            "a card from the hand lets the goal card go",
            Position(centre=(4, 9, 0, 0), hand="5 3 J J Q", goal="6"),
            "h5>c0",
        ),
        (
            "three cards and a king do so together",
            Position(centre=(3, 0, 0, 0), hand="4 6 K 9 9", goal="7"),
            "h4>c0",
        ),
        (
            "the way leads over the discard piles",
            Position(centre=(7, 0, 0, 0), hand="9 2 2 3 3", goal="10", piles="8,,,"),
            "d0>c0",
        ),
        (
            "an uncovered discard is the missing link",
            Position(centre=(7, 0, 0, 0), hand="3 3 5 5 Q", goal="10", piles="9 8,,,"),
            "d0>c0",
        ),
        (
            "the pile the rival waits for is moved past his goal card",
            Position(centre=(5, 9, 10, 10), hand="6 2 3 Q Q", goal="4", rival="6"),
            "h6>c0",
        ),
    ],
)
def test_planner_finds_the_play(why: str, position: Position, move: str) -> None:
    assert answers("planner", position.request()) == [move], why


@pytest.mark.parametrize(
    ("why", "position", "avoided"),
    [
        (
            "a play that only opens the way for the rival",
            Position(centre=(4, 9, 9, 9), hand="5 3 8 8 Q", goal="2", rival="6"),
            "h5>c0",
        ),
        (
            "a king wasted",
            Position(centre=(4, 9, 9, 9), hand="K 3 8 8 Q", goal="3", rival="3"),
            "hK>c",
        ),
    ],
)
def test_planner_leaves_a_play_that_serves_others(why: str, position: Position, avoided: str) -> None:
    (move,) = answers("planner", position.request())
    assert ">d" in move, why
    assert not move.startswith(avoided)


@pytest.fixture(params=["planner", "greedy"])
def tidy(request: pytest.FixtureRequest) -> Iterator[Bot]:
    """The bots that care where they discard."""
    with running(request.param) as (bot,):
        bot.greet(GAME, 0)
        yield bot


def test_discards_run_downwards_and_kings_are_kept(tidy: Bot) -> None:
    position = Position(centre=(0, 0, 0, 0), hand="3 K K 8 K", goal="Q", piles="9,2,K,J J")
    assert tidy.choose(position.request()) == "h8>d0"


def test_a_king_is_discarded_only_when_nothing_else_can_be(tidy: Bot) -> None:
    position = Position(centre=(1, 1, 1, 1), hand="A A", goal="9")
    assert tidy.choose(position.request()) == "pass"
    position = Position(centre=(0, 0, 0, 0), hand="K K K", goal="9", piles="2,,,")
    assert tidy.choose(position.request()) == "hK>d1"


def test_planner_bounds_its_search_in_the_richest_position() -> None:
    # Five kings and long runs on every pile: each card can go almost anywhere.
    run = " ".join(PRINTED[12:0:-1])
    position = Position(centre=(1, 4, 7, 9), hand="K K K K K", goal="A", piles=",".join([run] * 4))
    asked = position.request()
    view = asked.view
    assert isinstance(view, SpiteView)
    search = planner.Search(
        planner.Turn(
            planner.Rules(GAME.document()),
            seat=0,
            legal=list(asked.legal),
            hand=view.hand,
            goals=[["A"], ["K"]],
            discards=[[list(pile) for pile in piles] for piles in view.discards],
            centre=view.centre,
            unseen=view.unseen,
        )
    )
    search.best((1, 4, 7, 9), (planner.WILD,) * 5, (12,) * 4)
    assert len(search.known) <= planner.MAX_POSITIONS


def asked_in(deal: SpiteDeal) -> Act:
    """What the seat to act is asked in a position."""
    seat = deal.to_act
    assert seat is not None
    return Act(0, 0, [0, 0], deal.view(seat), deal.legal(), [], 10_000)


@pytest.mark.parametrize("name", ["planner", "greedy"])
@pytest.mark.parametrize(
    ("options", "players", "deal", "move"),
    [
        (
            Options(misery=True),
            2,
            position(
                options=Options(misery=True),
                goal="9 5",
                centre=(4, 0, 0, 0),
                hand="2 3 8 8 J Q",
                left=(9,) * 4,
            ),
            "g1>c0",
        ),
        (
            SkipBoOptions(partners=True),
            4,
            position(
                options=SkipBoOptions(partners=True),
                goal="9",
                goals={2: "5"},
                centre=(4, 0, 0, 0),
                hand="2 7 7 8 8",
                left=(9,) * 4,
            ),
            "pg>c0",
        ),
        (
            StarturnOptions(),
            2,
            position(options=StarturnOptions(), goal="15", centre=(14, 0, 0, 0), hand="2 7 7 8 8"),
            "g>c0",
        ),
    ],
    ids=["a second goal pile", "a partner's goal card", "the top rank"],
)
def test_a_goal_card_goes_in_every_game(
    name: str, options: Options | SkipBoOptions | StarturnOptions, players: int, deal: SpiteDeal, move: str
) -> None:
    with running(name) as (bot,):
        bot.greet(game_of(players, options), 0)
        assert bot.choose(asked_in(deal)) == move


@pytest.mark.parametrize(
    ("options", "deal", "move"),
    [
        (
            SkipBoOptions(),
            position(options=SkipBoOptions(), goal="2", hand="* 5 5 9 9"),
            "h*>c0",
        ),
        (
            Options(cover_wild=True),
            position(options=Options(cover_wild=True), goal="6", centre=(3, 9, 9, 9), hand="5 8 8 J K"),
            "hK>c0",
        ),
        (
            Options(jokers_to_king=True),
            position(options=Options(jokers_to_king=True), goal="K", centre=(11, 9, 9, 9), hand="2 5 5 8 Q"),
            "hQ>c0",
        ),
    ],
    ids=["a wild card opens a pile", "a wild card is covered on the way", "piles run to the king"],
)
def test_planner_knows_the_rules_of_wild_cards_and_piles(
    options: Options | SkipBoOptions, deal: SpiteDeal, move: str
) -> None:
    with running("planner") as (bot,):
        bot.greet(game_of(2, options), 0)
        assert bot.choose(asked_in(deal)) == move


def trick_request(legal: list[str], **seen: Any) -> Act:
    """What seat 0 is asked with these cards in hand and on the table; spades are trumps."""
    view = TrickView(
        **{
            "hand": legal,
            "trump": "S",
            "turn_up": "9S",
            "trick": [],
            "played": [],
            "tricks_won": [0, 0, 0],
            "pool": None,
            "robbed": None,
            "stood": None,
            "ace_fell": False,
            "jinker": None,
            "dealer": 0,
            "leader": 1,
            "turn": 1,
            **seen,
        }
    )
    return Act(0, 0, [0] * len(view.tricks_won), view, legal, [], 10_000)


def tricks(*words: str) -> list[list[Played]]:
    """Tricks as played from seat 0 on, cards separated by blanks."""
    return [[Played(seat, card) for seat, card in enumerate(word.split())] for word in words]


THREE_TRICKS = tricks("2D 3D 4D", "6D 7D 8D", "9D 10D JD")


@pytest.mark.parametrize(
    ("why", "game", "request_", "move"),
    [
        (
            "whoever is about to win his third trick is stopped",
            game_from_profile("spoil-five", 3),
            trick_request(
                ["3H", "2S"],
                trick=[Played(1, "9C"), Played(2, "KC")],
                played=THREE_TRICKS,
                tricks_won=[1, 0, 2],
                turn=4,
            ),
            "2S",
        ),
        (
            "the two best trumps win the last two tricks",
            game_from_profile("spoil-five", 3),
            trick_request(
                ["take", "jink"],
                hand=["5S", "JS"],
                played=THREE_TRICKS,
                tricks_won=[3, 0, 0],
                leader=0,
                turn=4,
            ),
            "jink",
        ),
        (
            "two poor cards do not",
            game_from_profile("spoil-five", 3),
            trick_request(
                ["take", "jink"],
                hand=["2C", "3H"],
                played=THREE_TRICKS,
                tricks_won=[3, 0, 0],
                leader=0,
                turn=4,
            ),
            "take",
        ),
        (
            "a partner keeps his trick",
            game_from_profile("forty-five", 4),
            trick_request(
                ["2D", "AS"],
                trick=[Played(1, "9C"), Played(2, "5S"), Played(3, "KC")],
                played=tricks("2H 3H 4H 6H", "7H 8H 9H 10H", "JH QH KH JC"),
                tricks_won=[1, 1, 0, 1],
                turn=4,
            ),
            "2D",
        ),
        (
            "the weakest card is laid away under a turned ace",
            game_from_profile("spoil-five", 3),
            trick_request(
                ["rob 3H", "rob 5S", "rob 8C", "rob KD", "rob QC", "stand"],
                hand=["8C", "QC", "KD", "3H", "5S"],
                turn_up="AS",
            ),
            "rob 8C",
        ),
    ],
)
def test_spoiler_does_what_is_plainly_right(why: str, game: Game, request_: Act, move: str) -> None:
    with running("spoiler") as (bot,):
        bot.greet(game, 0)
        assert bot.choose(request_) == move, why
