#!/usr/bin/env python3
"""Writes index.tsv: what is known of public games, by the SHA-256 of their files.

usage: index.py GAMES COUNTS PEERS > index.tsv

GAMES is a folder of descriptions (*.kif). COUNTS and PEERS are JSON lines: COUNTS has `game`, `base`, `input`
and `residual_rules`; PEERS has `game` and, where a grounder came to its end, `gringo_flat.rules`,
`gringo_projected.rules` and `ggp_base.components`. Only names and counts go into the index, no text of a game.
"""

import hashlib
import json
import pathlib
import sys

HEADER = """\
# Public games, by the SHA-256 of their files; `-` is not known. Written by index.py.
# source: where the description was published: the ggp.org repository of games, or the Dresden GGP server.
# base, input, residual_rules: from gringo 5.4.1 on Schiffel's program, distinct atoms and rules.
# gringo_rules, gringo_projected_rules: rules in the output of gringo 5.4.1, flat and with projection.
# ggp_base_components: of the network that OptimizingPropNetFactory of ggp-base makes."""
COLUMNS = "sha256 name source base input residual_rules gringo_rules gringo_projected_rules ggp_base_components"
# All others are from ggp.org.
DRESDEN = {"ruledepthquadratic"}


def lines(path):
    with open(path, encoding="utf-8") as file:
        return {entry["game"]: entry for entry in map(json.loads, file)}


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    counts, peers = lines(sys.argv[2]), lines(sys.argv[3])
    print(HEADER)
    print("# " + COLUMNS.replace(" ", "\t"))
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.kif")):
        count, peer = counts.get(path.stem, {}), peers.get(path.stem, {})
        row = [
            hashlib.sha256(path.read_bytes()).hexdigest(),
            path.stem,
            "dresden" if path.stem in DRESDEN else "ggp.org",
            count.get("base"),
            count.get("input"),
            count.get("residual_rules"),
            peer.get("gringo_flat", {}).get("rules"),
            peer.get("gringo_projected", {}).get("rules"),
            peer.get("ggp_base", {}).get("components"),
        ]
        print("\t".join("-" if field is None else str(field) for field in row))


if __name__ == "__main__":
    main()
