#!/usr/bin/env python3
"""Runs Groundfrog and gringo on every game of a folder, in turn, as whole processes.

For each game and each peer: user + system time, wall time and peak memory, the median of several runs,
as JSON lines on standard output; a table of the ratios on standard error.

    benches/peers/peers.py FOLDER [--runs 3] [--limit 60] [--groundfrog target/release/groundfrog]

The peers:
  flat     groundfrog ground GAME --flat --format aspif
  compact  groundfrog ground GAME --format aspif
  gringo   gringo --output=intermediate on the program of `groundfrog export asp-program GAME`
All write to /dev/null. A peer that is not on the machine is left out.
"""

import argparse
import json
import math
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time


def measure(command, limit, memory):
    """One run: status, CPU seconds, wall seconds, peak KiB."""

    def limits():
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))

    start = time.monotonic()
    with open(os.devnull, "w") as null:
        child = subprocess.Popen(command, stdout=null, stderr=null, preexec_fn=limits)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - start
    cpu = usage.ru_utime + usage.ru_stime
    return child.returncode, cpu, wall, usage.ru_maxrss


def peer(command, options):
    """The median of several runs; one run is enough of what takes seconds."""
    runs = []
    for _ in range(options.runs):
        code, cpu, wall, peak = measure(command, options.limit, options.memory << 30)
        # gringo ends with 0 or, with warnings, with other small codes; signals are negative.
        if code < 0 or (code != 0 and "groundfrog" in command[0]):
            return {"status": "failed", "code": code, "cpu_ms": cpu * 1e3}
        runs.append((cpu, wall, peak))
        if cpu > 5:
            break
    cpu, wall, peak = (statistics.median(column) for column in zip(*runs))
    return {"status": "ok", "cpu_ms": cpu * 1e3, "wall_ms": wall * 1e3, "peak_kib": peak, "runs": len(runs)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=int, default=60, help="CPU seconds a run")
    parser.add_argument("--memory", type=int, default=4, help="GiB of address space a run")
    parser.add_argument("--groundfrog", default="target/release/groundfrog")
    options = parser.parse_args()
    gringo = shutil.which("gringo")
    if gringo is None:
        print("gringo is not on this machine: Groundfrog alone", file=sys.stderr)
    results = []
    for name in sorted(os.listdir(options.folder)):
        if not name.endswith(".kif"):
            continue
        game = os.path.join(options.folder, name)
        ground = [options.groundfrog, "ground", game, "-q", "--format", "aspif", "-o", os.devnull]
        result = {"game": name[:-4]}
        if gringo is not None:
            with tempfile.TemporaryDirectory() as scratch:
                program = os.path.join(scratch, "program.lp")
                subprocess.run([options.groundfrog, "export", "asp-program", game, "-q", "-o", program], check=False)
                if os.path.exists(program):
                    result["gringo"] = peer([gringo, "--output=intermediate", program], options)
        result["flat"] = peer(ground + ["--flat"], options)
        result["compact"] = peer(ground, options)
        results.append(result)
        print(json.dumps(result), flush=True)
    for mine in ("flat", "compact"):
        both = [r for r in results if r[mine]["status"] == "ok" and r.get("gringo", {}).get("status") == "ok"]
        ratios = sorted((r["gringo"]["cpu_ms"] / max(r[mine]["cpu_ms"], 0.1), r["game"]) for r in both)
        solved = sum(r[mine]["status"] == "ok" for r in results)
        print(f"{mine}: {solved} of {len(results)} games", file=sys.stderr)
        if ratios:
            mean = math.exp(statistics.fmean(math.log(ratio) for ratio, _ in ratios))
            print(f"  gringo / {mine}, CPU: geometric mean {mean:.1f} over {len(ratios)} games", file=sys.stderr)
            for ratio, game in ratios[:5]:
                print(f"    least {ratio:.2f} {game}", file=sys.stderr)


if __name__ == "__main__":
    main()
