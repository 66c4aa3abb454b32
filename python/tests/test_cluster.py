"""Work shared out: the results of one machine, also where a worker dies."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest

import groundfrog
from groundfrog.matches import Rollouts, measure, random_player, standings, tournament

distributed = pytest.importorskip("distributed")

from groundfrog import cluster  # noqa: E402

CORPUS = Path(__file__).parents[2] / "corpus"


@pytest.fixture(scope="module")
def client():
    """Two workers in processes of their own, each with a nanny."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    ) as local:
        with distributed.Client(local) as client:
            yield client


def test_rollouts_are_those_of_one_machine(client):
    state = groundfrog.Game(CORPUS / "connect_four.kif").initial
    found = cluster.rollouts(client, state, 3000, seed=5, blocks=2)
    assert found == state.rollouts(3000, seed=5)
    assert found["playouts"] == 3000


def test_a_corpus_is_judged_and_measured_as_on_one_machine(client):
    paths = sorted(CORPUS.glob("*.kif"))[:12]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    options = {"timeout": 20.0, "playouts": 2}
    assert cluster.validate(client, texts, part=5, **options) == groundfrog.validate_all(texts, **options)
    found = cluster.bench(client, paths[:4], seconds=0.01)
    for row, path in zip(found, paths):
        own = measure(path, seconds=0.01)
        same = ("name", "roles", "fluents", "moves", "rules", "error")
        assert [row[key] for key in same] == [own[key] for key in same]


def test_a_worker_that_dies_is_replaced_and_its_matches_are_played_again(client):
    game = groundfrog.Game(CORPUS / "tictactoe.kif")
    players = {"random": random_player, "few": Rollouts(16), "more": Rollouts(48)}
    before = client.run(os.getpid)
    dead = min(before.values())

    def strike():
        time.sleep(1.0)
        os.kill(dead, signal.SIGKILL)

    killer = threading.Thread(target=strike)
    killer.start()
    found = cluster.tournament(client, game, players, rounds=40, seed=3)
    killer.join()
    assert found == tournament(game, players, rounds=40, seed=3)
    assert list(standings(found))[-1] == "random"
    client.wait_for_workers(2, timeout=60)
    assert dead not in client.run(os.getpid).values(), "another process took its place"


def test_a_wrong_argument_is_one_exception(client):
    """And nothing of it stands in the logs of workers."""
    game = groundfrog.Game(CORPUS / "nim.kif")
    texts = ["(role a)"] * 200
    calls = [
        (lambda: cluster.validate(client, texts, part=0), ValueError),
        (lambda: cluster.validate(client, texts, part=-1), ValueError),
        (lambda: cluster.validate(client, texts, timeout="soon"), TypeError),
        (lambda: cluster.validate(client, texts, timout=1.0), TypeError),
        (lambda: cluster.validate(client, "(role a)"), TypeError),
        (lambda: cluster.validate(client, [*texts, 3]), TypeError),
        (lambda: cluster.validate(None, texts), TypeError),
        (lambda: cluster.bench(client, ["nim.kif"] * 50, second=1.0), TypeError),
        (lambda: cluster.bench(client, [CORPUS / "nim.kif"] * 50, seconds=-1.0), ValueError),
        (lambda: cluster.bench(client, [CORPUS / "nim.kif"] * 50, timeout="soon"), TypeError),
        (lambda: cluster.bench(client, "nim.kif"), TypeError),
        (lambda: cluster.rollouts(client, game, 10**5), TypeError),
        (lambda: cluster.rollouts(client, game.initial, -1), ValueError),
        (lambda: cluster.rollouts(client, game.initial, 10**5, blocks=0), ValueError),
        (lambda: cluster.rollouts(client, game.initial, 10**5, seed="x", blocks=1), TypeError),
        (lambda: cluster.rollouts(client, game.initial, 10**5, max_length=-1, blocks=1), OverflowError),
        (lambda: cluster.tournament(client, "nim.kif", {"a": random_player}), TypeError),
        (lambda: cluster.tournament(client, game, {"a": random_player, "b": 3}), TypeError),
        (lambda: cluster.tournament(client, game, {"a": random_player, "b": random_player}, max_length="x"), TypeError),
        (lambda: cluster.tournament(client, game, {"a": cheat, "b": cheat}, rounds=50), groundfrog.IllegalMoveError),
    ]
    for call, kind in calls:
        with pytest.raises(kind):
            call()
    lines = [line for log in client.get_worker_logs().values() for _, line in log]
    assert not [line for line in lines if "Traceback" in line or "Compute Failed" in line]
    assert cluster.rollouts(client, game.initial, 1000) == game.initial.rollouts(1000), "it works on"


def cheat(state, role, generator):
    """No move of the game."""
    return "(fly away)"
