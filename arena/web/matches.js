// All matches, as they come.

import { follow, post } from "./api.js";
import { h, renew, settled, trouble } from "./dom.js";

export const STATUS = {
  preparing: "players prepare",
  running: "running",
  completed: "over",
  aborted: "given up",
  failed: "failed",
};

export async function matches(place, signal) {
  const list = h("ul", { className: "cards", id: "matches" });
  place.append(h("h1", {}, "Matches"), list);
  await follow(() => "/api/matches", signal, async (news, error) => {
    await settled();
    if (signal.aborted) return;
    if (error) {
      list.replaceChildren(h("li", {}, trouble(error)));
    } else if (news.matches.length === 0) {
      list.replaceChildren(h("li", { className: "quiet" }, "There is no match yet. ", h("a", { href: "#/" }, "Choose a game"), " to begin one."));
    } else {
      renew(list, news.matches, (it) => it.id, card);
    }
  });
}

function card(match) {
  const seats = match.seats.map((seat, role) => {
    if (seat.kind === "chance") return "";
    const goal = match.goals?.[role];
    const value = goal === null || goal === undefined ? "" : ` ${goal}`;
    return h("span", { className: "seat" }, seat.kind === "recorded" ? seat.name : `${seat.role}: ${seat.name}`, value && h("b", {}, value));
  });
  const turns = `${match.turns} ${match.turns === 1 ? "turn" : "turns"}`;
  const isOver = ["completed", "aborted", "failed"].includes(match.status);
  const abort = (event) => {
    event.target.disabled = true;
    post(`/api/matches/${match.id}/abort`).catch((error) => event.target.replaceWith(trouble(error)));
  };
  return h("li", {},
    h("a", { className: "card", href: `#/match/${match.id}` },
      h("span", { className: "card-title" }, match.title.replaceAll("_", " ")),
      h("span", { className: `badge ${match.status}` }, STATUS[match.status]),
      h("span", { className: "quiet" }, turns),
      h("span", { className: "seats" }, seats)),
    !isOver && match.seats.every((it) => it.kind !== "recorded") &&
      h("button", { type: "button", className: "give-up", "aria-label": `Give up ${match.title}`, onclick: abort }, "Give up"));
}
