#!/usr/bin/env python3
"""Steps a second of board games for learners, on one core: with legal masks and observations, by random legal moves.

    pip install numpy open_spiel pgx ludax envpool      # those that are to be compared
    python3 benches/peers/environments.py [--seconds 2] [--json FILE]

Each library plays in a process of its own, bound to one core where the system allows it; what is not installed or has no such game is
left out and said. A step is a move of one player.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

GAMES = ["tic_tac_toe", "connect_four", "breakthrough", "othello"]
LIBRARIES = ["groundfrog", "openspiel", "pgx", "ludax", "envpool"]
ROOT = Path(__file__).parents[2]
PUBLIC = Path(os.environ.get("GROUNDFROG_GAMES", ROOT.parent / "shared" / "games"))
RULES = {
    "tic_tac_toe": ROOT / "corpus" / "tictactoe.kif",
    "connect_four": ROOT / "corpus" / "connect_four.kif",
    "breakthrough": ROOT / "corpus" / "breakthrough.kif",
    "othello": PUBLIC / "othello-comp2007.kif",
}
LANES = 512


class Missing(Exception):
    """The library, or the game in it, is not there."""


def measured(step, seconds: float) -> float:
    """What `step` returns, for each second of the processor: what else runs on the machine matters less than by the clock on the wall."""
    step()
    began, done = time.process_time(), 0
    while time.process_time() - began < seconds:
        done += step()
    return done / (time.process_time() - began)


def groundfrog(game: str, seconds: float) -> float:
    import groundfrog as package
    import numpy as np

    if not RULES[game].exists():
        raise Missing(f"no file {RULES[game].name}")
    env = package.VectorEnv(
        package.Game(RULES[game]), LANES, autoreset_mode=package.AutoresetMode.SAME_STEP
    )
    random = np.random.default_rng(1)
    state = {"step": env.reset(seed=1)}
    draws = [random.integers(1, 256, mask.shape, dtype=np.uint8) for mask in state["step"].masks]
    actions = np.zeros((LANES, len(draws)), dtype=np.int64)

    def step() -> int:
        for role, (mask, draw) in enumerate(zip(state["step"].masks, draws)):
            # Another rotation of the same numbers is as good as new ones.
            turned = np.roll(draw, random.integers(draw.size))
            actions[:, role] = (mask * turned).argmax(axis=1)
        state["step"] = env.step(actions)
        return LANES

    return measured(step, seconds)


def openspiel(game: str, seconds: float) -> float:
    import numpy as np
    import pyspiel

    loaded, random = pyspiel.load_game(game), np.random.default_rng(1)
    state = {"now": loaded.new_initial_state()}

    def step() -> int:
        for _ in range(100):
            now = state["now"]
            if now.is_terminal():
                now.returns()
                now = state["now"] = loaded.new_initial_state()
            mask = now.legal_actions_mask()
            now.observation_tensor()
            legal = [action for action, holds in enumerate(mask) if holds]
            now.apply_action(legal[int(random.random() * len(legal))])
        return 100

    return measured(step, seconds)


def pgx(game: str, seconds: float) -> float:
    import jax
    import pgx as package

    if game not in package.available_envs():
        raise Missing("no such game")
    env = package.make(game)
    init = jax.jit(jax.vmap(env.init))

    @jax.jit
    def advance(state, key):
        keys = jax.random.split(key, LANES)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(key, logits, axis=1)
        after = jax.vmap(env.step)(state, actions)
        fresh = jax.vmap(env.init)(keys)
        over = after.terminated | after.truncated
        pick = lambda old, new: jax.numpy.where(over.reshape((-1,) + (1,) * (old.ndim - 1)), new, old)
        return jax.tree_util.tree_map(pick, after, fresh)

    state = {"now": init(jax.random.split(jax.random.key(1), LANES)), "key": jax.random.key(2)}

    def step() -> int:
        state["key"], key = jax.random.split(state["key"])
        state["now"] = advance(state["now"], key)
        state["now"].observation.block_until_ready()
        return LANES

    return measured(step, seconds)


def ludax(game: str, seconds: float) -> float:
    import jax
    from ludax import LudaxEnvironment, games

    text = getattr(games, {"othello": "reversi"}.get(game, game), None)
    if text is None:
        raise Missing("no such game")
    env = LudaxEnvironment(game_str=text)
    init, advance = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))
    key = jax.random.key(1)
    state = {"now": init(jax.random.split(key, LANES)), "key": key}

    @jax.jit
    def chosen(mask, key):
        return jax.random.categorical(key, jax.numpy.where(mask, 0.0, -jax.numpy.inf), axis=1)

    def step() -> int:
        state["key"], key = jax.random.split(state["key"])
        actions = chosen(state["now"].legal_action_mask, key).astype(jax.numpy.int16)
        state["now"] = advance(state["now"], actions)
        if bool(state["now"].terminated.all()):
            state["now"] = init(jax.random.split(key, LANES))
        state["now"].legal_action_mask.block_until_ready()
        return LANES

    return measured(step, seconds)


def envpool(game: str, seconds: float) -> float:
    import envpool as package
    import numpy as np

    name = {"tic_tac_toe": "TicTacToe-v1", "connect_four": "ConnectFour-v1", "othello": "Othello-v1"}.get(game)
    if name not in package.list_all_envs():
        raise Missing("no such game")
    env = package.make(name, env_type="gymnasium", num_envs=LANES, num_threads=1)
    random = np.random.default_rng(1)
    state = {"mask": env.reset()[1]["legal_action_mask"].astype(np.uint8)}
    draws = random.integers(1, 256, state["mask"].shape, dtype=np.uint8)

    def step() -> int:
        turned = np.roll(draws, random.integers(draws.size))
        actions = (state["mask"] * turned).argmax(axis=1).astype(np.int32)
        state["mask"] = env.step(actions)[4]["legal_action_mask"].astype(np.uint8)
        return LANES

    return measured(step, seconds)


def one(library: str, game: str, seconds: float) -> dict:
    """One figure, from this process."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    try:
        return {"steps_per_second": globals()[library](game, seconds)}
    except Missing as missing:
        return {"missing": str(missing)}
    except ImportError as error:
        return {"missing": f"not installed ({error.name})"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    parser.add_argument("--one", nargs=2, metavar=("LIBRARY", "GAME"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(one(*options.one, options.seconds)))
        return
    single = {"OMP_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1", "JAX_PLATFORMS": "cpu"}
    figures: dict[str, dict[str, dict]] = {}
    print(f"{'':14}" + "".join(f"{library:>14}" for library in LIBRARIES) + "   times OpenSpiel")
    for game in GAMES:
        row = figures[game] = {}
        for library in LIBRARIES:
            command = [sys.executable, __file__, "--one", library, game, "--seconds", str(options.seconds)]
            ended = subprocess.run(
                command, env={**os.environ, **single}, capture_output=True, text=True, timeout=600
            )
            lines = ended.stdout.strip().splitlines()
            fault = (ended.stderr.strip().splitlines() or ["no answer"])[-1]
            row[library] = json.loads(lines[-1]) if ended.returncode == 0 and lines else {"missing": fault}
        speeds = {library: row[library].get("steps_per_second") for library in LIBRARIES}
        cells = "".join(f"{speed:>14,.0f}" if speed else f"{'-':>14}" for speed in speeds.values())
        own, other = speeds["groundfrog"], speeds["openspiel"]
        print(f"{game:14}{cells}" + (f"{own / other:18.1f}" if own and other else ""), flush=True)
    for game, row in figures.items():
        for library, figure in row.items():
            if "missing" in figure:
                print(f"{library}, {game}: {figure['missing']}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
