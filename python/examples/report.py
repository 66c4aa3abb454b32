"""A report of a folder of games with plots: `python report.py GAMES OUT` writes OUT/report.html and two pictures."""

import html
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import groundfrog
from groundfrog.matches import measure


def report(games: Path, out: Path, *, seconds: float = 0.2, progress=None) -> list[dict]:
    """Measures each game of a folder and writes a page about them."""
    paths = sorted(games.glob("*.kif"))
    judged = groundfrog.validate_all(
        [path.read_text(encoding="utf-8", errors="replace") for path in paths], progress=progress
    )
    rows = [{**measure(path, seconds=seconds), "verdict": verdict} for path, verdict in zip(paths, judged)]
    played = [row for row in rows if not row["error"]]
    out.mkdir(parents=True, exist_ok=True)
    scatter(played, "rules", "states_per_second", out / "speed.png")
    scatter(played, "fluents", "setup_seconds", out / "setup.png")
    lines = "\n".join(line(row) for row in rows)
    page = f"""<!doctype html><meta charset="utf-8"><title>Games</title>
<h1>{len(rows)} games, {len(played)} of them played</h1>
<img src="speed.png" alt="states a second by ground rules"><img src="setup.png" alt="seconds to set up by fluents">
<table><tr><th>game<th>valid<th>roles<th>fluents<th>moves<th>ground rules<th>states/s<th>what is wrong
{lines}</table>"""
    (out / "report.html").write_text(page, encoding="utf-8")
    return rows


def line(row: dict) -> str:
    verdict = row["verdict"]
    wrong = row["error"] or "; ".join(reason["message"] for reason in verdict["reasons"])
    cells = [Path(row["name"]).stem, verdict["valid"], row["roles"], row["fluents"], row["moves"], row["rules"]]
    cells += [f"{row['states_per_second']:,.0f}", wrong]
    return "<tr>" + "".join(f"<td>{html.escape(str(cell))}" for cell in cells)


def scatter(rows: list[dict], across: str, up: str, path: Path) -> None:
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    axes.loglog([row[across] for row in rows], [row[up] for row in rows], "o", alpha=0.6)
    axes.set_xlabel(across.replace("_", " "))
    axes.set_ylabel(up.replace("_", " "))
    figure.savefig(path, dpi=120)
    plt.close(figure)


if __name__ == "__main__":
    report(Path(sys.argv[1]), Path(sys.argv[2]))
