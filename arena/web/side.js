// What stands beside the boards of a match.

import { count, h, seconds } from "./dom.js";
import { roleColours } from "./colours.js";

/** No more facts are listed. */
const MOST_FACTS = 400;

/** The players: what they made in the last turn, what they expect, and what they have in the end. */
export function seatList(match, turn, position, before, said) {
  const roles = match.seats.map((it) => it.role);
  const colours = roleColours({ boards: match.game?.boards ?? [], roles, look: match.game?.look });
  const best = Math.max(0, ...(position?.goals ?? []).map((it) => it[0] ?? 0));
  return match.seats.map((seat, role) => {
    const goal = position?.terminal && seat.kind !== "chance" ? position.goals?.[role]?.join(" or ") : null;
    const made = position?.last?.[role];
    const did = before?.seats?.[role];
    const fault = turn === 0 ? match.start_faults[role] : did?.fault;
    const decision = did?.decision;
    const told = [
      made && h("code", { title: made }, said(role) ?? made),
      decision && decision.value !== null && `expects ${decision.value.toFixed(0)}${decision.proven ? " (proven)" : ""}`,
      did && did.seconds > 0 && seat.kind !== "chance" && seconds(did.seconds),
    ].filter(Boolean);
    return h("li", {},
      h("span", { className: `dot colour-${colours[role]}`, "aria-hidden": "true" }),
      h("span", { className: "who" }, h("b", {}, seat.role), " ", seat.name !== seat.role && h("span", { className: "quiet" }, seat.name)),
      goal && h("span", { className: `goal${match.seats.filter((it) => it.kind !== "chance").length > 1 && Number(goal) === best && best > 50 ? " won" : ""}` }, goal),
      told.length > 0 && h("span", { className: "told quiet" }, told.flatMap((it, number) => (number > 0 ? [" · ", it] : [it]))),
      fault && h("span", { className: "fault" }, turn === 0 ? fault : `${fault}: a random move was made`));
  });
}

/** Who has won, in words; nothing where that is not known. */
export function outcome(match, position) {
  const goals = position.goals.map((it) => (it.length === 1 ? it[0] : null));
  const players = [...match.seats.keys()].filter((role) => match.seats[role].kind !== "chance" && goals[role] !== null && goals[role] !== undefined);
  if (players.length === 0) return "";
  const name = (role) => {
    const { role: own, name: player } = match.seats[role];
    return own === player || player === "" || match.seats[role].kind === "person" ? own : `${own} (${player})`;
  };
  const values = players.map((role) => goals[role]);
  if (players.length === 1) return ` ${name(players[0])} has ${values[0]} of 100.`;
  const best = Math.max(...values);
  const winners = players.filter((role) => goals[role] === best);
  if (winners.length === players.length) return ` Nobody wins: ${values.length > 2 ? "all" : "both"} have ${best}.`;
  const rest = players.filter((role) => goals[role] !== best).map((role) => goals[role]);
  const names = winners.map(name);
  const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return ` ${list} ${names.length === 1 ? "wins" : "win"}, ${best} to ${rest.join(" and ")}.`;
}

/** What a role has made and perceived, a line a turn, the latest first. */
export function percepts(role, turns) {
  const line = ({ move, seen }, turn) => h("li", { value: turn + 1 }, move && [h("code", {}, move), " · "], "sees ",
    seen.length > 0 ? seen.map((it) => [h("code", {}, it), " "]) : "nothing");
  return h("section", { className: "percepts", "aria-label": `What ${role} has perceived` }, h("h2", {}, `What ${role} has perceived`),
    h("ol", {}, turns.map(line).reverse()));
}

/** What is on no board. */
export function factList(position) {
  return h("div", {}, position.hidden && h("p", { className: "quiet" }, sureness(position.known)), position.facts && listed(position));
}

/** How much is known of a state that is hidden. */
function sureness(known) {
  const until = "The state is hidden until the match is over. ";
  if (!known) return `${until}Persons play with what they perceive.`;
  if (known.trouble !== undefined) return `${until}What follows from the percepts was not found out: ${known.trouble}.`;
  if (known.sampled) return `${until}There are too many possible states to look at all: what is shown holds in ${count(known.states)} that were drawn at random, and may not be certain.`;
  if (known.states === 1) return `${until}By the percepts only one state is possible: this one.`;
  return `${until}By the percepts ${count(known.states)} states are possible: what is shown holds in all of them.`;
}

function listed(position) {
  const fresh = new Set(position.new_facts);
  const more = position.facts.length - MOST_FACTS;
  return h("ul", {},
    position.facts.slice(0, MOST_FACTS).map((it) => h("li", { className: fresh.has(it) ? "fresh" : "" }, it.replace(/^\((.*)\)$/, "$1"))),
    more > 0 && h("li", { className: "quiet" }, `and ${more} more`));
}

/** The joint moves, each of which leads to its turn. */
export function turnList(moves, faults, go) {
  return moves.map((made, turn) => h("li", {},
    h("button", { type: "button", onclick: () => go(turn + 1) },
      made.map((it, role) => [role > 0 ? " · " : "", it ?? "hidden", faults[turn]?.[role] ? " (at random)" : ""]))));
}

/** What a search says of itself. */
export function thoughts(decision) {
  const told = [decision.method];
  if (decision.value !== null) told.push(`expects ${decision.value.toFixed(1)}${decision.proven ? ", proven" : ""}`);
  if (decision.playouts > 0) told.push(`${count(decision.playouts)} playouts`);
  if (decision.nodes > 0) told.push(`${count(decision.nodes)} states`);
  return told.join(" · ");
}
