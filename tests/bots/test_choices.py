"""What the thinking bots do in positions where one answer is plainly right."""

from collections.abc import Iterator

import msgspec
import pytest

from engine.games import game_from_profile
from engine.spite.cards import PRINTED, RANK_OF
from engine.spite.view import GoalPile, SpiteView
from tests.bots.programs import Bot, running
from tests.engine.spite.positions import position
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
    from bots import planner

    asked = position.request()
    view = asked.view
    assert isinstance(view, SpiteView)
    search = planner.Search(
        planner.Turn(
            seat=0,
            legal=list(asked.legal),
            hand=view.hand,
            goals=[["A"], ["K"]],
            discards=[[list(pile) for pile in piles] for piles in view.discards],
            centre=view.centre,
            unseen=view.unseen,
        )
    )
    search.best((1, 4, 7, 9), (13,) * 5, (12,) * 4)
    assert len(search.known) <= planner.MAX_POSITIONS
