// A match: its boards, its moves, and the way back and forth through it.

import { follow, get, post } from "./api.js";
import { Board, keepLie, lie } from "./board.js";
import { announce, h, settled, trouble } from "./dom.js";
import { Drag } from "./drag.js";
import { matchParts } from "./match_parts.js";
import { STATUS } from "./matches.js";
import { Selection, ghost, menu, moveList, say } from "./moves.js";
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
    this.words = [];
    this.faults = [];
    this.percepts = [];
    /** States that do not change any more, by turn. */
    this.positions = new Map();
    /** The turn that is shown; `null` follows the match. */
    this.fixed = null;
    /** The role whose moves are listed, if somebody has chosen one. */
    this.role = null;
    this.boards = null;
    this.hint = null;
    this.parts = matchParts(place, { go: (step) => this.go(step === null ? null : step === 0 ? 0 : this.turn + step), slide: (turn) => this.go(turn), turn: (how) => this.turnBoard(how), undo: () => this.undo(), hint: () => this.askHint() });
    this.drag = new Drag(this.parts.boards, signal, (at) => this.selection?.leadsFrom(at), (at, cell) => this.click(at, cell));
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

  /** The roles that somebody plays: chance is no player. */
  get players() {
    return [...this.match.seats.keys()].filter((role) => this.match.seats[role].kind !== "chance");
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

  async hear(news, error) {
    const { parts } = this;
    parts.problem.replaceChildren(...(error ? [trouble(error)] : []));
    if (error) return undefined;
    if (news.goes_on_as) {
      location.replace(`#/match/${news.goes_on_as}`);
      return "end";
    }
    const before = this.match;
    this.match = news;
    const isStale = before?.hidden && !news.hidden || news.from !== this.moves.length || news.turn < (before?.turn ?? 0) || news.hidden && news.viewer !== this.viewer;
    if (isStale) {
      // What was hidden is told now, another looks on, or a record was written anew.
      this.positions.clear();
      this.moves = [];
      news = this.match = await get(`${this.path}?from=0${this.eyes("&")}`, this.signal);
    }
    for (const kind of ["moves", "words", "faults", "percepts"]) {
      this[kind].length = news.from;
      this[kind].push(...(news[kind] ?? []));
    }
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
    parts.status.classList.toggle("over", Boolean(position?.terminal) && turn === match.turn);
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
    const roles = this.players.sort((one, other) => choices(other) - choices(one));
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
    const tabs = this.players.map((number) => h("button", { type: "button", className: "tab", "aria-pressed": number === role ? "true" : "false", onclick: () => this.choose(number) },
      `${match.seats[number].role} (${position.legal[number]?.length ?? 0})`));
    parts.tabs.replaceChildren(...(tabs.length > 1 ? tabs : []));
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
      moveList({ moves, made, decision, canMake, say: this.say, make: (it) => this.make(it), hint: (it) => { this.hint = it; this.drawBoards(); } }),
      decision && (decision.value !== null || decision.playouts > 0) ? h("p", { className: "quiet" }, thoughts(decision)) : "");
  }

  async choose(role) {
    const before = this.viewer;
    this.role = role;
    if (this.viewer === before) return this.show();
    // Others have seen other things.
    try {
      this.moves = [];
      await this.hear(await get(`${this.path}?from=0${this.eyes("&")}`, this.signal));
    } catch (error) {
      if (!this.signal.aborted) this.parts.problem.replaceChildren(trouble(error));
    }
    return undefined;
  }

  async make(move) {
    this.closeMenu();
    const role = this.match.seats[this.active].role;
    this.selection = this.hint = null;
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
    else if (moves.length > 1) this.menu = menu(moves, this.say, cell, (it) => this.make(it), () => { this.closeMenu(); this.selection?.clear(); cell.focus(); this.drawBoards(); });
    this.drawBoards();
  }

  closeMenu() {
    this.menu?.remove();
    this.menu = null;
  }

  makeBoards() {
    const { match, parts } = this;
    if (match.game) this.turned ??= lie(match.game);
    parts.rules.hidden = !match.game;
    parts.rules.querySelector("a.edit").href = `#/?edit=${match.game?.id}`;
    parts.rules.querySelector("a.known").href = `#/known/${match.game?.id}`;
    parts.rules.ontoggle = () => parts.rules.open && this.showRules();
    const act = { click: (at, cell) => this.drag.justEnded || this.click(at, cell), edge: (it) => this.make(it.move) };
    this.boards = (match.game?.boards ?? []).map((_, number) => new Board(match.game, number, this.turned, act));
    this.say = (it) => say(it, this.boards);
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
    const { match } = this;
    const last = new Set((position.changed ?? []).map((it) => it.join()));
    const unsure = new Set((position.known?.unsure ?? []).map((it) => it.join()));
    const made = (position.last_clicks ?? []).flatMap((it) => it ?? []).filter((it) => it.column !== null && it.row !== null);
    made.forEach((it) => last.add([it.board, it.column, it.row].join()));
    const hinted = this.hint?.clicks ?? [];
    const selection = this.selection;
    const ghosted = selection && ghost(selection, this.boards, match, this.active);
    const marks = (board, column, row) => {
      const at = { board, column, row };
      const own = new Set();
      if (last.has([board, column, row].join())) own.add("last");
      if (unsure.has([board, column, row].join())) own.add("unsure");
      if (selection?.leads(at)) {
        own.add("can");
        if (selection.picked.length > 0) own.add("to");
        if (ghosted) own.add("ghost");
      }
      if (selection?.isPicked(at)) own.add("picked");
      if (hinted.some((it) => it.board === board && (it.column ?? column) === column && (it.row ?? row) === row)) own.add("hint");
      return own;
    };
    const open = selection ? selection.moves.filter((it) => it.edge) : [];
    this.boards.forEach((it) => it.update(position, marks, open, ghosted));
  }

  drawSide(position, before) {
    const { match, parts } = this;
    parts.seats.replaceChildren(...seatList(match, this.turn, position, before, (role) => this.saidLast(role)));
    const isImperfect = match.game?.imperfect && this.turn > 0 && position;
    parts.percepts.replaceChildren(...(isImperfect ? [this.perceived()] : []));
    if (position) parts.facts.replaceChildren(factList(position));
    parts.factBox.hidden = !position || (!position.hidden && position.facts.length === 0);
    parts.factTitle.textContent = position?.hidden ? "What is known" : "Facts";
    this.drawLog();
    this.drawActions();
  }

  /** All that the role has made and perceived up to the turn that is shown. */
  perceived() {
    const role = this.active;
    const turns = this.percepts.slice(0, this.turn).map((it, turn) => ({ move: this.moves[turn]?.[role], seen: it?.[role] ?? [] }));
    return percepts(this.match.seats[role].role, turns);
  }

  drawLog() {
    const { parts, match } = this;
    parts.logBox.hidden = this.moves.length === 0;
    const state = `${this.moves.length} ${match.hidden}`;
    if (parts.log.dataset.state !== state) {
      parts.log.dataset.state = state;
      parts.log.replaceChildren(...turnList(this.moves.map((made, turn) => made.map((it, role) => this.saidMove(turn, role) ?? it)), this.faults, (turn) => this.go(turn)));
    }
    [...parts.log.children].forEach((it, turn) => { it.firstChild.ariaCurrent = turn + 1 === this.turn ? "step" : null; });
  }

  /** A move that was made, in words. */
  saidMove(turn, role) {
    const move = this.moves[turn]?.[role];
    return move && this.say ? this.say({ move, words: this.words[turn]?.[role] }) : move;
  }

  saidLast(role) {
    return this.saidMove(this.turn - 1, role);
  }

  async showRules() {
    const { parts, match } = this;
    if (parts.rulesText.textContent !== "") return;
    const { text } = await get(`/api/games/${match.game.id}/rules`, this.signal).catch((error) => ({ text: error.message }));
    parts.rulesText.textContent = text;
  }

  /** Goes back to where a person chose last: in a match of its own. */
  async undo() {
    try {
      const { id } = await post(`${this.path}/undo`, {}, this.signal);
      location.hash = `#/match/${id}`;
    } catch (error) {
      if (!this.signal.aborted) this.parts.problem.replaceChildren(trouble(error));
    }
  }

  /** Asks a search for a move, and shows it. */
  async askHint() {
    const { parts } = this;
    const role = this.match.seats[this.active].role;
    const turn = this.match.turn;
    parts.hint.disabled = true;
    parts.told.textContent = "A search looks for a move…";
    try {
      const told = await post(`${this.path}/hint`, { role, turn }, this.signal);
      if (this.match.turn !== turn) return;
      const move = this.shown.position.legal[this.active]?.find((it) => it.move === told.move);
      this.hint = move ?? null;
      parts.told.replaceChildren("Perhaps ", h("b", {}, this.say(move ?? told)), told.value === null ? "." : `: it expects ${told.value.toFixed(0)} of 100.`);
      this.drawBoards();
    } catch (error) {
      if (!this.signal.aborted) parts.told.replaceChildren(trouble(error));
    } finally {
      parts.hint.disabled = false;
    }
  }

  drawActions() {
    const { match, parts } = this;
    const asked = this.turn === match.turn && this.selection;
    parts.hint.hidden = !asked;
    parts.undo.hidden = this.persons.length === 0 || match.turn === 0 || match.game?.imperfect || match.seats.some((it) => it.kind === "remote");
    if (parts.told.dataset.turn !== `${match.turn}`) {
      parts.told.dataset.turn = `${match.turn}`;
      parts.told.textContent = "";
    }
    const state = `${match.status} ${match.record}`;
    if (parts.actions.dataset.state === state) return;
    parts.actions.dataset.state = state;
    const isRecord = match.seats.some((it) => it.kind === "recorded");
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
