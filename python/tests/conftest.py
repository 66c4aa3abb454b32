"""Games of the corpus."""

from pathlib import Path

import pytest

import groundfrog

CORPUS = Path(__file__).parents[2] / "corpus"


@pytest.fixture
def corpus():
    """The game of a name."""

    def game(name: str) -> groundfrog.Game:
        return groundfrog.Game(CORPUS / f"{name}.kif")

    return game
