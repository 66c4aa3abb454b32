"""Learns tic-tac-toe in some seconds: Q-learning on 512 matches at once, against a player who moves at random."""

import sys

import numpy as np
from numpy.typing import NDArray

import groundfrog


class Learner:
    """A table of values by state and move."""

    def __init__(self, moves: int, seed: int = 1) -> None:
        self.rows: dict[bytes, int] = {}
        self.values = np.full((8192, moves), 0.5, dtype=np.float32)
        self.random = np.random.default_rng(seed)

    def states(self, observations: NDArray[np.uint8]) -> NDArray[np.int64]:
        """A number for each state; new ones get the next."""
        packed = np.packbits(observations, axis=1)
        return np.array([self.rows.setdefault(row.tobytes(), len(self.rows)) for row in packed])

    def choose(
        self, states: NDArray[np.int64], mask: NDArray[np.bool_], explore: float
    ) -> NDArray[np.int64]:
        """The best legal move, or now and then any."""
        values = np.where(mask, self.values[states], -1.0)
        drawn = np.where(mask, self.random.random(mask.shape), -1.0)
        explores = self.random.random(len(states)) < explore
        return np.asarray(np.where(explores, drawn.argmax(1), values.argmax(1)))


def run(env: groundfrog.VectorEnv, learner: Learner, steps: int, rate: float, explore: float) -> float:
    """Plays, learns at a rate above 0, and returns the mean goal value of the matches that ended."""
    step = env.reset(seed=int(learner.random.integers(1 << 31)))
    states, ended, total = learner.states(step.observations[0]), 0, 0.0
    over = np.zeros(env.num_envs, dtype=bool)
    for _ in range(steps):
        moves = learner.choose(states, step.masks[0] > 0, explore)
        step = env.step(moves)
        after = learner.states(step.observations[0])
        if rate:
            best = np.where(step.masks[0] > 0, learner.values[after], 0.0).max(1)
            target = np.where(step.terminated, step.rewards[:, 0] / 100, best)
            learned = ~over  # A match that was over has only begun anew.
            at = states[learned], moves[learned]
            learner.values[at] += rate * (target[learned] - learner.values[at])
        over, states = step.terminated.copy(), after
        ended += int(over.sum())
        total += float(step.rewards[:, 0].sum())
    return total / ended


def main(path: str, steps: int = 1200) -> tuple[float, float]:
    """The mean goal value of `cross` before and after learning."""
    game = groundfrog.Game(path)
    env = groundfrog.VectorEnv(game, 512, roles=["cross"])
    learner = Learner(len(game.moves("cross")))
    before = run(env, learner, 60, rate=0.0, explore=1.0)
    run(env, learner, steps, rate=0.2, explore=0.2)
    return before, run(env, learner, 60, rate=0.0, explore=0.0)


if __name__ == "__main__":
    print("goal value at random {:.1f}, learned {:.1f}".format(*main(sys.argv[1])))
