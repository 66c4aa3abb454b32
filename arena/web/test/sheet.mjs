// Draws boards of many games on one sheet, each in a state of a random match.
//
//   node sheet.mjs PROGRAM OUT.png FOLDER GAME[:TURNS]... [--dark] [--width PIXELS]
//
// PROGRAM is groundfrog, FOLDER has games besides those of the corpus.

import { browse, serve } from "./browser.mjs";

const words = process.argv.slice(2);
const dark = words.includes("--dark");
const at = words.indexOf("--width");
const width = at < 0 ? 1500 : Number(words[at + 1]);
const plain = words.filter((it, number) => it !== "--dark" && it !== "--width" && (at < 0 || number !== at + 1));
const [program, out, folder, ...games] = plain;

const server = program.startsWith("http") ? { address: program, end() {} } : await serve(program, [folder]);
// The sheet has a style of its own, which the page would not allow.
const { page, faults, close } = await browse(server.address, { bypassCSP: true, viewport: { width, height: 900 }, colorScheme: dark ? "dark" : "light" });
await page.goto(`${server.address}/`);
await page.evaluate(async (wanted) => {
  const { get, post } = await import("/api.js");
  const { Board } = await import("/board.js");
  const { h } = await import("/dom.js");
  const sheet = h("div", {});
  sheet.style.cssText = "display:grid;grid-template-columns:repeat(auto-fill,minmax(170px,1fr));gap:6px;padding:8px;background:var(--ground)";
  const style = h("style", {}, `.board,.boards:has(.board-box + .board-box) .board{--room:150px!important} .boards.many:has(.board-box + .board-box) .board{--room:72px!important} figcaption{display:none} .boards{gap:2px!important}
    .sheet-title{font:600 12px system-ui;text-align:center;margin:0 0 2px} .facts-line{font:10px monospace;max-height:36px;overflow:hidden;overflow-wrap:anywhere} .board{padding:1px;--size:min((var(--room) - var(--name)) / var(--across), (var(--room) - var(--foot)) / var(--down), 2.8rem)!important}`);
  document.body.replaceChildren(style, sheet);
  for (const it of wanted) {
    const [name, turns = "6"] = it.split(":");
    const box = h("section", {}, h("p", { className: "sheet-title" }, name));
    sheet.append(box);
    try {
      const { id: opened } = await post("/api/games", { name });
      const game = await get(`/api/games/${opened}`);
      const players = game.players.map(() => ({ kind: "built_in", strategy: "random" }));
      const { id } = await post("/api/matches", { game: game.id, players, start_clock: 0, play_clock: 0.05, seed: 3 });
      let match;
      do match = await get(`/api/matches/${id}`); while ((match.turn < Number(turns) || !match.ready) && ["preparing", "running"].includes(match.status));
      await post(`/api/matches/${id}/abort`);
      const position = await get(`/api/matches/${id}/positions/${Math.min(match.turn, Number(turns))}`);
      const boards = game.boards.map((_, number) => new Board(game, number, { flip: game.first_row_below, swap: false }));
      boards.forEach((one) => one.update(position));
      box.append(h("div", { className: boards.length > 1 ? "boards many" : "boards" }, boards.map((one) => one.element)));
      if (boards.length === 0) box.append(h("p", { className: "facts-line" }, position.facts.join(" ")));
    } catch (error) {
      box.append(h("p", {}, String(error.message)));
    }
  }
}, games);
await page.screenshot({ path: out, fullPage: true });
console.log(faults.join("\n"));
await close();
server.end();
