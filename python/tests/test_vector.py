"""Many matches at once."""

import numpy as np
import pytest

import groundfrog
from groundfrog import AutoresetMode, VectorEnv


def chosen(mask, random):
    """A legal action for each match; 0 where there is none."""
    return np.array([random.choice(np.flatnonzero(row)) if row.any() else 0 for row in mask])


def joint(step, random):
    return np.stack([chosen(mask, random) for mask in step.masks], axis=1)


@pytest.mark.parametrize("name", ["tictactoe", "rock_paper_scissors", "connect_four", "nim"])
def test_each_match_is_what_states_say(corpus, name):
    game = corpus(name)
    env = VectorEnv(game, 3, autoreset_mode=AutoresetMode.DISABLED)
    random = np.random.default_rng(5)
    step = env.reset(seed=1)
    states = [game.initial] * 3
    compared = 0
    for _ in range(60):
        made = joint(step, random)
        alive = [number for number, state in enumerate(states) if not state.terminal]
        if not alive:
            break
        for number in alive:
            moves = [game.moves(role)[made[number, place]] for place, role in enumerate(game.roles)]
            states[number] = states[number].apply(moves)
        step = env.step(made)
        for number in alive:
            state = states[number]
            holds = {game.fluents[place] for place in np.flatnonzero(step.observations[0][number])}
            assert holds == set(state.fluents)
            assert step.terminated[number] == state.terminal
            for place, role in enumerate(game.roles):
                legal = [game.moves(role)[it] for it in np.flatnonzero(step.masks[place][number])]
                if state.terminal:
                    assert legal == []
                    assert step.rewards[number, place] == state.goals[role]
                else:
                    assert sorted(legal) == sorted(state.legal(role))
                    assert step.rewards[number, place] == 0
            compared += 1
    assert compared > 10


def test_600_matches_with_random_opponents_end_and_begin_anew(corpus):
    game = corpus("tictactoe")
    env = VectorEnv(game, 600, roles=["cross"])
    random = np.random.default_rng(2)
    step, ended, total = env.reset(seed=3), 0, 0.0
    for _ in range(40):
        done = step.terminated.copy()
        step = env.step(chosen(step.masks[0], random))
        assert not (done & step.terminated).any(), "a match that was over has begun anew"
        begun = env.game.initial
        if done.any():
            first = np.flatnonzero(done)[0]
            holds = {game.fluents[it] for it in np.flatnonzero(step.observations[0][first])}
            assert holds == set(begun.fluents)
        ended += int(step.terminated.sum())
        total += float(step.rewards.sum())
    assert ended > 600
    assert 50 < total / ended < 100, "cross moves first and wins more often"


def test_the_same_seed_gives_the_same_matches(corpus):
    def run(seed):
        env = VectorEnv(corpus("card_draw"), 5, roles=["alma"])
        random, step = np.random.default_rng(1), env.reset(seed=seed)
        seen = []
        for _ in range(6):
            step = env.step(chosen(step.masks[0], random))
            seen.append(step.observations[0].copy())
        return np.array(seen)

    assert (run(4) == run(4)).all()
    assert (run(4) != run(5)).any()


def test_same_step_keeps_the_final_observation(corpus):
    game = corpus("tictactoe")
    env = VectorEnv(game, 2, autoreset_mode=AutoresetMode.SAME_STEP)
    random, step = np.random.default_rng(1), env.reset(seed=1)
    while not step.terminated.any():
        step = env.step(joint(step, random))
    ended = np.flatnonzero(step.terminated)[0]
    last = game.state([game.fluents[it] for it in np.flatnonzero(step.final_obs[0][ended])])
    assert last.terminal
    now = game.state([game.fluents[it] for it in np.flatnonzero(step.observations[0][ended])])
    assert now == game.initial


def test_a_match_is_given_up_for_its_length(corpus):
    env = VectorEnv(corpus("connect_four"), 2, max_length=3)
    random, step = np.random.default_rng(1), env.reset(seed=1)
    for _ in range(3):
        assert not step.truncated.any()
        step = env.step(joint(step, random))
    assert step.truncated.all() and not step.terminated.any()


STUCK = """(role a) (role b) (init p) (legal a go) (legal a stay) (<= (legal b wait) (true p))
 (<= (next p) (does a stay)) (<= (next q) (does a go)) (<= terminal (true r)) (goal a 1) (goal b 1)"""


@pytest.mark.parametrize("roles", [["a"], ["b"], ["a", "b"]])
def test_a_match_in_which_a_role_cannot_move_is_given_up(roles):
    env = VectorEnv(groundfrog.Game(STUCK), 600, roles=roles)
    step, ended = env.reset(seed=1), 0
    for _ in range(30):
        step = env.step(np.zeros((600, len(roles)), dtype=np.int64))
        assert not step.terminated.any() and not step.rewards.any()
        ended += int(step.truncated.sum())
    assert ended > 5000
    stuck = groundfrog.Game(STUCK.replace("(init p)", "(init q)"))
    assert VectorEnv(stuck, 3).step(np.zeros((3, 2), dtype=np.int64)).truncated.all()


def test_wrong_actions_are_said(corpus):
    env = VectorEnv(corpus("nim"), 2)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"shape \(2, 2\)"):
        env.step(np.zeros(3, dtype=np.int64))
    with pytest.raises(ValueError, match="there is no action 999"):
        env.step(np.full((2, 2), 999))
    second = corpus("nim").moves("second")
    moves = np.array([[0, second.index("noop")]] * 2)
    illegal = moves.copy()
    illegal[1, 1] = (second.index("noop") + 1) % len(second)
    with pytest.raises(groundfrog.IllegalMoveError, match="not legal for `second`"):
        env.step(illegal)


@pytest.mark.parametrize("name", ["kuhn_poker", "card_draw"])
def test_roles_of_games_with_percepts_observe_what_they_did_and_perceived(corpus, name):
    """By the scalar rules: equal histories of a role give equal observations, and other ones others."""
    game = corpus(name)
    roles = [role for role in game.roles if role != "random"]
    columns = {role: game.observed(role) for role in roles}
    env = VectorEnv(game, 64, autoreset_mode=AutoresetMode.DISABLED)
    random, step = np.random.default_rng(3), env.reset(seed=1)
    states = [game.initial] * 64
    histories = {role: [()] * 64 for role in roles}
    while not step.terminated.all():
        made = joint(step, random)
        for number in np.flatnonzero(~step.terminated & [not state.terminal for state in states]):
            moves = {role: game.moves(role)[made[number, place]] for place, role in enumerate(game.roles)}
            percepts = states[number].percepts(moves)
            states[number] = states[number].apply(moves)
            for role in roles:
                histories[role][number] += ((moves[role], tuple(percepts[role])),)
        step = env.step(made)
        for place, role in enumerate(game.roles):
            if role not in roles:
                continue
            for number in range(64):
                seen = step.observations[place][number]
                half = len(seen) // 2
                said = [columns[role][it] for it in np.flatnonzero(seen[:half])]
                move, percepts = histories[role][number][-1]
                assert sorted(said) == sorted(
                    [f"(does {role} {move})"] + [f"(sees {role} {it})" for it in percepts]
                )
                ever = {columns[role][it] for it in np.flatnonzero(seen[half:])}
                assert ever == {f"(does {role} {it})" for it, _ in histories[role][number]} | {
                    f"(sees {role} {it})" for _, seen in histories[role][number] for it in seen
                }
        if all(state.terminal for state in states):
            break
