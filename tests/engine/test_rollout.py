"""Rollouts play copies, are reproducible, and sum up what they saw."""

import statistics
from collections.abc import Callable
from itertools import pairwise

import msgspec
import pytest

from engine.errors import EngineError, IllegalMoveError
from engine.game import Deal, Game
from engine.games import game_from_profile
from engine.playout import Source, play_out
from engine.rollout import Rollouts, rollout, rollout_view

SEED = bytes(range(32))
GAMES = [
    ("classic", 2),
    ("skip-bo", 3),
    ("starturn", 2),
    ("parlett", 2),
    ("spoil-five", 5),
    ("forty-five", 4),
]

each_game = pytest.mark.parametrize(("profile", "players"), GAMES)


def uniform(deal: Deal, source: Source) -> str:
    legal = deal.legal()
    return legal[source.below(len(legal))]


def some_way_in(game: Game, moves: int) -> Deal:
    """A deal after so many moves of `uniform`, or one that ended before."""
    deal = game.deal(SEED, 0, 0)
    source = Source(b"some way in")
    for _ in range(moves):
        if deal.to_act is None:
            break
        deal.apply(uniform(deal, source))
    return deal


@each_game
def test_a_rollout_leaves_the_deal_as_it_was_and_can_be_repeated(profile: str, players: int) -> None:
    deal = some_way_in(game_from_profile(profile, players), 6)
    before = [msgspec.to_builtins(deal.view(seat)) for seat in range(players)], list(deal.legal())
    first = rollout(deal, "uniform", 3, SEED)
    assert rollout(deal, "uniform", 3, SEED) == first
    assert ([msgspec.to_builtins(deal.view(seat)) for seat in range(players)], list(deal.legal())) == before
    assert first.deals == 3
    assert first.decisions >= 3


def test_another_seed_plays_on_in_another_way() -> None:
    deal = some_way_in(game_from_profile("classic"), 6)
    assert len({rollout(deal, "uniform", 3, bytes([number])).decisions for number in range(8)}) > 1


@each_game
def test_the_built_in_uniform_is_a_function_anybody_can_write(profile: str, players: int) -> None:
    deal = some_way_in(game_from_profile(profile, players), 6)
    assert rollout(deal, uniform, 3, SEED) == rollout(deal, "uniform", 3, SEED)


@each_game
def test_rollouts_from_a_view_deal_the_hidden_cards_anew(profile: str, players: int) -> None:
    game = game_from_profile(profile, players)
    deal = some_way_in(game, 3)
    seat = deal.to_act
    assert seat is not None
    view = deal.view(seat)
    found = rollout_view(game, view, seat, "uniform", 4, SEED)
    assert found == rollout_view(game, view, seat, "uniform", 4, SEED)
    assert found.deals == 4
    assert len(found.mean) == players

    def first_move(sampled: Deal, source: Source) -> str:
        return sampled.legal()[0]

    # Nothing but the hidden cards differs here, so whatever differs in the outcome is due to them.
    ends = {rollout_view(game, view, seat, first_move, 1, bytes([number])).decisions for number in range(20)}
    assert len(ends) > 1 or profile in ("spoil-five", "forty-five")


def test_mean_variance_and_error_are_those_of_the_deals() -> None:
    game = game_from_profile("forty-five", 4)
    deal = some_way_in(game, 2)
    seen: list[tuple[int, ...]] = []

    def noting(played: Deal, source: Source) -> str:
        move = uniform(played, source)
        after = played.copy()
        after.apply(move)
        if after.result is not None:
            seen.append(after.result.points)
        return move

    found = rollout(deal, noting, 25, SEED)
    assert len(seen) == 25
    for seat in range(4):
        points = [result[seat] for result in seen]
        assert found.mean[seat] == pytest.approx(statistics.fmean(points))
        assert found.variance[seat] == pytest.approx(statistics.variance(points))
        assert found.error[seat] == pytest.approx((statistics.variance(points) / 25) ** 0.5)
    assert any(found.variance)


def test_a_single_rollout_says_nothing_about_variance() -> None:
    found = rollout(some_way_in(game_from_profile("forty-five", 4), 2), "uniform", 1, SEED)
    assert (found.deals, found.variance, found.error) == (1, (0.0,) * 4, (0.0,) * 4)


@pytest.mark.parametrize(
    ("policy", "n", "words"),
    [
        ("uniform", 0, "at least one rollout is needed, not 0"),
        ("clever", 1, "no policy 'clever'; there are uniform, greedy and your own function"),
    ],
)
def test_what_cannot_be_rolled_out_is_refused(policy: str, n: int, words: str) -> None:
    with pytest.raises(EngineError, match=words):
        rollout(game_from_profile("parlett").deal(SEED, 0, 0), policy, n, SEED)


def test_an_illegal_move_of_a_policy_is_an_error() -> None:
    with pytest.raises(IllegalMoveError, match="nonsense"):
        rollout(game_from_profile("parlett").deal(SEED, 0, 0), lambda deal, source: "nonsense", 1, SEED)


@pytest.mark.parametrize("profile", ["classic", "parlett"])
def test_greedy_plays_goal_cards_first_then_to_the_centre(profile: str) -> None:
    deal = game_from_profile(profile).deal(SEED, 0, 0)
    source = Source(b"greedy")
    goal_cards = [deal.view(0).goals[seat][0].left for seat in (0, 1)]  # type: ignore[attr-defined]
    decisions = play_out(deal, "greedy", source)
    assert deal.result is not None
    assert decisions > 0
    left = [deal.view(0).goals[seat][0].left for seat in (0, 1)]  # type: ignore[attr-defined]
    assert min(left) < min(goal_cards)


@pytest.mark.parametrize(
    ("legal", "count"),
    [
        (["g>c0", "g1>c2", "pg>c0", "h3>c0", "d1>c0", "h3>d0"], 3),
        (["h3>c0", "d1>c0", "pd1>c0", "h3>d0", "hQQ>d1", "end"], 3),
        (["h3>d0", "h4>d1", "end"], 3),
        (["rob 8C>5D", "stand>5D", "5D", "10C"], 4),
        (["pass"], 1),
    ],
)
def test_greedy_chooses_from_the_head_of_the_list(legal: list[str], count: int) -> None:
    class OneDecision:
        to_act: int | None = 0
        chosen = ""

        def legal(self) -> list[str]:
            return legal

        def apply(self, move: str) -> None:
            self.to_act, self.chosen = None, move

    chosen = set()
    for number in range(200):
        deal = OneDecision()
        play_out(deal, "greedy", Source(bytes([number])))  # type: ignore[arg-type]
        chosen.add(deal.chosen)
    assert chosen == set(legal[:count])


def sfc32(a: int, b: int, c: int, counter: int) -> Callable[[], int]:
    """The published generator, written down a second time with a fixed-width rotation."""

    def word() -> int:
        nonlocal a, b, c, counter
        result = (a + b + counter) % 2**32
        counter = (counter + 1) % 2**32
        a = b ^ b // 2**9
        b = c * 9 % 2**32
        rotated = int(f"{c:032b}"[21:] + f"{c:032b}"[:21], 2)
        c = (rotated + result) % 2**32
        return result

    return word


def test_the_source_is_the_published_generator_keyed_by_sha256() -> None:
    from hashlib import sha256

    digest = sha256(b"key").digest()
    words = sfc32(*(int.from_bytes(digest[at : at + 4], "little") for at in (0, 4, 8, 12)))
    source = Source(b"key")
    assert [source.below(2**30) for _ in range(1_000)] == [words() >> 2 for _ in range(1_000)]


def test_the_source_is_even() -> None:
    source = Source(b"even")
    numbers = [source.below(6) for _ in range(60_000)]
    counts = [numbers.count(value) for value in range(6)]
    # Five standard deviations of a count are 456.
    assert all(abs(count - 10_000) < 456 for count in counts)
    repeats = sum(one == next_one for one, next_one in pairwise(numbers))
    assert abs(repeats - 10_000) < 456


def test_numbers_are_the_same_on_every_engine() -> None:
    """Pinned, so that the compiled and the plain engine, and all later ones, roll out alike."""
    deal = game_from_profile("parlett").deal(SEED, 0, 0)
    assert rollout(deal, "greedy", 5, SEED) == Rollouts(5, 1527, (10.0, 0.0), (39.0, 0.0))
