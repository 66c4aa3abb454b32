// What a check finds in rules.

import { h } from "./dom.js";

const FRAGMENT = {
  propositional: "propositional GDL",
  bounded: "bounded GDL",
  unbounded: "GDL, but terms may grow without bound",
  not_gdl: "not GDL",
  rtgdl: "rtGDL, for games in real time, which this page does not play",
  msl: "MSL, for markets, which this page does not play",
  unknown: "not decided",
};

/** The findings as a list; each goes to its line. */
export function findingList(report, go) {
  if (!report) return h("p", { className: "quiet" }, "What a check finds is shown here.");
  const counts = report.counts;
  const sizes = counts.roles === undefined ? "" : `; ${counts.roles} roles, ${counts.base} fluents, ${counts.input} moves`;
  const summary = h("p", { className: "quiet" }, `This is ${FRAGMENT[report.fragment]}${sizes}.`);
  const undecided = report.undecided && h("p", { className: "quiet" }, `Not decided: ${report.undecided}`);
  if (report.diagnostics.length === 0) return h("div", {}, h("p", { className: "good" }, "Nothing was found."), summary, undecided);
  const shown = report.diagnostics.slice(0, 100);
  const items = shown.map((it) => {
    const place = it.labels[0];
    const where = place && h("button", { type: "button", className: "place", onclick: () => go(place.line) }, `line ${place.line}`);
    return h("li", { className: it.severity },
      h("span", { className: "kind" }, it.severity), " ", where, " ",
      h("span", { className: "message" }, it.message), " ", h("code", {}, it.code),
      it.help.map((help) => h("p", { className: "quiet" }, help)));
  });
  const more = report.diagnostics.length - shown.length;
  return h("div", {}, h("ul", { className: "findings" }, items), more > 0 && h("p", { className: "quiet" }, `and ${more} more`), summary, undecided);
}

/** The numbers of the lines, with marks where something was found. */
export function gutter(place, text, report) {
  const lines = text === "" ? 1 : text.split("\n").length;
  const worst = new Map();
  for (const it of report?.diagnostics ?? []) {
    const line = it.labels[0]?.line;
    const rank = { note: 1, warning: 2, error: 3 };
    if (line && (rank[worst.get(line)] ?? 0) < rank[it.severity]) worst.set(line, it.severity);
  }
  // Numbers of a long text are one piece: elements only where there is a mark.
  const parts = [];
  let plain = "";
  for (let line = 1; line <= lines; line++) {
    if (worst.has(line)) {
      parts.push(plain, h("span", { className: worst.get(line) }, `${line}`));
      plain = "\n";
    } else {
      plain += `${line}\n`;
    }
  }
  place.replaceChildren(...parts, plain);
}
