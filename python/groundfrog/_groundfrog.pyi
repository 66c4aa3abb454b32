"""The native part of the package."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

__version__: str

class GroundfrogError(Exception): ...

class DescriptionError(GroundfrogError):
    findings: list[dict[str, Any]]

class LimitError(GroundfrogError): ...
class IllegalMoveError(GroundfrogError): ...

class Game:
    def __init__(
        self,
        source: str | PathLike[str],
        *,
        fold_case: bool = False,
        timeout: float | None = None,
        max_memory: int | None = None,
    ) -> None: ...
    @property
    def text(self) -> str: ...
    @property
    def roles(self) -> list[str]: ...
    @property
    def is_ground(self) -> bool: ...
    @property
    def initial(self) -> State: ...
    @property
    def fluents(self) -> list[str]: ...
    @property
    def findings(self) -> list[dict[str, Any]]: ...
    @property
    def is_imperfect(self) -> bool: ...
    def observed(self, role: str) -> list[str]: ...
    def moves(self, role: str) -> list[str]: ...
    def state(self, fluents: Sequence[str]) -> State: ...
    def check(self, *, timeout: float | None = 5.0) -> dict[str, Any]: ...
    def ground(
        self, format: str = "kif", *, flat: bool = False, timeout: float | None = None
    ) -> str: ...
    def verify(
        self,
        *,
        playouts: int = 10,
        seed: int = 1,
        timeout: float | None = None,
        progress: Progress = None,
    ) -> dict[str, Any]: ...
    def simulate(
        self, *, seconds: float = 1.0, seed: int = 1, progress: Progress = None
    ) -> dict[str, Any]: ...
    def solve(
        self, *, timeout: float | None = None, max_memory: int = ..., progress: Progress = None
    ) -> dict[str, Any]: ...
    def analyse(self, *, timeout: float = 1.0, seed: int = 1) -> dict[str, Any]: ...
    def beliefs(
        self,
        role: str,
        history: Sequence[tuple[str | None, Sequence[str]]],
        *,
        opponents: str = "",
        most: int | None = None,
        seed: int = 1,
        timeout: float | None = None,
    ) -> dict[str, Any]: ...

Moves = Mapping[str, str] | Sequence[str]

class Bar(Protocol):
    """What `tqdm` makes."""

    total: Any
    def update(self, n: int) -> Any: ...

Progress = Callable[[int, int | None], Any] | Bar | None

class State:
    @property
    def game(self) -> Game: ...
    @property
    def fluents(self) -> list[str]: ...
    @property
    def terminal(self) -> bool: ...
    @property
    def goals(self) -> dict[str, int | None]: ...
    def legal(self, role: str | None = None) -> Any: ...
    def apply(self, moves: Moves) -> State: ...
    def percepts(self, moves: Moves) -> dict[str, list[str]]: ...
    def rollouts(self, n: int = 512, *, seed: int = 1, max_length: int = 1000) -> dict[str, Any]: ...

class Lanes:
    def __init__(self, game: Game, matches: int, seed: int) -> None: ...
    def seed(self, seed: int) -> None: ...
    def restart(self, marked: NDArray[np.bool_]) -> None: ...
    def step(self, actions: NDArray[np.int64], marked: NDArray[np.bool_]) -> None: ...
    def look(
        self,
        roles: Sequence[int],
        observed: Sequence[NDArray[np.uint8]],
        legal: Sequence[NDArray[np.uint8]],
        over: NDArray[np.bool_],
        goals: NDArray[np.float64],
    ) -> None: ...

def validate(
    text: str,
    *,
    traces: str | None = None,
    reference: Game | None = None,
    playouts: int = 8,
    seed: int = 1,
    timeout: float = 1.0,
) -> dict[str, Any]: ...
def validate_all(
    texts: Sequence[str],
    *,
    traces: str | None = None,
    reference: Game | None = None,
    playouts: int = 8,
    seed: int = 1,
    timeout: float = 1.0,
    progress: Progress = None,
) -> list[dict[str, Any]]: ...
