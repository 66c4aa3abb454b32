"""Matches between players written in Python, tournaments of them, and measures of games."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from os import PathLike
from ._groundfrog import Game, GroundfrogError, State
from .types import Measure

__all__ = [
    "Match",
    "Player",
    "Rollouts",
    "measure",
    "pairings",
    "play",
    "random_player",
    "standings",
    "tournament",
]

Player = Callable[[State, str, random.Random], str]
"""Chooses a legal move of a role in a state; what it draws comes from the generator that it is given."""


@dataclass(frozen=True)
class Match:
    """A match that was played."""

    players: tuple[str, ...]
    """By role that is not `random`."""
    seed: int
    goals: tuple[int | None, ...]
    """By role that is not `random`; None where the match was given up."""
    length: int


def random_player(state: State, role: str, generator: random.Random) -> str:
    """Any legal move."""
    return generator.choice(state.legal(role))


@dataclass(frozen=True)
class Rollouts:
    """Plain Monte Carlo: the move with the best mean of `n` random matches after it, the others moving at random."""

    n: int = 64

    def __call__(self, state: State, role: str, generator: random.Random) -> str:
        legal = state.legal()
        if len(legal[role]) == 1:
            return legal[role][0]
        best: tuple[float, str] = (-1.0, "")
        for move in legal[role]:
            joint = {other: generator.choice(moves) for other, moves in legal.items()}
            after = state.apply({**joint, role: move})
            seed = generator.getrandbits(32)
            goals = after.goals if after.terminal else after.rollouts(self.n, seed=seed)["goals"]
            best = max(best, (goals[role] or 0.0, move))
        return best[1]


def play(
    game: Game, players: Mapping[str, Player] | Sequence[Player], *, seed: int = 1, max_length: int = 1000
) -> tuple[tuple[int | None, ...], int]:
    """Plays a match and returns the goal values, None where it was given up, and its length. Players are given by role, or in the
    order of the roles; a role `random` plays by itself. The match follows from the seed if players draw from what they are given."""
    roles = [role for role in game.roles if role != "random"]
    seats = dict(players) if isinstance(players, Mapping) else dict(zip(roles, players, strict=True))
    generators = {role: random.Random(f"{seed} {role}") for role in game.roles}
    state, length = game.initial, 0
    while not state.terminal and length < max_length:
        choosing = {role: seats.get(role, random_player) for role in game.roles}
        state = state.apply(
            {role: player(state, role, generators[role]) for role, player in choosing.items()}
        )
        length += 1
    if not state.terminal:
        return (None,) * len(roles), length
    return tuple(state.goals[role] for role in roles), length


def pairings(game: Game, names: Sequence[str], rounds: int, seed: int) -> list[tuple[tuple[str, ...], int]]:
    """The matches of a tournament: in each round each choice of different players for the roles in each order, with a seed."""
    seats = sum(role != "random" for role in game.roles)
    orders = list(permutations(names, seats))
    generator = random.Random(seed)
    return [(order, generator.getrandbits(48)) for _ in range(rounds) for order in orders]


def standings(matches: Sequence[Match]) -> dict[str, float]:
    """The mean goal value of each player over the matches that were not given up, the best first."""
    goals: dict[str, list[int]] = {}
    for match in matches:
        for name, goal in zip(match.players, match.goals):
            own = goals.setdefault(name, [])
            if goal is not None:
                own.append(goal)
    means = {name: sum(own) / len(own) if own else 0.0 for name, own in goals.items()}
    return dict(sorted(means.items(), key=lambda entry: (-entry[1], entry[0])))


def tournament(
    game: Game, players: Mapping[str, Player], *, rounds: int = 1, seed: int = 1, max_length: int = 1000
) -> list[Match]:
    """Plays all matches of all players against each other."""
    return [
        _played(game, players, names, number, max_length)
        for names, number in pairings(game, list(players), rounds, seed)
    ]


def _played(
    game: Game, players: Mapping[str, Player], names: tuple[str, ...], seed: int, max_length: int
) -> Match:
    goals, length = play(game, [players[name] for name in names], seed=seed, max_length=max_length)
    return Match(names, seed, goals, length)


def measure(path: str | PathLike[str], *, seconds: float = 0.2, timeout: float = 30.0) -> Measure:
    """Measures a game: what it is like, its ground rules, the seconds from the text to a game that can be played, and states a second of
    random matches, 512 at once, on one thread. `error` says why that could not be done. All but the times follows from the text."""
    found = Measure(
        name=str(path),
        roles=0,
        fluents=0,
        moves=0,
        rules=0,
        error=None,
        setup_seconds=0.0,
        states_per_second=0.0,
    )
    began = time.perf_counter()
    try:
        game = Game(path, timeout=timeout)
        moves = [len(game.moves(role)) for role in game.roles]
        took = time.perf_counter() - began
        simulated = game.simulate(seconds=seconds)
        return {
            **found,
            "roles": len(game.roles),
            "fluents": len(game.fluents),
            "moves": sum(moves),
            "rules": game.ground("canonical").count("\n"),
            "setup_seconds": took,
            "states_per_second": simulated["states_per_second"],
        }
    except (GroundfrogError, OSError) as error:
        return {**found, "error": str(error)}
