#!/usr/bin/env python3
"""What is decided of games, as a table in Markdown: `benches/decided.py PROGRAM FOLDER SECONDS [NAME...]`.

`groundfrog analyse` has ten times the seconds for each game, six of which are for proofs: one for each of six questions.
"""
import json, pathlib, subprocess, sys, time

program, folder, seconds, only = sys.argv[1], pathlib.Path(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]
COLUMNS = ['turn-taking', 'playable', 'one-goal', 'constant-sum', 'terminating']
WORDS = {'proved': 'yes', 'refuted': 'no', 'unknown': '?'}
decided, asked, late, games = [0] * 6, [0] * 6, [], 0
print('| game | turns | playable | one goal | constant sum | ends | unique | seconds |\n' + '| --- ' * 8 + '|')
for path in sorted(folder.glob('*.kif')):
    if only and path.stem not in only:
        continue
    begin = time.monotonic()
    command = [program, 'analyse', path, '--json', '--quiet', '--proof-time', f'{seconds * 10}', '--time-limit', f'{seconds * 12 + 5}']
    found = subprocess.run(command, capture_output=True, text=True)
    if found.returncode:
        late.append(path.stem)
        continue
    findings, games = json.loads(found.stdout)['findings'], games + 1
    cells = [''] * 6
    for it in findings:
        if it['property'] in COLUMNS:
            cells[COLUMNS.index(it['property'])] = WORDS[it['verdict']] + (' state' if it.get('state') is not None else '')
    unique = [it['verdict'] for it in findings if it['property'] in ('at-most-one', 'exactly-one')]
    if unique:
        open_ones = unique.count('unknown')
        cells[5] = f'? {open_ones} of {len(unique)}' if open_ones else str(len(unique))
    for column, cell in enumerate(cells):
        asked[column] += bool(cell)
        decided[column] += bool(cell) and cell[0] != '?'
    print(f'| {path.stem} | ' + ' | '.join(cells) + f' | {time.monotonic() - begin:.2f} |', flush=True)
print(f'| {games} games | ' + ' | '.join(f'{one} of {all}' for one, all in zip(decided, asked)) + ' | |\n')
print('Not ground or analysed:', ', '.join(late))
