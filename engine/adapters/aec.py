"""Every game as a PettingZoo environment, for learners: `pip install malice[pettingzoo]`.

`env(...)` is the environment with PettingZoo's usual guards around it, `raw_env(...)` without. What is in an
observation is told in docs/engine.md.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from engine.adapters.features import features_of
from engine.game import Deal, DealResult
from engine.games import game_from_profile
from engine.match import Match


def env(
    profile: str = "classic",
    players: int = 2,
    options: Mapping[str, Any] | None = None,
    target: int | None = None,
    render_mode: str | None = None,
) -> AECEnv:
    """Return the environment of a game, guarded: an illegal action ends the episode at a cost of 1 to its author.

    An episode is one deal, or with `target` a match to so many points. `options` changes single options of the rules
    (docs/rules). Raises RulesError for an unknown profile, number of players or option.
    """
    guarded = wrappers.TerminateIllegalWrapper(
        raw_env(profile, players, options, target, render_mode), illegal_reward=-1
    )
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(guarded))


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801  (PettingZoo's name for it)
    """A game without guards: an illegal action raises IllegalMoveError.

    Agents are `seat_0`, `seat_1`, …; an action is the index of a move in `moves`. Rewards are points, to each seat when a
    deal ends. An episode of one deal has its dealer drawn; a match begins with seat 0 and is truncated where it reaches
    the limit of deals or decisions before its target.
    """

    metadata = {"name": "malice_v1", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        profile: str = "classic",
        players: int = 2,
        options: Mapping[str, Any] | None = None,
        target: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = game_from_profile(profile, players, options)
        self.moves = tuple(self.game.moves())
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self._target = target
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._action_of = {move: action for action, move in enumerate(self.moves)}
        self._features = features_of(self.game)
        length = sum(self._features.fields.values())
        self._observation_space = spaces.Dict(
            {
                # Scores alone may be below zero: chips paid into a pool.
                "observation": spaces.Box(
                    np.iinfo(np.int16).min, np.iinfo(np.int16).max, (length,), np.float32
                ),
                "action_mask": spaces.Box(0, 1, (len(self.moves),), np.int8),
            }
        )
        self._spaces = {agent: spaces.Discrete(len(self.moves)) for agent in self.possible_agents}

    @property
    def fields(self) -> Mapping[str, int]:
        """The parts of an observation in order, each with its length."""
        return self._features.fields

    @property
    def deal(self) -> Deal:
        """The deal in progress, for whoever wants to look behind the numbers."""
        return self._deal if self._match is None else self._match.deal

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations, the same for all."""
        return self._observation_space

    def action_space(self, agent: str) -> "spaces.Discrete[Any]":
        """Return the space of an agent's actions: indexes into `moves`."""
        return self._spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode; the same `seed`, the same cards. Without one every episode has others."""
        if seed is not None or not hasattr(self, "_chance"):
            self._chance, _ = seeding.np_random(seed)
        decks = self._chance.bytes(32)
        self._match = None if self._target is None else Match(self.game, self._target, decks)
        if self._match is None:
            self._deal = self.game.deal(decks, 0, int(self._chance.integers(self.game.players)))
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        """Return what a seat sees, and which actions it has: none while another is to act."""
        seat, deal = self._seat_of[agent], self.deal
        mask = np.zeros(len(self.moves), np.int8)
        if deal.to_act == seat:
            mask[[self._action_of[move] for move in deal.legal()]] = 1
        scores = self._match.scores if self._match else [0] * self.game.players
        row = self._features.row(deal.view(seat), seat, scores)
        return {"observation": np.array(row, np.float32), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Make the move of the agent selected. Raises IllegalMoveError when it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        result = self._apply(self.moves[action])
        if result is not None:
            for each, points in zip(self.possible_agents, result.points, strict=True):
                self.rewards[each] = float(points)
        self._end()
        self._select()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return, in mode `ansi`, what the agent to act sees, as the protocol's JSON."""
        if self.render_mode is None:
            return None
        view = self.deal.view(self._seat_of[self.agent_selection])
        return msgspec.json.encode(view).decode()

    def close(self) -> None:
        """There is nothing to close."""

    def _apply(self, move: str) -> DealResult | None:
        if self._match is not None:
            return self._match.apply(move)
        self._deal.apply(move)
        return self._deal.result

    def _end(self) -> None:
        """End the episode where there is an end: a limit that is no rule of the game truncates it."""
        if self._match is None:
            ended, limited = self._deal.result is not None, False
        else:
            reason = self._match.reason
            ended = reason is not None
            limited = reason == "decisions" or (reason == "deals" and self.game.fixed_deals is None)
        if limited:
            self.truncations = dict.fromkeys(self.agents, True)
        elif ended:
            self.terminations = dict.fromkeys(self.agents, True)

    def _select(self) -> None:
        self.agent_selection = self.possible_agents[self.deal.to_act or 0]
