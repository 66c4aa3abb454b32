"""The examples in documentation are run."""

import doctest
import re
from pathlib import Path

import pytest

import groundfrog

FOLDER = Path(__file__).parents[1]
CORPUS = FOLDER.parent / "corpus"


@pytest.mark.parametrize("name", ["README.md", "../README.md"])
def test_python_in_a_readme_runs(name, monkeypatch):
    monkeypatch.chdir(FOLDER.parent)
    text = (FOLDER / name).read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert blocks
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for number, block in enumerate(blocks):
        if ">>>" in block:
            test = doctest.DocTestParser().get_doctest(block, {}, f"{name} {number}", name, 0)
            assert runner.run(test).failed == 0
        else:
            exec(compile(block, f"{name} {number}", "exec"), {})


def test_examples_in_docstrings_are_true():
    rules = (CORPUS / "eight_puzzle.kif").read_text(encoding="utf-8")
    assert doctest.testmod(groundfrog).failed == 0
    found = doctest.testmod(groundfrog.vector, extraglobs={"RULES": rules})
    assert found.failed == 0 and found.attempted > 3
