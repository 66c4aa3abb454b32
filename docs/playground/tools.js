// Grounding and analysing rules in the page.

import init, { analyse, check, corpus_text, games, ground } from "./groundfrog_playground.js";

const element = (id) => document.getElementById(id);
/** Seconds that a call may take; the page waits. */
const PATIENCE = 20;
/** No longer texts are shown. */
const MOST = 400_000;

await init();
element("game").replaceChildren(new Option("", ""), ...JSON.parse(games()).map((it) => new Option(it.name, it.name)));
element("game").addEventListener("change", () => {
  element("rules").value = corpus_text(element("game").value) ?? "";
});

/** Does something with the rules and tells how long it took. */
function act(name, work) {
  element(name).addEventListener("click", () => {
    element("status").textContent = "Working…";
    // The words above are drawn first.
    setTimeout(() => {
      const began = performance.now();
      let text, fault = "";
      try {
        text = work(element("rules").value);
      } catch (error) {
        [text, fault] = [String(error), "It did not work: "];
      }
      const more = text.length > MOST ? ` The first ${MOST} of ${text.length} characters are shown.` : "";
      element("out").textContent = text.slice(0, MOST);
      element("status").textContent = `${fault}${Math.round(performance.now() - began)} ms.${more}`;
    }, 20);
  });
}

const place = (it) => (it.labels.length > 0 ? `line ${it.labels[0].line}, column ${it.labels[0].column}: ` : "");

act("check", (rules) => {
  const report = JSON.parse(check(rules, PATIENCE));
  const found = report.diagnostics.map((it) => `${it.severity} ${it.code}: ${place(it)}${it.message}`);
  return [`fragment: ${report.fragment}`, ...(found.length > 0 ? found : ["nothing was found"])].join("\n");
});
act("ground", (rules) => ground(rules, element("format").value, element("flat").checked, PATIENCE));
act("analyse", (rules) => JSON.parse(analyse(rules, PATIENCE / 4)).findings.map((it) => {
  const { property, verdict, moves, state, ...of } = it;
  const about = Object.keys(of).length > 0 ? ` ${JSON.stringify(of)}` : "";
  return `${verdict.padEnd(8)} ${property}${about}${moves ? ` after ${moves.length} joint moves` : ""}`;
}).join("\n"));
