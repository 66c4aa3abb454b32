// The elements of the page of a match.

import { h } from "./dom.js";

/** Builds them; `act` has what its buttons do. */
export function matchParts(place, act) {
  const button = (name, label, does, text) => h("button", { type: "button", className: "tool", id: name, "aria-label": label, title: label, onclick: does }, text);
  const parts = {
    title: h("h1", {}, "…"),
    status: h("p", { className: "status", id: "status" }, "The match is looked up…"),
    problem: h("div", {}),
    boards: h("div", { className: "boards" }),
    percepts: h("div", {}),
    slider: h("input", { type: "range", min: 0, max: 0, value: 0, id: "slider", "aria-label": "Turn", oninput: () => act.slide(Number(parts.slider.value)) }),
    where: h("output", { className: "where", htmlFor: "slider" }),
    first: button("first", "To the beginning", () => act.go(0), "«"),
    back: button("back", "One turn back", () => act.go(-1), "‹"),
    forth: button("forth", "One turn forth", () => act.go(1), "›"),
    last: button("last", "To the end", () => act.go(null), "»"),
    flip: button("flip", "Turn the board upside down", () => act.turn("flip"), "Upside down"),
    swap: button("swap", "Let rows and columns change places", () => act.turn("swap"), "Rows as columns"),
    undo: button("undo", "Take your last move back", act.undo, "Undo"),
    hint: button("hint", "Ask a search for a move", act.hint, "Hint"),
    told: h("p", { className: "told-hint quiet", id: "told", role: "status" }),
    seats: h("ul", { className: "players" }),
    tabs: h("div", { className: "tabs", role: "group", "aria-label": "Whose moves" }),
    moves: h("div", { id: "moves" }),
    facts: h("div", { className: "facts" }),
    log: h("ol", { className: "log", start: 1 }),
    legend: h("details", { className: "legend", hidden: true }, h("summary", {}, "What the pieces are"), h("ul", {})),
    rulesText: h("pre", { className: "rules", tabIndex: 0 }),
    actions: h("div", { className: "row actions" }),
  };
  parts.logBox = h("details", { className: "log-box" }, h("summary", {}, "All turns"), parts.log);
  parts.factTitle = h("h2", {}, "Facts");
  parts.factBox = h("section", { "aria-label": "Facts" }, parts.factTitle, parts.facts);
  parts.rules = h("details", { className: "rules-box", id: "rules-box", hidden: true }, h("summary", {}, "Rules of the game"),
    h("p", {}, h("a", { className: "edit", href: "#/" }, "Edit these rules"), " · ", h("a", { className: "known", href: "#/" }, "What is known of the game")), parts.rulesText);
  place.append(
    h("div", { className: "match" },
      h("div", { className: "head" }, parts.title, parts.status, parts.problem),
      h("div", { className: "stage" }, parts.boards, parts.percepts,
        h("div", { className: "controls", role: "group", "aria-label": "Turns" }, parts.first, parts.back, parts.slider, parts.forth, parts.last, parts.where),
        h("div", { className: "row board-tools" }, parts.undo, parts.hint, parts.flip, parts.swap), parts.told, parts.legend),
      h("div", { className: "side" },
        h("section", { "aria-label": "Players" }, h("h2", {}, "Players"), parts.seats),
        h("section", { "aria-label": "Moves" }, h("h2", {}, "Moves"), parts.tabs, parts.moves),
        parts.factBox, parts.logBox, parts.rules, parts.actions)));
  return parts;
}
