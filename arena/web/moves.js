// Choosing a move by clicks, and the list of all moves.

import { count, h } from "./dom.js";

/** No more moves are listed at once. */
const MOST = 200;

/** Whether a click of a move is at a place. */
const fits = (click, at) => click.board === at.board
  && (click.column === null || click.column === at.column)
  && (click.row === null || click.row === at.row);

/** The clicks that somebody has made of a move, and the moves that they may become. */
export class Selection {
  constructor(moves) {
    this.moves = moves;
    this.picked = [];
  }

  /** The moves that begin with what is picked. */
  get candidates() {
    return this.moves.filter((it) => this.picked.every((at, step) => it.clicks[step] && fits(it.clicks[step], at)));
  }

  /** Whether a click at a place leads on. */
  leads(at) {
    return this.candidates.some((it) => it.clicks.length > this.picked.length && fits(it.clicks[this.picked.length], at));
  }

  isPicked(at) {
    return this.picked.some((it) => it.board === at.board && it.column === at.column && it.row === at.row);
  }

  /** Takes a click. Returns the moves to choose from once there is nothing more to click: one, or several. */
  click(at) {
    if (!this.leads(at)) {
      const again = this.isPicked(at);
      this.picked = [];
      if (again || !this.leads(at)) return [];
    }
    this.picked.push(at);
    const candidates = this.candidates;
    const done = candidates.filter((it) => it.clicks.length === this.picked.length);
    // Where some moves end here and others go on, the list asks.
    return done.length === candidates.length || done.length > 0 ? candidates : [];
  }

  clear() {
    this.picked = [];
  }
}

/** The list of a role's moves, with what a search knows of them. */
export function moveList({ moves, made, decision, canMake, make, hint }) {
  const known = new Map((decision?.candidates ?? []).map((it) => [it.action, it]));
  const most = Math.max(1, ...[...known.values()].map((it) => it.visits));
  const sorted = [...moves].sort((one, other) => (known.get(other.move)?.visits ?? -1) - (known.get(one.move)?.visits ?? -1));
  const body = h("ul", { className: "moves" });
  const find = h("input", { type: "search", className: "find-move", placeholder: `Find one of ${moves.length} moves`, "aria-label": "Find a move", oninput: () => fill() });
  const row = (it) => {
    const thought = known.get(it.move);
    const parts = [
      h("span", { className: "move-text" }, it.move),
      thought && h("span", { className: "value" }, thought.value === null ? "" : thought.value.toFixed(0)),
      thought && h("span", { className: "visits" }, count(thought.visits)),
    ];
    const options = {
      className: `move${it.move === made ? " made" : ""}`,
      onmouseenter: () => hint(it), onmouseleave: () => hint(null), onfocus: () => hint(it), onblur: () => hint(null),
    };
    const line = canMake
      ? h("button", { type: "button", ...options, onclick: () => make(it.move) }, parts)
      : h("div", { ...options, "aria-current": it.move === made ? "true" : null }, parts);
    if (thought) line.style.setProperty("--share", `${(100 * thought.visits) / most}%`);
    return h("li", {}, line);
  };
  const fill = () => {
    const wanted = find.value.trim().toLowerCase();
    const found = sorted.filter((it) => it.move.toLowerCase().includes(wanted));
    body.replaceChildren(...found.slice(0, MOST).map(row),
      ...(found.length > MOST ? [h("li", { className: "quiet" }, `and ${found.length - MOST} more`)] : []));
  };
  fill();
  const head = known.size > 0 && h("p", { className: "moves-head quiet", "aria-hidden": "true" }, h("span", {}, "move"), h("span", {}, "value"), h("span", {}, "visits"));
  return h("div", {}, moves.length > 24 && find, head, body);
}

/** Several moves to choose from, at a place. */
export function menu(moves, place, make, close) {
  const box = h("div", { className: "menu", role: "menu", "aria-label": "Which move?", onkeydown: (event) => {
    if (event.key === "Escape") { event.stopPropagation(); close(); }
    const items = [...box.querySelectorAll("button")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const at = items.indexOf(document.activeElement);
    items[(at + step + items.length) % items.length].focus();
  } }, moves.slice(0, MOST).map((it) => h("button", { type: "button", role: "menuitem", onclick: () => make(it.move) }, it.move)),
  h("button", { type: "button", role: "menuitem", className: "quiet", onclick: close }, "none of these"));
  document.body.append(box);
  const at = place.getBoundingClientRect();
  const left = Math.min(at.left, document.documentElement.clientWidth - box.offsetWidth - 8);
  const top = Math.min(at.bottom + 4, window.innerHeight - box.offsetHeight - 8);
  box.style.left = `${Math.max(8, left) + window.scrollX}px`;
  box.style.top = `${Math.max(8, top) + window.scrollY}px`;
  box.querySelector("button").focus();
  return box;
}
