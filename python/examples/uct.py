"""UCT in forty lines, for any game: `python uct.py GAME.kif` plays a match against itself."""

import math
import sys
from collections.abc import Mapping

import groundfrog


def uct(state: groundfrog.State, simulations: int = 300, exploration: float = 50.0) -> dict[str, str]:
    """The best move of each role, by decoupled UCT: each role counts its own moves by itself."""
    tree: dict[groundfrog.State, tuple[int, dict[str, dict[str, tuple[int, float]]]]] = {}
    for simulation in range(simulations):
        path, leaf = [], state
        while leaf in tree and not leaf.terminal:
            visits, moves = tree[leaf]
            joint = {
                role: max(own, key=lambda move: bound(own[move], visits, exploration))
                for role, own in moves.items()
            }
            path.append((leaf, joint))
            leaf = leaf.apply(joint)
        if leaf.terminal:
            goals: Mapping[str, float | None] = leaf.goals
        else:
            tree[leaf] = 0, {r: {m: (0, 0.0) for m in legal} for r, legal in leaf.legal().items()}
            goals = leaf.rollouts(16, seed=simulation)["goals"]
        for visited, joint in path:
            visits, moves = tree[visited]
            for role, move in joint.items():
                tries, total = moves[role][move]
                moves[role][move] = tries + 1, total + (goals[role] or 0)
            tree[visited] = visits + 1, moves
    return {role: max(own, key=lambda move: own[move][0]) for role, own in tree[state][1].items()}


def bound(tried: tuple[int, float], visits: int, exploration: float) -> float:
    tries, total = tried
    return total / tries + exploration * math.sqrt(math.log(visits) / tries) if tries else math.inf


if __name__ == "__main__":
    at = groundfrog.Game(sys.argv[1]).initial
    while not at.terminal:
        chosen = uct(at)
        print(*chosen.values(), sep=" | ")
        at = at.apply(chosen)
    print(at.goals)
