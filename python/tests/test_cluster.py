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
