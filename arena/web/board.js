// One board: a grid of places that can be clicked.

import { h } from "./dom.js";
import { pieces, unlisted } from "./pieces.js";

export class Board {
  /** `turned` has `flip` (the first row is below) and `swap` (rows and columns change places). */
  constructor(game, number, turned, choose) {
    this.shape = game.boards[number];
    this.pieces = pieces(this.shape, game);
    this.number = number;
    this.turned = turned;
    this.cells = new Map();
    this.holes = new Set(this.shape.holes.map(([column, row]) => key(column, row)));
    this.focus = null;
    this.element = this.build(game, choose);
  }

  build(game, choose) {
    const { columns, rows } = this.shape;
    const [across, down] = this.turned.swap ? [rows, columns] : [columns, rows];
    const right = [...across.keys()];
    const below = this.turned.flip ? [...down.keys()].reverse() : [...down.keys()];
    const isStrip = rows.length === 1;
    const grid = h("div", { className: `board${isStrip ? " strip" : ""}`, role: "grid", "aria-label": this.shape.title || "board" });
    grid.style.setProperty("--across", across.length);
    grid.style.setProperty("--down", down.length);
    grid.style.setProperty("--row-letters", Math.max(1, ...down.map((it) => it.length)));
    const name = (text, of = {}) => {
      const element = h("span", { className: "name", ...of }, text);
      element.style.setProperty("--letters", Math.max(1, text.length));
      return element;
    };
    this.order = [];
    for (const [y, line] of below.entries()) {
      const cells = right.map((at) => {
        const [column, row] = this.turned.swap ? [line, at] : [at, line];
        const cell = this.cell(column, row, choose);
        if (game.most_clicks > 1 && (at + line) % 2 === 1) cell.classList.add("odd");
        return cell;
      });
      this.order.push(cells);
      if (isStrip && !this.turned.swap) {
        // The name of a place is below it, so that lines can be broken.
        grid.append(h("div", { className: "board-row", role: "row" }, cells.map((it, at) =>
          h("div", { className: "place-box", role: "presentation" }, it, name(across[at])))));
        continue;
      }
      grid.append(h("div", { className: "board-row", role: "row" },
        down[line] !== "" && name(down[line], { className: "name row-name", role: "rowheader" }),
        cells));
      if (y === below.length - 1 && (across.length > 1 || across[0] !== "")) {
        grid.append(h("div", { className: "board-row names", role: "row" },
          down[line] !== "" && name("", { className: "name row-name", role: "presentation" }),
          right.map((at) => name(across[at], { role: "columnheader" }))));
      }
    }
    grid.addEventListener("keydown", (event) => this.move(event));
    const wide = down.some((it) => it !== "");
    grid.classList.toggle("named", wide);
    return h("figure", { className: "board-box" }, grid, this.shape.title && h("figcaption", {}, this.shape.title));
  }

  cell(column, row, choose) {
    const isHole = this.holes.has(key(column, row));
    const cell = h("button", { type: "button", className: isHole ? "cell hole" : "cell", role: "gridcell", tabIndex: -1, disabled: isHole,
      onclick: (event) => {
        // Whoever clicks with the mouse goes through the match by the arrows; whoever comes by keys stays on the board.
        if (event.detail > 0) cell.blur();
        choose({ board: this.number, column, row }, cell);
      } });
    cell.dataset.place = this.place(column, row);
    if (!isHole) {
      if (this.cells.size === 0) cell.tabIndex = 0;
      this.cells.set(key(column, row), cell);
    }
    return cell;
  }

  /** The name of a place, for those who hear it. */
  place(column, row) {
    const { columns, rows } = this.shape;
    return rows[row] === "" ? columns[column] : `${columns[column]} ${rows[row]}`;
  }

  /** Shows a state; `marks` says of a place which marks it has. */
  update(position, marks) {
    const contents = new Map();
    for (const [board, column, row, content] of position.cells ?? []) {
      if (board !== this.number) continue;
      const at = key(column, row);
      contents.set(at, [...(contents.get(at) ?? []), content]);
    }
    for (const [at, cell] of this.cells) {
      const held = contents.get(at) ?? [];
      const drawn = held.map((it) => ({ text: it, ...(this.pieces.get(it) ?? unlisted(it)) }));
      const seen = drawn.filter((it) => it.kind !== "blank");
      const text = held.join("\n");
      if (cell.dataset.held !== text) {
        cell.dataset.held = text;
        cell.replaceChildren(...seen.map((it) => piece(it, seen.length)));
      }
      const [column, row] = at.split(",").map(Number);
      const own = marks(this.number, column, row);
      for (const mark of ["last", "can", "picked", "hint", "to"]) cell.classList.toggle(mark, own.has(mark));
      const names = seen.map((it) => it.text).join(", ") || "empty";
      const said = [own.has("picked") && "chosen", own.has("can") && "can be chosen", own.has("last") && "last move"].filter(Boolean);
      cell.ariaLabel = [`${cell.dataset.place}: ${names}`, ...said].join(", ");
      cell.title = `${cell.dataset.place}: ${names}`;
    }
  }

  /** The arrows go from place to place. */
  move(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    const from = event.target.closest(".cell");
    if (!step || !from) return;
    event.preventDefault();
    event.stopPropagation();
    let y = this.order.findIndex((it) => it.includes(from));
    let x = this.order[y].indexOf(from);
    do {
      [x, y] = [x + step[0], y + step[1]];
    } while (this.order[y]?.[x]?.disabled);
    const to = this.order[y]?.[x];
    if (!to) return;
    from.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  }

  /** What the labels stand for, where that is not plain. */
  legend() {
    const told = [...this.pieces].filter(([text, it]) => it.kind !== "blank" && it.label !== text);
    return told.map(([text, it]) => [piece({ text, ...it }, 1), text]);
  }
}

export const key = (column, row) => `${column},${row}`;

function piece(it, among) {
  const colour = it.colour ? ` colour-${it.colour}` : "";
  const element = h("span", { className: `piece ${it.kind}${colour}${among > 1 ? " among" : ""}`, "aria-hidden": "true" }, it.label);
  // Letters are as large as all of the label has room for.
  element.style.setProperty("--letters", Math.max(1, it.label.length));
  element.style.setProperty("--side", Math.ceil(Math.sqrt(among)));
  return element;
}

/** How the boards of a game lie: as somebody has turned them before, or as the game says. */
export function lie(game) {
  const known = JSON.parse(localStorage.getItem(`turned ${game.title}`) ?? "null");
  return known ?? { flip: game.first_row_below, swap: false };
}

export function keepLie(game, turned) {
  localStorage.setItem(`turned ${game.title}`, JSON.stringify(turned));
}
