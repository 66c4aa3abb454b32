"""What calls answer: dictionaries with these keys. New keys may come; what they mean is said where the program writes the same JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypedDict, Union

__all__ = [
    "Analysis",
    "Bar",
    "Belief",
    "BeliefState",
    "CheckReport",
    "Edit",
    "Finding",
    "Measure",
    "Moves",
    "Place",
    "Progress",
    "Reason",
    "RoleValue",
    "Rollouts",
    "Simulation",
    "Solution",
    "Verdict",
    "Verification",
    "World",
]


Moves = Union[Mapping[str, str], Sequence[str]]
"""A joint move: by role, or in the order of the roles; a single text where there is one role."""


class Bar(Protocol):
    """What `tqdm` makes."""

    total: Any

    def update(self, n: Any = ..., /) -> Any: ...


Progress = Union[Callable[[int, Union[int, None]], Any], Bar, None]
"""What hears how far a call is: a function of what is done and of the whole, or None where that is not known; or a bar."""


class Place(TypedDict):
    """A place in a text: lines and columns are counted from 1, `start` and `end` are in bytes."""

    text: str
    line: int
    column: int
    end_line: int
    end_column: int
    start: int
    end: int


class Finding(TypedDict):
    """What is wrong with a description."""

    code: str
    severity: str
    message: str
    labels: list[Place]
    help: list[str]


class CheckReport(TypedDict):
    """What `Game.check` says."""

    name: str
    fragment: str
    gdl_ii: bool
    counts: dict[str, int]
    undecided: str | None
    exploration: dict[str, Any] | None
    diagnostics: list[Finding]


class Edit(TypedDict):
    """A text to put in the place of some bytes."""

    start: int
    end: int
    text: str


class Reason(TypedDict):
    """Why rules are not valid."""

    kind: str
    code: str
    message: str
    places: list[Place]
    repair: list[str]
    edits: list[Edit]


class Verdict(TypedDict):
    """What `validate` says."""

    valid: bool | None
    fragment: str
    reasons: list[Reason]
    warnings: list[Finding]
    mended: str | None


class Verification(TypedDict):
    """What `Game.verify` says."""

    playouts: int
    states: int
    difference: str | None


class Simulation(TypedDict):
    """What `Game.simulate` says."""

    playouts: int
    states: int
    playouts_per_second: float
    states_per_second: float
    goals: dict[str, float | None]


class Rollouts(TypedDict):
    """What `State.rollouts` says."""

    playouts: int
    length: int
    ended: int
    goals: dict[str, float | None]
    sums: dict[str, int]
    counts: dict[str, int]


class RoleValue(TypedDict):
    """The value of a game for a role."""

    role: str
    lower: float
    upper: float
    decided: bool


class Solution(TypedDict):
    """What `Game.solve` says; with `strategies` where moves are mixed."""

    values: list[RoleValue]
    line: list[list[str]]
    line_role: str | None
    line_is_complete: bool
    line_stop: str | None
    method: str
    undecided: str | None
    states: int
    memory: int
    decided: bool


class Analysis(TypedDict):
    """What `Game.analyse` says."""

    findings: list[dict[str, Any]]
    matches: int
    states: int
    structures: dict[str, Any]
    symmetries: dict[str, Any] | None
    factors: dict[str, Any] | None


class BeliefState(TypedDict):
    """A state that a role believes possible."""

    probability: float
    histories: int
    state: list[str]


class World(TypedDict):
    """A history that agrees with what a role did and perceived."""

    probability: float
    moves: list[list[str]]


class Belief(TypedDict):
    """What `Game.beliefs` says."""

    role: str
    steps: int
    method: str
    histories: int
    states: list[BeliefState]
    worlds: list[World]


class Measure(TypedDict):
    """What `groundfrog.matches.measure` says."""

    name: str
    roles: int
    fluents: int
    moves: int
    rules: int
    error: str | None
    setup_seconds: float
    states_per_second: float
