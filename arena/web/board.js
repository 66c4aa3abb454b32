// One board: places that can be clicked, and what is on and between them.

import { h } from "./dom.js";
import { pieceElement, pieces, unlisted } from "./pieces.js";
import { arrange, key, stack } from "./shapes.js";

export { key };

const MARKS = ["last", "can", "picked", "hint", "to", "ghost", "unsure"];

export class Board {
  /** `turned` is how it lies; `act` has `click` for places and `edge` for what is between them; without it the board is a picture. */
  constructor(game, number, turned, act) {
    this.shape = game.boards[number];
    this.pieces = pieces(this.shape, game);
    this.number = number;
    this.turned = turned;
    this.cells = new Map();
    this.edges = new Map();
    this.arranged = arrange(this.shape, turned);
    this.element = this.build(game, act);
  }

  build(game, act) {
    const { places, names, lines, width, height } = this.arranged;
    const { shape } = this;
    const holes = new Set(shape.holes.map(([column, row]) => key(column, row)));
    const longest = (of) => Math.max(0, ...names.filter((it) => it.of === of).map((it) => it.text.length));
    const element = h("div", { className: `board ${shape.shape}${shape.points.length > 0 ? " points" : ""}`, role: "group", "aria-label": shape.title || "board" });
    const set = (name, value) => element.style.setProperty(name, value);
    set("--across", width);
    set("--down", height);
    set("--row-letters", longest("row"));
    element.classList.toggle("named", longest("row") > 0);
    element.classList.toggle("footed", longest("column") > 0);
    this.ground = h("div", { className: "ground" });
    element.append(this.ground);
    this.under = svg(width, height, lines.map((it) => lineElement(it, "rule")));
    this.ground.append(this.under);
    const isChequered = game.most_clicks > 1 && (shape.shape === "grid") && shape.rows.length > 1;
    for (const [at, place] of places) {
      if (holes.has(at)) continue;
      const [column, row] = at.split(",").map(Number);
      const cell = this.cell(column, row, act);
      if (isChequered && (column + row) % 2 === 0) cell.classList.add("odd");
      put(cell, place);
      this.ground.append(cell);
    }
    for (const it of names) {
      const at = it.at ? places.get(it.at) : it;
      if (it.text === "" || !at) continue;
      const label = h("span", { className: `name of-${it.of}`, "aria-hidden": "true" }, it.text);
      label.style.setProperty("--letters", Math.max(1, it.text.length));
      put(label, at);
      this.ground.append(label);
    }
    this.over = svg(width, height, []);
    this.over.classList.add("over");
    this.ground.append(this.over);
    if (act) element.addEventListener("keydown", (event) => this.move(event));
    this.act = act;
    return h("figure", { className: "board-box" }, element, shape.title && h("figcaption", {}, shape.title));
  }

  cell(column, row, act) {
    const cell = act ? h("button", { type: "button", className: "cell", tabIndex: this.cells.size === 0 ? 0 : -1,
      onclick: (event) => {
        // Whoever clicks with the mouse goes through the match by the arrows; whoever comes by keys stays on the board.
        if (event.detail > 0) cell.blur();
        act.click({ board: this.number, column, row }, cell);
      } }) : h("span", { className: "cell" });
    const { columns, rows } = this.shape;
    const own = this.shape.names.find((it) => it[0] === column && it[1] === row);
    cell.dataset.place = own ? own[2] : rows[row] === "" ? columns[column] : `${columns[column]} ${rows[row]}`;
    cell.dataset.at = `${this.number},${column},${row}`;
    this.cells.set(key(column, row), cell);
    return cell;
  }

  /** Shows a state; `marks` says of a place which marks it has, and `open` has the edges that can be chosen. */
  update(position, marks = () => new Set(), open = [], ghost = null) {
    const contents = new Map();
    for (const [board, column, row, content] of position.cells ?? []) {
      if (board !== this.number) continue;
      const at = key(column, row);
      contents.set(at, [...(contents.get(at) ?? []), content]);
    }
    if (this.shape.shape === "stacks") this.pile(contents);
    for (const [at, cell] of this.cells) {
      const held = contents.get(at) ?? [];
      this.fill(cell, held);
      const [column, row] = at.split(",").map(Number);
      const own = marks(this.number, column, row);
      for (const mark of MARKS) cell.classList.toggle(mark, own.has(mark));
      const unsure = own.has("unsure");
      const names = [...this.seen(held).map((it) => it.text), unsure && "not known"].filter(Boolean).join(", ") || "empty";
      const said = [own.has("picked") && "chosen", own.has("can") && "can be chosen", own.has("last") && "last move"].filter(Boolean);
      cell.ariaLabel = [`${cell.dataset.place}: ${names}`, ...said].join(", ");
      if (this.act) cell.title = `${cell.dataset.place}: ${names}`;
      cell.dataset.ghost = ghost && own.has("ghost") ? ghost : "";
    }
    this.draw((position.edges ?? []).filter((it) => it[0] === this.number), open.filter((it) => it.edge[0] === this.number));
  }

  /** What is drawn of the contents of a place. */
  seen(held) {
    const drawn = held.map((it) => ({ text: it, ...(this.pieces.get(it) ?? unlisted(it)) })).filter((it) => it.kind !== "blank");
    // What says more about a thing is a small mark on it.
    const hasMain = drawn.some((it) => !it.secondary);
    // A colour without a thing of its own is that of the thing.
    const tint = hasMain && drawn.find((it) => it.secondary && it.colour && !["fill", "bar", "icon"].includes(it.kind));
    const main = drawn.find((it) => !it.secondary);
    if (tint && main.colour === null) return [{ ...main, kind: main.kind === "text" ? "stone" : main.kind, colour: tint.colour }];
    return drawn.map((it) => ({ ...it, corner: it.secondary && hasMain && !["fill", "bar"].includes(it.kind) }));
  }

  fill(cell, held) {
    const text = held.join("\n");
    if (cell.dataset.held === text) return;
    cell.dataset.held = text;
    const seen = this.seen(held);
    const among = seen.filter((it) => !it.corner && !["fill", "bar"].includes(it.kind)).length;
    if (this.shape.shape === "stacks") return cell.replaceChildren(pieceElement({ kind: "text", label: cell.dataset.place }));
    seen.sort((one, other) => (other.kind === "fill") - (one.kind === "fill"));
    cell.replaceChildren(...seen.map((it) => pieceElement(it, it.corner || it.kind === "fill" || it.kind === "bar" ? 1 : among)));
    return undefined;
  }

  /** Puts the things of stacks where they are. */
  pile(contents) {
    const on = new Map([...contents].map(([at, held]) => [Number(at.split(",")[0]), held[0]]));
    const found = stack(this.shape, on, this.arranged.height);
    for (const [at, cell] of this.cells) {
      const place = found.get(Number(at.split(",")[0]));
      cell.hidden = !place;
      if (place) put(cell, place);
      cell.classList.toggle("base", this.shape.bases.includes(Number(at.split(",")[0])));
    }
  }

  /** Draws what is between places: lines from one point to another, in places. */
  draw(made, open) {
    const point = ([x, y]) => {
      const { columns, rows } = this.shape;
      const down = this.turned.swap ? columns.length : rows.length;
      const [across, along] = this.turned.swap ? [y, x] : [x, y];
      return [across + 0.5, (this.turned.flip ? down - 1 - along : along) + 0.5];
    };
    const ends = (it) => [...point(it.slice(1, 3)), ...point(it.slice(3, 5))];
    const lines = made.map((it) => {
      const known = this.pieces.get(it[5]);
      return lineElement(ends(it), `edge${known?.colour ? ` colour-${known.colour}` : ""}`);
    });
    const choices = open.map((it) => {
      const line = lineElement(ends(it.edge), "edge can");
      line.addEventListener("click", () => this.act.edge(it));
      line.setAttribute("data-move", it.move);
      return line;
    });
    const points = this.shape.points.map(([x, y]) => {
      const [cx, cy] = point([x, y]);
      const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
      for (const [name, value] of Object.entries({ cx, cy, r: 0.09, class: "point" })) dot.setAttribute(name, value);
      return dot;
    });
    this.over.replaceChildren(...choices, ...lines, ...points);
  }

  /** The arrows go from place to place: to the nearest in their direction. */
  move(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const from = event.target.closest(".cell");
    if (!step || !from) return;
    event.preventDefault();
    event.stopPropagation();
    const middle = (it) => [it.offsetLeft + it.offsetWidth / 2, it.offsetTop + it.offsetHeight / 2];
    const [x, y] = middle(from);
    let best = null;
    for (const cell of this.cells.values()) {
      const [dx, dy] = [middle(cell)[0] - x, middle(cell)[1] - y];
      const along = dx * step[0] + dy * step[1];
      const aside = Math.abs(dx * step[1]) + Math.abs(dy * step[0]);
      if (along < 2 || aside > along) continue;
      if (!best || along + 2 * aside < best.far) best = { cell, far: along + 2 * aside };
    }
    if (!best) return;
    from.tabIndex = -1;
    best.cell.tabIndex = 0;
    best.cell.focus();
  }

  /** What the labels stand for, where that is not plain. */
  legend() {
    const told = [...this.pieces].filter(([text, it]) => !["blank", "pips"].includes(it.kind) && it.label !== text);
    return told.map(([text, it]) => [pieceElement(it), text]);
  }
}

function put(element, { x, y, wide, high }) {
  element.style.setProperty("--x", x);
  element.style.setProperty("--y", y);
  if (wide) element.style.setProperty("--wide", wide);
  if (high) element.style.setProperty("--high", high);
}

function svg(width, height, children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  element.setAttribute("viewBox", `0 0 ${width} ${height}`);
  element.setAttribute("aria-hidden", "true");
  element.append(...children);
  return element;
}

function lineElement([x1, y1, x2, y2], name) {
  const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
  for (const [attribute, value] of Object.entries({ x1, y1, x2, y2, class: name })) line.setAttribute(attribute, value);
  return line;
}

/** How the boards of a game lie: as somebody has turned them before, or as the game says. */
export function lie(game) {
  const known = JSON.parse(localStorage.getItem(`turned ${game.title}`) ?? "null");
  const below = { below: true, above: false }[game.look?.first_row] ?? game.first_row_below;
  return known ?? { flip: below, swap: false };
}

export function keepLie(game, turned) {
  localStorage.setItem(`turned ${game.title}`, JSON.stringify(turned));
}
