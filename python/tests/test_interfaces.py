"""The field's own conformance tests."""

import pytest


@pytest.mark.parametrize("name", ["tictactoe", "rock_paper_scissors", "connect_four", "kuhn_poker"])
def test_pettingzoo_parallel(corpus, name):
    test = pytest.importorskip("pettingzoo.test")
    from groundfrog.pettingzoo import GameParallelEnv

    def env():
        # These tests do not look at masks.
        return GameParallelEnv(corpus(name), illegal="random")

    test.parallel_api_test(env(), num_cycles=100)
    test.parallel_seed_test(env, num_cycles=20)


@pytest.mark.parametrize("name", ["tictactoe", "rock_paper_scissors"])
def test_pettingzoo_aec(corpus, name):
    test = pytest.importorskip("pettingzoo.test")
    from groundfrog.pettingzoo import aec_env

    test.api_test(aec_env(corpus(name)), num_cycles=50)
    test.seed_test(lambda: aec_env(corpus(name)), num_cycles=20)


def test_gymnasium(corpus):
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    from groundfrog.gymnasium import GameEnv

    check_env(GameEnv(corpus("eight_puzzle"), illegal="random", max_length=50), skip_render_check=True)
    check_env(GameEnv(corpus("tictactoe"), illegal="random"), skip_render_check=True)
