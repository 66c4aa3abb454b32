"""What roles can know."""

import pytest

import groundfrog


def test_the_door_that_was_not_opened_is_the_better_one(corpus):
    game = corpus("monty_hall")
    history = [("(point left)", []), ("wait", ["(empty right)"])]
    found = game.beliefs("guest", history)
    assert found["method"] == "exact" and found["steps"] == 2
    assert [round(state["probability"], 6) for state in found["states"]] == [0.666667, 0.333333]
    best = found["states"][0]
    assert "(prize middle)" in best["state"]


def test_worlds_have_a_history_that_leads_there(corpus):
    game = corpus("monty_hall")
    history = [("(point left)", []), ("wait", ["(empty right)"])]
    found = game.beliefs("guest", history)
    assert sum(world["probability"] for world in found["worlds"]) == pytest.approx(1)
    states = {tuple(state["state"]) for state in found["states"]}
    for world in found["worlds"]:
        state = game.initial
        for (own, percepts), moves in zip(history, world["moves"]):
            made = dict(zip(game.roles, moves))
            assert made["guest"] == own
            assert state.percepts(made)["guest"] == percepts
            state = state.apply(made)
        assert tuple(state.fluents) in states


def test_a_history_that_cannot_be_is_said(corpus):
    game = corpus("monty_hall")
    with pytest.raises(groundfrog.IllegalMoveError, match="step 1 of the history: .*`fly` is no move"):
        game.beliefs("guest", [("fly", [])])
    with pytest.raises(groundfrog.IllegalMoveError, match="step 1 of the history"):
        game.beliefs("guest", [("(point left)", ["(empty right)"])])
    with pytest.raises(ValueError, match="no role"):
        game.beliefs("ghost", [])
