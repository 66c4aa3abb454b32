"""The same matches in games of OpenSpiel and PettingZoo: masks and rewards are equal, step by step, on 1000 random matches."""

import os
from pathlib import Path

import numpy as np
import pytest

import groundfrog
from groundfrog import AutoresetMode, VectorEnv

CORPUS = Path(__file__).parents[2] / "corpus"
PUBLIC = Path(os.environ.get("GROUNDFROG_GAMES", Path(__file__).parents[3] / "shared" / "games"))
MATCHES = 1000


def words(move):
    return move.strip("()").split()


class Own:
    """1000 matches of a game, by the moves of the role that is to act."""

    def __init__(self, path):
        self.game = groundfrog.Game(path)
        self.env = VectorEnv(self.game, MATCHES, autoreset_mode=AutoresetMode.DISABLED)
        self.step = self.env.reset(seed=1)
        self.moves = [self.game.moves(role) for role in self.game.roles]
        self.over = np.zeros(MATCHES, dtype=bool)

    def legal(self, match, role):
        return {self.moves[role][it] for it in np.flatnonzero(self.step.masks[role][match])}

    def advance(self, chosen):
        """Makes in each match that goes on the move of one role, the other's being forced."""
        made = np.zeros((MATCHES, len(self.moves)), dtype=np.int64)
        for match in np.flatnonzero(~self.over):
            for role, moves in enumerate(self.moves):
                if role == chosen[match][0]:
                    made[match, role] = moves.index(chosen[match][1])
                else:
                    (made[match, role],) = np.flatnonzero(self.step.masks[role][match])
        self.step = self.env.step(made)
        self.over |= self.step.terminated
        return self.step


def tic_tac_toe(move):
    _, x, y = words(move)
    return 3 * (int(x) - 1) + int(y) - 1


def connect_four(move):
    return int(words(move)[1]) - 1


def breakthrough(move):
    """OpenSpiel's first player comes from the last row."""
    _, file, rank, to, on = words(move)
    return f"{file}{9 - int(rank)}{to}{9 - int(on)}"


def othello(move):
    if move == "noop":
        return "pass"
    _, x, y = words(move)
    return f"{'abcdefgh'[8 - int(x)]}{y}"


CASES = {
    "tic_tac_toe": (CORPUS / "tictactoe.kif", tic_tac_toe, False),
    "connect_four": (CORPUS / "connect_four.kif", connect_four, False),
    "breakthrough": (CORPUS / "breakthrough.kif", breakthrough, True),
    "othello": (PUBLIC / "othello-comp2007.kif", othello, True),
}


@pytest.mark.parametrize("name", CASES)
def test_openspiel(name):
    pyspiel = pytest.importorskip("pyspiel")
    path, translate, by_text = CASES[name]
    if not path.exists():
        pytest.skip(f"no folder of public games: {path}")
    own, random = Own(path), np.random.default_rng(11)
    game = pyspiel.load_game(name)
    states = [game.new_initial_state() for _ in range(MATCHES)]
    texts = {}

    def label(state, action):
        """How an action is called here."""
        if not by_text:
            return action
        key = state.current_player(), action
        if key not in texts:
            said = state.action_to_string(*key).split(" ")[-1].strip("()")
            texts[key] = said.rstrip("*")
        return texts[key]

    compared = 0
    while not own.over.all():
        chosen = {}
        for match in np.flatnonzero(~own.over):
            state = states[match]
            assert not state.is_terminal()
            player = state.current_player()
            theirs = {label(state, action): action for action in state.legal_actions()}
            ours = {translate(move): move for move in own.legal(match, player)}
            assert set(ours) == set(theirs)
            said = sorted(theirs)[random.integers(len(theirs))]
            chosen[match] = player, ours[said]
            state.apply_action(theirs[said])
            compared += 1
        step = own.advance(chosen)
        for match in chosen:
            assert states[match].is_terminal() == step.terminated[match]
            if step.terminated[match]:
                rewards = [reward / 50 - 1 for reward in step.rewards[match]]
                assert rewards == states[match].returns()
                assert not any(mask[match].any() for mask in step.masks)
    assert compared > 5 * MATCHES


@pytest.mark.parametrize("name", ["tictactoe_v3", "connect_four_v3"])
def test_pettingzoo(name):
    module = pytest.importorskip(f"pettingzoo.classic.{name}")
    spiel = name.removesuffix("_v3").replace("tictactoe", "tic_tac_toe")
    path, translate, _ = CASES[spiel]
    own, random = Own(path), np.random.default_rng(12)
    envs = [module.env() for _ in range(MATCHES)]
    for env in envs:
        env.reset(seed=1)
    while not own.over.all():
        chosen = {}
        for match in np.flatnonzero(~own.over):
            env = envs[match]
            player = env.agents.index(env.agent_selection)
            mask = env.observe(env.agent_selection)["action_mask"]
            ours = {translate(move): move for move in own.legal(match, player)}
            assert set(ours) == set(np.flatnonzero(mask))
            action = int(random.choice(np.flatnonzero(mask)))
            chosen[match] = player, ours[action]
            env.step(action)
        step = own.advance(chosen)
        for match in chosen:
            env = envs[match]
            assert all(env.terminations.values()) == step.terminated[match]
            expected = [env.rewards[agent] for agent in env.possible_agents]
            ours = [reward / 50 - 1 if step.terminated[match] else 0 for reward in step.rewards[match]]
            assert ours == expected
