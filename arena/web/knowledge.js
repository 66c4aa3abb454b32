// What is known of a game.

import { get } from "./api.js";
import { h } from "./dom.js";

/** The page of a game that is open. */
export async function knowledge(place, signal, id) {
  const { title, known } = await get(`/api/games/${id}/knowledge`, signal);
  place.append(h("p", {}, h("a", { href: `#/game/${id}` }, "← The game")), h("h1", {}, `What is known of ${title.replaceAll("_", " ")}`));
  if (!known) {
    place.append(h("p", { className: "quiet" }, "Nothing: its rules were not ground in time."));
    return;
  }
  const { findings, structures } = known;
  const names = { proved: "Proved", refuted: "Refuted", unknown: "Not decided" };
  for (const [verdict, name] of Object.entries(names)) {
    const own = findings.filter((it) => it.verdict === verdict);
    if (own.length === 0) continue;
    place.append(h("h2", {}, name), h("ul", { className: `known ${verdict}` }, own.map(finding)));
  }
  const made = [
    ...structures.boards.map((it) => ["board", `${it.shape}, ${it.cells.length} places: ${it.fluents.map((one) => one.pattern).join(", ")}`]),
    ...structures.stacks.map((it) => ["stack", it.pattern]),
    ...structures.counters.map((it) => ["counter", `${it.pattern}: ${it.values[0]} to ${it.values.at(-1)}`]),
    ...structures.quantities.map((it) => ["quantity", `${it.pattern}: ${it.values[0]} to ${it.values.at(-1)}`]),
    ...structures.relations.map((it) => [it.kind, it.pattern]),
  ];
  if (made.length > 0) {
    place.append(h("h2", {}, "Made of"), h("ul", { className: "known" }, made.map(([kind, text]) => h("li", {}, `${kind} `, h("code", {}, text)))));
  }
  place.append(h("p", { className: "quiet" }, `${known.matches} random matches were looked at before.`));
}

function finding(it) {
  const moves = it.moves instanceof Array ? it.moves.map((joint) => joint.join(" ")) : [];
  const why = it.verdict !== "refuted" ? "" : moves.length === 0 ? ": not in the initial state" : `: after ${moves.join(", ")}`;
  return h("li", {}, it.sentence, why);
}
