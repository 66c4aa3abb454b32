#!/usr/bin/env python3
"""Writes cli/often.ld: which functions the linker puts side by side, because grounding runs them.

    cargo build --release
    cargo static
    cli/often.py target/release/groundfrog target/x86_64-unknown-linux-musl/release/groundfrog --games GAMES

Grounds the games of the corpus and of other folders with each program, under callgrind (package valgrind), and takes the
functions that a share of the games needed, compact or flat, those of the C library too where it is linked statically. The
programs differ in what the compiler has put into its callers. What is missing in the list, such as a new function, is linked as well, but
elsewhere: the list changes how long a small game takes, never what a program does. To be run again when small games have
become slower.
"""

import argparse
import bisect
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FORMS = (["-o", "/dev/null"], ["--flat"])
# A function belongs to the list if one of so many games needs it in one of the forms.
SHARE = 7
# Seconds under callgrind; what takes longer is no small game.
LONGEST = 20
# Bytes of the page that `start` asks the system for.
LARGE_PAGE = 1 << 21
HERE = pathlib.Path(__file__).parent


def functions(program):
    """Where each function begins, and its names as the linker knows them."""
    lines = subprocess.run(["nm", "--defined-only", program], capture_output=True, text=True, check=True).stdout
    found = collections.defaultdict(list)
    for address, kind, name in (line.split() for line in lines.splitlines()):
        if kind in "tTW":
            found[int(address, 16)].append(name)
    return sorted(found.items())


def addresses(program, game, form, folder):
    """The instructions that one run needs; none if it fails or takes long."""
    # Games of several folders may have one name.
    profile = folder / f"{game.parent.name}-{game.name}"
    callgrind = ["valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-pos=no"]
    run = [program, "ground", game, "--format", "aspif", *form]
    # As when times are taken; a pipe may wait, which takes functions of its own.
    sink = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        done = subprocess.run([*callgrind, f"--callgrind-out-file={profile}", *run], **sink, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return set()
    if done.returncode != 0:
        return set()
    needed = {int(line.split()[0], 16) for line in profile.read_text().splitlines() if line.startswith("0x")}
    profile.unlink()
    return needed


def pattern(name):
    """A name for the linker, also where the compiler holds the function for unlikely, but not what unwinding alone runs.

    The numbers of crates and of copies, which depend on the compiler, are left open.
    """
    if not name.startswith("_R"):
        return f"*(.text.{name} .text.unlikely.{name})"
    name = re.sub(r"Cs[0-9A-Za-z]+_", "Cs*_", name.removeprefix("_"))
    return f"*(.text.[_u]*{re.sub(r'[.][0-9]+$', '*', name)})"


def shares(program, games, folder):
    """For each function that grounding runs, by its names, the share of the games that need it in one of the forms."""
    known = functions(program)
    starts = [address for address, _ in known]
    share = collections.Counter()
    for form in FORMS:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
            found = list(workers.map(lambda game: addresses(program, game, form, folder), games))
        if not any(found):
            sys.exit(f"{program} ground no game: is it a program, and valgrind installed?")
        needed = collections.Counter()
        for run in found:
            # What lies beyond belongs to shared libraries.
            needed.update({bisect.bisect_right(starts, it) - 1 for it in run if it < starts[-1]})
        ground = sum(map(bool, found))
        shares = {name: count / ground for at, count in needed.items() if at >= 0 for name in known[at][1]}
        share |= collections.Counter(shares)
    return share


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", help="the release build, and the static one")
    parser.add_argument("--games", type=pathlib.Path, action="append", default=[], help="a folder with other games")
    parser.add_argument("--every", type=int, default=4, help="take each of so many of those (4)")
    options = parser.parse_args()
    share = collections.Counter()
    games = sorted((HERE.parent / "corpus").glob("*.kif"))
    for other in options.games:
        games += sorted(other.glob("*.kif"))[:: options.every]
    with tempfile.TemporaryDirectory() as folder:
        for program in options.programs:
            share |= shares(program, games, pathlib.Path(folder))
    often = [(-part, name) for name, part in share.items() if part * SHARE >= 1]
    patterns = dict.fromkeys(pattern(name) for _, name in sorted(often) if not name.endswith(".cold"))
    lines = "".join(f"    {it}\n" for it in patterns)
    (HERE / "often.ld").write_text(
        "/* Made by often.py, which says what it is for. Constants, and then functions, those first that most games need. */\n"
        f"SECTIONS\n{{\n  .text.often : ALIGN({LARGE_PAGE})\n  {{\n    groundfrog_often = .;\n    *(.rodata .rodata.*)\n"
        f"{lines}  }}\n}}\nINSERT AFTER .text.start;\n"
    )


if __name__ == "__main__":
    main()
