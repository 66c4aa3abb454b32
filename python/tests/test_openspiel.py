"""OpenSpiel's own tests, and its search on games with percepts."""

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from groundfrog.openspiel import register  # noqa: E402

NAMES = ["tictactoe", "rock_paper_scissors", "kuhn_poker", "card_draw", "connect_four"]


@pytest.fixture(scope="module")
def loaded():
    """The OpenSpiel game of a name, registered once."""
    import conftest

    games = {}

    def load(name):
        if name not in games:
            game = conftest.groundfrog.Game(conftest.CORPUS / f"{name}.kif")
            games[name] = pyspiel.load_game(register(game, f"gdl_{name}"))
        return games[name]

    return load


@pytest.mark.parametrize("name", NAMES)
def test_random_simulations(loaded, name):
    pyspiel.random_sim_test(loaded(name), num_sims=5, serialize=True, verbose=False)


@pytest.mark.parametrize("name", ["tictactoe", "kuhn_poker"])
def test_playthroughs_can_be_repeated(loaded, name):
    from open_spiel.python.algorithms import generate_playthrough

    loaded(name)
    text = generate_playthrough.playthrough(f"gdl_{name}", None, seed=7)
    actions = [int(line.split(": ")[1]) for line in text.splitlines() if line.startswith("action: ")]
    assert len(actions) >= 3
    assert generate_playthrough.playthrough(f"gdl_{name}", actions) == text


def test_what_kind_of_game_it_is(loaded):
    kinds = {name: loaded(name).get_type() for name in NAMES}
    perfect = pyspiel.GameType.Information.PERFECT_INFORMATION
    assert kinds["tictactoe"].information == perfect
    assert kinds["tictactoe"].utility == pyspiel.GameType.Utility.ZERO_SUM
    assert kinds["rock_paper_scissors"].information != perfect
    assert kinds["kuhn_poker"].chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC


def test_what_others_chose_in_the_same_step_is_not_seen(loaded):
    game = loaded("rock_paper_scissors")
    state = game.new_initial_state()
    views = set()
    for action in state.legal_actions():
        views.add(state.child(action).information_state_string(1))
    assert len(views) == 1


def test_kuhn_poker_has_the_information_sets_of_openspiels_own(loaded):
    """Twelve, as many as the game of OpenSpiel has, each with two actions."""

    def sets(game):
        found = {}

        def walk(state):
            if state.is_terminal():
                return
            if not state.is_chance_node():
                view = state.information_state_string(state.current_player())
                found.setdefault(view, set()).add(tuple(state.legal_actions()))
            for action in state.legal_actions():
                walk(state.child(action))

        walk(game.new_initial_state())
        return found

    own, other = sets(loaded("kuhn_poker")), sets(pyspiel.load_game("kuhn_poker"))
    assert len(own) == len(other) == 12
    assert all(len(actions) == 1 for actions in own.values()), "views do not mix different choices"


def test_resampled_matches_cannot_be_told_apart(loaded):
    game, random = loaded("kuhn_poker"), np.random.default_rng(4)
    others = set()
    for _ in range(200):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(int(random.choice([it for it, _ in state.chance_outcomes()])))
                continue
            player = state.current_player()
            drawn = state.resample_from_infostate(player, random.random)
            assert drawn.information_state_string(player) == state.information_state_string(player)
            assert drawn.legal_actions() == state.legal_actions()
            others.add(str(drawn) == str(state))
            state.apply_action(int(random.choice(state.legal_actions())))
    assert others == {True, False}


def test_ismcts_runs_on_a_game_with_percepts(loaded):
    from open_spiel.python.algorithms import ismcts
    from open_spiel.python.algorithms import mcts

    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=np.random.RandomState(3))
    bot = ismcts.ISMCTSBot(
        game=loaded("kuhn_poker"),
        evaluator=evaluator,
        uct_c=2.0,
        max_simulations=50,
        random_state=np.random.RandomState(3),
    )
    state, asked = loaded("kuhn_poker").new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        else:
            state.apply_action(bot.step(state))
            asked += 1
    assert asked >= 2 and abs(sum(state.returns())) < 1e-9
