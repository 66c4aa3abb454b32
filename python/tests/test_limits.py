"""Time, memory and Ctrl-C end each call."""

import contextlib
import pickle
import signal
import threading
import time

import pytest

import groundfrog
from groundfrog import VectorEnv

GAME = """(role a) (init (n z)) (init on) (legal a wait)
 (<= terminal (true off)) (goal a 50)"""
# Terms that grow: there are no ground rules.
GROWS = "(<= (next (n (s ?x))) (true (n ?x))) (<= (next on) (true on))"


def chain(n):
    """A relation with n constants, one after the other."""
    return " ".join(f"(edge c{it} c{it + 1})" for it in range(n))


def static(n):
    """A game with a static closure of n(n+1)/2 pairs."""
    rules = "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))"
    return f"{chain(n)} {rules} {GAME} (<= (next on) (path c0 c{n}))"


def slow(head, n=2500):
    """An interpreted game in which one answer about a state needs such a closure."""
    rules = """(<= (path ?x ?y) (true on) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))"""
    return f"{chain(n)} {rules} {GAME} {GROWS} (<= {head} (path c0 c{n}))"


@contextlib.contextmanager
def interrupted(seconds=0.3):
    """Ctrl-C after some time, which ends the call soon."""

    def interrupt(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    began = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - began < 20


@contextlib.contextmanager
def late():
    """A limit is reached, and that soon."""
    began = time.monotonic()
    with pytest.raises(groundfrog.LimitError):
        yield
    assert time.monotonic() - began < 20


def test_a_game_is_made_within_its_time():
    text = static(3000)
    with late():
        groundfrog.Game(text, timeout=1.0)
    with interrupted():
        groundfrog.Game(text)


def test_a_small_closure_is_ground():
    game = groundfrog.Game(static(30), timeout=60.0)
    assert game.is_ground and game.initial.apply("wait").fluents == ["on"]


# What is asked, and a head of which it is asked.
QUESTIONS = {
    "legal": ("(legal a go)", lambda state: state.legal()),
    "legal of a role": ("(legal a go)", lambda state: state.legal("a")),
    "terminal": ("terminal", lambda state: state.terminal),
    "goals": ("(goal a 100)", lambda state: state.goals),
    "apply": ("(next off)", lambda state: state.apply("wait")),
    "percepts": ("(sees a far)", lambda state: state.percepts(["wait"])),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_questions_to_interpreted_games_have_limits(name):
    head, question = QUESTIONS[name]
    state = groundfrog.Game(slow(head), timeout=1.0).initial
    with late():
        question(state)
    with interrupted():
        question(groundfrog.Game(slow(head)).initial)
    # Beside it, what needs no closure is answered, also after an answer that was given up.
    assert state.fluents == ["(n z)", "on"]
    small = groundfrog.Game(slow(head, 4), timeout=60.0)
    assert not small.is_ground
    answers = [question(small.initial) for _ in range(2)]
    assert answers[0] == answers[1]


def test_an_answer_that_was_given_up_can_be_asked_again():
    game = groundfrog.Game(slow("(goal a 100)", 60), timeout=600.0)
    fresh = game.initial.goals
    for seconds in (1e-6, 1e-3, 1e-2):
        other = groundfrog.Game(slow("(legal a go)", 60), timeout=600.0).initial
        with contextlib.suppress(groundfrog.LimitError):
            other.legal("a", timeout=seconds)
        assert sorted(other.legal("a")) == ["go", "wait"]
    assert fresh == {"a": None}, "50 and 100"


def test_calls_have_a_timeout_of_their_own():
    state = groundfrog.Game(slow("(legal a go)")).initial
    with late():
        state.legal("a", timeout=0.2)
    with late():
        state.apply("wait", timeout=0.2)
    for wrong in (-1.0, float("nan")):
        with pytest.raises(ValueError, match="seconds"):
            state.legal("a", timeout=wrong)


def test_another_thread_waits_for_its_answer_and_can_be_interrupted():
    game = groundfrog.Game(slow("(legal a go)"))
    ended = []

    def ask():
        try:
            game.initial.legal(timeout=3.0)
        except groundfrog.LimitError:
            ended.append(True)

    thread = threading.Thread(target=ask)
    thread.start()
    time.sleep(0.2)
    with interrupted():
        game.initial.legal()
    thread.join()
    assert ended == [True]


def test_rollouts_end_at_a_timeout_and_a_signal(corpus):
    state = corpus("connect_four").initial
    found = state.rollouts(10**9, timeout=0.3)
    assert 0 < found["playouts"] < 10**9 and found["playouts"] % 512 == 0
    assert found == state.rollouts(found["playouts"])
    with interrupted():
        state.rollouts(10**9)
    heard = []
    state.rollouts(10**9, timeout=0.5, progress=lambda done, total: heard.append((done, total)))
    assert heard and {total for _, total in heard} == {10**9}


def test_one_long_match_ends_too():
    game = groundfrog.Game("(role a) (legal a wait) (init on) (<= (next on) (true on)) (<= terminal (true off)) (goal a 1)")
    found = game.initial.rollouts(1, max_length=2**32 - 1, timeout=0.2)
    assert found["playouts"] == 0 and found["goals"] == {"a": None}


def test_memory_is_a_limit(corpus):
    numbers = " ".join(f"(n {it})" for it in range(60))
    large = f"{numbers} (role a) (init on) (<= terminal (true off)) (<= (legal a (go ?x ?y ?z ?v)) (n ?x) (n ?y) (n ?z) (n ?v))"
    with late():
        groundfrog.Game(f"{large} (goal a 1)", max_memory=1 << 20).initial.legal()
    for n in (2**28, 2**40, 2**62):
        with late():
            VectorEnv(corpus("tictactoe"), n)
    with late():
        VectorEnv(corpus("kuhn_poker"), 10**5, max_memory=1 << 20)
    assert VectorEnv(corpus("tictactoe"), 1000, max_memory=1 << 20).num_envs == 1000


def test_beliefs_end_in_time(corpus):
    game = groundfrog.Game(
        " ".join(f"(n {it})" for it in range(200))
        + """(role random) (role a) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
        (<= (legal random (deal ?x)) (n ?x)) (legal a wait)
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= (next (has ?x)) (true (has ?x)))
        (<= (next (has ?x)) (does random (deal ?x)))
        (<= (sees a ?x) (true (never ?x))) (<= terminal (true (step 4))) (goal a 1) (goal random 1)"""
    )
    history = [("wait", [])] * 4
    with late():
        game.beliefs("a", history, most=10**12, timeout=0.5)
    with interrupted():
        game.beliefs("a", history, most=10**12)


def test_verify_and_long_times(corpus):
    found = corpus("nim").verify(playouts=10**9, timeout=0.2)
    assert found["difference"] is None and found["playouts"] < 10**9
    # As long as one likes.
    assert corpus("nim").verify(playouts=2, timeout=1e19)["playouts"] == 2
    assert corpus("nim").solve(timeout=1e19)["decided"]


def test_interpreted_states_pickle():
    state = groundfrog.Game(slow("(goal a 100)", 3), timeout=60.0).initial.apply("wait")
    assert pickle.loads(pickle.dumps(state)) == state


def test_an_environment_of_many_matches_can_be_interrupted(corpus):
    game = corpus("connect_four")
    with interrupted(0.1):
        while True:
            VectorEnv(game, 1 << 18).reset(seed=1)
