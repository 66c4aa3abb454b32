// Choosing a game: one that is offered, a file, or a text.

import { get, post } from "./api.js";
import { findingList, gutter } from "./findings.js";
import { announce, h, trouble } from "./dom.js";
import { thumbnail } from "./thumbs.js";

/** What was written here last, also after another page was shown. */
const draft = { text: "", title: "" };

/** `edit` is a game that is open, whose rules are to be changed. */
export async function choose(place, signal, edit) {
  const offer = await get("/api/games", signal);
  const given = offer.games.filter((it) => it.given);
  const own = offer.games.filter((it) => !it.given);
  const problem = h("div", {});
  const open = async (request, button) => {
    problem.replaceChildren(h("p", { className: "working", role: "status" }, "The rules are being read and ground…"));
    if (button) button.disabled = true;
    try {
      const game = await post("/api/games", request, signal);
      location.hash = `#/game/${game.id}`;
    } catch (error) {
      if (signal.aborted) return null;
      problem.replaceChildren(trouble(error));
      // The rules of a file are shown where those of one's own are, with what is wrong beside them.
      if (error.check && error.text !== undefined) {
        const count = error.check.diagnostics.length;
        problem.append(h("p", {}, h("button", { type: "button", className: "link", id: "to-findings", onclick: () => rules.show(error.text, request.name ?? "", error.check) },
          `Show the rules with ${count} ${count === 1 ? "finding" : "findings"}`)));
      }
      return error;
    } finally {
      if (button) button.disabled = false;
    }
    return null;
  };
  const list = (games) => h("ul", { className: "cards games" }, games.map((game) => h("li", { "data-name": game.name.toLowerCase(), "data-title": game.name },
    h("button", { className: "card", type: "button", onclick: () => open({ name: game.name }) },
      h("span", { className: "card-text" }, h("span", { className: "card-title" }, game.name.replaceAll("_", " ")),
        game.summary && h("span", { className: "quiet" }, game.summary)),
      h("span", { className: "thumb", "aria-hidden": "true" })))));
  const groups = [given.length > 0 && [h("h2", {}, "Given"), list(given)],
    given.length > 0 && h("h2", {}, "From the corpus"), list(own)];
  const find = h("input", { type: "search", placeholder: "Find a game", "aria-label": "Find a game", oninput: () => {
    const wanted = find.value.trim().toLowerCase().replaceAll(" ", "_");
    for (const item of place.querySelectorAll(".games li")) {
      item.hidden = !item.dataset.name.replaceAll(" ", "_").includes(wanted);
    }
  } });
  const rules = paste(offer, open, signal);
  place.append(
    h("h1", {}, "Choose a game"),
    h("p", { className: "narrow-only" }, h("button", { type: "button", className: "link", onclick: () => document.getElementById("rules").focus() }, "or paste rules of your own")),
    problem,
    h("div", { className: "choose" },
      h("section", { "aria-label": "Games" }, h("div", { className: "find" }, find), groups),
      rules.section));
  for (const item of place.querySelectorAll(".games li")) thumbnail(item.querySelector(".thumb"), item.dataset.title, signal);
  if (edit) {
    const { text, title } = await get(`/api/games/${edit}/rules`, signal);
    rules.show(text, title, null);
  }
}

/** Rules of one's own, with what a check finds in them; `show` shows others, with their findings. */
function paste(offer, open, signal) {
  const numbers = h("div", { className: "gutter", "aria-hidden": "true" });
  const text = h("textarea", { id: "rules", rows: 16, spellcheck: false, autocapitalize: "off", value: draft.text, "aria-describedby": "findings",
    placeholder: "Paste rules in GDL, or drop a file here" });
  const findings = h("div", { id: "findings", "aria-live": "polite" });
  const button = h("button", { type: "button", className: "main", id: "open-rules" }, "Open these rules");
  const go = (line) => {
    const lines = text.value.split("\n");
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    text.focus();
    text.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
    text.scrollTop = Math.max(0, (line - 4) * lineHeight(text));
  };
  const tell = (report) => {
    findings.replaceChildren(findingList(report, go));
    gutter(numbers, text.value, report);
  };
  let waiting = 0;
  let asked = 0;
  const check = async () => {
    const number = ++asked;
    draft.text = text.value;
    if (text.value.trim() === "") return tell(null);
    if (new Blob([text.value]).size > offer.most_text) {
      return findings.replaceChildren(h("p", { className: "trouble" }, `These are more than the ${offer.most_text >> 20} MiB that a description may have.`));
    }
    try {
      const report = await post("/api/check", { text: text.value }, signal);
      if (number === asked) tell(report);
    } catch (error) {
      if (!signal.aborted) findings.replaceChildren(trouble(error));
    }
    return undefined;
  };
  const changed = () => {
    gutter(numbers, text.value, null);
    clearTimeout(waiting);
    waiting = setTimeout(check, 350);
  };
  text.addEventListener("input", changed);
  text.addEventListener("scroll", () => { numbers.scrollTop = text.scrollTop; });
  const load = async (file) => {
    if (!file) return;
    if (file.size > offer.most_text) {
      findings.replaceChildren(h("p", { className: "trouble" }, `${file.name} is larger than the ${offer.most_text >> 20} MiB that a description may have.`));
      return;
    }
    text.value = await file.text();
    draft.title = file.name.replace(/\.(kif|gdl|txt)$/i, "");
    announce(`${file.name} was read`);
    changed();
  };
  const file = h("input", { type: "file", id: "file", accept: ".kif,.gdl,.txt,text/plain", onchange: () => load(file.files[0]) });
  button.addEventListener("click", async () => {
    if (text.value.trim() === "") return text.focus();
    const error = await open({ text: text.value, title: draft.title }, button);
    if (error?.check) tell(error.check);
    return undefined;
  });
  const section = h("section", { className: "paste", "aria-label": "Rules of your own" },
    h("h2", {}, "Rules of your own"),
    h("div", { className: "editor" }, numbers, text),
    h("div", { className: "row" }, button, h("label", { className: "file", htmlFor: "file" }, "Open a file", file)),
    findings);
  section.addEventListener("dragover", (event) => { event.preventDefault(); section.classList.add("drop"); });
  section.addEventListener("dragleave", () => section.classList.remove("drop"));
  section.addEventListener("drop", (event) => {
    event.preventDefault();
    section.classList.remove("drop");
    load(event.dataTransfer.files[0]);
  });
  text.setAttribute("aria-label", "Rules in GDL");
  changed();
  const show = (rules, title, report) => {
    text.value = draft.text = rules;
    draft.title = title;
    asked++;
    clearTimeout(waiting);
    if (report) tell(report);
    else changed();
    section.scrollIntoView();
    const line = report?.diagnostics.find((it) => it.labels.length > 0)?.labels[0].line;
    if (line) go(line);
  };
  return { section, show };
}

function lineHeight(text) {
  return parseFloat(getComputedStyle(text).lineHeight) || 20;
}
