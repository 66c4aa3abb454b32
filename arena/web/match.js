// A match: its boards, its moves, and the way back and forth through it.

import { follow, get, post } from "./api.js";
import { Board, keepLie, lie } from "./board.js";
import { announce, h, settled, trouble } from "./dom.js";
import { STATUS } from "./matches.js";
import { Selection, menu, moveList } from "./moves.js";
import { factList, outcome, percepts, seatList, thoughts, turnList } from "./side.js";

export function showMatch(place, signal, id) {
  return new MatchPage(place, signal, id).run();
}

class MatchPage {
  constructor(place, signal, id) {
    this.signal = signal;
    this.path = `/api/matches/${id}`;
    this.match = null;
    this.moves = [];
    this.faults = [];
    /** States that do not change any more, by turn. */
    this.positions = new Map();
    /** The turn that is shown; `null` follows the match. */
    this.fixed = null;
    /** The role whose moves are listed, if somebody has chosen one. */
    this.role = null;
    this.boards = null;
    this.hint = null;
    this.parts = this.build(place);
    signal.addEventListener("abort", () => this.closeMenu());
    const keys = (event) => this.key(event);
    document.addEventListener("keydown", keys, { signal });
  }

  run() {
    return follow(() => `${this.path}?from=${this.moves.length}${this.eyes("&")}`, this.signal, (news, error) => this.hear(news, error));
  }

  /** Through whose eyes the match is seen: that of a person, where the state is hidden. */
  eyes(mark) {
    const role = this.viewer;
    return role === null ? "" : `${mark}role=${encodeURIComponent(role)}`;
  }

  get persons() {
    return this.match.seats.flatMap((seat, role) => (seat.kind === "person" ? [role] : []));
  }

  get viewer() {
    if (!this.match?.hidden) return null;
    const role = this.role !== null && this.persons.includes(this.role) ? this.role : this.persons[0];
    return this.match.seats[role].role;
  }

  get turn() {
    return this.fixed ?? this.match.turn;
  }

  get isOver() {
    return ["completed", "aborted", "failed"].includes(this.match.status);
  }

  build(place) {
    const button = (name, label, act, text) => h("button", { type: "button", className: "tool", id: name, "aria-label": label, title: label, onclick: act }, text);
    const parts = {
      title: h("h1", {}, "…"),
      status: h("p", { className: "status", id: "status" }, "The match is looked up…"),
      problem: h("div", {}),
      boards: h("div", { className: "boards" }),
      percepts: h("div", {}),
      slider: h("input", { type: "range", min: 0, max: 0, value: 0, id: "slider", "aria-label": "Turn", oninput: () => this.go(Number(parts.slider.value)) }),
      where: h("output", { className: "where", htmlFor: "slider" }),
      seats: h("ul", { className: "players" }),
      tabs: h("div", { className: "tabs", role: "group", "aria-label": "Whose moves" }),
      moves: h("div", { id: "moves" }),
      facts: h("div", { className: "facts" }),
      log: h("ol", { className: "log", start: 1 }),
      legend: h("details", { className: "legend", hidden: true }, h("summary", {}, "What the pieces are"), h("ul", {})),
      actions: h("div", { className: "row actions" }),
    };
    parts.first = button("first", "To the beginning", () => this.go(0), "«");
    parts.back = button("back", "One turn back", () => this.go(this.turn - 1), "‹");
    parts.forth = button("forth", "One turn forth", () => this.go(this.turn + 1), "›");
    parts.last = button("last", "To the end", () => this.go(null), "»");
    parts.flip = button("flip", "Turn the board upside down", () => this.turnBoard("flip"), "Upside down");
    parts.swap = button("swap", "Let rows and columns change places", () => this.turnBoard("swap"), "Rows as columns");
    parts.logBox = h("details", { className: "log-box" }, h("summary", {}, "All turns"), parts.log);
    parts.factBox = h("section", { "aria-label": "Facts" }, h("h2", {}, "Facts"), parts.facts);
    place.append(
      h("div", { className: "match" },
        h("div", { className: "head" }, parts.title, parts.status, parts.problem),
        h("div", { className: "stage" }, parts.boards, parts.percepts,
          h("div", { className: "controls", role: "group", "aria-label": "Turns" }, parts.first, parts.back, parts.slider, parts.forth, parts.last, parts.where),
          h("div", { className: "row board-tools" }, parts.flip, parts.swap), parts.legend),
        h("div", { className: "side" },
          h("section", { "aria-label": "Players" }, h("h2", {}, "Players"), parts.seats),
          h("section", { "aria-label": "Moves" }, h("h2", {}, "Moves"), parts.tabs, parts.moves),
          parts.factBox, parts.logBox, parts.actions)));
    return parts;
  }

  async hear(news, error) {
    const { parts } = this;
    parts.problem.replaceChildren(...(error ? [trouble(error)] : []));
    if (error) return undefined;
    const unhidden = this.match?.hidden && !news.hidden;
    if (unhidden || news.from < this.moves.length || news.turn < (this.match?.turn ?? 0)) {
      // What was hidden is told now, or a record was written anew.
      this.moves = [];
      this.positions.clear();
      news = await get(`${this.path}?from=0`, this.signal);
    }
    this.match = news;
    this.moves.push(...news.moves);
    this.faults.length = news.from;
    this.faults.push(...news.faults);
    if (this.fixed !== null && this.fixed >= news.turn) this.fixed = null;
    await settled();
    await this.show();
    return this.isOver && news.seats.every((it) => it.kind !== "recorded") ? "end" : undefined;
  }

  async position(turn) {
    if (turn < 0 || !this.match.ready) return null;
    const known = this.positions.get(turn);
    if (known) return known;
    const position = await get(`${this.path}/positions/${turn}${this.eyes("?")}`, this.signal);
    if ((position.made || this.isOver) && !position.hidden) this.positions.set(turn, position);
    return position;
  }

  /** Shows a turn; `null` follows the match. */
  go(turn) {
    if (!this.match?.ready) return;
    this.fixed = turn === null || turn >= this.match.turn ? null : Math.max(0, turn);
    this.show();
  }

  async show() {
    this.closeMenu();
    const turn = this.turn;
    const number = (this.showing = (this.showing ?? 0) + 1);
    let position, before;
    try {
      [position, before] = await Promise.all([this.position(turn), this.position(turn - 1)]);
    } catch (error) {
      if (!this.signal.aborted) this.parts.problem.replaceChildren(trouble(error));
      return;
    }
    // Another turn may have been asked for meanwhile.
    if (number !== this.showing || this.signal.aborted) return;
    this.shown = { turn, position, before };
    this.draw();
  }

  draw() {
    const { match, parts } = this;
    const { turn, position, before } = this.shown;
    const title = match.title.replaceAll("_", " ");
    parts.title.textContent = title;
    document.title = `${title} · Groundfrog`;
    parts.slider.max = match.turn;
    parts.slider.value = turn;
    parts.where.textContent = `${turn} / ${match.turn}`;
    parts.first.disabled = parts.back.disabled = turn === 0;
    parts.forth.disabled = parts.last.disabled = turn === match.turn;
    const text = this.statusText(position);
    parts.status.textContent = text;
    if (turn === match.turn) announce(text);
    if (position) {
      if (!this.boards) this.makeBoards();
      this.drawMoves(position);
    }
    this.drawSide(position, before);
    this.drawBoards();
  }

  statusText(position) {
    const { match } = this;
    if (match.status === "failed") return `The match failed: ${match.trouble}`;
    if (!position) return match.status === "preparing" ? "Players prepare…" : STATUS[match.status];
    if (this.turn < match.turn) return `After ${this.turn} of ${match.turn} turns`;
    if (match.status === "completed") return `The match is over.${outcome(match, position)}`;
    if (match.status === "aborted") return match.trouble ? `The match was given up: ${match.trouble}.` : "The match was given up.";
    const asked = this.persons.filter((role) => !match.chosen[role]).map((role) => match.seats[role].role);
    if (asked.length > 0) return `Turn ${match.turn + 1}: choose a move for ${asked.join(" and ")}.`;
    return `Turn ${match.turn + 1}: the players think.`;
  }

  /** The role whose moves are listed: the chosen one, a person who is asked, or whoever has most to choose from. */
  activeRole(position) {
    const { match } = this;
    const choices = (role) => position.legal[role]?.length ?? 0;
    const isAsked = (role) => this.turn === match.turn && !this.isOver && match.seats[role].kind === "person" && !match.chosen[role];
    const roles = [...match.seats.keys()].sort((one, other) => choices(other) - choices(one));
    const asked = roles.find(isAsked);
    if (this.role !== null && (asked === undefined || isAsked(this.role))) return this.role;
    return asked ?? roles[0] ?? 0;
  }

  drawMoves(position) {
    const { match, parts } = this;
    const role = this.activeRole(position);
    const moves = position.legal[role] ?? [];
    const canMake = this.turn === match.turn && !this.isOver && match.seats[role].kind === "person" && !match.chosen[role] && !position.terminal;
    this.active = role;
    // What nobody has changed stays as it is, with the places that are chosen and the focus.
    const state = JSON.stringify([this.turn, role, canMake, moves, position.legal.map((it) => it.length), position.seats?.[role], position.made?.[role], match.status, match.chosen]);
    if (this.listed === state && !(canMake && !this.selection)) return;
    this.listed = state;
    this.selection = canMake ? new Selection(moves) : null;
    const tabs = match.seats.map((seat, number) => h("button", { type: "button", className: "tab", "aria-pressed": number === role ? "true" : "false", onclick: () => this.choose(number) },
      `${seat.role} (${position.legal[number]?.length ?? 0})`));
    parts.tabs.replaceChildren(...(match.seats.length > 1 ? tabs : []));
    const decision = position.seats?.[role]?.decision;
    const made = position.made?.[role];
    if (moves.length === 0) {
      const why = position.terminal ? "There are no more moves." : made ? `The move was ${made}.` : "Which moves were legal is not told.";
      parts.moves.replaceChildren(h("p", { className: "quiet" }, why));
      return;
    }
    const waits = !canMake && this.turn === match.turn && match.seats[role].kind === "person" && !this.isOver;
    parts.moves.replaceChildren(
      waits ? h("p", { className: "quiet" }, "The choice is made; the others are waited for.") : "",
      moveList({ moves, made, decision, canMake, make: (it) => this.make(it), hint: (it) => { this.hint = it; this.drawBoards(); } }),
      decision && (decision.value !== null || decision.playouts > 0) ? h("p", { className: "quiet" }, thoughts(decision)) : "");
  }

  choose(role) {
    this.role = role;
    if (this.match.hidden) {
      this.moves = [];
      this.positions.clear();
    }
    this.show();
  }

  async make(move) {
    this.closeMenu();
    const role = this.match.seats[this.active].role;
    this.selection = null;
    try {
      await post(`${this.path}/moves`, { role, turn: this.match.turn, move }, this.signal);
      this.role = null;
    } catch (error) {
      if (!this.signal.aborted) this.parts.problem.replaceChildren(trouble(error));
      this.show();
    }
  }

  /** A click on a place. */
  click(at, cell) {
    this.closeMenu();
    if (!this.selection) return;
    const moves = this.selection.click(at);
    if (moves.length === 1) this.make(moves[0].move);
    else if (moves.length > 1) this.menu = menu(moves, cell, (it) => this.make(it), () => { this.closeMenu(); this.selection?.clear(); cell.focus(); this.drawBoards(); });
    this.drawBoards();
  }

  closeMenu() {
    this.menu?.remove();
    this.menu = null;
  }

  makeBoards() {
    const { match, parts } = this;
    if (match.game) this.turned ??= lie(match.game);
    this.boards = (match.game?.boards ?? []).map((_, number) => new Board(match.game, number, this.turned, (at, cell) => this.click(at, cell)));
    parts.boards.replaceChildren(...this.boards.map((it) => it.element));
    parts.flip.hidden = parts.swap.hidden = this.boards.length === 0;
    // Without a board the facts are what there is to look at.
    if (this.boards.length === 0) parts.boards.replaceChildren(parts.factBox);
    const legend = this.boards.flatMap((it) => it.legend());
    parts.legend.hidden = legend.length === 0 || legend.length > 60;
    parts.legend.querySelector("ul").replaceChildren(...legend.map((it) => h("li", {}, it)));
  }

  turnBoard(how) {
    if (!this.boards) return;
    this.turned = { ...this.turned, [how]: !this.turned[how] };
    keepLie(this.match.game, this.turned);
    this.makeBoards();
    this.drawBoards();
  }

  drawBoards() {
    if (!this.boards || !this.shown?.position) return;
    const { position } = this.shown;
    const last = new Set((position.changed ?? []).map((it) => it.join()));
    const made = (position.last_clicks ?? []).flatMap((it) => it ?? []).filter((it) => it.column !== null && it.row !== null);
    made.forEach((it) => last.add([it.board, it.column, it.row].join()));
    const hinted = this.hint?.clicks ?? [];
    const marks = (board, column, row) => {
      const at = { board, column, row };
      const own = new Set();
      if (last.has([board, column, row].join())) own.add("last");
      if (this.selection?.leads(at)) own.add(this.selection.picked.length > 0 ? "to" : "can").add("can");
      if (this.selection?.isPicked(at)) own.add("picked");
      if (hinted.some((it) => it.board === board && (it.column ?? column) === column && (it.row ?? row) === row)) own.add("hint");
      return own;
    };
    this.boards.forEach((it) => it.update(position, marks));
  }

  drawSide(position, before) {
    const { match, parts } = this;
    parts.seats.replaceChildren(...seatList(match, this.turn, position, before));
    const isImperfect = match.game?.imperfect && this.turn > 0 && position;
    parts.percepts.replaceChildren(...(isImperfect ? [percepts(match.seats[this.active].role, position.percepts?.[this.active] ?? [])] : []));
    if (position) parts.facts.replaceChildren(factList(position));
    parts.factBox.hidden = !position || (!position.hidden && position.facts.length === 0);
    this.drawLog();
    this.drawActions();
  }

  drawLog() {
    const { parts, match } = this;
    parts.logBox.hidden = this.moves.length === 0;
    const state = `${this.moves.length} ${match.hidden}`;
    if (parts.log.dataset.state !== state) {
      parts.log.dataset.state = state;
      parts.log.replaceChildren(...turnList(this.moves, this.faults, (turn) => this.go(turn)));
    }
    [...parts.log.children].forEach((it, turn) => { it.firstChild.ariaCurrent = turn + 1 === this.turn ? "step" : null; });
  }

  drawActions() {
    const { match, parts } = this;
    const state = `${match.status} ${match.record}`;
    if (parts.actions.dataset.state === state) return;
    parts.actions.dataset.state = state;
    const isRecord = match.seats.every((it) => it.kind === "recorded");
    const abort = () => post(`${this.path}/abort`).catch((error) => parts.problem.replaceChildren(trouble(error)));
    parts.actions.replaceChildren(...[
      !this.isOver && !isRecord && h("button", { type: "button", id: "abort", onclick: abort }, "Give the match up"),
      match.record && h("a", { className: "button", id: "record", href: `${this.path}/record`, download: "" }, "Take the record"),
      match.game && h("a", { className: "button", id: "again", href: `#/game/${match.game.id}?like=${match.id}` }, "New match"),
    ].filter(Boolean));
  }

  /** Arrows go through the match, Escape takes clicks back. */
  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select") && event.target !== this.parts.slider) return;
    if (event.key === "Escape") {
      this.closeMenu();
      this.selection?.clear();
      this.drawBoards();
      return;
    }
    if (!this.match?.ready || event.target === this.parts.slider) return;
    const to = { ArrowLeft: this.turn - 1, ArrowRight: this.turn + 1, Home: 0, End: null }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(to);
  }
}
