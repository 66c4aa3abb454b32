#!/usr/bin/env python3
"""Matches of Groundfrog's player against OpenSpiel's MCTS (its C++ core), which has several times the processor time.

    pip install open_spiel groundfrog
    benches/peers/matches.py [--matches 16] [--clock 0.5] [--times 8] [--strategy uct] [--groundfrog PATH] [--out matches.jsonl]

`groundfrog player --threads 1` is called over HTTP, and stopped while the other one thinks. OpenSpiel's MCTSBot has a rollout for each leaf, proves what it
can, and has as many simulations as take so many times the processor time that a move has taken the player at most so far in the match. Both seats are
taken alternately. Both sides keep the match: it is an error if they differ in a legal move, the end or the goals.
JSON lines (one a match) go to standard output or --out, a table to standard error.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

from simulations import CORPUS, ROOT, ask, description, processor_time

START_CLOCK = 5
OPENSPIEL_MEGABYTES = 2000


def words(move):
    return move.strip("()").split()


def tic_tac_toe(move):
    _, x, y = words(move)
    return f"({int(x) - 1},{int(y) - 1})"


def connect_four(move):
    return str(int(words(move)[1]) - 1)


def breakthrough(move):
    """OpenSpiel's first player comes from the last row."""
    _, file, rank, to, on = words(move)
    return f"{file}{9 - int(rank)}{to}{9 - int(on)}"


def othello(move):
    if move == "noop":
        return "pass"
    _, x, y = words(move)
    return f"{'abcdefgh'[8 - int(x)]}{y}"


def hexagon(move):
    """OpenSpiel's first player connects the other two edges."""
    _, x, y = words(move)
    return f"{'abcdefghijk'[int(y) - 1]}{x}"


# The game of OpenSpiel, its parameters, where the description is (see simulations.py), and what a move is called there.
GAMES = [
    ("connect_four", {}, "corpus", "connect_four", connect_four),
    ("breakthrough", {}, "corpus", "breakthrough", breakthrough),
    ("othello", {}, "games", "othello-comp2007", othello),
    ("hex", {"board_size": 7}, "generate", ["hex", "--size", "7"], hexagon),
]


def said(state, action):
    """What OpenSpiel calls an action, without the player and the mark of a capture."""
    text = state.action_to_string(state.current_player(), action)
    return text.split(" ")[-1].removeprefix("x").removeprefix("o").strip("()").rstrip("*")


class Player:
    """A `groundfrog player` that runs only while it is asked."""

    def __init__(self, options):
        command = [options.groundfrog, "player", "--port", "0", "--strategy", options.strategy, "--threads", "1"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])

    def ask(self, message):
        """The answer, and the processor time that it took."""
        before = processor_time(self.process)
        self.process.send_signal(signal.SIGCONT)
        answer = ask(self.port, message)
        self.process.send_signal(signal.SIGSTOP)
        return answer, processor_time(self.process) - before

    def end(self):
        self.process.kill()
        self.process.wait()


class Mcts:
    """OpenSpiel's search, in so much processor time."""

    def __init__(self, pyspiel, game, seed):
        self.pyspiel, self.game, self.seed = pyspiel, game, seed
        self.rate = 1000.0

    def choose(self, state, seconds):
        begin, spent, simulations = time.process_time(), 0.0, 0
        # The first tells how long one takes; what it found is not used, nor is its time counted.
        if self.rate == 1000.0:
            self.search(state, 500)
            self.rate = 500 / max(time.process_time() - begin, 1e-3)
            begin = time.process_time()
        simulations = max(2, int(self.rate * seconds))
        action = self.search(state, simulations)
        spent = time.process_time() - begin
        # Where all is proven it ends early: that says nothing of how long one takes.
        if spent > seconds / 4:
            self.rate = simulations / spent
        return action, spent

    def search(self, state, simulations):
        self.seed += 1
        evaluator = self.pyspiel.RandomRolloutEvaluator(1, self.seed)
        bot = self.pyspiel.MCTSBot(self.game, evaluator, 2.0, simulations, OPENSPIEL_MEGABYTES, True, self.seed, False)
        return bot.step(state)


def play(case, path, seat, seed, options, modules):
    """One match. Seats of Groundfrog: 0 moves first."""
    groundfrog, pyspiel = modules
    name, parameters, _, _, translate = case
    game = groundfrog.Game(path)
    theirs = pyspiel.load_game(name, parameters)
    own, state, role = game.initial, theirs.new_initial_state(), game.roles[seat]
    bot, longest, times, last, count = Mcts(pyspiel, theirs, seed * 1000), 0.0, [0.0, 0.0], "NIL", 0
    player = Player(options)
    try:
        with open(path, encoding="latin-1") as file:
            rules = " ".join(line.partition(";")[0].strip() for line in file)
        assert player.ask(f"(START m {role} ({rules}) {START_CLOCK} {options.clock})")[0] == "ready"
        while not own.terminal:
            # The player is asked in each turn, as by any game master.
            answer, spent = player.ask(f"(PLAY m {last})")
            legal = own.legal()
            assert answer in legal[role], (answer, legal[role])
            joint = {it: moves[0] for it, moves in legal.items()}
            actions = {said(state, it): it for it in state.legal_actions()}
            mover = game.roles[state.current_player()]
            ours = {translate(move).strip("()"): move for move in legal[mover]}
            assert set(ours) == set(actions), (sorted(ours), sorted(actions))
            if mover == role:
                joint[role], longest = answer, max(longest, spent)
                action = actions[translate(answer).strip("()")]
                times[0] += spent
            else:
                action, spent = bot.choose(state, options.times * (longest or options.clock))
                joint[mover] = ours[said(state, action)]
                times[1] += spent
            last = f"({' '.join(joint[it] for it in game.roles)})"
            state.apply_action(action)
            own = own.apply(joint)
            count += 1
            assert own.terminal == state.is_terminal()
        goals = [own.goals[it] for it in game.roles]
        assert [goal / 50 - 1 for goal in goals] == state.returns()
    finally:
        player.end()
    seconds = [round(it, 1) for it in times]
    return {"game": name, "seat": seat, "points": goals[seat] / 100, "moves": count, "processor_seconds": seconds}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", default=os.environ.get("GROUNDFROG_GAMES", os.path.join(ROOT, "..", "shared", "games")))
    parser.add_argument("--matches", type=int, default=16, help="of each game")
    parser.add_argument("--clock", type=float, default=0.5, help="seconds a move of the player")
    parser.add_argument("--times", type=float, default=8, help="how many times as much the other one has")
    parser.add_argument("--strategy", default="uct")
    parser.add_argument("--groundfrog", default=os.path.join(ROOT, "target", "release", "groundfrog"))
    parser.add_argument("--out", help="where the JSON lines go; default: standard output")
    options = parser.parse_args()
    try:
        import groundfrog
        import pyspiel
    except ImportError as error:
        parser.error(f"{error}: `pip install open_spiel groundfrog`")
    results = []
    with tempfile.TemporaryDirectory() as folder, open(options.out, "w", encoding="utf-8") if options.out else sys.stdout as out:
        for case in GAMES:
            path = description(case[2], case[3], options, folder)
            if path is None:
                print(f"skipped: {case[0]}, there is no {case[3]}.kif in {options.games}", file=sys.stderr)
                continue
            for number in range(options.matches):
                results.append(play(case, path, number % 2, number + 1, options, (groundfrog, pyspiel)))
                print(json.dumps(results[-1]), file=out, flush=True)
    for name in dict.fromkeys(it["game"] for it in results):
        of_game = [it for it in results if it["game"] == name]
        spent = [sum(it["processor_seconds"][side] for it in of_game) for side in (0, 1)]
        points = sum(it["points"] for it in of_game)
        print(f"{name:16} {points:5.1f} of {len(of_game)}, processor time {spent[0]:.0f} s against {spent[1]:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
