"""A game as a PettingZoo environment: a parallel one, as all roles of GDL move at once, and one agent after the other."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec

from ._groundfrog import Game
from .vector import AutoresetMode, Illegal, Step, VectorEnv, check_illegal

__all__ = ["GameParallelEnv", "aec_env"]


Observation = dict[str, NDArray[np.int8]]
Actions = Mapping[str, int]
Stepped = tuple[
    dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
]


class GameParallelEnv(ParallelEnv[str, Observation, int]):
    """All roles of a game but `random`, each an agent that moves in every step: where it is not its turn, its only legal move.

    An observation is a dictionary: `observation`, a byte for each column of `Game.observed(role)`, and `action_mask`. A reward is the goal value at the end,
    from 0 to 1; or from -1 to 1 with `signed=True`, as board games have it.

    A move that is not legal ends the match, as PettingZoo's `TerminateIllegalWrapper` does: who made it gets the reward -1, and `illegal`
    is in its info; the others get 0. With `illegal="random"` a random legal one takes its place, and with `illegal="raise"` it raises
    `IllegalMoveError` and nothing has moved.
    """

    metadata = {"render_modes": [], "name": "groundfrog", "is_parallelizable": True}

    def __init__(
        self,
        game: Game,
        *,
        signed: bool = False,
        illegal: Illegal = "end",
        max_length: int | None = None,
    ) -> None:
        check_illegal(illegal)
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

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        with self._lanes.lock:
            self.agents = list(self.possible_agents)
            step = self._lanes.reset(seed=seed)
            self._random = np.random.default_rng(seed)
            return self._observed(step), {role: {} for role in self.agents}

    def step(self, actions: Actions) -> Stepped:
        with self._lanes.lock:
            return self._step(actions)

    def _step(self, actions: Actions) -> Stepped:
        if not self.agents:
            return {}, {}, {}, {}, {}
        made = {role: self._made(role, actions) for role in self.possible_agents}
        # Who has no legal move has done nothing illegal: the match is over or cannot go on.
        illegal = [role for role, action in made.items() if self._masks[role].any() and not self._masks[role][action]]
        if illegal and self.illegal == "end":
            return self._ended(illegal)
        if self.illegal == "random":
            for role in illegal:
                made[role] = int(self._random.choice(np.flatnonzero(self._masks[role])))
        step = self._lanes.step(np.array([list(made.values())]))
        observed = self._observed(step)
        rewards = {}
        for place, role in enumerate(self.possible_agents):
            value = float(step.rewards[0, place]) / 100.0
            is_end = bool(step.terminated[0])
            rewards[role] = 2.0 * value - 1.0 if self.signed and is_end else value
        terminated = {role: bool(step.terminated[0]) for role in self.possible_agents}
        truncated = {role: bool(step.truncated[0]) for role in self.possible_agents}
        infos: dict[str, dict[str, Any]] = {role: {} for role in self.possible_agents}
        if step.terminated[0] or step.truncated[0]:
            self.agents = []
        return observed, rewards, terminated, truncated, infos

    def _made(self, role: str, actions: Actions) -> int:
        if role not in actions:
            raise ValueError(f"no action for {role!r}")
        made = index(actions[role])
        if not 0 <= made < len(self.moves[role]):
            raise ValueError(f"there is no action {made} of {role!r}: they end with {len(self.moves[role]) - 1}")
        return made

    def _ended(self, illegal: list[str]) -> Stepped:
        """The end by moves that are not legal; the boards stay as they were."""
        roles = self.possible_agents
        observed = {
            role: {"observation": self._seen[role].copy(), "action_mask": np.zeros_like(self._masks[role])}
            for role in roles
        }
        rewards = {role: -1.0 if role in illegal else 0.0 for role in roles}
        infos: dict[str, dict[str, Any]] = {
            role: {"illegal": True} if role in illegal else {} for role in roles
        }
        self.agents = []
        return observed, rewards, dict.fromkeys(roles, True), dict.fromkeys(roles, False), infos

    def _observed(self, step: Step) -> dict[str, Observation]:
        roles = self.possible_agents
        self._masks = {role: mask[0].astype(np.int8) for role, mask in zip(roles, step.masks)}
        self._seen = {role: seen[0].astype(np.int8) for role, seen in zip(roles, step.observations)}
        return {
            role: {"observation": self._seen[role].copy(), "action_mask": self._masks[role].copy()}
            for role in roles
        }


def aec_env(
    game: Game, *, signed: bool = False, illegal: Illegal = "end", max_length: int | None = None
) -> AECEnv[str, Observation, int]:
    """The same with one agent after the other: PettingZoo's AEC interface. All agents of a step choose before it is made."""
    made = GameParallelEnv(game, signed=signed, illegal=illegal, max_length=max_length)
    return parallel_to_aec(made)
