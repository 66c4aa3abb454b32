"""General Game Playing in Python: games in GDL as objects, vectorised environments, and a judge of generated rules.

>>> import groundfrog
>>> game = groundfrog.Game('''
...     (role robot) (init (lamp off)) (legal robot push) (legal robot wait)
...     (<= (next (lamp on)) (does robot push)) (<= (next (lamp ?x)) (does robot wait) (true (lamp ?x)))
...     (<= terminal (true (lamp on)))
...     (<= (goal robot 100) (true (lamp on))) (<= (goal robot 0) (true (lamp off)))''')
>>> game.initial.legal("robot")
['push', 'wait']
>>> state = game.initial.apply("push")
>>> state.terminal, state.goals
(True, {'robot': 100})
"""

from functools import lru_cache

from ._groundfrog import (
    DescriptionError,
    Game,
    GroundfrogError,
    IllegalMoveError,
    LimitError,
    State,
    __version__,
    validate,
    validate_all,
)
from .planes import BoardPlanes, Planes
from .vector import AutoresetMode, Step, VectorEnv

__all__ = [
    "AutoresetMode",
    "BoardPlanes",
    "DescriptionError",
    "Game",
    "GroundfrogError",
    "IllegalMoveError",
    "LimitError",
    "Planes",
    "State",
    "Step",
    "VectorEnv",
    "__version__",
    "validate",
    "validate_all",
]


@lru_cache(maxsize=16)
def _restore_game(text: str, fold_case: bool) -> Game:
    return Game(text, fold_case=fold_case)


def _restore_state(game: Game, fluents: list[str]) -> State:
    return game.state(fluents)
