// The answers of the program, from a library in the page: it takes the place of the file that asks a server.

import init, { Game, check, corpus_text, games } from "./groundfrog_playground.js";

export class Refusal extends Error {
  constructor(message, status, check, text) {
    super(message);
    this.status = status;
    this.check = check;
    this.text = text;
  }
}

/** Seconds to check and to open a game. */
const PATIENCE = 10;
const ready = init();
const opened = new Map();
const matches = new Map();
/** Those who wait for something new. */
let waiting = [];

function changed(match = null) {
  if (match) match.version += 1;
  const told = waiting;
  waiting = [];
  told.forEach((it) => it());
}

const missing = (what) => new Refusal(`There is no such ${what}: choose a game again.`, 404);

function open({ name, text, title }) {
  const rules = name === undefined ? text : corpus_text(name);
  if (rules === undefined) throw missing("game");
  const called = name ?? (title?.trim() || "pasted rules");
  try {
    const game = new Game(rules, called, PATIENCE);
    const id = `g${opened.size + 1}`;
    opened.set(id, { game, text: rules, view: { id, ...JSON.parse(game.view()) } });
    return opened.get(id).view;
  } catch (error) {
    throw new Refusal(String(error), 422, JSON.parse(check(rules, PATIENCE)), rules);
  }
}

function begin(request) {
  const found = opened.get(request.game);
  if (!found) throw missing("game");
  const { game, view } = found;
  const asked = [...request.players];
  const seats = view.roles.map((role) => {
    if (role.toLowerCase() === "random") return { role, name: "random", kind: "chance" };
    const player = asked.shift();
    if (player.kind === "remote") throw new Refusal("There is no network here: take a person or a built-in player.", 422);
    return { role, kind: player.kind, name: player.kind === "person" ? "person" : player.strategy };
  });
  const state = game.initial();
  const match = {
    id: `m${matches.size + 1}`, version: 1, title: view.title, game, view, seats, seconds: request.play_clock, seed: request.seed ?? 1,
    clocks: { start: request.start_clock, play: request.play_clock, person: null }, status: "running", states: [state],
    looks: [JSON.parse(game.look(state))], turns: [], choices: seats.map(() => null), started: Date.now() / 1000,
  };
  matches.set(match.id, match);
  goOn(match);
  return { id: match.id };
}

/** Lets built-in players choose, and makes the joint move once all have. */
function goOn(match) {
  const look = match.looks.at(-1);
  if (look.terminal) match.status = "completed";
  changed(match);
  if (match.status !== "running") return;
  setTimeout(() => {
    const { seats, choices, game } = match;
    for (const [role, seat] of seats.entries()) {
      // Who has no choice while others have, and nothing to click, is not asked.
      const [only, ...more] = look.legal[role];
      const passes = more.length === 0 && only?.clicks.length === 0 && look.legal.some((it) => it.length > 1);
      const waits = seat.kind === "person" && !passes;
      if (choices[role] || waits || match.status !== "running") continue;
      const began = performance.now();
      const thinks = seat.kind === "built_in" && seat.name !== "random";
      const seed = match.seed + match.turns.length * 97 + role;
      const decision = thinks ? JSON.parse(game.choose(match.states.at(-1), role, match.seconds * 0.8, seed)) : null;
      const legal = look.legal[role].map((it) => it.move);
      choices[role] = { move: decision?.action ?? legal[Math.floor(Math.random() * legal.length)], decision, seconds: (performance.now() - began) / 1000 };
    }
    make(match);
  }, 30);
}

function make(match) {
  if (match.status !== "running" || match.choices.some((it) => it === null)) return changed(match);
  const moves = match.choices.map((it) => it.move);
  const after = JSON.parse(match.game.apply(match.states.at(-1), JSON.stringify(moves)));
  const seats = match.choices.map((it) => ({ seconds: it.seconds, fault: null, decision: it.decision }));
  match.turns.push({ moves, seats, percepts: after.percepts, clicks: after.clicks });
  const state = JSON.stringify(after.state);
  match.states.push(state);
  match.looks.push(JSON.parse(match.game.look(state)));
  match.choices = match.choices.map(() => null);
  return goOn(match);
}

function choose(match, { role, turn, move }) {
  const number = match.view.roles.indexOf(role);
  if (turn !== match.turns.length || match.status !== "running") throw new Refusal("This turn is over.", 409);
  if (!match.looks.at(-1).legal[number].some((it) => it.move === move)) throw new Refusal(`${move} is not legal.`, 422);
  match.choices[number] = { move, decision: null, seconds: 0 };
  make(match);
  return {};
}

const goals = (match) => (match.status === "completed" ? match.looks.at(-1).goals.map((it) => (it.length === 1 ? it[0] : null)) : null);

function summary(match, from) {
  const { id, version, title, started, clocks, seats, status } = match;
  const turns = match.turns.slice(from);
  return {
    id, version, title, started, clocks, seats, status, game: match.view, trouble: null, hidden: false, turn: match.turns.length, ready: true,
    chosen: match.choices.map((it) => it !== null), start_faults: seats.map(() => null), from: Math.min(from, match.turns.length),
    goes_on_as: null, words: turns.map((it, at) => it.moves.map((move, role) => match.looks[from + at].legal[role].find((one) => one.move === move)?.words ?? null)),
    moves: turns.map((it) => it.moves), faults: turns.map((it) => it.moves.map(() => null)), goals: goals(match), record: false,
  };
}

function position(match, turn) {
  const look = match.looks[turn];
  if (!look) throw missing("turn");
  const [before, made] = [match.turns[turn - 1], match.turns[turn]];
  const known = (cells) => new Set(cells.map((it) => JSON.stringify(it)));
  const [then, now] = [match.looks[turn - 1] ?? look, look].map((it) => known(it.cells));
  const differ = [...now].filter((it) => !then.has(it)).concat([...then].filter((it) => !now.has(it))).map((it) => JSON.parse(it).slice(0, 3));
  return {
    ...look, turn, hidden: false, percepts: before?.percepts ?? null, made: made?.moves ?? null, last: before?.moves ?? null,
    seats: made?.seats ?? null, last_clicks: before?.clicks ?? null, more_facts: 0, more_moves: look.legal.map(() => 0), changed: differ,
    new_facts: turn > 0 ? look.facts.filter((it) => !match.looks[turn - 1].facts.includes(it)) : [],
  };
}

const line = (match) => ({ id: match.id, title: match.title, started: match.started, seats: match.seats, status: match.status, turns: match.turns.length, goals: goals(match) });

async function answer(path, body) {
  await ready;
  const [address, query = ""] = path.split("?");
  const words = address.split("/").slice(2);
  const [kind, id, part, number] = words;
  const match = kind === "matches" && id !== undefined ? matches.get(id) : null;
  if (match === undefined) throw missing("match");
  if (body !== undefined) {
    if (kind === "check") return JSON.parse(check(body.text, PATIENCE));
    if (kind === "games") return open(body);
    if (kind === "matches" && !match) return begin(body);
    if (part === "moves") return choose(match, body);
    if (part === "abort") {
      match.status = "aborted";
      changed(match);
      return {};
    }
  } else if (kind === "games" && id === undefined) {
    const offered = JSON.parse(games()).map((it) => ({ ...it, given: false }));
    return { games: offered, strategies: ["random", "mcts"], most_text: 4 << 20, watching: false };
  } else if (kind === "games") {
    if (!opened.has(id)) throw missing("game");
    const { game, text, view } = opened.get(id);
    if (part === "knowledge") return JSON.parse(game.knowledge());
    if (part === "rules") return { text, title: view.title };
    return view;
  } else if (kind === "matches" && !match) {
    return { version: [...matches.values()].reduce((sum, it) => sum + it.version, 0), matches: [...matches.values()].reverse().map(line) };
  } else if (part === "positions") {
    return position(match, Number(number));
  } else if (part === undefined) {
    return summary(match, Number(new URLSearchParams(query).get("from") ?? 0));
  }
  throw new Refusal("That takes the program: `groundfrog serve`.", 404);
}

export const get = (path) => answer(path);

export const post = (path, body = {}) => answer(path, body);

/** Tells what has a version, and each new one, until the signal is given. */
export async function follow(path, signal, tell) {
  let version = null;
  while (!signal.aborted) {
    try {
      const news = await get(path());
      if (news.version !== version) {
        version = news.version;
        if ((await tell(news, null)) === "end") return;
        continue;
      }
    } catch (error) {
      await tell(null, error);
      return;
    }
    await new Promise((done) => {
      waiting.push(done);
      signal.addEventListener("abort", done, { once: true });
    });
  }
}
