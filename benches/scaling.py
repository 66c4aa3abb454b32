#!/usr/bin/env python3
"""Time and memory per ground rule as games grow: `benches/scaling.py PROGRAM [RUNS]`.

Two tables in Markdown: boards and puzzles of generated families, ground flat, with the fastest of the runs (to which other work on the machine has
added least) and the bytes of a ground rule; chains, rings and stars, each made for some passes, ground compactly, with the slope of a line through the
times where both axes are logarithmic: 1 is in proportion, 2 is quadratic. Times are those that `--json-stats` tells, without output.
"""
import json, math, subprocess, sys

PROGRAM, RUNS = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
BOARDS = [4, 6, 8, 12, 16, 24, 32]
FAMILIES = {name: BOARDS for name in ['breakthrough', 'connect-four', 'hex', 'lights-out', 'tic-tac-toe']}
FAMILIES['sliding-puzzle'] = [3, 4, 5, 6, 7, 8, 9]
SIZES = [1000, 4000, 16000, 32000]
GAME = '''(role ann) (init (at n1)) (<= terminal (true (at n0))) (goal ann 100) (legal ann noop) (num n0) (num n1) (num n2)
'''
# The passes that it is made for, what is said once (N is the size), and for each I below the size; J is the next one, R that in a ring.
CHAINS = {
    'chain of aliases': ('inline', '(<= (vN ?x) (true (at ?x))) (<= (next (at ?x)) (v0 ?x))', '(<= (vI ?x) (vJ ?x))'),
    'ring of aliases': ('inline', '(<= (v0 ?x) (true (at ?x))) (<= (next (at ?x)) (v0 ?x))', '(<= (vI ?x) (vR ?x))'),
    'star of views': ('inline, equal-views, factoring', '(<= (next (at ?x)) (s ?x))',
                      '(<= (s ?x) (vI ?x)) (<= (vI ?x) (num ?x) (true (at ?x)))'),
    'chain of static views': ('tables', '(<= (vN ?x) (num ?x)) (<= (next (at ?x)) (v0 ?x) (true (at ?x)))',
                              '(<= (vI ?x) (vJ ?x) (num ?x))'),
    'chain of negations': ('simplification', '(<= (vN ?x) (num ?x) (true (at ?x))) (<= (next (at ?x)) (v0 ?x))',
                           '(<= (vI ?x) (num ?x) (not (vJ ?x)))'),
    'ring of fluents': ('rigid-atoms, state-invariants', '(init (f 0))', '(<= (next (f R)) (true (f I)))'),
    'two chains of fluents': ('equal-views, relevance', '''(<= (next (fN)) (true (at n1))) (<= (next (gN)) (true (at n1)))
                              (<= (next (at n1)) (true (f0)) (true (g0)))''',
                              '(<= (next (fI)) (true (fJ))) (<= (next (gI)) (true (gJ)))'),
    'star of moves': ('moves, factoring', '', '''(<= (legal ann (m I)) (true (at n1))) (<= (next (at n1)) (does ann (m I)))
                      (<= (next (k I)) (does ann (m I)) (true (at n1)))'''),
    'star of negated fluents': ('subsumption, inline', '', '(<= pI (not (true (f I))) (true (at n1))) (<= (next (f I)) pI)'),
}


def run(arguments, text=None):
    return subprocess.run([PROGRAM, *arguments], input=text, capture_output=True, text=True, check=True)


def ground(text, *options):
    """The statistics of the fastest run."""
    command = ['ground', '-', '--quiet', '--format', 'summary', '--json-stats', *options]
    found = [json.loads(run(command, text).stderr) for _ in range(RUNS)]
    return min(found, key=seconds)


def seconds(statistics):
    return sum(it['seconds'] for it in statistics['stages'] if it['stage'] != 'emit')


def slope(points):
    points = [(math.log(x), math.log(max(y, 1e-9))) for x, y in points]
    x, y = (sum(it[axis] for it in points) / len(points) for axis in (0, 1))
    return sum((it[0] - x) * (it[1] - y) for it in points) / sum((it[0] - x) ** 2 for it in points)


print('| family | cells | rules | ns a rule | bytes a rule |\n| --- | ---: | ---: | ---: | ---: |')
families = run(['generate', '--list']).stdout
for name, sizes in FAMILIES.items():
    known = families.split(name + '\n')[1].split('\n')
    known = known[:next((at for at, line in enumerate(known) if line and line[0] != ' '), len(known))]
    sides = [word for line in known for word in line.split() if word in ('--width', '--height', '--size')]
    for size in sizes:
        text = run(['generate', name, *(word for side in sides for word in (side, str(size)))]).stdout
        found = ground(text, '--flat')
        rules, memory = found['counts']['flat_rules'], found['counts']['rule_bytes']
        print(f'| {name} | {size * size} | {rules} | {seconds(found) / rules * 1e9:.0f} | {memory / rules:.1f} |', flush=True)
print('\n| family | made for | ' + ' | '.join(map(str, SIZES)) + ' | slope |\n| --- | --- |' + ' ---: |' * (len(SIZES) + 1))
for name, (passes, once, each) in CHAINS.items():
    times = []
    for size in SIZES:
        lines = [each.replace('I', str(it)).replace('J', str(it + 1)).replace('R', str((it + 1) % size)) for it in range(size)]
        times.append(seconds(ground('\n'.join([GAME, once.replace('N', str(size)), *lines]))))
    print(f'| {name} | {passes} | ' + ' | '.join(f'{it:.3f}' for it in times) + f' | {slope(list(zip(SIZES, times))):.2f} |', flush=True)
