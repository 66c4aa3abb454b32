"""The native part of the package."""

from collections.abc import Sequence
from os import PathLike
from typing import final, overload

import numpy as np
from numpy.typing import NDArray

from .types import (
    Analysis,
    Belief,
    CheckReport,
    Finding,
    Moves,
    Progress,
    Rollouts,
    Simulation,
    Solution,
    Verdict,
    Verification,
)

__version__: str

class GroundfrogError(Exception): ...

class DescriptionError(GroundfrogError):
    findings: list[Finding]

class LimitError(GroundfrogError): ...
class IllegalMoveError(GroundfrogError): ...

@final
class Game:
    def __new__(
        cls,
        source: str | PathLike[str],
        *,
        fold_case: bool = False,
        timeout: float | None = None,
        max_memory: int | None = None,
    ) -> Game: ...
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
    def findings(self) -> list[Finding]: ...
    @property
    def is_imperfect(self) -> bool: ...
    def observed(self, role: str) -> list[str]: ...
    def moves(self, role: str) -> list[str]: ...
    def state(self, fluents: Sequence[str]) -> State: ...
    def check(self, *, timeout: float | None = 5.0) -> CheckReport: ...
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
    ) -> Verification: ...
    def simulate(
        self, *, seconds: float = 1.0, seed: int = 1, progress: Progress = None
    ) -> Simulation: ...
    def solve(
        self, *, timeout: float | None = None, max_memory: int = ..., progress: Progress = None
    ) -> Solution: ...
    def analyse(self, *, timeout: float = 1.0, seed: int = 1) -> Analysis: ...
    def beliefs(
        self,
        role: str,
        history: Sequence[tuple[str | None, Sequence[str]]],
        *,
        opponents: str = "",
        most: int | None = None,
        seed: int = 1,
        timeout: float | None = None,
    ) -> Belief: ...

@final
class State:
    @property
    def game(self) -> Game: ...
    @property
    def fluents(self) -> list[str]: ...
    @property
    def terminal(self) -> bool: ...
    @property
    def goals(self) -> dict[str, int | None]: ...
    @overload
    def legal(self, role: str, *, timeout: float | None = None) -> list[str]: ...
    @overload
    def legal(self, role: None = None, *, timeout: float | None = None) -> dict[str, list[str]]: ...
    def apply(self, moves: Moves, *, timeout: float | None = None) -> State: ...
    def percepts(self, moves: Moves, *, timeout: float | None = None) -> dict[str, list[str]]: ...
    def rollouts(
        self,
        n: int = 512,
        *,
        seed: int = 1,
        max_length: int = 1000,
        timeout: float | None = None,
        progress: Progress = None,
    ) -> Rollouts: ...

class Lanes:
    def __init__(
        self, game: Game, matches: int, seed: int, max_memory: int | None = None
    ) -> None: ...
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
        stuck: NDArray[np.bool_],
    ) -> None: ...

def validate(
    text: str,
    *,
    traces: str | None = None,
    reference: Game | None = None,
    playouts: int = 8,
    seed: int = 1,
    timeout: float = 1.0,
) -> Verdict: ...
def validate_all(
    texts: Sequence[str],
    *,
    traces: str | None = None,
    reference: Game | None = None,
    playouts: int = 8,
    seed: int = 1,
    timeout: float = 1.0,
    progress: Progress = None,
) -> list[Verdict]: ...
