#!/usr/bin/env python3
"""Simulations a second of processor time: Groundfrog's UCT and playouts beside OpenSpiel's MCTS and rollouts (its C++ core).

    pip install open_spiel
    benches/peers/simulations.py [--games ../shared/games] [--seconds 3] [--runs 3] [--groundfrog PATH] [--out simulations.jsonl]

All run on one processor, one after the other in each round; the median of the rounds counts. Each game begins in its first state:
  mcts       pyspiel.MCTSBot with a rollout for each leaf, and as many simulations as take about the time
  uct        `groundfrog player --strategy uct --threads 1`: START, one PLAY with this time as the clock, and the playouts that its log tells; those of
             the start clock are not counted, nor is its time
  rollouts   pyspiel.RandomRolloutEvaluator alone, from the first state
  ground, bit-parallel   `groundfrog simulate --reasoner ...`
Processor time is that of the process, user and system. JSON lines (one a game) go to standard output or --out, a table to standard error. Games
of the folder that are absent are said to be skipped.
"""

import argparse
import json
import os
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
CORPUS = os.path.join(ROOT, "corpus")
# The game of OpenSpiel, its parameters, and the description: in the corpus, in the folder of games, or generated.
GAMES = [
    ("tic_tac_toe", {}, "corpus", "tictactoe"),
    ("connect_four", {}, "corpus", "connect_four"),
    ("breakthrough", {}, "corpus", "breakthrough"),
    ("othello", {}, "games", "reversi"),
    ("hex", {"board_size": 11}, "generate", ["hex", "--size", "11"]),
]
START_CLOCK = 10


def description(kind, name, options, folder):
    """The path of a description; None if it is absent."""
    if kind == "generate":
        path = os.path.join(folder, f"{name[0]}.kif")
        subprocess.run([options.groundfrog, "generate", *name, "-o", path], check=True)
        return path
    path = os.path.join(CORPUS if kind == "corpus" else options.games, f"{name}.kif")
    return path if os.path.exists(path) else None


def processor_time(process):
    # What clock_getcpuclockid says on Linux: nanoseconds, of all threads.
    return time.clock_gettime((~process.pid << 3) | 2)


def ask(port, message):
    body = message.encode()
    with socket.create_connection(("127.0.0.1", port), timeout=START_CLOCK + 60) as stream:
        stream.sendall(f"POST / HTTP/1.0\r\nContent-length: {len(body)}\r\n\r\n".encode() + body)
        answer = b""
        while block := stream.recv(65536):
            answer += block
    return answer.partition(b"\r\n\r\n")[2].decode()


def uct(game, options, folder):
    """The playouts of a move, and its processor time."""
    log = os.path.join(folder, "log.jsonl")
    if os.path.exists(log):
        os.remove(log)
    with open(game, encoding="latin-1") as file:
        rules = " ".join(line.partition(";")[0].strip() for line in file)
    role = rules.split("(role ")[1].split(")")[0].strip()
    command = [options.groundfrog, "player", "--port", "0", "--strategy", "uct", "--threads", "1", "--log", log]
    player = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        port = int(player.stdout.readline().rsplit(":", 1)[1])
        assert ask(port, f"(START m {role} ({rules}) {START_CLOCK} {options.seconds})") == "ready"
        before = processor_time(player)
        ask(port, "(PLAY m NIL)")
        cpu = processor_time(player) - before
        ask(port, "(ABORT m)")
    finally:
        player.terminate()
        player.wait()
    with open(log, encoding="utf-8") as file:
        decision = next(entry["decision"] for entry in map(json.loads, file) if entry["event"] == "play")
    return decision["playouts"] / cpu, cpu


def simulate(game, reasoner, options):
    """Playouts a second of processor time."""
    command = [options.groundfrog, "simulate", game, "--reasoner", reasoner, "--seconds", str(options.seconds)]
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([*command, "--format", "json", "-q"], check=True, capture_output=True, text=True)
    wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    # The program measures its time on the clock, of which it may not have had all.
    return json.loads(done.stdout)["playouts_per_second"] * wall / cpu


def timed(work, seconds):
    """How often a second work(number) is done, number being such that it takes about so many seconds."""
    number = 16
    while True:
        begin = time.process_time()
        work(number)
        cpu = time.process_time() - begin
        if cpu >= seconds / 2:
            return number / cpu
        number = int(number * min(8, max(2, seconds / max(cpu, 1e-6))))


def mcts(pyspiel, game, seed, options):
    def search(simulations):
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 4000, False, seed, False)
        bot.step(game.new_initial_state())

    return timed(search, options.seconds)


def rollouts(pyspiel, game, seed, options):
    """Rollouts by a search of one simulation: its leaf is the first state, or one move on."""

    def roll(number):
        evaluator = pyspiel.RandomRolloutEvaluator(number, seed)
        pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1000, False, seed, False).step(game.new_initial_state())

    return timed(roll, options.seconds)


def contest(name, parameters, game, pyspiel, options, folder):
    theirs = pyspiel.load_game(name, parameters)
    runs = {key: [] for key in ("mcts", "uct", "rollouts", "ground", "bit-parallel")}
    for turn in range(options.runs):
        runs["mcts"].append(mcts(pyspiel, theirs, turn + 1, options))
        rate, cpu = uct(game, options, folder)
        runs["uct"].append(rate)
        runs["rollouts"].append(rollouts(pyspiel, theirs, turn + 1, options))
        for reasoner in ("ground", "bit-parallel"):
            runs[reasoner].append(simulate(game, reasoner, options))
    result = {"game": name, "description": os.path.basename(game), "uct_seconds": round(cpu, 2)}
    return result | {key: round(statistics.median(rates)) for key, rates in runs.items()}


def table(results):
    heads = ["mcts", "uct", "ratio", "rollouts", "ground", "ratio", "bit-parallel", "ratio"]
    print(f"\n{'a second of processor time':28}" + "".join(f"{head:>14}" for head in heads), file=sys.stderr)
    for it in results:
        ratios = [it["uct"] / it["mcts"], it["ground"] / it["rollouts"], it["bit-parallel"] / it["rollouts"]]
        cells = [it["mcts"], it["uct"], ratios[0], it["rollouts"], it["ground"], ratios[1], it["bit-parallel"], ratios[2]]
        cells = [f"{cell:14.2f}" if isinstance(cell, float) else f"{cell:14}" for cell in cells]
        print(f"{it['game'] + ' (' + it['description'] + ')':28}" + "".join(cells), file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", default=os.environ.get("GROUNDFROG_GAMES", os.path.join(ROOT, "..", "shared", "games")))
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--groundfrog", default=os.path.join(ROOT, "target", "release", "groundfrog"))
    parser.add_argument("--out", help="where the JSON lines go; default: standard output")
    options = parser.parse_args()
    try:
        import pyspiel
    except ImportError:
        parser.error("there is no OpenSpiel: `pip install open_spiel`")
    # Children inherit it.
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    results = []
    with tempfile.TemporaryDirectory() as folder, open(options.out, "w", encoding="utf-8") if options.out else sys.stdout as out:
        for name, parameters, kind, source in GAMES:
            game = description(kind, source, options, folder)
            if game is None:
                print(f"skipped: {name}, there is no {source}.kif in {options.games}", file=sys.stderr)
                continue
            results.append(contest(name, parameters, game, pyspiel, options, folder))
            print(json.dumps(results[-1]), file=out, flush=True)
    table(results)


if __name__ == "__main__":
    main()
