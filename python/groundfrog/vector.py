"""Many matches of a game at once, for learners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from threading import RLock
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._groundfrog import Game, Lanes, LimitError
from .planes import Planes

__all__ = ["AutoresetMode", "Step", "VectorEnv"]


Illegal = Literal["end", "random", "raise"]
"""What a move that is not legal does where one learns: it ends the match with the reward -1, a random legal one takes its place, or it
raises `IllegalMoveError`."""


def check_illegal(illegal: str) -> None:
    """Refuses what is no `Illegal`."""
    if illegal not in get_args(Illegal):
        raise ValueError(f"`illegal` is one of {get_args(Illegal)}, not {illegal!r}")


class AutoresetMode(Enum):
    """When a match that is over begins anew, as Gymnasium has it."""

    NEXT_STEP = "NextStep"
    SAME_STEP = "SameStep"
    DISABLED = "Disabled"


@dataclass(frozen=True)
class Step:
    """What follows a joint move in each match. The arrays are the environment's own: the next step writes into them."""

    observations: list[NDArray[np.uint8]]
    """By role of the environment, match and column of `Game.observed(role)`. All roles share one array where they see everything."""
    masks: list[NDArray[np.uint8]]
    """By role of the environment, match and move: whether it is legal. All zero where the match is over."""
    rewards: NDArray[np.float64]
    """By match and role of the environment: the goal value where the match has just ended, else 0."""
    terminated: NDArray[np.bool_]
    """By match: whether it is over."""
    truncated: NDArray[np.bool_]
    """By match: whether it was given up for its length, or as some role has no legal move."""
    final_obs: list[NDArray[np.uint8]] | None = None
    """With the mode SAME_STEP: the observations before matches that ended began anew."""
    planes: list[NDArray[np.uint8]] | None = None
    """By board, match, plane, row and column, where the environment has `Planes`."""


class VectorEnv:
    """`n` matches that are advanced together, by moves that are given.

    Roles that are not named play at random. An observation has a byte for each column of `Game.observed(role)`: each fluent; or in a
    game with percepts what the role itself did and perceived, equal wherever it cannot tell histories apart. An action is the place
    of a move in `Game.moves(role)`. With `planes` each step has pictures of the boards as well. The result depends on the seed and the
    actions alone. Matches that would take more than `max_memory` bytes, or than the game was given, are a `LimitError`.

    Several threads may use one environment: each call waits for those before it.

    >>> import groundfrog, numpy as np
    >>> env = groundfrog.VectorEnv(groundfrog.Game(RULES), 4)
    >>> first = env.reset(seed=1)
    >>> step = env.step(np.array([mask.argmax() for mask in first.masks[0]]))
    >>> step.rewards.shape
    (4, 1)
    """

    metadata: dict[str, object]

    def __init__(
        self,
        game: Game,
        n: int,
        *,
        roles: Sequence[str] | None = None,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        max_length: int | None = None,
        seed: int = 0,
        planes: Planes | None = None,
        max_memory: int | None = None,
    ) -> None:
        if n < 1:
            raise ValueError(f"at least one match, not {n}")
        self.game = game
        self.planes = planes
        self.num_envs = n
        self.roles = list(game.roles) if roles is None else list(roles)
        unknown = [role for role in self.roles if role not in game.roles]
        if unknown:
            raise ValueError(f"no role `{unknown[0]}`: there are {game.roles}")
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode}
        self.max_length = max_length
        self.lock = RLock()
        """Held in each call."""
        try:
            self._allocate(game, n, seed, max_memory)
        except MemoryError as error:
            raise LimitError(f"there is no memory for {n} matches") from error

    def _allocate(self, game: Game, n: int, seed: int, max_memory: int | None) -> None:
        self._lanes = Lanes(game, n, seed, max_memory)
        self._columns = [game.roles.index(role) for role in self.roles]
        self._actions = np.full((n, len(game.roles)), -1, dtype=np.int64)
        seen = [game.observed(role) for role in self.roles] if game.is_imperfect else [game.fluents]
        self._seen = [np.zeros((n, len(columns)), dtype=np.uint8) for columns in seen]
        self._observations = self._seen if game.is_imperfect else self._seen * len(self.roles)
        self._masks = [np.zeros((n, len(game.moves(role))), dtype=np.uint8) for role in self.roles]
        self._over = np.zeros(n, dtype=np.bool_)
        self._stuck = np.zeros(n, dtype=np.bool_)
        self._goals = np.full((n, len(game.roles)), np.nan)
        self._lengths = np.zeros(n, dtype=np.int64)
        self._done = np.zeros(n, dtype=np.bool_)
        self._look()

    def reset(self, *, seed: int | None = None) -> Step:
        """Begins all matches anew."""
        with self.lock:
            if seed is not None:
                self._lanes.seed(seed)
            self._begin(np.ones(self.num_envs, dtype=np.bool_))
            self._look()
            return self._step(np.zeros_like(self._over))

    def step(self, actions: ArrayLike) -> Step:
        """Makes the moves, which are integers: by match, or by match and role where there are several roles. One that is refused is an
        exception, and no match has moved then.

        Matches that were over before do not move: with NEXT_STEP they begin anew instead, and their actions are ignored.
        """
        given = self._places(actions)
        with self.lock:
            going = ~self._done
            if np.any(given[going] < 0):
                raise ValueError("an action is the place of a move: it is not negative")
            # A match may be over before it begins.
            moving = going & ~self._over & ~self._stuck
            self._actions[:, self._columns] = given
            self._lanes.step(self._actions, moving)
            self._lengths[moving] += 1
            if self.autoreset_mode is AutoresetMode.NEXT_STEP:
                self._begin(self._done)
            self._look()
            return self._step(going)

    def restart(self, marked: NDArray[np.bool_]) -> Step:
        """Begins the marked matches anew: for the mode DISABLED."""
        with self.lock:
            self._begin(np.asarray(marked, dtype=np.bool_))
            self._look()
            return self._step(np.zeros_like(self._over))

    def look(self) -> NDArray[np.uint8]:
        """By match and column what the first role of the environment observes, or where it sees everything all do; of no role as well."""
        return self._seen[0]

    def _places(self, actions: ArrayLike) -> NDArray[np.int64]:
        """The actions by match and role."""
        given: NDArray[Any] = np.asarray(actions)
        if given.dtype.kind not in "iu" and given.size > 0:
            raise TypeError(f"an action is the place of a move, an integer: {given.dtype} was given")
        if given.shape == (self.num_envs,) and len(self.roles) == 1:
            given = given[:, None]
        expected = (self.num_envs, len(self.roles))
        if given.shape != expected:
            raise ValueError(f"actions of the shape {expected}, not {given.shape}")
        # One that no signed integer holds is no place of a move either: none has so many.
        return np.where(given > np.iinfo(np.int32).max, np.iinfo(np.int64).max, given).astype(np.int64)

    def _begin(self, marked: NDArray[np.bool_]) -> None:
        self._lanes.restart(marked)
        self._lengths[marked] = 0
        self._done = self._done & ~marked

    def _look(self) -> None:
        self._lanes.look(self._columns, self._seen, self._masks, self._over, self._goals, self._stuck)
        if self._over.any():
            for mask in self._masks:
                mask[self._over] = 0

    def _step(self, moved: NDArray[np.bool_]) -> Step:
        terminated = self._over & moved
        truncated = self._stuck & moved
        if self.max_length is not None:
            truncated |= moved & ~terminated & (self._lengths >= self.max_length)
        goals = self._goals[:, self._columns]
        rewards = np.where(terminated[:, None], np.nan_to_num(goals), 0.0)
        ended = terminated | truncated
        final_obs = None
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            if ended.any():
                final_obs = [observed.copy() for observed in self._observations]
                self._begin(ended)
                self._look()
        else:
            self._done = self._done | ended
        planes = None if self.planes is None else self.planes(self._seen[0])
        return Step(self._observations, self._masks, rewards, terminated, truncated, final_obs, planes)
