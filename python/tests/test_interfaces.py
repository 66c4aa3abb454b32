"""The field's own conformance tests, as they are, and what follows a move that is not legal."""

import numpy as np
import pytest

import groundfrog

NAMES = ["tictactoe", "rock_paper_scissors", "connect_four", "kuhn_poker", "nim", "monty_hall"]
# Over before it begins.
OVER = "(role a) (legal a wait) (legal a go) (init over) (<= terminal (true over)) (goal a 70)"


@pytest.fixture(params=[*NAMES, "over"])
def game(request, corpus):
    """Games of all kinds."""
    return groundfrog.Game(OVER) if request.param == "over" else corpus(request.param)


@pytest.mark.parametrize("options", [{}, {"illegal": "random", "signed": True}, {"max_length": 3}])
def test_pettingzoo_parallel(game, options):
    test = pytest.importorskip("pettingzoo.test")
    from groundfrog.pettingzoo import GameParallelEnv

    test.parallel_api_test(GameParallelEnv(game, **options), num_cycles=100)
    test.parallel_seed_test(lambda: GameParallelEnv(game, **options), num_cycles=20)


@pytest.mark.parametrize("name", ["tictactoe", "rock_paper_scissors", "kuhn_poker"])
def test_pettingzoo_aec(corpus, name):
    test = pytest.importorskip("pettingzoo.test")
    from groundfrog.pettingzoo import aec_env

    test.api_test(aec_env(corpus(name)), num_cycles=50)
    test.seed_test(lambda: aec_env(corpus(name)), num_cycles=20)


def test_gymnasium(game):
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    from groundfrog.gymnasium import GameEnv

    for role in game.roles:
        check_env(GameEnv(game, role))
    check_env(GameEnv(game, illegal="random", max_length=50))


def test_an_illegal_move_ends_the_match_of_gymnasium(corpus):
    gymnasium = pytest.importorskip("gymnasium")
    from groundfrog.gymnasium import GameEnv

    env = GameEnv(corpus("tictactoe"), "cross")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    before, info = env.reset(seed=1)
    assert "illegal" not in info
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    after, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated, info["illegal"]) == (-1.0, True, False, True)
    assert (before == after).all() and not info["action_mask"].any()
    assert env.step(illegal)[1:4] == (0.0, True, False), "it stays over"
    _, info = env.reset(seed=1)
    assert env.step(int(np.flatnonzero(info["action_mask"])[0]))[2] is False

    strict = GameEnv(corpus("tictactoe"), "cross", illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(groundfrog.IllegalMoveError, match="not legal for `cross`"):
        strict.step(illegal)
    with pytest.raises(ValueError, match="no action 99"):
        strict.step(99)
    with pytest.raises(TypeError):
        strict.step(1.5)
    lenient = GameEnv(corpus("tictactoe"), "cross", illegal="random")
    lenient.reset(seed=1)
    assert lenient.step(illegal)[2] is False
    with pytest.raises(ValueError, match="'end', 'random', 'raise'"):
        GameEnv(corpus("tictactoe"), illegal="ignore")


def test_an_illegal_move_ends_the_match_of_pettingzoo(corpus):
    pytest.importorskip("pettingzoo")
    from groundfrog.pettingzoo import GameParallelEnv, aec_env

    game = corpus("tictactoe")
    for signed in (False, True):
        env = GameParallelEnv(game, signed=signed)
        observed, _ = env.reset(seed=1)
        legal = {role: int(it["action_mask"].argmax()) for role, it in observed.items()}
        wrong = int(np.flatnonzero(observed["nought"]["action_mask"] == 0)[0])
        after, rewards, terminated, truncated, infos = env.step({**legal, "nought": wrong})
        assert rewards == {"cross": 0.0, "nought": -1.0}
        assert all(terminated.values()) and not any(truncated.values()) and env.agents == []
        assert infos == {"cross": {}, "nought": {"illegal": True}}
        assert (after["cross"]["observation"] == observed["cross"]["observation"]).all()
        assert env.step({}) == ({}, {}, {}, {}, {})
    strict = GameParallelEnv(game, illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(groundfrog.IllegalMoveError, match="not legal for `nought`"):
        strict.step({**legal, "nought": wrong})
    assert len(strict.step(legal)[0]) == 2, "nothing had moved"
    with pytest.raises(ValueError, match="no action for 'nought'"):
        strict.step({"cross": legal["cross"]})
    turns = aec_env(game, illegal="raise")
    turns.reset(seed=1)
    turns.step(legal["cross"])
    with pytest.raises(groundfrog.IllegalMoveError):
        turns.step(wrong)
