// Which page is shown: what stands after the `#` says so.

import { choose } from "./choose.js";
import { h, trouble } from "./dom.js";
import { knowledge } from "./knowledge.js";
import { showMatch } from "./match.js";
import { matches } from "./matches.js";
import { setup } from "./setup.js";

const PAGES = [
  [/^\/?(?:\?edit=([^/]+))?$/, choose],
  [/^\/matches$/, matches],
  [/^\/game\/([^/?]+)(?:\?like=([^/]+))?$/, setup],
  [/^\/known\/([^/?]+)$/, knowledge],
  [/^\/match\/([^/]+)$/, showMatch],
];

let leave = new AbortController();

async function show() {
  leave.abort();
  leave = new AbortController();
  const { signal } = leave;
  const path = decodeURIComponent(location.hash.slice(1)) || "/";
  const main = document.getElementById("main");
  if (path === "main") return;
  for (const link of document.querySelectorAll(".top nav a")) {
    const own = link.getAttribute("href").slice(1);
    link.ariaCurrent = own === path ? "page" : null;
  }
  for (const [pattern, page] of PAGES) {
    const found = path.match(pattern);
    if (!found) continue;
    const place = h("div", { className: "page" });
    main.replaceChildren(place);
    window.scrollTo(0, 0);
    try {
      await page(place, signal, ...found.slice(1));
    } catch (error) {
      if (!signal.aborted) place.replaceChildren(trouble(error), h("p", {}, h("a", { href: "#/" }, "Choose a game")));
    }
    return;
  }
  main.replaceChildren(h("p", {}, "There is no such page. ", h("a", { href: "#/" }, "Choose a game")));
}

addEventListener("hashchange", show);
show();
