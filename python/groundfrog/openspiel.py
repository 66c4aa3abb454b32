"""A game for OpenSpiel: `register` it, then load it by its name.

OpenSpiel asks one player after the other. Of a joint move, each role that has a choice is a node, in the order of the roles and chance
last; what the others of the same step have chosen is not shown. Who has one legal move makes it unasked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from ._groundfrog import Game, State

__all__ = ["register"]

_CHANCE = "random"
_KEPT_BELIEFS = 256


def register(game: Game, name: str, *, max_length: int = 1000, believed: int = 1 << 14) -> str:
    """Makes a game known to OpenSpiel and returns the name for `pyspiel.load_game`.

    A player's return is -1 for the goal value 0 and 1 for 100. A match of more than `max_length` joint moves is given up with returns
    of 0. `resample_from_infostate` draws from what a player can know (`Game.beliefs`), exactly up to `believed` joint moves a step.
    """
    rules = _Rules(game, max_length, believed)
    game_type = pyspiel.GameType(
        short_name=name,
        long_name=name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=(
            pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
            if _CHANCE in game.roles
            else pyspiel.GameType.ChanceMode.DETERMINISTIC
        ),
        information=(
            pyspiel.GameType.Information.PERFECT_INFORMATION
            if rules.is_perfect
            else pyspiel.GameType.Information.IMPERFECT_INFORMATION
        ),
        utility=(
            pyspiel.GameType.Utility.ZERO_SUM
            if rules.is_zero_sum
            else pyspiel.GameType.Utility.GENERAL_SUM
        ),
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=len(rules.players),
        min_num_players=len(rules.players),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=max(len(game.moves(role)) for role in rules.players),
        max_chance_outcomes=len(game.moves(_CHANCE)) if _CHANCE in game.roles else 0,
        num_players=len(rules.players),
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0 if rules.is_zero_sum else None,
        max_game_length=max_length * len(rules.players),
    )

    class _Registered(pyspiel.Game):
        def __init__(self, params: Any = None) -> None:
            super().__init__(game_type, info, params or {})
            self.rules = rules

        def new_initial_state(self) -> _Match:
            return _Match(self, rules)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
            return _Observer(rules, iig_obs_type, params)

    pyspiel.register_game(game_type, _Registered)
    return name


class _Rules:
    """What all matches of a game share."""

    def __init__(self, game: Game, max_length: int, believed: int) -> None:
        self.game = game
        self.max_length = max_length
        self.believed = believed
        self.players = [role for role in game.roles if role != _CHANCE]
        # Chance comes last of those that choose.
        self.order = self.players + [role for role in game.roles if role == _CHANCE]
        self.moves = {role: game.moves(role) for role in game.roles}
        self.actions = {
            role: {move: place for place, move in enumerate(moves)}
            for role, moves in self.moves.items()
        }
        self.columns = {
            role: {name: place for place, name in reversed(list(enumerate(game.observed(role))))}
            for role in self.players
        }
        proved = {
            finding["property"]
            for finding in game.analyse(timeout=1.0)["findings"]
            if finding["verdict"] == "proved"
        }
        self.is_perfect = not game.is_imperfect and "turn-taking" in proved
        self.is_zero_sum = len(self.players) == 2 and "constant-sum" in proved
        self._worlds: dict[Any, tuple[np.ndarray, list[Any]]] = {}

    def __deepcopy__(self, memo: Any) -> _Rules:
        """Clones of a match share it."""
        return self

    def worlds(self, role: str, history: tuple[Any, ...]) -> tuple[np.ndarray, list[Any]]:
        """The histories that a role cannot tell from its own, and the sums of their probabilities."""
        key = (role, history)
        if key not in self._worlds:
            found = self.game.beliefs(role, list(history), most=self.believed)["worlds"]
            sums = np.cumsum([world["probability"] for world in found])
            if len(self._worlds) >= _KEPT_BELIEFS:
                self._worlds.clear()
            self._worlds[key] = sums, [world["moves"] for world in found]
        return self._worlds[key]


class _Match(pyspiel.State):
    """A match, at a node where someone chooses."""

    def __init__(self, game: Any, rules: _Rules) -> None:
        super().__init__(game)
        self._rules = rules
        self._state = rules.game.initial
        self._joint: tuple[tuple[str, ...], ...] = ()
        self._known: dict[str, tuple[Any, ...]] = {role: () for role in rules.players}
        self._begin_step()
        self._settle()

    def _begin_step(self) -> None:
        self._chosen: dict[str, str] = {}
        self._is_over = self._state.terminal or len(self._joint) >= self._rules.max_length
        self._legal = {} if self._is_over else self._state.legal()

    def _chooser(self) -> str | None:
        """The role that is to choose: the first that has a choice and has not made it."""
        for role in self._rules.order:
            if role not in self._chosen and len(self._legal[role]) > 1:
                return role
        return None

    def _settle(self) -> None:
        """Makes joint moves until someone is to choose."""
        while not self._is_over and self._chooser() is None:
            moves = {
                role: self._chosen.get(role, legal[0]) for role, legal in self._legal.items()
            }
            rules = self._rules
            if rules.game.is_imperfect:
                percepts = self._state.percepts(moves)
                for role in rules.players:
                    seen = (moves[role], tuple(percepts[role]))
                    self._known[role] = self._known[role] + (seen,)
            self._state = self._state.apply(moves)
            self._joint = self._joint + (tuple(moves[role] for role in rules.game.roles),)
            self._begin_step()

    def current_player(self) -> int:
        terminal: int = pyspiel.PlayerId.TERMINAL
        chance: int = pyspiel.PlayerId.CHANCE
        if self._is_over:
            return terminal
        role = self._chooser()
        return chance if role == _CHANCE else self._rules.players.index(role or "")

    def _role(self, player: int) -> str:
        return _CHANCE if player == pyspiel.PlayerId.CHANCE else self._rules.players[player]

    def _legal_actions(self, player: int) -> list[int]:
        role = self._role(player)
        if self._is_over or self._chooser() != role:
            return []
        return sorted(self._rules.actions[role][move] for move in self._legal[role])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        legal = self._legal_actions(pyspiel.PlayerId.CHANCE)
        return [(action, 1.0 / len(legal)) for action in legal]

    def _apply_action(self, action: int) -> None:
        role = self._chooser()
        if role is None:
            raise ValueError("nobody is to choose")
        self._chosen[role] = self._rules.moves[role][action]
        self._settle()

    def _action_to_string(self, player: int, action: int) -> str:
        role = self._role(player)
        return f"{role} {self._rules.moves[role][action]}"

    def is_terminal(self) -> bool:
        return self._is_over

    def returns(self) -> list[float]:
        if not self._state.terminal:
            return [0.0] * len(self._rules.players)
        goals = self._state.goals
        return [((goals[role] or 0) - 50) / 50 for role in self._rules.players]

    def __str__(self) -> str:
        chosen = "".join(f" {role} {move}" for role, move in self._chosen.items())
        return " ".join(self._state.fluents) + (f" | chosen:{chosen}" if chosen else "")

    def own_view(self, player: int) -> str:
        """All that a player knows, in the order in which it learned it."""
        role = self._role(player)
        own = f" | {self._chosen[role]}" if role in self._chosen else ""
        if self._rules.game.is_imperfect:
            steps = (f"{move} ({' '.join(seen)})" for move, seen in self._known[role])
        else:
            steps = (" + ".join(joint) for joint in self._joint)
        return f"{role}: " + ", ".join(steps) + own

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> _Match:
        """A match that the player cannot tell from this one, drawn by what it can know; the others play evenly."""
        rules, role = self._rules, self._role(player)
        joint: Any = self._joint
        if rules.game.is_imperfect:
            sums, worlds = rules.worlds(role, self._known[role])
            drawn = int(np.searchsorted(sums, sampler() * sums[-1], side="right"))
            joint = worlds[min(drawn, len(worlds) - 1)]
        match: _Match = self.get_game().new_initial_state()
        for step, moves in enumerate(joint):
            made = dict(zip(rules.game.roles, moves))
            while len(match._joint) == step:
                chooser = match._chooser() or ""
                match.apply_action(rules.actions[chooser][made[chooser]])
        while match.current_player() != player and role not in match._chosen:
            legal = match.legal_actions()
            match.apply_action(legal[min(int(sampler() * len(legal)), len(legal) - 1)])
        return match


class _Observer:
    """What a player sees: OpenSpiel's interface of observers."""

    def __init__(self, rules: _Rules, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"there are no parameters of observations: {params}")
        self._rules = rules
        self._recalls = bool(iig_obs_type and iig_obs_type.perfect_recall)
        width = max(len(rules.game.observed(role)) for role in rules.players)
        self.tensor = np.zeros(0 if self._recalls else width, np.float32)
        self.dict = {} if self._recalls else {"observation": self.tensor}

    def set_from(self, state: _Match, player: int) -> None:
        """The columns of `Game.observed`."""
        if self._recalls:
            return
        self.tensor.fill(0)
        rules, role = self._rules, state._role(player)
        columns = rules.columns[role]
        if not rules.game.is_imperfect:
            for fluent in state._state.fluents:
                self.tensor[columns[fluent]] = 1
            return
        half = len(rules.game.observed(role)) // 2
        known = state._known[role]
        for step, (move, percepts) in enumerate(known):
            for name in [f"(does {role} {move})", *(f"(sees {role} {it})" for it in percepts)]:
                self.tensor[half + columns[name]] = 1
                if step + 1 == len(known):
                    self.tensor[columns[name]] = 1

    def string_from(self, state: _Match, player: int) -> str:
        """All that the player knows, or without recall what it sees of the present."""
        if self._recalls:
            return state.own_view(player)
        rules, role = self._rules, state._role(player)
        if not rules.game.is_imperfect:
            return " ".join(state._state.fluents)
        known = state._known[role]
        return f"{known[-1][0]} ({' '.join(known[-1][1])})" if known else "nothing yet"
