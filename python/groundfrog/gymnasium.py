"""A game as a Gymnasium environment: one role learns, all others play at random."""

from __future__ import annotations

from operator import index
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ._groundfrog import Game
from .vector import AutoresetMode, Illegal, Step, VectorEnv, check_illegal

__all__ = ["GameEnv"]


class GameEnv(gymnasium.Env[NDArray[np.int8], np.int64]):
    """A match that is played for one role.

    An observation has a byte for each column of `Game.observed(role)`; an action is the place of a move in
    `Game.moves(role)`. The reward is the goal value at the end, divided by 100. `info["action_mask"]` has 1 for each legal move.

    A move that is not legal ends the match with the reward -1, and `info["illegal"]` is there; with `illegal="random"` a random legal
    one takes its place, and with `illegal="raise"` it raises `IllegalMoveError` and nothing has moved.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(
        self,
        game: Game,
        role: str | None = None,
        *,
        illegal: Illegal = "end",
        max_length: int | None = None,
    ) -> None:
        check_illegal(illegal)
        self.game = game
        self.role = game.roles[0] if role is None else role
        self.illegal = illegal
        self.render_mode = None
        self._lanes = VectorEnv(
            game, 1, roles=[self.role], autoreset_mode=AutoresetMode.DISABLED, max_length=max_length
        )
        self.moves = game.moves(self.role)
        self.observation_space = gymnasium.spaces.MultiBinary(len(game.observed(self.role)))
        self.action_space = gymnasium.spaces.Discrete(len(self.moves))
        self._observation = np.zeros(self.observation_space.shape, dtype=np.int8)
        self._mask = np.zeros(len(self.moves), dtype=np.int8)
        self._is_over: bool | None = None
        """Whether the match is over; None before the first."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        with self._lanes.lock:
            super().reset(seed=seed)
            step = self._lanes.reset(seed=int(self.np_random.integers(1 << 62)))
            self._is_over = False
            return self._observed(step)

    def step(
        self, action: np.int64 | int
    ) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        with self._lanes.lock:
            return self._step(index(action))

    def _step(self, made: int) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        if self._is_over is None:
            raise gymnasium.error.ResetNeeded("the match has not begun: call `reset`")
        if self._is_over:
            gymnasium.logger.warn("the match is over: what a step does then means nothing; call `reset`")
            return self._observation.copy(), 0.0, True, False, {"action_mask": np.zeros_like(self._mask)}
        if not 0 <= made < len(self.moves):
            raise ValueError(f"there is no action {made}: they end with {len(self.moves) - 1}")
        if not self._mask[made] and self._mask.any():
            if self.illegal == "end":
                self._is_over = True
                info = {"action_mask": np.zeros_like(self._mask), "illegal": True}
                return self._observation.copy(), -1.0, True, False, info
            if self.illegal == "random":
                made = int(self.np_random.choice(np.flatnonzero(self._mask)))
        step = self._lanes.step(np.array([made]))
        observation, info = self._observed(step)
        reward = float(step.rewards[0, 0]) / 100.0
        terminated, truncated = bool(step.terminated[0]), bool(step.truncated[0])
        self._is_over = terminated or truncated
        return observation, reward, terminated, truncated, info

    def _observed(self, step: Step) -> tuple[NDArray[np.int8], dict[str, Any]]:
        self._mask = step.masks[0][0].astype(np.int8)
        self._observation = step.observations[0][0].astype(np.int8)
        return self._observation.copy(), {"action_mask": self._mask.copy()}
