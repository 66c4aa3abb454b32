"""Observations as planes: a picture of each board that is proved, with a plane for each content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._groundfrog import Game

__all__ = ["BoardPlanes", "Planes"]


@dataclass(frozen=True)
class BoardPlanes:
    """The planes of one board."""

    contents: list[str]
    """What each plane shows, by its first fluent: the content, and what tells it from others."""
    columns: list[str]
    """The names of the first axis."""
    rows: list[str]
    """The names of the second axis; a single one where there is none."""
    places: NDArray[np.int64]
    """By plane, row and column: the place of the fluent in `Game.fluents`; their number where there is none."""


class Planes:
    """The boards of a game in full view, found by proof (`Game.analyse`) and never by names: of a fluent on a board it is proved that
    a place has one content at most. The order of boards, planes, rows and columns follows from the rules.

    >>> import groundfrog
    >>> planes = Planes(groundfrog.Game("corpus/tictactoe.kif"))
    >>> [board.places.shape for board in planes.boards]
    [(3, 3, 3)]
    >>> sorted(planes.boards[0].contents)
    ['cross', 'empty', 'nought']
    """

    def __init__(self, game: Game, *, timeout: float = 10.0) -> None:
        if game.is_imperfect:
            raise ValueError("roles of this game do not see the boards: they have their percepts")
        fluents = game.fluents
        self.size = len(fluents)
        self.boards: list[BoardPlanes] = []
        left = set(range(self.size))
        for board in game.analyse(timeout=timeout)["structures"]["boards"]:
            found = _planes(board, fluents, left)
            if found is not None:
                self.boards.append(found)
                left -= set(found.places.flat)
        self.rest: list[int] = sorted(left)
        """The places in `Game.fluents` of those on no board."""

    def __call__(self, observations: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
        """By board: match, plane, row and column, from observations by match and fluent."""
        padded = np.zeros((len(observations), self.size + 1), dtype=np.uint8)
        padded[:, :-1] = observations
        return [np.take(padded, board.places, axis=1) for board in self.boards]


def _planes(board: dict[str, Any], fluents: list[str], left: set[int]) -> BoardPlanes | None:
    """The planes of a board that is a grid; None for others, and where nothing on it is proved."""
    axes, cells = board["axes"], board["cells"]
    if not axes or board["shape"] not in ("grid", "hexagonal"):
        return None
    coordinates = {tuple(cell["names"]): cell["coordinates"] for cell in cells}
    proved = [
        placed
        for placed in board["fluents"]
        if placed["is_proved"] and placed["output"] in ("one", "at-most-one")
    ]
    shown: dict[tuple[Any, ...], dict[tuple[int, int], int]] = {}
    names: list[str] = []
    for number in sorted(left):
        for placed in proved:
            constants = _constants(placed["pattern"], fluents[number])
            if constants is None:
                continue
            kinds = list(zip(placed["arguments"], constants))
            named = [it for it in kinds if it[0]["argument"] in ("cell", "coordinate")]
            cell = [text for _, text in sorted(named, key=lambda it: it[0].get("axis", 0))]
            at = coordinates.get(tuple(cell))
            if at is None:
                continue
            content = [text for kind, text in kinds if kind["argument"] in ("content", "quantity")]
            layer = [text for kind, text in kinds if kind["argument"] == "layer"]
            # Further axes, as levels, are planes of their own.
            key = (placed["pattern"], *layer, *at[2:], *content)
            if key not in shown:
                shown[key] = {}
                levels = [axes[axis]["values"][place] for axis, place in enumerate(at[2:], 2)]
                names.append(" ".join([*content, *layer, *levels]) or placed["content"] or placed["pattern"])
            shown[key][(at[1] if len(at) > 1 else 0, at[0])] = number
            break
    if not shown:
        return None
    columns = axes[0]["values"]
    rows = axes[1]["values"] if len(axes) > 1 else [""]
    places = np.full((len(shown), len(rows), len(columns)), len(fluents), dtype=np.int64)
    for plane, by_place in enumerate(shown.values()):
        for (row, column), number in by_place.items():
            places[plane, row, column] = number
    return BoardPlanes(names, columns, rows, places)


def _constants(pattern: str, fluent: str) -> list[str] | None:
    """What stands in a fluent where its pattern has `_`; None if it has another form."""
    form, own = (text.replace("(", " ( ").replace(")", " ) ").split() for text in (pattern, fluent))
    if len(form) != len(own):
        return None
    if any(one not in ("_", other) or (one == "_" and other in "()") for one, other in zip(form, own)):
        return None
    return [other for one, other in zip(form, own) if one == "_"]
