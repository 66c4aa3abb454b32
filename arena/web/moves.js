// Choosing a move by clicks, and the list of all moves.

import { count, h } from "./dom.js";
import { pieceText } from "./pieces.js";

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
    this.goOn();
    const candidates = this.candidates;
    const done = candidates.filter((it) => it.clicks.length === this.picked.length);
    // Where some moves end here and others go on, the list asks.
    return done.length === candidates.length || done.length > 0 ? candidates : [];
  }

  /** Takes clicks that are the same in all moves that are left, but the last one. */
  goOn() {
    const step = this.picked.length;
    const next = this.candidates.map((it) => it.clicks[step]);
    const isSame = next.every((it) => it && it.column !== null && it.row !== null && fits(it, next[0]));
    if (!isSame || next.length === 0 || this.candidates.some((it) => it.clicks.length === step + 1)) return;
    this.picked.push(next[0]);
    this.goOn();
  }

  /** Whether a click at a place begins a move that goes on to another. */
  leadsFrom(at) {
    return this.moves.some((it) => it.clicks.length > 1 && fits(it.clicks[0], at));
  }

  clear() {
    this.picked = [];
  }
}

/** A move by its piece and its places, or as KIF where that is wanted or there are none. */
export function say({ move, words }, boards) {
  if (!words || localStorage.getItem("moves") === "kif") return move;
  const piece = words.piece && pieceText(words.piece, boards[words.board]?.pieces.get(words.piece));
  return [words.name, piece, words.places.join(" to "), words.rest].filter(Boolean).join(" ");
}

/** What is shown under the pointer where a click on nearly any place is a move: the piece that the role brings; `null` elsewhere. */
export function ghost(selection, boards, match, role) {
  if (selection.picked.length > 0 || selection.moves.length < 4 || selection.moves.some((it) => it.clicks.length > 1)) return null;
  const places = boards.reduce((sum, it) => sum + it.cells.size, 0);
  if (selection.moves.filter((it) => it.clicks.length === 1).length * 3 < places) return null;
  const own = boards.flatMap((it) => it.shape.contents.filter((one) => one.owner === role).map((one) => it.pieces.get(one.text)));
  const drawn = own.length === 1 ? own[0] : null;
  return { cross: "✕", ring: "○" }[drawn?.icon] ?? "●";
}

/** The list of a role's moves, with what a search knows of them. */
export function moveList({ moves, made, decision, canMake, say: said, make, hint }) {
  const known = new Map((decision?.candidates ?? []).map((it) => [it.action, it]));
  const most = Math.max(1, ...[...known.values()].map((it) => it.visits));
  const sorted = [...moves].sort((one, other) => (known.get(other.move)?.visits ?? -1) - (known.get(one.move)?.visits ?? -1));
  const body = h("ul", { className: "moves" });
  const find = h("input", { type: "search", className: "find-move", placeholder: `Find one of ${moves.length} moves`, "aria-label": "Find a move", oninput: () => fill() });
  const row = (it) => {
    const thought = known.get(it.move);
    const parts = [
      h("span", { className: "move-text", title: it.move }, said(it)),
      thought && h("span", { className: "value" }, thought.value === null ? "" : thought.value.toFixed(0)),
      thought && h("span", { className: "visits" }, count(thought.visits)),
    ];
    const options = {
      className: `move${it.move === made ? " made" : ""}`, "data-move": it.move,
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
    const found = sorted.filter((it) => `${it.move} ${said(it)}`.toLowerCase().includes(wanted));
    body.replaceChildren(...found.slice(0, MOST).map(row),
      ...(found.length > MOST ? [h("li", { className: "quiet" }, `and ${found.length - MOST} more`)] : []));
  };
  fill();
  const isKif = localStorage.getItem("moves") === "kif";
  const turn = moves.some((it) => it.words) && h("button", { type: "button", className: "link kif", onclick: () => {
    localStorage.setItem("moves", localStorage.getItem("moves") === "kif" ? "words" : "kif");
    turn.textContent = localStorage.getItem("moves") === "kif" ? "as places" : "as KIF";
    fill();
  } }, isKif ? "as places" : "as KIF");
  const head = known.size > 0 && h("p", { className: "moves-head quiet", "aria-hidden": "true" }, h("span", {}, "move"), h("span", {}, "value"), h("span", {}, "visits"));
  return h("div", {}, moves.length > 24 && find, head, body, turn);
}

/** Several moves to choose from, at a place. */
export function menu(moves, said, place, make, close) {
  // Short choices, such as numbers, are a pad; what all say is not said again.
  const texts = moves.map((it) => it.words?.rest || said(it));
  const isPad = moves.length > 3 && texts.every((it) => it.length <= 2) && new Set(texts).size === texts.length;
  const box = h("div", { className: isPad ? "menu pad" : "menu", role: "menu", "aria-label": "Which move?", onkeydown: (event) => {
    if (event.key === "Escape") { event.stopPropagation(); close(); }
    const items = [...box.querySelectorAll("button")];
    const step = { ArrowDown: isPad ? 3 : 1, ArrowUp: isPad ? -3 : -1, ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const at = items.indexOf(document.activeElement);
    items[(at + step + items.length) % items.length].focus();
  } }, moves.slice(0, MOST).map((it, at) => h("button", { type: "button", role: "menuitem", title: it.move, onclick: () => make(it.move) }, isPad ? texts[at] : said(it))),
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
