"""A report of a folder of games with plots: `python report.py GAMES OUT` writes OUT/report.html and two pictures."""

import html
import sys
from pathlib import Path
from typing import NamedTuple

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import groundfrog
from groundfrog.matches import measure
from groundfrog.types import Measure, Progress, Verdict


class Row(NamedTuple):
    """A game."""

    measure: Measure
    verdict: Verdict


def report(games: Path, out: Path, *, seconds: float = 0.2, progress: Progress = None) -> list[Row]:
    """Measures each game of a folder and writes a page about them."""
    paths = sorted(games.glob("*.kif"))
    judged = groundfrog.validate_all(
        [path.read_text(encoding="utf-8", errors="replace") for path in paths], progress=progress
    )
    rows = [Row(measure(path, seconds=seconds), verdict) for path, verdict in zip(paths, judged)]
    played = [row.measure for row in rows if not row.measure["error"]]
    out.mkdir(parents=True, exist_ok=True)
    scatter([(row["rules"], row["states_per_second"]) for row in played], "rules", "states a second", out / "speed.png")
    scatter([(row["fluents"], row["setup_seconds"]) for row in played], "fluents", "seconds to set up", out / "setup.png")
    lines = "\n".join(line(row) for row in rows)
    page = f"""<!doctype html><meta charset="utf-8"><title>Games</title>
<h1>{len(rows)} games, {len(played)} of them played</h1>
<img src="speed.png" alt="states a second by ground rules"><img src="setup.png" alt="seconds to set up by fluents">
<table><tr><th>game<th>valid<th>roles<th>fluents<th>moves<th>ground rules<th>states/s<th>what is wrong
{lines}</table>"""
    (out / "report.html").write_text(page, encoding="utf-8")
    return rows


def line(row: Row) -> str:
    found, verdict = row
    wrong = found["error"] or "; ".join(reason["message"] for reason in verdict["reasons"])
    cells = [Path(found["name"]).stem, verdict["valid"], found["roles"], found["fluents"], found["moves"]]
    cells += [found["rules"], f"{found['states_per_second']:,.0f}", wrong]
    return "<tr>" + "".join(f"<td>{html.escape(str(cell))}" for cell in cells)


def scatter(points: list[tuple[float, float]], across: str, up: str, path: Path) -> None:
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    axes.loglog([x for x, _ in points], [y for _, y in points], "o", alpha=0.6)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    figure.savefig(path, dpi=120)
    plt.close(figure)


if __name__ == "__main__":
    report(Path(sys.argv[1]), Path(sys.argv[2]))
