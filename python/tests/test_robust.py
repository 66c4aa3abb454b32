"""What may not happen: growth, mixtures of threads, an end of the interpreter."""

import random
import resource
import threading
from pathlib import Path

import numpy as np
import pytest

import groundfrog
from groundfrog import AutoresetMode, VectorEnv

CORPUS = Path(__file__).parents[2] / "corpus"


def resident():
    """Bytes that the process holds now."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_a_million_steps_and_resets_take_no_memory(corpus):
    env = VectorEnv(corpus("tictactoe"), 500, roles=[])
    single = VectorEnv(corpus("nim"), 1, roles=[], autoreset_mode=AutoresetMode.DISABLED)
    state = corpus("nim").initial
    nothing = np.zeros((500, 0), dtype=np.int64)

    def run(rounds):
        for _ in range(rounds):
            env.step(nothing)
            single.reset(seed=1)
            single.step(nothing[:1])
            state.apply({role: legal[0] for role, legal in state.legal().items()})

    env.reset(seed=1)
    run(200)
    before = resident()
    run(2000)
    assert resident() - before < 8 << 20, "of 1000000 steps and 2000 resets"


def test_four_threads_play_four_games(corpus):
    names = ["tictactoe", "nim", "connect_four", "kuhn_poker"]

    def matches(name, found):
        game, generator = corpus(name), random.Random(name)
        for _ in range(20):
            state = game.initial
            while not state.terminal:
                state = state.apply({r: generator.choice(m) for r, m in state.legal().items()})
            found.append(state.goals)

    alone = {name: [] for name in names}
    together = {name: [] for name in names}
    for name in names:
        matches(name, alone[name])
    threads = [threading.Thread(target=matches, args=(name, together[name])) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone


def test_four_threads_share_one_game(corpus):
    game, found = corpus("tictactoe"), []
    threads = [
        threading.Thread(target=lambda: found.append(game.initial.rollouts(512, seed=4)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all(it == found[0] for it in found)


def test_damaged_games_raise_exceptions_with_places():
    generator, raised = random.Random(8), 0
    for name in ["tictactoe", "kuhn_poker", "nim"]:
        text = (CORPUS / f"{name}.kif").read_text(encoding="utf-8")
        for _ in range(60):
            start = generator.randrange(len(text))
            damaged = text[:start] + generator.choice(["", ")", "(", "?x", "\0", "not"]) + text[start + 3 :]
            try:
                game = groundfrog.Game(damaged, timeout=1.0)
                state = game.initial
                for _ in range(3):
                    if state.terminal:
                        break
                    state = state.apply({r: m[0] for r, m in state.legal().items() if m})
            except groundfrog.DescriptionError as error:
                raised += 1
                assert error.findings and str(error)
                assert all(label["line"] >= 1 for it in error.findings for label in it["labels"])
            except groundfrog.GroundfrogError as error:
                assert str(error)
    assert raised > 60
