// Who plays a game, and with what clocks.

import { get, post } from "./api.js";
import { h, trouble } from "./dom.js";

const TOLD = {
  random: "any legal move",
  greedy: "looks one step ahead",
  mcts: "plain Monte Carlo",
  uct: "searches by UCT",
  auto: "solves puzzles, searches all else",
};

/** `like` is a match whose players and clocks are proposed. */
export async function setup(place, signal, id, like) {
  const before = like && get(`/api/matches/${like}`, signal).catch(() => null);
  const [game, offer, last] = await Promise.all([get(`/api/games/${id}/outline`, signal), get("/api/games", signal), before]);
  const problem = h("div", {});
  const strategies = offer.strategies.toReversed();
  const proposed = (role, number) => last?.seats.find((it) => it.role === role) ?? { kind: number === 0 ? "person" : "built_in", name: strategies[0] };
  const rows = game.players.map((role, number) => seat(role, proposed(role, number), strategies));
  const clocks = last?.clocks ?? { start: 2, play: 1, person: null };
  const start = clock("start", "Time to prepare", "start_clock", clocks.start, 0, 600);
  const play = clock("play", "Time for a move", "play_clock", clocks.play, 0.05, 600);
  const limited = h("input", { type: "checkbox", id: "limited", checked: clocks.person !== null, onchange: () => { person.input.disabled = !limited.checked; } });
  const person = clock("person", "A person's time for a move", "person_clock", clocks.person ?? 60, 1, 86400);
  person.input.disabled = !limited.checked;
  const begin = h("button", { type: "submit", className: "main", id: "begin" }, "Begin the match");
  const submit = async (event) => {
    event.preventDefault();
    begin.disabled = true;
    try {
      const request = {
        game: game.id,
        players: rows.map((it) => it.value()),
        start_clock: Number(start.input.value),
        play_clock: Number(play.input.value),
        person_clock: limited.checked ? Number(person.input.value) : null,
        seed: Math.floor(Math.random() * 1e9),
      };
      const match = await post("/api/matches", request, signal);
      location.hash = `#/match/${match.id}`;
    } catch (error) {
      begin.disabled = false;
      if (!signal.aborted) problem.replaceChildren(trouble(error));
    }
  };
  const told = h("div", { className: "quiet notes", "aria-live": "polite" });
  const tell = (it) => told.replaceChildren(...notes(it).map((note) => h("p", {}, note)));
  tell(game);
  place.append(
    h("p", {}, h("a", { href: "#/" }, "← Another game")),
    h("h1", {}, game.title.replaceAll("_", " ")),
    told,
    h("form", { className: "setup", onsubmit: submit },
      h("fieldset", {}, h("legend", {}, "Players"), rows.map((it) => it.row),
        game.roles.length > game.players.length && h("p", { className: "quiet" }, "Chance plays the role random.")),
      h("fieldset", {}, h("legend", {}, "Clocks, in seconds"), start.row, play.row, person.row,
        h("label", { className: "check", htmlFor: "limited" }, limited, "Persons have a clock, too")),
      problem,
      h("div", { className: "row" }, begin)));
  // What the boards are is found out while the players are chosen.
  get(`/api/games/${game.id}`, signal).then(tell, () => tell({ ...game, boards: [] }));
}

/** What is to be known of a game before it is played. */
function notes(game) {
  const told = [];
  const boards = game.boards?.map((it) => `${it.title} (${it.columns.length} × ${it.rows.length})`).join(", ");
  if (boards === undefined) told.push("The rules are looked at for boards…");
  else told.push(boards ? `Boards: ${boards}.` : "Nothing in the rules looks like a board: states are lists.");
  if (game.not_ground) told.push(`The rules are interpreted, which is slow: ${game.not_ground}`);
  if (game.imperfect) told.push("Players see only what the rules tell them. A person at this page sees the percepts of one role until the match is over.");
  return told;
}

/** Who plays a role; `proposed` has the `kind` and the `name` of a seat. */
function seat(role, proposed, strategies) {
  const id = `player-${role.replace(/\W/g, "_")}`;
  const url = h("input", { type: "text", placeholder: "http://127.0.0.1:9147", "aria-label": `Address of the player of ${role}`, hidden: true, spellcheck: false });
  const select = h("select", { id, onchange: () => { url.hidden = select.value !== "remote"; url.required = !url.hidden; } },
    h("option", { value: "person" }, "a person"),
    h("optgroup", { label: "Built in" }, strategies.map((it) => h("option", { value: it }, TOLD[it] ? `${it}: ${TOLD[it]}` : it))),
    h("option", { value: "remote" }, "a player over HTTP"));
  select.value = { built_in: proposed.name, remote: "remote" }[proposed.kind] ?? "person";
  if (proposed.kind === "remote") url.value = proposed.name;
  url.hidden = select.value !== "remote";
  url.required = !url.hidden;
  const value = () => {
    if (select.value === "person") return { kind: "person" };
    if (select.value === "remote") return { kind: "remote", url: url.value };
    return { kind: "built_in", strategy: select.value };
  };
  return { row: h("div", { className: "field" }, h("label", { htmlFor: id }, role), select, url), value };
}

function clock(id, label, name, value, min, max) {
  const input = h("input", { type: "number", id, name, value, min, max, step: "any", required: true, inputMode: "decimal" });
  return { input, row: h("div", { className: "field" }, h("label", { htmlFor: id }, label), input) };
}
