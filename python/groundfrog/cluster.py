"""Work on many machines, by Dask (`pip install groundfrog[cluster]`).

Each function takes a client of `dask.distributed` and shares work out in parts that do not depend on how many workers there are: the
result is that of one machine. A part whose worker dies is done again by another; a nanny replaces the worker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

from distributed import Client

from ._groundfrog import Game, State, validate_all
from .matches import Match, Player, _played, measure, pairings

__all__ = ["bench", "rollouts", "tournament", "validate"]

_TRIES = 3
_LANES = 512


def _shared_out(client: Client, work: Any, parts: Sequence[tuple[Any, ...]], *common: Any) -> list[Any]:
    """The results of parts of the work, in their order; what all parts need is sent to each worker once."""
    sent = client.scatter([common], broadcast=True, hash=False)[0]
    # Results are held by the scheduler's client, so that those of a worker that dies are not lost with it for long.
    futures = [client.submit(work, sent, part, pure=False, retries=_TRIES) for part in parts]
    return client.gather(futures)


def validate(client: Client, texts: Sequence[str], *, part: int = 32, **options: Any) -> list[dict[str, Any]]:
    """As `groundfrog.validate_all`, whose options it takes."""
    parts = [(list(texts[first : first + part]),) for first in range(0, len(texts), part)]
    return sum(_shared_out(client, _validated, parts, options), [])


def _validated(common: tuple[Any, ...], part: tuple[list[str]]) -> list[dict[str, Any]]:
    return validate_all(part[0], **common[0])


def bench(client: Client, paths: Sequence[str | PathLike[str]], **options: Any) -> list[dict[str, Any]]:
    """As `groundfrog.matches.measure` for each game, in the order of the paths, which workers must be able to read."""
    return _shared_out(client, _measured, [(str(path),) for path in paths], options)


def _measured(common: tuple[Any, ...], part: tuple[str]) -> dict[str, Any]:
    return measure(part[0], **common[0])


def tournament(
    client: Client,
    game: Game,
    players: Mapping[str, Player],
    *,
    rounds: int = 1,
    seed: int = 1,
    max_length: int = 1000,
) -> list[Match]:
    """As `groundfrog.matches.tournament`: the same matches, in the same order."""
    parts = pairings(game, list(players), rounds, seed)
    return _shared_out(client, _match, parts, game, dict(players), max_length)


def _match(common: tuple[Any, ...], part: tuple[tuple[str, ...], int]) -> Match:
    game, players, max_length = common
    return _played(game, players, *part, max_length)


def rollouts(
    client: Client, state: State, n: int, *, seed: int = 1, max_length: int = 1000, blocks: int = 64
) -> dict[str, Any]:
    """As `State.rollouts`: the same matches, in parts of `blocks` times 512."""
    size = blocks * _LANES
    parts = [
        (min(size, n - first), seed + first // _LANES) for first in range(0, n, size)
    ]
    found = _shared_out(client, _rolled_out, parts, state, max_length)
    roles = state.game.roles
    sums = {role: sum(part["sums"][role] for part in found) for role in roles}
    counts = {role: sum(part["counts"][role] for part in found) for role in roles}
    whole = {key: sum(part[key] for part in found) for key in ("playouts", "length", "ended")}
    goals = {role: sums[role] / counts[role] if counts[role] else None for role in roles}
    return {**whole, "goals": goals, "sums": sums, "counts": counts}


def _rolled_out(common: tuple[Any, ...], part: tuple[int, int]) -> dict[str, Any]:
    state, max_length = common
    return state.rollouts(part[0], seed=part[1], max_length=max_length)
