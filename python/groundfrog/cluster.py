"""Work on many machines, by Dask (`pip install groundfrog[cluster]`).

Each function takes a client of `dask.distributed` and shares work out in parts that do not depend on how many workers there are: the
result is that of one machine. A part whose worker dies is done again by another; a nanny replaces the worker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import signature
from operator import index
from os import PathLike
from typing import Any

from distributed import Client, as_completed

from ._groundfrog import Game, State, validate_all
from .matches import Match, Player, _played, measure, pairings
from .types import Measure, Rollouts, Verdict

__all__ = ["bench", "rollouts", "tournament", "validate"]

_LANES = 512


def _shared_out(client: Client, work: Any, parts: Sequence[tuple[Any, ...]], *common: Any) -> list[Any]:
    """The results of parts of the work, in their order; what all parts need is sent to each worker once. The first exception ends it."""
    sent = client.scatter([common], broadcast=True, hash=False)[0]
    # Results are held by the scheduler's client, so that those of a worker that dies are not lost with it for long.
    futures = [client.submit(_tried, work, sent, part, pure=False) for part in parts]
    places = {future.key: place for place, future in enumerate(futures)}
    results: list[Any] = [None] * len(parts)
    try:
        for future, (result, fault) in as_completed(futures, with_results=True):
            if fault is not None:
                raise fault
            results[places[future.key]] = result
    except BaseException:
        client.cancel(futures)
        raise
    return results


def _tried(work: Any, common: tuple[Any, ...], part: tuple[Any, ...]) -> tuple[Any, Exception | None]:
    """A result or an exception: one that a worker raised would be in its log as well, for each part."""
    try:
        return work(common, part), None
    except Exception as error:
        return None, error


def _count(name: str, number: int, least: int) -> int:
    if index(number) < least:
        raise ValueError(f"`{name}` is at least {least}, not {number}")
    return index(number)


def _kind(name: str, given: object, kind: type) -> None:
    if not isinstance(given, kind):
        raise TypeError(f"`{name}` is a {kind.__name__}, not {type(given).__name__}")


def validate(client: Client, texts: Sequence[str], *, part: int = 32, **options: Any) -> list[Verdict]:
    """As `groundfrog.validate_all`, whose options it takes."""
    _kind("client", client, Client)
    if isinstance(texts, str):
        raise TypeError("`texts` is a sequence of texts, not one")
    for text in texts:
        _kind("text", text, str)
    # What is wrong with an option is found here.
    validate_all([], **options)
    size = _count("part", part, 1)
    parts = [(list(texts[first : first + size]),) for first in range(0, len(texts), size)]
    return sum(_shared_out(client, _validated, parts, options), [])


def _validated(common: tuple[Any, ...], part: tuple[list[str]]) -> list[Verdict]:
    return validate_all(part[0], **common[0])


def bench(client: Client, paths: Sequence[str | PathLike[str]], **options: Any) -> list[Measure]:
    """As `groundfrog.matches.measure` for each game, in the order of the paths, which workers must be able to read."""
    _kind("client", client, Client)
    if isinstance(paths, (str, PathLike)):
        raise TypeError("`paths` is a sequence of paths, not one")
    signature(measure).bind("", **options)
    return _shared_out(client, _measured, [(str(path),) for path in paths], options)


def _measured(common: tuple[Any, ...], part: tuple[str]) -> Measure:
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
    _kind("client", client, Client)
    _kind("game", game, Game)
    _count("rounds", rounds, 0)
    _count("max_length", max_length, 0)
    for name, player in players.items():
        if not callable(player):
            raise TypeError(f"the player {name!r} is no function")
    parts = pairings(game, list(players), rounds, seed)
    return _shared_out(client, _match, parts, game, dict(players), max_length)


def _match(common: tuple[Game, dict[str, Player], int], part: tuple[tuple[str, ...], int]) -> Match:
    game, players, max_length = common
    return _played(game, players, *part, max_length)


def rollouts(
    client: Client, state: State, n: int, *, seed: int = 1, max_length: int = 1000, blocks: int = 64
) -> Rollouts:
    """As `State.rollouts`: the same matches, in parts of `blocks` times 512."""
    _kind("client", client, Client)
    _kind("state", state, State)
    _count("n", n, 0)
    state.rollouts(0, seed=seed, max_length=max_length)
    size = _count("blocks", blocks, 1) * _LANES
    parts = [
        (min(size, n - first), seed + first // _LANES) for first in range(0, n, size)
    ]
    found: list[Rollouts] = _shared_out(client, _rolled_out, parts, state, max_length)
    roles = state.game.roles
    sums = {role: sum(part["sums"][role] for part in found) for role in roles}
    counts = {role: sum(part["counts"][role] for part in found) for role in roles}
    return {
        "playouts": sum(part["playouts"] for part in found),
        "length": sum(part["length"] for part in found),
        "ended": sum(part["ended"] for part in found),
        "goals": {role: sums[role] / counts[role] if counts[role] else None for role in roles},
        "sums": sums,
        "counts": counts,
    }


def _rolled_out(common: tuple[State, int], part: tuple[int, int]) -> Rollouts:
    state, max_length = common
    return state.rollouts(part[0], seed=part[1], max_length=max_length)
