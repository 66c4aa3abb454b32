"""A game as a PettingZoo environment: a parallel one, as all roles of GDL move at once, and one agent after the other."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from pettingzoo import ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec

from ._groundfrog import Game
from .vector import AutoresetMode, VectorEnv

__all__ = ["GameParallelEnv", "aec_env"]


class GameParallelEnv(ParallelEnv):
    """All roles of a game but `random`, each an agent that moves in every step: where it is not its turn, its only legal move.

    An observation is a dictionary: `observation`, a byte for each column of `Game.observed(role)`, and `action_mask`. A reward is the goal value at the end,
    from 0 to 1; or from -1 to 1 with `signed=True`, as board games have it. A move that is not legal raises `IllegalMoveError`, unless
    `illegal="random"` lets a random one take its place.
    """

    metadata = {"render_modes": [], "name": "groundfrog", "is_parallelizable": True}

    def __init__(
        self,
        game: Game,
        *,
        signed: bool = False,
        illegal: str = "error",
        max_length: int | None = None,
    ) -> None:
        if illegal not in ("error", "random"):
            raise ValueError("`illegal` is 'error' or 'random'")
        self.game = game
        self.signed = signed
        self.illegal = illegal
        self._random = np.random.default_rng(0)
        self.render_mode = None
        self.possible_agents = [role for role in game.roles if role.lower() != "random"]
        self.agents: list[str] = []
        self._lanes = VectorEnv(
            game,
            1,
            roles=self.possible_agents,
            autoreset_mode=AutoresetMode.DISABLED,
            max_length=max_length,
        )
        self.moves = {role: game.moves(role) for role in self.possible_agents}
        self.observation_spaces = {
            role: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(0, 1, (len(game.observed(role)),), np.int8),
                    "action_mask": gymnasium.spaces.Box(0, 1, (len(moves),), np.int8),
                }
            )
            for role, moves in self.moves.items()
        }
        self.action_spaces = {
            role: gymnasium.spaces.Discrete(len(moves)) for role, moves in self.moves.items()
        }

    def observation_space(self, agent: str) -> gymnasium.spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self.agents = list(self.possible_agents)
        step = self._lanes.reset(seed=seed)
        self._random = np.random.default_rng(seed)
        return self._observed(step), {role: {} for role in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict, dict[str, float], dict[str, bool], dict[str, bool], dict]:
        made = [self._legal(role, int(actions[role])) for role in self.possible_agents]
        step = self._lanes.step(np.array([made]))
        observed = self._observed(step)
        rewards = {}
        for place, role in enumerate(self.possible_agents):
            value = float(step.rewards[0, place]) / 100.0
            is_end = bool(step.terminated[0])
            rewards[role] = 2.0 * value - 1.0 if self.signed and is_end else value
        terminated = {role: bool(step.terminated[0]) for role in self.possible_agents}
        truncated = {role: bool(step.truncated[0]) for role in self.possible_agents}
        infos: dict[str, dict] = {role: {} for role in self.possible_agents}
        if step.terminated[0] or step.truncated[0]:
            self.agents = []
        return observed, rewards, terminated, truncated, infos

    def _legal(self, role: str, action: int) -> int:
        """The action, or a random legal one in its place where that is wanted."""
        mask = self._masks[role]
        if self.illegal == "random" and not mask[action] and mask.any():
            return int(self._random.choice(np.flatnonzero(mask)))
        return action

    def _observed(self, step: Any) -> dict[str, Any]:
        masks = (mask[0].astype(np.int8) for mask in step.masks)
        self._masks = dict(zip(self.possible_agents, masks))
        return {
            role: {
                "observation": observed[0].astype(np.int8),
                "action_mask": self._masks[role].copy(),
            }
            for role, observed in zip(self.possible_agents, step.observations)
        }


def aec_env(game: Game, *, signed: bool = False, max_length: int | None = None) -> Any:
    """The same with one agent after the other: PettingZoo's AEC interface. All agents of a step choose before it is made."""
    return parallel_to_aec(GameParallelEnv(game, signed=signed, max_length=max_length))
