"""Boards that are proved, as planes."""

import numpy as np
import pytest

from groundfrog import AutoresetMode, Planes, VectorEnv


@pytest.mark.parametrize(("name", "contents"), [("tictactoe", 3), ("breakthrough", 2)])
def test_planes_show_what_holds(corpus, name, contents):
    game = corpus(name)
    planes = Planes(game)
    assert len(planes.boards[0].places) == contents
    taken = np.concatenate([board.places.ravel() for board in planes.boards])
    taken = taken[taken < len(game.fluents)]
    assert len(set(taken)) == len(taken), "each fluent has one place"
    assert sorted([*taken, *planes.rest]) == list(range(len(game.fluents)))
    env = VectorEnv(game, 40, roles=[], autoreset_mode=AutoresetMode.DISABLED, planes=planes)
    step = env.reset(seed=4)
    for _ in range(12):
        step = env.step(np.zeros((40, 0), dtype=np.int64))
    observed = env.look()
    for own, board in zip(step.planes, planes.boards):
        assert own.shape == (40, *board.places.shape) and own.dtype == np.uint8
        assert own.max() == 1 and own.sum(axis=1).max() == 1, "a place has one content"
        for plane, row, column in np.argwhere(board.places < len(game.fluents)):
            fluent = board.places[plane, row, column]
            assert (own[:, plane, row, column] == observed[:, fluent]).all()


def test_a_board_has_names_and_contents(corpus):
    (board,) = Planes(corpus("tictactoe")).boards
    assert sorted(board.contents) == ["cross", "empty", "nought"] and board.places.shape == (3, 3, 3)
    assert sorted(board.columns) == sorted(board.rows) == ["1", "2", "3"]


def test_boards_that_roles_do_not_see_have_no_planes(corpus):
    with pytest.raises(ValueError, match="do not see"):
        Planes(corpus("kuhn_poker"))
