#!/usr/bin/env python3
"""Rebuilds a game from the JSON of its propositional network and plays a random match.

usage: read_propnet.py FILE [SEED]

One line of JSON is printed for each state: the fluents that hold, the legal moves by role, whether the
match is over, the goal values by role and the moves that are made.
"""

import json
import random
import sys


class Game:
    def __init__(self, document):
        if document["format"] != "groundfrog-propnet" or document["version"] != 1:
            raise ValueError("not a groundfrog-propnet of version 1")
        self.roles = document["roles"]
        self.components = document["components"]
        self.base = document["base"]
        self.init = set(document["init"])
        self.moves = document["moves"]
        self.goals = document["goals"]
        self.terminal = document["terminal"]
        self.layers = self.order()

    def order(self):
        """Strongly connected components of the network, each after those that it reads (Tarjan)."""
        number, low, done, stack, layers = {}, {}, set(), [], []
        for root in range(len(self.components)):
            if root in number:
                continue
            calls = [(root, 0)]
            while calls:
                node, position = calls.pop()
                if position == 0:
                    number[node] = low[node] = len(number)
                    stack.append(node)
                inputs = self.inputs(node)
                if position > 0:
                    low[node] = min(low[node], low[inputs[position - 1]])
                while position < len(inputs):
                    child = inputs[position]
                    position += 1
                    if child not in number:
                        calls += [(node, position), (child, 0)]
                        break
                    if child not in done:
                        low[node] = min(low[node], number[child])
                else:
                    if low[node] == number[node]:
                        layer = []
                        while not layer or layer[-1] != node:
                            layer.append(stack.pop())
                        done.update(layer)
                        layers.append(layer)
        return layers

    def inputs(self, node):
        """What decides a component within one state: a base proposition is given by the state."""
        component = self.components[node]
        return [] if component["kind"] == "base" else component["inputs"]

    def values(self, state, made):
        """By component: whether it holds. A transition has the value of its fluent in the next state."""
        values = [False] * len(self.components)
        for layer in self.layers:
            changed = True
            while changed:  # Recursive views hold by the least fixpoint.
                changed = False
                for node in layer:
                    if not values[node] and self.holds(node, values, state, made):
                        values[node] = changed = True
                changed = changed and len(layer) > 1
        return values

    def holds(self, node, values, state, made):
        kind = self.components[node]["kind"]
        inputs = (values[it] for it in self.components[node]["inputs"])
        if kind == "base":
            return node in state
        if kind == "input":
            return node in made
        if kind == "and":
            return all(inputs)
        if kind == "not":
            return not any(inputs)
        if kind in ("true", "false"):
            return kind == "true"
        return any(inputs)  # or, view, transition

    def play(self, choose, most=1000):
        state = self.init
        for _ in range(most):
            values = self.values(state, set())
            legal = [[it for it in self.moves if it["role"] == role and values[it["legal"]]]
                     for role in range(len(self.roles))]
            over = values[self.terminal] or not all(legal)
            made = [] if over else [choose(moves) for moves in legal]
            yield {
                "state": sorted(self.components[it]["atom"][len("(true "):-1] for it in state),
                "legal": {name: sorted(it["move"] for it in moves)
                          for name, moves in zip(self.roles, legal)},
                "terminal": values[self.terminal],
                "goal": {name: sorted(it["value"] for it in self.goals if it["role"] == role
                                      and it["value"] is not None and values[it["proposition"]])
                         for role, name in enumerate(self.roles)},
                "move": None if over else {name: it["move"] for name, it in zip(self.roles, made)},
            }
            if over:
                return
            values = self.values(state, {it["input"] for it in made})
            state = {it for it in self.base if values[self.components[it]["inputs"][0]]}


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        game = Game(json.load(file))
    choices = random.Random(int(sys.argv[2]) if len(sys.argv) == 3 else 1)
    for number, position in enumerate(game.play(choices.choice)):
        print(json.dumps({"playout": 0, "step": number, **position}))


if __name__ == "__main__":
    main()
