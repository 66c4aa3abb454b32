"""A game as a Gymnasium environment: one role learns, all others play at random."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ._groundfrog import Game
from .vector import AutoresetMode, VectorEnv

__all__ = ["GameEnv"]


class GameEnv(gymnasium.Env[NDArray[np.uint8], np.int64]):
    """A match that is played for one role.

    An observation has a byte for each column of `Game.observed(role)`; an action is the place of a move in
    `Game.moves(role)`. The reward is the goal value at the end, divided by 100. `info["action_mask"]` has 1 for each legal move;
    a move that is not legal raises `IllegalMoveError`, unless `illegal="random"` lets a random one take its place.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(
        self,
        game: Game,
        role: str | None = None,
        *,
        illegal: str = "error",
        max_length: int | None = None,
    ) -> None:
        if illegal not in ("error", "random"):
            raise ValueError("`illegal` is 'error' or 'random'")
        self.game = game
        self.role = game.roles[0] if role is None else role
        self.illegal = illegal
        self.render_mode = None
        self._lanes = VectorEnv(
            game, 1, roles=[self.role], autoreset_mode=AutoresetMode.DISABLED, max_length=max_length
        )
        self.moves = game.moves(self.role)
        self.observation_space = gymnasium.spaces.MultiBinary(len(game.observed(self.role)))
        self.observation_space.dtype = np.dtype(np.int8)
        self.action_space = gymnasium.spaces.Discrete(len(self.moves))
        self._mask = np.zeros(len(self.moves), dtype=np.int8)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        super().reset(seed=seed)
        step = self._lanes.reset(seed=int(self.np_random.integers(1 << 62)))
        return self._observed(step.observations[0], step.masks)

    def step(
        self, action: np.int64 | int
    ) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        made = int(action)
        if self.illegal == "random" and not self._mask[made] and self._mask.any():
            made = int(self.np_random.choice(np.flatnonzero(self._mask)))
        step = self._lanes.step(np.array([made]))
        observation, info = self._observed(step.observations[0], step.masks)
        reward = float(step.rewards[0, 0]) / 100.0
        return observation, reward, bool(step.terminated[0]), bool(step.truncated[0]), info

    def _observed(
        self, observations: NDArray[np.uint8], masks: list[NDArray[np.uint8]]
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        self._mask = masks[0][0].astype(np.int8)
        return observations[0].astype(np.int8), {"action_mask": self._mask.copy()}
