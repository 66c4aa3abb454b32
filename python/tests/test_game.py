"""Games and states as objects."""

import pickle
import signal
import threading
import time

import pytest

import groundfrog


def test_a_match_is_played_by_names(corpus):
    game = corpus("nim")
    assert game.roles == ["first", "second"]
    state = game.initial
    assert state.legal("second") == ["noop"]
    state = state.apply({"first": "(reduce a 0)", "second": "noop"})
    assert "(heap a 0)" in state.fluents
    assert not state.terminal
    assert state.legal()["first"] == ["noop"]
    assert game.state(state.fluents) == state


def test_states_hash_compare_and_pickle(corpus):
    game, other = corpus("nim"), corpus("nim")
    assert game.initial == other.initial
    assert hash(game.initial) == hash(other.initial)
    moved = game.initial.apply(["(reduce a 0)", "noop"])
    assert moved != game.initial
    copied = pickle.loads(pickle.dumps(moved))
    assert copied == moved and copied.legal() == moved.legal()
    assert len({game.initial, other.initial, moved, copied}) == 2


def test_wrong_moves_are_said(corpus):
    start = corpus("nim").initial
    with pytest.raises(groundfrog.IllegalMoveError, match="not legal for `first`"):
        start.apply(["noop", "noop"])
    with pytest.raises(groundfrog.IllegalMoveError, match="no move of `first`"):
        start.apply(["(fly away)", "noop"])
    with pytest.raises(groundfrog.IllegalMoveError, match="1 moves for 2 roles"):
        start.apply(["noop"])
    with pytest.raises(ValueError, match="no role `third`"):
        start.legal("third")


def test_a_wrong_description_has_findings_with_places():
    with pytest.raises(groundfrog.DescriptionError) as raised:
        groundfrog.Game("(role a) (<= (legal a ?x) (true (p ?y)) (init (p 1))")
    finding = raised.value.findings[0]
    assert finding["severity"] == "error"
    assert finding["labels"][0]["line"] == 1
    assert finding["code"].startswith("GF")


def test_what_the_program_does_is_there(corpus):
    game = corpus("tictactoe")
    assert game.is_ground and game.findings == []
    assert game.ground("summary").startswith("rules") or "rules" in game.ground("summary")
    assert game.verify(playouts=3)["difference"] is None
    assert game.simulate(seconds=0.05)["playouts"] > 0
    solved = game.solve(timeout=60)
    assert solved["decided"] and [it["lower"] for it in solved["values"]] == [50, 50]
    findings = game.analyse(timeout=30)["findings"]
    turns = [it for it in findings if it["property"] == "turn-taking"]
    assert turns[0]["verdict"] == "proved"
    with pytest.raises(ValueError):
        game.ground("latin")


def test_percepts(corpus):
    game = corpus("card_draw")
    state = game.initial
    moves = {role: legal[0] for role, legal in state.legal().items()}
    assert any(state.percepts(moves).values())


def test_long_calls_let_other_threads_run(corpus):
    game = corpus("connect_four")
    counted = []
    done = threading.Event()

    def count():
        while not done.is_set():
            counted.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    game.simulate(seconds=0.3)
    done.set()
    thread.join()
    assert len(counted) > 10


def test_long_calls_end_at_a_timeout_and_a_signal(corpus):
    game = corpus("connect_four")
    solved = game.solve(timeout=0.2)
    assert not solved["decided"] and solved["undecided"] == "budget"

    def interrupt(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            game.solve(timeout=600)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Bar:
    """What `tqdm` makes."""

    def __init__(self):
        self.total, self.n = None, 0

    def update(self, n):
        self.n += n


def test_progress_is_shown(corpus):
    game, calls, bar = corpus("tictactoe"), [], Bar()
    game.verify(playouts=300, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (300, 300) and sorted(calls) == calls
    game.verify(playouts=300, progress=bar)
    assert (bar.n, bar.total) == (300, 300)
    heard = []
    game.simulate(seconds=0.3, progress=lambda done, total: heard.append(total))
    assert heard and set(heard) == {None}

    def fail(done, total):
        raise RuntimeError("no more")

    began = time.monotonic()
    with pytest.raises(RuntimeError, match="no more"):
        game.simulate(seconds=60, progress=fail)
    assert time.monotonic() - began < 20


def test_verify_ends_at_a_timeout(corpus):
    found = corpus("breakthrough").verify(playouts=10**9, timeout=0.3)
    assert 0 < found["playouts"] < 10**9 and found["difference"] is None


def test_rollouts_add_up(corpus):
    state = corpus("tictactoe").initial
    both = state.rollouts(1024, seed=3)
    parts = [state.rollouts(512, seed=seed) for seed in (3, 4)]
    assert both["sums"]["cross"] == sum(part["sums"]["cross"] for part in parts)
    assert both["playouts"] == both["ended"] == 1024
    assert both["goals"]["cross"] + both["goals"]["nought"] == pytest.approx(100)
    assert state.rollouts(1, seed=1)["playouts"] == 1


def test_states_and_games_are_their_own_copies(corpus):
    import copy

    game = corpus("nim")
    state = game.initial
    assert copy.deepcopy(state) is state and copy.copy(game) is game
    one, other = pickle.loads(pickle.dumps([state])), pickle.loads(pickle.dumps([state]))
    assert one == other == [state]
