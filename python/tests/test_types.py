"""Types are complete: what is written with them passes the strict checks of mypy."""

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1]


def mypy(*arguments):
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", *map(str, arguments)]
    return subprocess.run(command, cwd=FOLDER, capture_output=True, text=True)


def test_examples_and_the_package_pass():
    found = mypy("examples", "groundfrog")
    assert found.returncode == 0, found.stdout


def test_answers_have_types(tmp_path):
    file = tmp_path / "answers.py"
    file.write_text(
        """import groundfrog
state = groundfrog.Game("game.kif").initial
reveal_type(state.legal())
reveal_type(state.legal("a"))
reveal_type(state.goals)
reveal_type(state.rollouts()["goals"])
reveal_type(groundfrog.validate("")["reasons"][0]["places"][0]["line"])
""",
        encoding="utf-8",
    )
    found = mypy(file)
    types = [line.split('"')[1].replace("builtins.", "") for line in found.stdout.splitlines() if "Revealed" in line]
    assert types == [
        "dict[str, list[str]]",
        "list[str]",
        "dict[str, int | None]",
        "dict[str, float | None]",
        "int",
    ]
