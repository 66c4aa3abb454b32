"""Whatever is given is answered or refused; nothing panics, and no text ends the interpreter."""

import itertools
import random
import threading

import numpy as np
import pytest

import groundfrog
from groundfrog import AutoresetMode, Planes, VectorEnv

LAMP = """(role robot) (init (lamp off)) (legal robot push) (legal robot wait)
 (<= (next (lamp on)) (does robot push)) (<= (next (lamp ?x)) (does robot wait) (true (lamp ?x)))
 (<= terminal (true (lamp on))) (<= (goal robot 100) (true (lamp on))) (<= (goal robot 0) (true (lamp off)))"""
GROWS = """(role robot) (init (n z)) (legal robot go) (<= (next (n (s ?x))) (true (n ?x)))
 (<= terminal (true off)) (goal robot 1)"""
ODD = [None, 0, 1, -1, 2**31, 2**63, 2**64, 2**200, 0.5, -1.0, float("inf"), float("nan"), True, "", "robot", "push"]
ODD += ["(", ")", "\ud800", "\0", "(\ud800)", "\U0010ffff", b"robot", [], ["push"], ["\ud800"], [None], {}, {"robot": "push"}]
ODD += [{"robot": 3}, {None: None}, object(), len, np.zeros(3), np.zeros((2, 2), np.int64), np.float64(1), (), "x" * 10**5]


def shut(call):
    """Calls; only exceptions that one can name may come."""
    try:
        return call()
    except Exception as error:
        assert type(error).__name__ != "PanicException" and "fault of groundfrog" not in str(error), error


def calls(game):
    """Everything that takes arguments, by how many."""
    state, env = game.initial, VectorEnv(game, 2) if game.is_ground else None
    yield from [game.observed, game.moves, game.state, state.legal, state.apply, state.percepts]
    yield from [groundfrog.Game, groundfrog.validate, groundfrog.validate_all]
    yield lambda it: state.legal(timeout=it)
    yield lambda it: state.legal("robot", timeout=it)
    yield lambda it: state.apply("go", timeout=it)
    yield lambda it: state.rollouts(it, timeout=0.01)
    yield lambda it: state.rollouts(1, seed=it)
    yield lambda it: state.rollouts(1, max_length=it, timeout=0.01)
    yield lambda it: state.rollouts(1, progress=it)
    yield lambda it: game.check(timeout=it)
    yield lambda it: game.ground(it)
    yield lambda it: game.ground(timeout=it)
    yield lambda it: game.verify(playouts=it, timeout=0.01)
    yield lambda it: game.verify(seed=it, progress=it)
    yield lambda it: game.solve(timeout=it)
    yield lambda it: game.solve(max_memory=it)
    yield lambda it: game.solve(progress=it)
    yield lambda it: game.simulate(seed=it, seconds=0.001)
    yield lambda it: game.beliefs(it, [])
    yield lambda it: game.beliefs("robot", it)
    yield lambda it: game.beliefs("robot", [(it, [])])
    yield lambda it: game.beliefs("robot", [("push", it)])
    yield lambda it: game.beliefs("robot", [("push", [])], opponents=it)
    yield lambda it: game.beliefs("robot", [("push", [])], most=it)
    yield lambda it: game.beliefs("robot", [], timeout=it, seed=it)
    yield lambda it: groundfrog.Game(LAMP, timeout=it)
    yield lambda it: groundfrog.Game(LAMP, max_memory=it)
    yield lambda it: groundfrog.Game(LAMP, fold_case=it)
    yield lambda it: groundfrog.validate(LAMP, traces=it)
    yield lambda it: groundfrog.validate(LAMP, reference=it)
    yield lambda it: groundfrog.validate(LAMP, playouts=it, timeout=0.01)
    yield lambda it: groundfrog.validate_all([it], timeout=0.01)
    yield lambda it: Planes(it)
    if env is not None:
        yield lambda it: VectorEnv(game, it)
        yield lambda it: VectorEnv(game, 1, roles=it)
        yield lambda it: VectorEnv(game, 1, seed=it)
        yield lambda it: VectorEnv(game, 1, autoreset_mode=it)
        yield lambda it: VectorEnv(game, 1, max_length=it).reset()
        yield lambda it: VectorEnv(game, 1, max_memory=it)
        yield lambda it: env.reset(seed=it)
        yield lambda it: env.step(it)
        yield lambda it: env.step([it, it])
        yield lambda it: env.step([0, it])
        yield lambda it: env.restart(it)
    yield state.__eq__
    yield lambda it: (state < it, state)


@pytest.mark.parametrize("text", [LAMP, GROWS])
def test_no_argument_panics(text):
    game, done = groundfrog.Game(text, timeout=5.0), 0
    for call in calls(game):
        for odd in ODD:
            shut(lambda: call(odd))
            done += 1
    assert done > 1000
    assert game.initial.legal("robot"), "it still answers"


def test_the_native_lanes_do_not_panic_either():
    from groundfrog._groundfrog import Lanes

    game, generator = groundfrog.Game(LAMP), random.Random(4)
    lanes = Lanes(game, 3, 1)
    arrays = [
        np.zeros(shape, kind)
        for shape in [(3,), (3, 1), (3, 2), (1, 3), (0, 0), (4,), (3, 0), (6, 1)]
        for kind in (np.uint8, np.int64, np.bool_, np.float64)
    ]
    arrays.append(np.asfortranarray(np.ones((3, 2), np.uint8)))
    for _ in range(3000):
        one, other, third, fourth = generator.choices(arrays, k=4)
        roles = generator.choice([[], [0], [1], [0, 0], [-1]])
        shut(lambda: lanes.step(one, other))
        shut(lambda: lanes.restart(one))
        shut(lambda: lanes.look(roles, [one.copy()], [other.copy()], third.copy(), fourth.copy(), third.copy()))
        shut(lambda: lanes.look(roles, [], [other.copy()], np.zeros(3, np.bool_), np.zeros((3, 1)), np.zeros(3, np.bool_)))
    actions = np.zeros((3, 1), np.int64)
    lanes.restart(np.ones(3, np.bool_))
    lanes.step(actions, np.ones(3, np.bool_))


@pytest.mark.parametrize("text", ["(" * 10**6, "(a " * 10**5, "(<= " * 10**5 + "a", "(not " * 10**5, ";" * 10**6, "\n", "(\0)"])
def test_deep_and_odd_texts_are_refused(text):
    with pytest.raises(groundfrog.DescriptionError) as raised:
        groundfrog.Game(text)
    assert raised.value.findings
    assert not groundfrog.validate(text)["valid"]


def test_half_a_character_is_no_description():
    for text in ["\ud800", "(role \udfff)", LAMP + "\ud83d", "(\udc80)"]:
        with pytest.raises(groundfrog.DescriptionError) as raised:
            groundfrog.Game(text)
        assert raised.value.findings[0]["labels"][0]["line"] >= 1
        for verdict in [groundfrog.validate(text), *groundfrog.validate_all([text])]:
            assert verdict["valid"] is False and verdict["reasons"][0]["kind"] == "syntax"
    state = groundfrog.Game(LAMP).initial
    for move in ["\ud800", {"robot": "\ud800"}, ["\ud800"]]:
        with pytest.raises(groundfrog.IllegalMoveError, match="no move of `robot`"):
            state.apply(move)


def test_a_file_that_is_not_there_is_named(tmp_path):
    for path in ["nosuch.kif", str(tmp_path / "no such (1).kif"), tmp_path / "nosuch", "nosuch"]:
        with pytest.raises(FileNotFoundError, match="No such file or directory: '.*no ?such") as raised:
            groundfrog.Game(path)
        assert raised.value.filename == str(path)
    with pytest.raises(IsADirectoryError) as raised:
        groundfrog.Game(tmp_path)
    assert raised.value.filename == str(tmp_path)
    file = tmp_path / "lamp (1).kif"
    file.write_text(LAMP, encoding="utf-8")
    assert groundfrog.Game(str(file)).roles == groundfrog.Game(file).roles == ["robot"]
    with pytest.raises(TypeError, match="a text or the path of a file"):
        groundfrog.Game(3)


@pytest.mark.parametrize("n", [1, 512, 513, 2000])
def test_a_step_that_is_refused_moves_nothing(corpus, n):
    """Nor does it draw: what follows is what follows without it."""
    game = corpus("tictactoe")

    def play(refused):
        env = VectorEnv(game, n, roles=["cross"], autoreset_mode=AutoresetMode.DISABLED)
        step = env.reset(seed=3)
        seen = [step.observations[0].copy()]
        for _ in range(4):
            moves = step.masks[0].argmax(1)
            if refused:
                for wrong in (game.moves("cross").index("wait"), 999, -1):
                    given = moves.copy()
                    given[n - 1] = wrong
                    if wrong < 0 or wrong == 999 or not step.masks[0][n - 1, wrong]:
                        with pytest.raises((groundfrog.IllegalMoveError, ValueError)):
                            env.step(given)
                assert (env.look() == seen[-1]).all()
            step = env.step(moves)
            seen.append(step.observations[0].copy())
        return seen

    assert all((one == other).all() for one, other in zip(play(False), play(True), strict=True))


def test_percepts_are_not_noted_by_a_step_that_is_refused(corpus):
    game = corpus("kuhn_poker")
    env = VectorEnv(game, 600, autoreset_mode=AutoresetMode.DISABLED)
    step = env.reset(seed=1)
    moves = np.stack([mask.argmax(1) for mask in step.masks], axis=1)
    moves[599] = [int(np.flatnonzero(mask[599] == 0)[0]) for mask in step.masks]
    with pytest.raises(groundfrog.IllegalMoveError):
        env.step(moves)
    env.restart(np.zeros(600, dtype=np.bool_))
    assert not any(seen.any() for seen in step.observations)


def test_actions_are_integers(corpus):
    env = VectorEnv(corpus("nim"), 2)
    first = env.reset(seed=1)
    moves = np.stack([mask.argmax(1) for mask in first.masks], axis=1)
    for wrong in (moves + 0.5, moves.astype(float), moves.astype(bool), moves.astype(str), moves.astype(object)):
        with pytest.raises(TypeError, match="an integer"):
            env.step(wrong)
    with pytest.raises(ValueError, match="there is no action"):
        env.step(np.full((2, 2), 2**64 - 1, dtype=np.uint64))
    for kind in (np.int8, np.uint8, np.int32, np.uint64, np.int64):
        env.reset(seed=1)
        env.step(moves.astype(kind))
    env.reset(seed=1)
    env.step(moves.tolist())


@pytest.mark.parametrize("n", [1, 600])
def test_threads_on_one_environment_wait(corpus, n):
    env, faults = VectorEnv(corpus("tictactoe"), n, roles=[]), []
    alone = VectorEnv(corpus("tictactoe"), n, roles=[])
    nothing = np.zeros((n, 0), dtype=np.int64)
    for each in (env, alone):
        each.reset(seed=1)

    def steps():
        try:
            for _ in range(50):
                env.step(nothing)
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=steps) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for _ in range(400):
        alone.step(nothing)
    assert faults == []
    env.step(nothing)
    alone.step(nothing)
    assert (env.look() == alone.look()).all()


def test_threads_on_one_environment_of_an_interface_wait(corpus):
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    from groundfrog.gymnasium import GameEnv
    from groundfrog.pettingzoo import GameParallelEnv

    single, both, faults = GameEnv(corpus("nim")), GameParallelEnv(corpus("nim")), []
    single.reset(seed=1)
    both.reset(seed=1)

    def steps(number):
        generator = random.Random(number)
        try:
            for _ in range(100):
                if single.step(generator.randrange(len(single.moves)))[2]:
                    single.reset()
                both.step({role: generator.randrange(len(moves)) for role, moves in both.moves.items()})
                if not both.agents:
                    both.reset()
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=steps, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []


def test_threads_share_an_interpreted_game():
    game, found = groundfrog.Game(GROWS), []
    assert not game.is_ground

    def matches():
        for _ in itertools.repeat(None, 20):
            state = game.initial
            for _ in range(5):
                state = state.apply({"robot": state.legal("robot")[0]})
                assert not state.terminal
            found.append(state.goals["robot"])

    threads = [threading.Thread(target=matches) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [1] * 80
