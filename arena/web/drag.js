// Moving pieces by drag and drop: a press on one place and a release over another are two clicks.

/** So many pixels are a drag. */
const LEAST = 6;

export class Drag {
  /** `begins` says whether a move begins at a place, `click` clicks on one. */
  constructor(place, signal, begins, click) {
    this.begins = begins;
    this.click = click;
    this.held = null;
    /** Whether the click that comes next belongs to a drag. */
    this.justEnded = false;
    place.addEventListener("pointerdown", (event) => this.press(event), { signal });
    addEventListener("pointermove", (event) => this.pull(event), { signal });
    addEventListener("pointerup", (event) => this.drop(event), { signal });
    addEventListener("pointercancel", () => this.end(), { signal });
  }

  press(event) {
    this.justEnded = false;
    const cell = event.target.closest("button.cell");
    if (event.button !== 0 || !cell || !this.begins(placeOf(cell))) return;
    this.held = { cell, x: event.clientX, y: event.clientY, copy: null };
  }

  pull(event) {
    const { held } = this;
    if (!held) return;
    if (!held.copy) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < LEAST) return;
      if (!held.cell.classList.contains("picked")) this.click(placeOf(held.cell), held.cell);
      held.copy = held.cell.cloneNode(true);
      held.copy.className = "cell dragged";
      held.copy.style.setProperty("--size", getComputedStyle(held.cell).width);
      held.cell.classList.add("lifted");
      held.cell.parentElement.append(held.copy);
      document.body.classList.add("dragging");
    }
    held.copy.style.left = `${event.clientX}px`;
    held.copy.style.top = `${event.clientY}px`;
  }

  drop(event) {
    const { held } = this;
    this.end();
    if (!held?.copy) return;
    this.justEnded = true;
    setTimeout(() => { this.justEnded = false; }, 0);
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest("button.cell");
    if (cell && cell !== held.cell) this.click(placeOf(cell), cell);
  }

  end() {
    this.held?.copy?.remove();
    this.held?.cell.classList.remove("lifted");
    document.body.classList.remove("dragging");
    this.held = null;
  }
}

function placeOf(cell) {
  const [board, column, row] = cell.dataset.at.split(",").map(Number);
  return { board, column, row };
}
