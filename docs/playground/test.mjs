// Checks, grounds, analyses and plays in the page without a server, in a headless browser: `node test.mjs FOLDER`.
// The folder is offered on loopback, as browsers load modules from no file.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const { browse } = await import(pathToFileURL(join(here, "../../arena/web/test/browser.mjs")));
const folder = process.argv[2] ?? join(here, "site");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm" };

const server = createServer(async (request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname)).replace(/\/$/, "/index.html");
  try {
    const file = await readFile(join(folder, path));
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/plain" }).end(file);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const address = `http://127.0.0.1:${server.address().port}`;

let [passed, failed] = [0, 0];
async function test(name, run) {
  const { page, faults, close } = await browse(address, { viewport: { width: 1200, height: 900 } });
  page.setDefaultTimeout(30_000);
  try {
    await run(page);
    assert.deepEqual(faults, []);
    passed += 1;
    console.log(`test ${name} ... ok`);
  } catch (error) {
    failed += 1;
    console.log(`test ${name} ... FAILED\n${error.stack}`);
  } finally {
    await close();
  }
}

const out = (page, text) => page.locator("#out", { hasText: text }).waitFor();

await test("rules are checked, ground and analysed", async (page) => {
  await page.goto(`${address}/tools.html`);
  await page.locator("#game").selectOption("tictactoe");
  await page.locator("#check").click();
  await out(page, "fragment: bounded");
  await page.locator("#ground").click();
  await out(page, "(init (square 1 1 empty))");
  await page.locator("#analyse").click();
  await out(page, /proved +turn-taking/);
  await page.locator("#rules").fill("(role robot");
  await page.locator("#check").click();
  await out(page, "error GF0005: line 1, column 1");
  await page.locator("#ground").click();
  await page.locator("#status", { hasText: "It did not work" }).waitFor();
});

await test("a match is played with clicks against a built-in player", async (page) => {
  await page.goto(`${address}/#/`);
  await page.getByRole("button", { name: /^tictactoe\b/i }).first().click();
  await page.locator("#begin").waitFor();
  await page.locator("#play").fill("0.1");
  await page.locator("#begin").click();
  const status = page.locator("#status");
  for (let turn = 0; turn < 5; turn++) {
    await page.locator("#status", { hasText: /choose a move for cross|is over/ }).waitFor();
    if ((await status.textContent()).includes("is over")) break;
    const before = await page.locator(".where").textContent();
    await page.locator(".cell.can").first().click();
    await page.waitForFunction((text) => document.querySelector(".where").textContent !== text, before);
  }
  await page.locator("#status", { hasText: "The match is over." }).waitFor();
  if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
});

await test("rules of one's own are refused with findings, or played by built-in players", async (page) => {
  await page.goto(`${address}/#/`);
  await page.locator("#rules").fill("(role a) (<= (legal a ?x) (true (p ?y)))");
  await page.locator("#findings", { hasText: "is not bound" }).waitFor();
  await page.locator("#rules").fill(`(role a) (init (n 0)) (legal a go) (succ 0 1) (succ 1 2)
    (<= (next (n ?m)) (true (n ?n)) (succ ?n ?m)) (<= terminal (true (n 2))) (goal a 70)`);
  await page.locator("#open-rules").click();
  await page.locator("#player-a").selectOption("mcts");
  await page.locator("#begin").click();
  await page.locator("#status", { hasText: "has 70 of 100" }).waitFor();
});

server.close();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
