"""A generator of rules is judged, and mends what it is told, until its rules play like those that were wanted.

The generator here copies a game and makes mistakes, as one that learns to write rules would; a language model takes its place by
the same two methods.
"""

import random
import re
import sys
from collections.abc import Callable
from pathlib import Path

import groundfrog
from groundfrog.types import Reason


def mended(
    text: str, mend: Callable[[str, Reason], str], reference: groundfrog.Game, tries: int = 20
) -> tuple[str, list[str]]:
    """Lets rules be mended until they are valid; returns them, and what was wrong on the way."""
    said = []
    for _ in range(tries):
        verdict = groundfrog.validate(text, reference=reference)
        if verdict["valid"]:
            break
        reason = verdict["reasons"][0]
        said.append(f"{reason['kind']}: {reason['message']}")
        # What the judge can mend itself needs no generator.
        text = verdict["mended"] or mend(text, reason)
    return text, said


class Copyist:
    """Copies the rules of a game, with mistakes."""

    def __init__(self, original: str, seed: int) -> None:
        self.random = random.Random(seed)
        self.statements = split(original)

    def write(self, mistakes: int = 3) -> str:
        """The rules, some of them wrong."""
        copy = list(self.statements)
        for place in self.random.sample(range(len(copy)), mistakes):
            kind = self.random.choice(["close", "variable", "word"])
            rule = copy[place]
            if kind == "close":
                copy[place] = rule[:-1]
            elif kind == "variable" and "?" in rule:
                copy[place] = re.sub(r"\?(\w+)", r"?\1\1", rule, count=1)
            else:
                copy[place] = re.sub(r"\b(\w{4,})\b", lambda word: word[0][1:], rule, count=1)
        return "\n".join(copy)

    def mend(self, text: str, reason: Reason) -> str:
        """Looks again at the rule that the reason is about, or at any that is not as in the original."""
        written = split(text)
        lines = {place["line"] for place in reason["places"]}
        wrong = [rule for rule in written if rule not in self.statements]
        named = [rule for rule in wrong if any(rule in line for line in picked(text, lines))]
        if not wrong:
            missing = [rule for rule in self.statements if rule not in written]
            return text + "\n" + "\n".join(missing[:1])
        bad = (named or wrong)[0]
        missing = [rule for rule in self.statements if rule not in written]
        nearest = max(missing, key=lambda rule: alike(rule, bad), default="")
        return "\n".join(nearest if rule == bad else rule for rule in written)


def split(text: str) -> list[str]:
    """The statements of a text, each in one line."""
    text = re.sub(r";.*", "", text)
    statements, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        if letter == "(":
            if depth == 0:
                start = place
            depth += 1
        elif letter == ")":
            depth -= 1
            if depth == 0:
                statements.append(" ".join(text[start : place + 1].split()))
    return statements


def picked(text: str, lines: set[int]) -> list[str]:
    return [line for number, line in enumerate(text.splitlines(), 1) if number in lines]


def alike(one: str, other: str) -> int:
    return len(set(re.findall(r"\w+", one)) & set(re.findall(r"\w+", other)))


if __name__ == "__main__":
    wanted = Path(sys.argv[1]).read_text(encoding="utf-8")
    copyist = Copyist(wanted, seed=int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    rules, wrong = mended(copyist.write(), copyist.mend, groundfrog.Game(wanted))
    print(*wrong, sep="\n")
    print(groundfrog.validate(rules, reference=groundfrog.Game(wanted))["valid"])
