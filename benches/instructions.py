#!/usr/bin/env python3
"""Counts the instructions of a dozen commands under callgrind, and compares them with `instructions.tsv` beside this file.

    instructions.py GROUNDFROG [--update]

Counts do not depend on what else the machine does. They do depend on the compiler and on how the program was built: the counts that are
kept are those of the program that `cargo test` builds. A row that takes 5 % more than it did fails (exit code 1); one that takes 5 % less is
shown, so that the file can follow. `--update` writes the file anew: the commit that does so says why. Games are those of `corpus/`, so that
the step needs nothing but valgrind; without it this says so and ends with 0. What is limited by time is slower by fifty here: `check` is given
enough of it, and `solve` has a puzzle, for which nothing is proven.
"""
import argparse, os, re, shutil, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
COUNTS = os.path.join(HERE, 'instructions.tsv')
TOLERANCE = 1.05
COMMANDS = '''
ground chess flat: ground small_chess.kif --flat --format aspif --threads 1
ground checkers flat: ground checkers_six.kif --flat --format kif --threads 1
ground reversi flat: ground reversi_six.kif --flat --format aspif --threads 1
ground chess compact: ground small_chess.kif --format aspif --threads 1
ground checkers compact: ground checkers_six.kif --format kif --threads 1
ground amazons compact: ground small_amazons.kif --format aspif --threads 1
ground hex compact: ground hex_five.kif --format kif --threads 1
playouts checkers: simulate checkers_six.kif --reasoner ground --playouts 40
playouts connect four: simulate connect_four.kif --reasoner ground --playouts 400
lanes checkers: simulate checkers_six.kif --reasoner bit-parallel --playouts 512
lanes connect four: simulate connect_four.kif --reasoner bit-parallel --playouts 4096
check breakthrough: check breakthrough.kif --time-limit 60s
solve hanoi: solve hanoi.kif
'''


def count(groundfrog, command):
    """The instructions of one command, all its threads together."""
    corpus = os.path.join(HERE, '..', 'corpus')
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(['valgrind', '--tool=callgrind', '--callgrind-out-file=' + os.path.join(folder, 'out'), groundfrog,
                              *command.split(), '--quiet'], cwd=corpus, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True, timeout=300)
    found = re.search(r'Collected\s*:\s*(\d+)', run.stderr)
    if run.returncode != 0 or not found:
        sys.exit('%s failed with %d:\n%s' % (command, run.returncode, run.stderr[-2000:]))
    return int(found.group(1))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('groundfrog')
    arguments.add_argument('--update', action='store_true')
    arguments = arguments.parse_args()
    if not shutil.which('valgrind'):
        print('no valgrind: INSTRUCTIONS WERE NOT COUNTED')
        return 0
    groundfrog = os.path.abspath(arguments.groundfrog)
    commands = dict(line.split(': ', 1) for line in COMMANDS.strip().split('\n'))
    with ThreadPoolExecutor(max_workers=2) as pool:
        counts = dict(zip(commands, pool.map(lambda it: count(groundfrog, it), commands.values())))
    if arguments.update:
        with open(COUNTS, 'w') as file:
            file.writelines('%s\t%d\n' % row for row in counts.items())
    with open(COUNTS) as file:
        before = {name: int(number) for name, number in (line.rstrip('\n').split('\t') for line in file)}
    more = []
    for name, number in counts.items():
        ratio = number / before[name] if name in before else float('inf')
        print('%-24s %8.1f million  %.3f' % (name, number / 1e6, ratio))
        if ratio > TOLERANCE:
            more.append(name)
        elif ratio < 1 / TOLERANCE:
            print('    fewer than are kept: `--update` takes it over')
    if more:
        print('more instructions than are kept: %s' % ', '.join(more))
    return 1 if more else 0


if __name__ == '__main__':
    sys.exit(main())
