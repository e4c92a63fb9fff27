"""The games as PettingZoo environments: its own conformance tests, and what the numbers mean."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from engine.adapters import aec
from engine.adapters.features import features_of
from engine.errors import IllegalMoveError, RulesError
from engine.games import game_from_profile
from engine.match import MAX_DECISIONS

GAMES: list[dict[str, Any]] = [
    {"profile": "classic"},
    {"profile": "classic", "players": 4, "options": {"goal": 3}},
    {"profile": "skip-bo", "players": 4, "options": {"partners": True}},
    {"profile": "starturn"},
    {"profile": "unlimited-centre"},
    {"profile": "parlett"},
    {"profile": "spoil-five", "players": 5},
    {"profile": "forty-five", "players": 4, "target": 20},
]

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: "-".join(str(v) for v in game.values()))


def at_random(environment: Any, seed: int) -> list[tuple[str, int]]:
    """Play an episode at random; return what each agent did."""
    environment.reset(seed=seed)
    chance = np.random.default_rng(seed)
    done = []
    for agent in environment.agent_iter():
        observation, _, ended, truncated, _ = environment.last()
        if ended or truncated:
            environment.step(None)
            continue
        action = int(chance.choice(np.flatnonzero(observation["action_mask"])))
        done.append((agent, action))
        environment.step(action)
    return done


def part(environment: Any, agent: str, name: str) -> list[int]:
    """One part of what an agent observes."""
    at = 0
    for field, length in environment.unwrapped.fields.items():
        if field == name:
            row = environment.observe(agent)["observation"][at : at + length]
            return [int(value) for value in row]
        at += length
    raise KeyError(name)


@each_game
# As in PettingZoo's own card games an observation is a row and a mask, which its test remarks upon.
@pytest.mark.filterwarnings("ignore:Observation:UserWarning")
def test_it_conforms_to_pettingzoo(game: dict[str, Any]) -> None:
    api_test(aec.env(**game), num_cycles=300)


@each_game
def test_the_same_seed_gives_the_same_episode(game: dict[str, Any]) -> None:
    seed_test(lambda: aec.env(**game), num_cycles=30)
    first = at_random(aec.env(**game), 3)
    assert at_random(aec.env(**game), 3) == first
    assert at_random(aec.env(**game), 4) != first


@each_game
def test_the_mask_is_the_list_of_legal_moves_of_whoever_acts(game: dict[str, Any]) -> None:
    environment = aec.raw_env(**game)
    environment.reset(seed=1)
    chance = np.random.default_rng(1)
    for _ in range(40):
        agent = environment.agent_selection
        legal = environment.deal.legal()
        for other in environment.agents:
            mask = environment.observe(other)["action_mask"]
            allowed = [environment.moves[action] for action in np.flatnonzero(mask)]
            assert sorted(allowed) == (sorted(legal) if other == agent else [])
        environment.step(environment.moves.index(legal[int(chance.integers(len(legal)))]))
        if not environment.deal.legal():
            break


@each_game
def test_every_row_has_the_length_the_fields_say(game: dict[str, Any]) -> None:
    environment = aec.raw_env(**game)
    environment.reset(seed=1)
    chance = np.random.default_rng(1)
    length = sum(environment.fields.values())
    for _ in range(400):
        if any(environment.terminations.values()):
            break
        for agent in environment.agents:
            assert environment.observe(agent)["observation"].shape == (length,)
        legal = environment.deal.legal()
        environment.step(environment.moves.index(legal[int(chance.integers(len(legal)))]))


def test_a_row_tells_what_the_seat_sees_and_begins_with_itself() -> None:
    environment = aec.raw_env("classic", 2, options={"goal": 5})
    environment.reset(seed=7)
    for seat, agent in enumerate(environment.agents):
        other = 1 - seat
        view: Any = environment.deal.view(seat)
        ranks = list(view.unseen)
        hand = part(environment, agent, "hand")
        assert hand == [view.hand.count(rank) for rank in ranks]
        assert part(environment, agent, "hand_sizes") == [view.hand_sizes[seat], view.hand_sizes[other]]
        tops = part(environment, agent, "goal_tops")
        assert tops.index(1) == ranks.index(view.goals[seat][0].top)
        assert tops[len(ranks) :].index(1) == ranks.index(view.goals[other][0].top)
        assert part(environment, agent, "goal_left") == [5, 5]
        assert part(environment, agent, "unseen") == list(view.unseen.values())
        assert part(environment, agent, "dealer") == [int(view.dealer == seat), int(view.dealer == other)]
        assert part(environment, agent, "stock") == [view.stock]


def test_a_discard_shows_from_the_top_down() -> None:
    environment = aec.raw_env("classic", 2)
    environment.reset(seed=7)
    agent = environment.agent_selection
    view: Any = environment.deal.view(environment.possible_agents.index(agent))
    move = next(move for move in environment.deal.legal() if move.endswith(">d0"))
    environment.step(environment.moves.index(move))
    shown = part(environment, agent, "discard_tops")
    rank = 1 + list(view.unseen).index(move[1:-3])
    assert [number for number in shown if number] == [rank]
    assert shown[0] == rank
    assert part(environment, agent, "discard_sizes")[:4] == [1, 0, 0, 0]


def test_a_trick_is_told_by_seat_and_card() -> None:
    environment = aec.raw_env("spoil-five", 3)
    environment.reset(seed=5)
    leader = environment.agent_selection
    card = next(move for move in environment.deal.legal() if len(move) <= 3)
    environment.step(environment.moves.index(card))
    trick = part(environment, leader, "trick")
    assert sum(trick) == 1
    # The leader's own row of 52 comes first for itself, last for the seat after it.
    assert trick.index(1) < 52
    follower = environment.agent_selection
    seen = part(environment, follower, "trick")
    assert seen.index(1) == trick.index(1) + 2 * 52
    assert sum(part(environment, follower, "hand")) == 5


def test_rewards_are_the_points_of_each_deal() -> None:
    environment = aec.raw_env("forty-five", 4, target=20)
    environment.reset(seed=2)
    totals = dict.fromkeys(environment.possible_agents, 0.0)
    chance = np.random.default_rng(2)
    while not any(environment.terminations.values()):
        legal = environment.deal.legal()
        environment.step(environment.moves.index(legal[int(chance.integers(len(legal)))]))
        for agent in environment.possible_agents:
            totals[agent] += environment.rewards[agent]
    assert totals["seat_0"] == totals["seat_2"]
    assert max(totals.values()) >= 20 > min(totals.values())
    assert part(environment, "seat_1", "scores") == [totals[f"seat_{seat}"] for seat in (1, 2, 3, 0)]


def test_a_deal_that_would_win_a_match_is_worth_its_points_alone() -> None:
    """An episode of one deal has no target to be lifted to."""
    ends = set()
    for seed in range(200):
        environment = aec.raw_env("spoil-five", 2)
        environment.reset(seed=seed)
        while not any(environment.terminations.values()):
            environment.step(environment.moves.index(environment.deal.legal()[0]))
        assert environment.deal.result is not None
        assert tuple(environment.rewards.values()) == environment.deal.result.points
        ends.add(environment.deal.result.reason)
    assert len(ends) > 1


def test_a_match_that_reaches_the_limit_is_truncated() -> None:
    environment = aec.raw_env("parlett", target=1_000_000)
    environment.reset(seed=1)
    chance = np.random.default_rng(1)
    steps = 0
    while not any(environment.truncations.values()):
        assert not any(environment.terminations.values())
        legal = environment.deal.legal()
        environment.step(environment.moves.index(legal[int(chance.integers(len(legal)))]))
        steps += 1
    assert steps == MAX_DECISIONS
    assert all(environment.truncations.values())


def test_an_illegal_action_is_refused_or_costs_its_author_a_point() -> None:
    plain = aec.raw_env("classic")
    plain.reset(seed=1)
    illegal = int(np.flatnonzero(plain.observe(plain.agent_selection)["action_mask"] == 0)[0])
    with pytest.raises(IllegalMoveError):
        plain.step(illegal)
    guarded = aec.env("classic")
    guarded.reset(seed=1)
    author = guarded.agent_selection
    guarded.step(illegal)
    assert guarded.unwrapped.rewards[author] == -1
    assert all(guarded.unwrapped.terminations.values())


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(RulesError, match="no profile 'bridge'"):
        aec.env("bridge")


def test_it_shows_what_the_agent_to_act_sees() -> None:
    environment = aec.env("classic", render_mode="ansi")
    environment.reset(seed=1)
    assert '"hand":[' in environment.render()
    silent = aec.raw_env("classic")
    silent.reset(seed=1)
    assert silent.render() is None


def test_the_features_of_every_game_are_named_in_order() -> None:
    fields = list(features_of(game_from_profile("parlett")).fields)
    assert fields[:3] == ["hand", "hand_sizes", "goal_tops"]
    assert fields[-4:] == ["idle", "plays", "redeals", "scores"]


def test_the_engine_itself_loads_no_learners_library() -> None:
    script = "import engine.games, engine.rollout, sys; print({'numpy', 'pettingzoo', 'gymnasium'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"


def test_scores_below_zero_are_within_the_space_of_observations() -> None:
    environment = aec.raw_env("spoil-five", 5, {"scoring": "pool"}, target=25)
    environment.reset(seed=1)
    lowest = 0
    for agent in environment.agent_iter():
        observation = environment.observe(agent)
        assert environment.observation_space(agent).contains(observation)
        lowest = min(lowest, *part(environment, agent, "scores"))
        dead = environment.terminations[agent] or environment.truncations[agent]
        environment.step(None if dead else int(np.flatnonzero(observation["action_mask"])[0]))
    assert lowest < 0
