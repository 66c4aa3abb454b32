#!/usr/bin/env python3
"""Runs Groundfrog and other grounders on every game of a folder, in turn, as whole processes.

For each game and each contestant: user + system time, wall time and peak memory, the median of several
runs. The contestants take turns in every round, so that no one profits from a quiet minute. Before the first, all are
read from the disk again, so that no one profits from how its files lie in memory.
JSON lines (one a game) go to standard output or --out; tables go to standard error.

    benches/peers/peers.py FOLDER|FILES... [--out peers.jsonl] [--runs 3] [--limit 60]
    benches/peers/peers.py --table peers.jsonl        the tables of an earlier run

The contestants:
  flat              groundfrog ground GAME --flat --format aspif
  compact           groundfrog ground GAME --format aspif
  gringo            gringo --output=intermediate, on `groundfrog export asp-program GAME`
  gringo_projected  the same with `--projected`: existential variables are projected first
  swi_prolog        swipl, on `groundfrog export prolog GAME`: base, input and the store pass; it also
                    reports the CPU time of its two phases, without its start
All output goes to /dev/null. What is not on the machine is said to be missing.
"""

import argparse
import contextlib
import json
import math
import mmap
import os
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

OURS = ("flat", "compact")
PEERS = {"gringo": "gringo", "gringo_projected": "gringo", "swi_prolog": "swipl"}
PACKAGES = {"gringo": "gringo", "swipl": "swi-prolog-nox"}
EXPORTS = {
    "gringo": ["asp-program"],
    "gringo_projected": ["asp-program", "--projected"],
    "swi_prolog": ["prolog"],
}
# So many times the limit on CPU seconds may pass on the clock: out of memory, swipl may wait for ever.
PATIENCE = 10
# Times below this are noise of the clock.
LEAST_MS = 0.1


def measure(command, options):
    """One run: status, CPU ms, wall ms, peak KiB, what it wrote."""
    space = options.memory << 30
    # What SWI-Prolog reports is kept; ground rules are not.
    keeps = any("swipl" in word for word in command)
    with tempfile.TemporaryFile() if keeps else open(os.devnull, "wb") as out:
        start = time.monotonic()
        # Limits are set from outside: a function to run in the child would make Python copy itself for it, and that
        # millisecond would count as the child's.
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL)
        resource.prlimit(child.pid, resource.RLIMIT_AS, (space, space))
        resource.prlimit(child.pid, resource.RLIMIT_CPU, (options.limit, options.limit + 1))
        watchdog = threading.Timer(options.limit * PATIENCE, os.kill, (child.pid, signal.SIGKILL))
        watchdog.start()
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - start
        watchdog.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        text = ""
        if keeps:
            out.seek(0)
            text = out.read().decode()
    cpu = usage.ru_utime + usage.ru_stime
    return child.returncode, cpu * 1e3, wall * 1e3, usage.ru_maxrss, text


def small_peak(command, options):
    """The peak of a process smaller than this script, in KiB; None without GNU time.

    A process counts the memory of the one it was forked from, which is this script, so that nothing smaller
    can be told by waiting for it. GNU time forks too, but is small.
    """
    if options.gnu_time is None:
        return None
    with tempfile.NamedTemporaryFile("r") as report:
        code, *_ = measure([options.gnu_time, "-f", "%M", "-o", report.name, *command], options)
        return int(report.read().split()[-1]) if code == 0 else None


def failure(code, cpu, options):
    """Why a run gave no result; None if it gave one."""
    if code == 0:
        return None
    status = "time" if cpu >= options.limit * 1e3 else "failed"
    return {"status": status, "code": code, "cpu_ms": round(cpu, 3)}


def commands(game, names, programs, options):
    """What is run for each contestant; contestants whose program cannot be written are left out."""
    ground = [options.groundfrog, "ground", game, "-q", "--format", "aspif", "-o", os.devnull]
    all_commands = {"flat": ground + ["--flat"], "compact": ground}
    for name in names:
        if name in OURS:
            continue
        program = os.path.join(programs, name)
        export = [options.groundfrog, "export", *EXPORTS[name], game, "-q", "-o", program]
        if subprocess.run(export, check=False, stderr=subprocess.DEVNULL).returncode == 0:
            run = {"gringo": ["--output=intermediate"], "swipl": ["-q"]}[PEERS[name]]
            all_commands[name] = [shutil.which(PEERS[name]), *run, program]
    return {name: all_commands[name] for name in names if name in all_commands}


def contest(game, names, options):
    """The medians of all contestants for one game."""
    runs, ended = {}, {}
    result = {"game": os.path.splitext(os.path.basename(game))[0]}
    with tempfile.TemporaryDirectory() as programs:
        contestants = commands(game, names, programs, options)
        for turn in range(options.runs):
            for name, command in contestants.items():
                # One run is enough of what takes long, or gives no result.
                slow = any(cpu > options.once_above * 1e3 for cpu, *_ in runs.get(name, []))
                if name in ended or (turn > 0 and slow):
                    continue
                code, cpu, wall, peak, text = measure(command, options)
                ended_so = failure(code, cpu, options)
                if ended_so:
                    ended[name] = ended_so
                else:
                    runs.setdefault(name, []).append((cpu, wall, peak, text))
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for name, command in contestants.items():
            result[name] = ended.get(name) or median(runs[name])
            if result[name].get("peak_kib", math.inf) <= own * 1.1:
                result[name]["peak_kib"] = small_peak(command, options) or result[name]["peak_kib"]
    return result


def median(runs):
    cpu, wall, peak = (statistics.median(column) for column in list(zip(*runs))[:3])
    result = {
        "status": "ok",
        "cpu_ms": round(cpu, 3),
        "wall_ms": round(wall, 3),
        "peak_kib": int(peak),
        "runs": len(runs),
    }
    # `name number` lines of SWI-Prolog.
    reports = [dict(line.split() for line in text.splitlines()) for *_, text in runs]
    for field in reports[0]:
        value = statistics.median(float(report[field]) for report in reports)
        result[field] = round(value, 3) if field.endswith("_ms") else int(value)
    return result


def is_ok(result, name):
    return result.get(name, {}).get("status") == "ok"


def cpu_of(result, name):
    return max(result[name]["cpu_ms"], LEAST_MS)


def geometric_mean(ratios):
    return math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))


def comparison(title, pairs, out):
    """A paragraph about (ratio, game) pairs: theirs divided by ours."""
    pairs = sorted(pairs)
    if not pairs:
        print(f"{title}: no game that both ground", file=out)
        return
    slower = sum(ratio < 1 for ratio, _ in pairs)
    middle = statistics.median(ratio for ratio, _ in pairs)
    mean = geometric_mean([ratio for ratio, _ in pairs])
    print(f"{title}: geometric mean {mean:.2f}, median {middle:.2f}, {len(pairs)} games, slower on {slower}", file=out)
    for ratio, game in pairs[:5]:
        print(f"    least {ratio:8.2f}  {game}", file=out)


def tables(results, out):
    names = [name for name in (*OURS, *PEERS) if any(name in result for result in results)]
    print(f"\n{'':18}{'games':>6}{'failed':>8}{'median CPU':>12}{'sum CPU':>12}{'median peak':>13}", file=out)
    for name in names:
        done = [result[name] for result in results if is_ok(result, name)]
        lost = sum(name in result and not is_ok(result, name) for result in results)
        line = f"{name:18}{len(done):6}{lost:8}"
        if done:
            cpu = [it["cpu_ms"] for it in done]
            peak = statistics.median(it["peak_kib"] for it in done) / 1024
            line += f"{statistics.median(cpu):9.1f} ms{sum(cpu) / 1e3:10.1f} s{peak:9.1f} MiB"
        print(line, file=out)
    print("\nCPU time of theirs divided by that of ours, whole processes:", file=out)

    def against(ours, theirs, least=0):
        both = [r for r in results if is_ok(r, ours) and is_ok(r, theirs) and r[theirs]["cpu_ms"] >= least]
        return [(cpu_of(r, theirs) / cpu_of(r, ours), r["game"]) for r in both]

    if "gringo" in names:
        comparison("gringo flat / flat", against("flat", "gringo"), out)
        comparison("  where gringo needs a second or more", against("flat", "gringo", 1000), out)
    best = []
    for result in results:
        peers = [cpu_of(result, name) for name in PEERS if is_ok(result, name)]
        if peers and is_ok(result, "compact"):
            best.append((min(peers) / cpu_of(result, "compact"), result["game"]))
    comparison("best peer of each game / compact", best, out)
    for name in PEERS:
        if name in names:
            comparison(f"{name} / compact", against("compact", name), out)


def games(paths):
    for path in paths:
        if os.path.isdir(path):
            for folder, folders, names in os.walk(path):
                folders.sort()
                yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".kif"))
        else:
            yield path


def read_anew(program):
    """Has a program and its shared libraries read from the disk again, into pages as large as the system has.

    How a file lies in memory depends on how it came there, and moves the time of a small game by a tenth or more: what the
    linker has just written lies in small pieces, a copy in larger ones. What other processes use stays as it is.
    """
    libraries = subprocess.run(["ldd", program], capture_output=True, text=True).stdout.split()
    for path in (program, *(word for word in libraries if word.startswith("/"))):
        with open(os.path.realpath(path), "rb", buffering=0) as file:
            os.fsync(file)
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            with mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as mapped:
                with contextlib.suppress(OSError):
                    mapped.madvise(mmap.MADV_HUGEPAGE)
                for at in range(0, len(mapped), mmap.PAGESIZE):
                    mapped[at]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="+", metavar="PATH", help="folders of games, or games")
    parser.add_argument("--table", action="store_true", help="read results instead of games")
    parser.add_argument("--out", help="where the JSON lines go; default: standard output")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=int, default=60, help="CPU seconds a run")
    parser.add_argument("--memory", type=int, default=4, help="GiB of address space a run")
    parser.add_argument("--once-above", type=float, default=5, help="CPU seconds of which one run is enough")
    parser.add_argument("--groundfrog", default="target/release/groundfrog")
    parser.add_argument("--without", default="", metavar="NAME,...", help="contestants to leave out")
    options = parser.parse_args()
    if options.table:
        lines = [line for path in options.paths for line in open(path, encoding="utf-8")]
        tables([json.loads(line) for line in lines], sys.stdout)
        return
    missing = [path for path in options.paths if not os.path.exists(path)]
    if missing:
        parser.error(f"there is no {', '.join(missing)}")
    if not any(games(options.paths)):
        parser.error(f"there is no *.kif in {', '.join(options.paths)}")
    if shutil.which(options.groundfrog) is None:
        parser.error(f"there is no {options.groundfrog}: build it with `cargo build --release`")
    for program, package in PACKAGES.items():
        if shutil.which(program) is None:
            print(f"missing on this machine: {program} (Debian package {package})", file=sys.stderr)
    options.gnu_time = shutil.which("time")
    if options.gnu_time is None:
        print("missing on this machine: time (Debian package time): peaks below 12 MiB are not told", file=sys.stderr)
    present = [name for name, program in PEERS.items() if shutil.which(program)]
    names = [name for name in (*OURS, *present) if name not in options.without.split(",")]
    for program in {options.groundfrog, *(PEERS[name] for name in names if name in PEERS)}:
        read_anew(shutil.which(program))
    results = []
    with open(options.out, "w", encoding="utf-8") if options.out else sys.stdout as out:
        for game in games(options.paths):
            results.append(contest(game, names, options))
            print(json.dumps(results[-1]), file=out, flush=True)
    tables(results, sys.stderr)


if __name__ == "__main__":
    main()
