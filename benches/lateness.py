#!/usr/bin/env python3
"""How late commands end after their time limit, over fifty inputs made to be slow.

    python3 benches/lateness.py target/release/groundfrog [--limit 0.5] [--commands ground,check]

Each input is run with each command under a limit on its time. Lateness is the time from the start of the process to its end,
less the limit; a run that ends before its limit is not late. The inputs exercise what can run long: joins without a shared
variable, recursion, rings and chains of views, wide rules, long bodies, nested terms, and large texts. The table tells the
latest run of each command and the inputs that took longest; the exit code is 1 if one was more than `--allowed` late.
"""

import argparse
import itertools
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROLES = "(role ann)\n(init (at 0))\n(<= terminal (true (at 9)))\n(goal ann 100)\n(<= (legal ann noop))\n"


def numbers(count):
    return "".join(f"(num n{it})\n" for it in range(count))


def cross(width, count):
    """A join of literals that share no variable."""
    body = " ".join(f"(num ?x{it})" for it in range(width))
    return ROLES + numbers(count) + f"(<= (next (at 1)) {body} (true (at ?x0)))\n"


def view(width, count):
    """A view with as many columns as variables."""
    variables = " ".join(f"?x{it}" for it in range(width))
    body = " ".join(f"(num ?x{it})" for it in range(width))
    return ROLES + numbers(count) + f"(<= (v {variables}) {body})\n(<= (next (at ?x0)) (v {variables}))\n"


def closure(count):
    """The transitive closure of a complete graph with a third column."""
    edges = "".join(f"(edge n{it} n{(it * 7 + step) % count})\n" for it in range(count) for step in range(1, 6))
    return ROLES + edges + (
        "(<= (path ?x ?y ?x) (edge ?x ?y))\n(<= (path ?x ?z ?w) (path ?x ?y ?w) (edge ?y ?z))\n"
        "(<= (path ?x ?z ?w) (path ?x ?y ?v) (path ?y ?z ?w))\n(<= (next (at ?x)) (path ?x ?y ?z) (true (at ?y)))\n"
    )


def ring(count):
    """Views that stand for one another."""
    rules = "".join(f"(<= (v{it} ?x) (v{(it + 1) % count} ?x))\n" for it in range(count))
    return ROLES + numbers(30) + rules + "(<= (v0 ?x) (num ?x) (true (at ?x)))\n(<= (next (at ?x)) (v7 ?x))\n"


def chain(count):
    rules = "".join(f"(<= (v{it} ?x) (v{it + 1} ?x))\n" for it in range(count))
    return ROLES + numbers(30) + rules + f"(<= (v{count} ?x) (true (at ?x)))\n(<= (next (at ?x)) (v0 ?x))\n"


def star(count):
    rules = "".join(f"(<= (s ?x) (v{it} ?x))\n(<= (v{it} ?x) (num ?x) (true (at ?x)))\n" for it in range(count))
    return ROLES + numbers(20) + rules + "(<= (next (at ?x)) (s ?x))\n"


def disjunctions(count, width):
    """Disjunctions in one body, each of which doubles the rules."""
    body = " ".join(
        "(or " + " ".join(f"(true (f{it} {part}))" for part in range(width)) + ")" for it in range(count)
    )
    facts = "".join(f"(init (f{it} {part}))\n" for it in range(count) for part in range(width))
    return ROLES + facts + f"(<= (next (at 1)) {body})\n"


def nested(count):
    """A term that grows with each turn."""
    return ROLES + f"(<= (next (at (s ?x))) (true (at ?x)))\n(<= (next (at (t ?x ?x))) (true (at ?x)) (num ?y))\n{numbers(count)}"


def counter(bits):
    """A binary counter, whose states are many and whose rules are few."""
    rules = "".join(f"(<= (next (bit {it})) (not (true (bit {it}))) {lower(it)})\n" for it in range(bits))
    kept = "".join(
        f"(<= (next (bit {it})) (true (bit {it})) (not (true (bit {other}))))\n" for it in range(bits) for other in range(it)
    )
    return ROLES + rules + kept


def lower(bit):
    return " ".join(f"(true (bit {it}))" for it in range(bit))


def board(side, pieces):
    """Moves from each cell of a board to each other."""
    cells = "".join(f"(cell {x} {y})\n" for x in range(side) for y in range(side))
    kinds = "".join(f"(kind k{it})\n" for it in range(pieces))
    return ROLES + cells + kinds + (
        "(<= (legal ann (move ?k ?a ?b ?c ?d)) (kind ?k) (cell ?a ?b) (cell ?c ?d))\n"
        "(<= (next (on ?k ?c ?d)) (does ann (move ?k ?a ?b ?c ?d)) (true (on ?k ?a ?b)))\n"
        "(<= (next (on ?k ?x ?y)) (true (on ?k ?x ?y)) (does ann (move ?l ?a ?b ?c ?d)) (distinct ?k ?l))\n"
        "(init (on k0 0 0))\n"
    )


def triples(count):
    """Tuples that all differ."""
    return ROLES + numbers(count) + (
        "(<= (apart ?a ?b ?c ?d ?e) (num ?a) (num ?b) (num ?c) (num ?d) (num ?e) (distinct ?a ?b) (distinct ?b ?c)"
        " (distinct ?c ?d) (distinct ?d ?e) (distinct ?a ?e))\n"
        "(<= (next (at ?a)) (apart ?a ?b ?c ?d ?e) (true (at ?b)) (true (at ?c)) (true (at ?d)) (true (at ?e)))\n"
    )


def long_body(length):
    body = " ".join(f"(e ?x{it} ?x{it + 1})" for it in range(length))
    edges = "".join(f"(e n{one} n{other})\n" for one in range(12) for other in range(12) if one != other)
    return ROLES + edges + f"(<= (next (at ?x0)) {body} (true (at ?x{length})))\n"


def many_rules(count):
    rules = "".join(
        f"(<= (next (f {it} ?x)) (true (f {it - 1} ?x)) (not (true (f {it} ?x))) (num ?x))\n" for it in range(1, count)
    )
    return ROLES + numbers(20) + "(init (f 0 n1))\n" + rules


def facts(count):
    return ROLES + "".join(f"(fact a{it} b{it % 97} c{it % 1009})\n" for it in range(count)) + (
        "(<= (next (at ?x)) (fact ?x ?y ?z) (fact ?u ?y ?w) (fact ?v ?t ?z) (true (at ?u)))\n"
    )


INPUTS = [
    *((f"cross-{width}x{count}", cross(width, count)) for width, count in [(4, 60), (5, 40), (6, 30), (8, 16), (10, 12)]),
    *((f"view-{width}x{count}", view(width, count)) for width, count in [(3, 200), (4, 60), (5, 30), (6, 20), (8, 10)]),
    *((f"closure-{count}", closure(count)) for count in [100, 200, 400, 800]),
    *((f"ring-{count}", ring(count)) for count in [5000, 20000, 60000]),
    *((f"chain-{count}", chain(count)) for count in [5000, 20000, 60000]),
    *((f"star-{count}", star(count)) for count in [2000, 8000, 20000]),
    *((f"or-{count}x{width}", disjunctions(count, width)) for count, width in [(8, 3), (12, 2), (16, 2), (10, 4)]),
    *((f"nested-{count}", nested(count)) for count in [1, 10]),
    *((f"counter-{bits}", counter(bits)) for bits in [20, 60, 120]),
    *((f"board-{side}x{pieces}", board(side, pieces)) for side, pieces in [(8, 6), (16, 4), (24, 8), (32, 2)]),
    *((f"apart-{count}", triples(count)) for count in [12, 24, 40]),
    *((f"body-{length}", long_body(length)) for length in [6, 12, 24, 40]),
    *((f"rules-{count}", many_rules(count)) for count in [2000, 10000, 30000]),
    *((f"facts-{count}", facts(count)) for count in [2000, 20000, 100000, 300000]),
]

COMMANDS = {
    "ground": ["ground"],
    "flat": ["ground", "--flat"],
    "check": ["check"],
    "verify": ["verify"],
    "simulate": ["simulate"],
    "explain": ["explain"],
    "solve": ["solve"],
}


def lateness(program, command, file, limit):
    """Seconds after the limit, and how the process ended."""
    start = time.perf_counter()
    run = [program, *COMMANDS[command], file, "--time-limit", str(limit)]
    process = subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # Waiting with a limit would look only every 50 ms.
    killer = threading.Timer(limit + 30, process.kill)
    killer.start()
    code = process.wait()
    late = time.perf_counter() - start - limit
    killer.cancel()
    return late, code


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--limit", type=float, default=0.5, help="seconds for each run (0.5)")
    parser.add_argument("--allowed", type=float, default=0.1, help="seconds that a run may be late (0.1)")
    parser.add_argument("--commands", default=",".join(COMMANDS))
    parser.add_argument("--inputs", help="only those whose names begin so")
    arguments = parser.parse_args()
    inputs = [it for it in INPUTS if it[0].startswith(arguments.inputs or "")]
    print(f"{len(inputs)} inputs, a limit of {arguments.limit} s")
    latest = -1.0
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, text in inputs:
            files.append(Path(folder, f"{name}.kif"))
            files[-1].write_text(text)
        for command in arguments.commands.split(","):
            runs = []
            for file in files:
                late, code = lateness(arguments.program, command, str(file), arguments.limit)
                runs.append((late, file.stem, code))
            runs.sort(reverse=True, key=lambda it: it[0])
            latest = max(latest, runs[0][0])
            limited = [it for it in runs if it[0] > -0.01]
            print(f"{command:10} {len(limited):3} reached the limit; latest:", end="")
            for late, name, code in itertools.islice(limited, 6):
                print(f"  {name} {1000 * late:.0f} ms ({code})", end="")
            print(flush=True)
    return int(latest > arguments.allowed)


if __name__ == "__main__":
    sys.exit(main())
