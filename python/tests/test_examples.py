"""The examples do what they say."""

import runpy
import time
from pathlib import Path

import pytest

import groundfrog

EXAMPLES = Path(__file__).parents[1] / "examples"
CORPUS = Path(__file__).parents[2] / "corpus"


def example(name):
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))


def test_uct_takes_a_win_and_stops_one():
    uct = example("uct")["uct"]
    game = groundfrog.Game(CORPUS / "tictactoe.kif")
    cells = {(1, 1): "cross", (1, 2): "cross", (2, 2): "nought", (3, 3): "nought"}
    board = [
        f"(square {x} {y} {cells.get((x, y), 'empty')})" for x in (1, 2, 3) for y in (1, 2, 3)
    ]
    assert uct(game.state([*board, "(turn cross)"]))["cross"] == "(place 1 3)"
    assert uct(game.state([*board, "(turn nought)"]))["nought"] == "(place 1 3)"


def test_uct_has_forty_lines_of_code():
    text = (EXAMPLES / "uct.py").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.strip() and not line.strip().startswith('"""')]
    assert len(lines) <= 40


def test_tictactoe_is_learned_in_under_a_minute():
    began = time.monotonic()
    before, after = example("learn_tictactoe")["main"](CORPUS / "tictactoe.kif")
    assert time.monotonic() - began < 60
    assert before < 70 and after > 90, (before, after)


def test_a_report_has_plots(tmp_path):
    pytest.importorskip("matplotlib")
    for name in ["nim", "tictactoe", "unsafe_rule"]:
        (tmp_path / f"{name}.kif").write_bytes((CORPUS / f"{name}.kif").read_bytes())
    rows = example("report")["report"](tmp_path, tmp_path / "out", seconds=0.02)
    assert [row.measure["error"] is None for row in rows] == [True, True, False]
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "3 games, 2 of them played" in page and "unsafe_rule" in page
    assert (tmp_path / "out" / "speed.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize("seed", range(5))
def test_rules_with_mistakes_are_judged_and_mended(seed):
    module = example("judge_and_mend")
    wanted = (CORPUS / "tictactoe.kif").read_text(encoding="utf-8")
    reference = groundfrog.Game(wanted)
    copyist = module["Copyist"](wanted, seed)
    written = copyist.write()
    rules, said = module["mended"](written, copyist.mend, reference)
    assert groundfrog.validate(rules, reference=reference)["valid"] is True
    assert said or groundfrog.validate(written, reference=reference)["valid"]
