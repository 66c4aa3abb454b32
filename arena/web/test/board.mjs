// Plays whole matches on the page with clicks and with keys, wide and narrow, light and dark.
//
//   node board.mjs PROGRAM [--shots FOLDER]
//
// PROGRAM is groundfrog; CHROMIUM may name the browser. With --shots each test leaves a picture.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browse, serve } from "./browser.mjs";

const [program = "target/debug/groundfrog", option, folder] = process.argv.slice(2);
const shots = option === "--shots" ? folder : null;
if (shots) mkdirSync(shots, { recursive: true });

const WIDE = { viewport: { width: 1400, height: 900 }, colorScheme: "light" };
const NARROW = { viewport: { width: 320, height: 640 }, colorScheme: "dark", hasTouch: true };

const status = (page, text) => page.locator("#status", { hasText: text }).waitFor();
const cell = (page, place) => page.locator(`.cell[data-place="${place}"]`);

/** Chooses a game and who plays it, and begins. `players` are by role: `person`, or a strategy. */
async function begin(page, address, game, players, clocks = {}) {
  await page.goto(`${address}/#/`);
  await page.getByRole("button", { name: new RegExp(`^${game}\\b`, "i") }).first().click();
  await page.locator("#begin").waitFor();
  for (const [role, player] of Object.entries(players)) await page.locator(`#player-${role}`).selectOption(player);
  await page.locator("#start").fill(String(clocks.start ?? 0.2));
  await page.locator("#play").fill(String(clocks.play ?? 0.1));
  await page.locator("#begin").click();
  await page.locator("#status", { hasNotText: "looked up" }).waitFor();
}

/** Nothing is wider than the screen. */
async function fits(page, where) {
  const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(content <= screen, `${where}: ${content} pixels on a screen of ${screen}`);
}

/** One player climbs past the other: whose things are below changes. */
const CLIMB = `(role ann) (role bob) (init (at 1 1 a)) (init (at 2 2 b)) (init (mover ann))
(succ 1 2) (succ 2 3) (succ 3 4)
(<= (base (at 1 ?y a)) (row ?y)) (<= (base (at 2 ?y b)) (row ?y)) (row 1) (row 2) (row 3) (row 4)
(<= (legal ann (go 1 ?n)) (true (mover ann)) (true (at 1 ?m a)) (succ ?m ?n))
(<= (legal ann (leap 1 4)) (true (mover ann)))
(<= (legal ann noop) (true (mover bob))) (<= (legal bob noop) (true (mover ann)))
(<= (legal bob (stay 2 ?y)) (true (mover bob)) (true (at 2 ?y b)))
(<= (next (at 1 ?n a)) (does ann (go 1 ?n))) (<= (next (at 1 4 a)) (does ann (leap 1 4)))
(<= (next (at 1 ?m a)) (true (at 1 ?m a)) (does ann noop))
(<= (next (at 2 ?y b)) (true (at 2 ?y b)))
(<= (next (mover bob)) (true (mover ann))) (<= (next (mover ann)) (true (mover bob)))
(<= terminal (true (at 1 4 a))) (<= (goal ann 100) (true (at 1 4 a))) (<= (goal ann 0) (not (true (at 1 4 a)))) (goal bob 0)`;

/** Long names of columns, rows and contents, and several things at one place. */
const LONG_NAMES = `(role ann) (column first_of_all) (column second_of_all) (column third_of_all)
(next_column first_of_all second_of_all) (next_column second_of_all third_of_all)
(next_row the_lowest_row the_highest_row) (row the_lowest_row) (row the_highest_row)
(thing elephants) (thing ostriches) (thing 123456) (thing hippopotamus)
(<= (init (at ?c ?r ?t)) (column ?c) (row ?r) (thing ?t))
(legal ann go) (legal ann stop) (<= (next (at ?c ?r ?t)) (true (at ?c ?r ?t)) (does ann go))
(<= (next over) (does ann stop)) (<= terminal (true over)) (goal ann 100)`;

/** The disc beside a player has the colour of the player's pieces. */
async function coloursAgree(page) {
  const colours = (name) => page.evaluate((it) => [...new Set([...document.querySelectorAll(it)].map((one) => [...one.classList].find((of) => of.startsWith("colour-"))))].sort(), name);
  assert.deepEqual(await colours(".players .dot"), await colours(".cell .piece"));
}

/** Huts on a line of places, which a hint file draws. */
const HUTS = `; Two huts that can be left.
(role ann) (role bob) (next_to 1 2) (next_to 2 3) (side 1) (side 2) (side 3)
(init (at 1 1 hut)) (init (at 3 3 hut)) (<= (base (at ?x ?y hut)) (side ?x) (side ?y))
(legal ann stay) (legal ann leave) (legal bob stay) (<= (input ann stay)) (<= (input ann leave)) (<= (input bob stay))
(<= (next (at ?x ?y hut)) (true (at ?x ?y hut)) (does ann stay))
(<= terminal (not standing)) (<= standing (true (at ?x ?y hut))) (goal ann 50) (goal bob 50)`;

/** Chance hides a coin on a board of four places; who opens a place is told whether it is there. */
const COIN = `(role random) (role ann) (side 1) (side 2) (init hiding)
(<= (init (cell ?x ?y closed)) (side ?x) (side ?y))
(<= (legal random (hide ?x ?y)) (true hiding) (side ?x) (side ?y)) (<= (legal random wait) (not (true hiding)))
(<= (legal ann wait) (true hiding)) (<= (legal ann (open ?x ?y)) (not (true hiding)) (side ?x) (side ?y))
(<= (next (cell ?x ?y coin)) (does random (hide ?x ?y)))
(<= (next (cell ?x ?y empty)) (side ?x) (side ?y) (does random (hide ?u ?v)) (or (distinct ?x ?u) (distinct ?y ?v)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (true hiding)))
(<= (next done) (does ann (open 2 2))) (<= (sees ann (found ?c)) (does ann (open ?x ?y)) (true (cell ?x ?y ?c)))
(<= terminal (true done)) (<= (goal ann 100) (true (cell 2 2 coin))) (<= (goal ann 0) (not (true (cell 2 2 coin))))`;

/** Lines from one point to the next, beyond the last place of the board of boxes. */
const BOXES = `(role ann) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (point 1) (point 2) (point 3) (point 4) (point 5)
(side 1) (side 2) (side 3) (side 4) (<= (init (box ?x ?y empty)) (side ?x) (side ?y))
(<= (line ?x ?y ?x ?z) (point ?x) (succ ?y ?z)) (<= (line ?x ?y ?z ?y) (point ?y) (succ ?x ?z))
(<= (legal ann (draw ?a ?b ?c ?d)) (line ?a ?b ?c ?d) (not (true (drawn ?a ?b ?c ?d))))
(<= (next (drawn ?a ?b ?c ?d)) (does ann (draw ?a ?b ?c ?d))) (<= (next (drawn ?a ?b ?c ?d)) (true (drawn ?a ?b ?c ?d)))
(<= (next (box ?x ?y ?c)) (true (box ?x ?y ?c))) (<= terminal (true (drawn 5 1 5 2))) (goal ann 50)`;

/** Twelve pigeons in eleven holes: what is legal in the first state takes minutes. */
const HARD = (() => {
  const pigeons = [...Array(12).keys()];
  const apart = pigeons.flatMap((it) => pigeons.slice(it + 1).map((other) => `(distinct ?x${it} ?x${other})`));
  return `(role r) (init (s 0)) (legal r a) (<= (next (s 1)) (does r a)) (<= terminal (true (s 1))) (goal r 50)
${pigeons.slice(1).map((it) => `(hole ${it})`).join(" ")}
(<= (legal r b) (true (s 0)) ${pigeons.map((it) => `(hole ?x${it})`).join(" ")} ${apart.join(" ")})`;
})();

const goals = async (page) => page.locator(".goal").allTextContents();

const tests = {
  async "two persons play tic-tac-toe with the mouse"(page, address) {
    await begin(page, address, "tictactoe", { cross: "person", nought: "person" });
    await status(page, "Turn 1: choose a move for cross");
    assert.equal(await page.locator(".cell.can").count(), 9);
    const made = [];
    for (const place of ["2 2", "1 1", "2 1", "1 2", "2 3"]) {
      await cell(page, place).click();
      made.push(place);
      const next = made.length === 5 ? "The match is over" : `Turn ${made.length + 1}: choose a move`;
      await status(page, next);
      assert.ok((await cell(page, place).getAttribute("class")).includes("last"), `${place} is shown as the last move`);
    }
    assert.deepEqual(await goals(page), ["100", "0"]);
    await status(page, "cross wins, 100 to 0.");
    await coloursAgree(page);
    assert.equal(await page.locator(".cell.can").count(), 0);
    assert.match(await cell(page, "2 2").getAttribute("aria-label"), /2 2: cross/);
    // Back and forth.
    await page.keyboard.press("Home");
    await page.locator(".where", { hasText: "0 / 5" }).waitFor();
    assert.equal(await page.locator(".cell .piece").count(), 0);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.locator(".where", { hasText: "2 / 5" }).waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".cell .piece").length === 2);
    await page.locator("#slider").fill("4");
    await page.waitForFunction(() => document.querySelectorAll(".cell .piece").length === 4);
    await page.locator("#back").click();
    await page.locator(".where", { hasText: "3 / 5" }).waitFor();
    await page.locator("#last").click();
    await page.waitForFunction(() => document.querySelectorAll(".cell .piece").length === 5);
    // The record.
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#record").click()]);
    const record = JSON.parse(await readFile(await download.path(), "utf8"));
    assert.equal(record.isCompleted, true);
    assert.equal(record.moves.length, 5);
    assert.deepEqual(record.goalValues, [100, 0]);
    await page.locator("#again").click();
    await page.locator("#begin").waitFor();
    for (const role of ["cross", "nought"]) assert.equal(await page.locator(`#player-${role}`).inputValue(), "person");
    assert.equal(await page.locator("#play").inputValue(), "0.1");
  },

  async "a new match keeps the opponents"(page, address) {
    await begin(page, address, "tictactoe", { cross: "random", nought: "greedy" }, { start: 0.1, play: 0.3 });
    await status(page, "The match is over");
    assert.match(await page.locator("#status").textContent(), /(wins, 100 to 0|Nobody wins: both have 50)\.$/);
    await page.locator("#again").click();
    await page.locator("#begin").waitFor();
    const chosen = async (name) => page.locator(name).inputValue();
    assert.deepEqual([await chosen("#player-cross"), await chosen("#player-nought")], ["random", "greedy"]);
    assert.deepEqual([await chosen("#start"), await chosen("#play")], ["0.1", "0.3"]);
  },

  async "a board stays as it lies when the page is loaded again, and letters have their players' colours"(page, address) {
    await page.goto(`${address}/#/`);
    await page.locator("#rules").fill(CLIMB);
    await page.locator("#open-rules").click();
    await page.locator("#begin").waitFor();
    await page.locator("#player-bob").selectOption("random");
    await page.locator("#begin").click();
    for (const turn of [1, 2, 3, 4]) {
      await status(page, `Turn ${turn}: choose a move for ann`);
      await page.locator("button.move").first().click();
    }
    await status(page, "Turn 5");
    await coloursAgree(page);
    const rows = () => page.locator(".of-row").allTextContents();
    const before = await rows();
    assert.deepEqual(before.filter((it) => it !== ""), ["4", "3", "2", "1"]);
    await page.reload();
    await status(page, "Turn 5");
    assert.deepEqual(await rows(), before);
    await page.locator("#abort").click();
    await status(page, "given up");
  },

  async "the list takes clicks while it changes, and gives matches up"(page, address) {
    await begin(page, address, "breakthrough", { white: "random", black: "random" }, { start: 0.1, play: 0.05 });
    await begin(page, address, "lights out", {});
    await page.goto(`${address}/#/matches`);
    const card = page.locator("#matches li", { hasText: /Lights out/i }).first();
    await card.locator(".give-up").waitFor();
    // The first match goes on: its card, and what is said of it, are drawn anew all the time.
    const box = await card.locator(".card").boundingBox();
    await page.mouse.move(box.x + 20, box.y + 12);
    await page.mouse.down();
    await page.waitForTimeout(700);
    await page.mouse.up();
    await status(page, "Turn 1");
    await page.goto(`${address}/#/matches`);
    await card.locator(".give-up").click();
    await card.locator(".badge", { hasText: "given up" }).waitFor();
    assert.equal(await card.locator(".give-up").count(), 0);
  },

  async "a given file that is broken leads to its findings"(page, address) {
    await page.goto(`${address}/#/`);
    await page.getByRole("button", { name: /^broken/ }).click();
    await page.locator("#to-findings").click();
    await page.locator(".findings .error .place", { hasText: "line 4" }).first().waitFor();
    assert.match(await page.locator("#rules").inputValue(), /^\(role ann\)/);
    await page.locator(".gutter .error", { hasText: "4" }).waitFor();
    await page.locator("#rules").fill("");
  },

  async "what is written on pieces and beside boards is not cut off"(page, address) {
    await page.goto(`${address}/#/`);
    await page.locator("#rules").fill(LONG_NAMES);
    await page.locator("#open-rules").click();
    await page.locator("#begin").click();
    await status(page, "Turn 1");
    const cut = await page.evaluate(() => [...document.querySelectorAll(".name, .cell")]
      .filter((it) => it.scrollWidth > it.clientWidth + 1 || it.scrollHeight > it.clientHeight + 1)
      .map((it) => `${it.className} ${it.textContent}: ${it.scrollWidth} of ${it.clientWidth}, ${it.scrollHeight} of ${it.clientHeight}`));
    assert.deepEqual(cut, []);
    await page.locator("#abort").click();
    await status(page, "given up");
  },

  async "moves from place to place against a searching player"(page, address) {
    await begin(page, address, "breakthrough", { white: "person", black: "mcts" });
    for (let turn = 0; turn < 120; turn++) {
      await page.waitForFunction(() => document.querySelector(".cell.can") || /over/.test(document.querySelector("#status").textContent));
      const text = await page.locator("#status").textContent();
      if (/over/.test(text)) break;
      const number = text.match(/\d+/)[0];
      // The first piece that can move, and the last place that it can go to.
      await page.locator(".cell.can").first().click();
      assert.equal(await page.locator(".cell.picked").count(), 1);
      await page.locator(".cell.to").last().click();
      await page.waitForFunction((now) => !document.querySelector("#status").textContent.startsWith(`Turn ${now}: choose`), number);
    }
    await status(page, "The match is over");
    const values = (await goals(page)).map(Number);
    assert.equal(values[0] + values[1], 100, `${values}`);
    // What the search thought is told beside the moves.
    await page.locator("#first").click();
    await page.locator("#forth").click();
    await page.locator(".where", { hasText: /^1 / }).waitFor();
    await page.locator(".tab", { hasText: "black" }).click();
    await page.locator(".moves .visits").first().waitFor();
    await page.locator("#moves", { hasText: "playouts" }).waitFor();
  },

  async "a piece is dragged, a move taken back, and a search gives a hint"(page, address) {
    await begin(page, address, "small chess", { white: "person", black: "random" });
    await status(page, "Turn 1: choose a move for white");
    const rows = await page.locator(".of-row").allTextContents();
    // What can move has a ring, and moves are told by their pieces and places.
    assert.equal(await cell(page, "2 1").evaluate((it) => getComputedStyle(it, "::after").borderTopStyle), "solid");
    await page.locator(".move-text", { hasText: "♘\ufe0e 2,1 to 3,3" }).waitFor();
    await page.locator(".kif").click();
    await page.locator(".move-text", { hasText: "(move 2 1 3 3)" }).waitFor();
    await page.locator(".kif").click();
    const middle = async (place) => {
      const box = await cell(page, place).boundingBox();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    await cell(page, "3 3").scrollIntoViewIfNeeded();
    await page.mouse.move(...await middle("2 1"));
    await page.mouse.down();
    await page.mouse.move(...await middle("3 2"), { steps: 4 });
    assert.equal(await page.locator(".dragged").count(), 1);
    await page.mouse.move(...await middle("3 3"), { steps: 4 });
    await page.mouse.up();
    await status(page, "Turn 3: choose a move for white");
    assert.match(await page.locator(".log li").first().textContent(), /2,1 to 3,3/);
    assert.equal(await page.locator(".dragged").count(), 0);
    // The orientation is that of the first state, also in the match that goes on.
    await page.locator("#undo").click();
    await status(page, "Turn 1: choose a move for white");
    assert.match(await cell(page, "2 1").getAttribute("aria-label"), /white knight/);
    await page.reload();
    await status(page, "Turn 1: choose a move for white");
    assert.deepEqual(await page.locator(".of-row").allTextContents(), rows);
    await page.locator("#hint").click();
    await page.locator("#told", { hasText: "Perhaps" }).waitFor();
    assert.ok(await page.locator(".cell.hint").count() >= 2);
    // The rules stand beside the board, and can be edited.
    await page.locator("#rules-box summary").click();
    await page.locator(".rules", { hasText: "(role white)" }).waitFor();
    await page.locator("#rules-box a.known").click();
    await page.locator(".known li", { hasText: "board" }).first().waitFor();
    await page.goBack();
    await page.locator("#abort").click();
    await status(page, "given up");
    await page.locator("#rules-box summary").click();
    await page.locator("#rules-box a.edit").click();
    await page.waitForFunction(() => document.querySelector("#rules")?.value.includes("(role white)"));
    await page.locator("#rules").fill("");
  },

  async "boards of all shapes: points with lines, stacks, hexes, pits"(page, address) {
    await begin(page, address, "hanoi", {});
    await status(page, "Turn 1");
    const tops = await page.locator(".stacks .cell:not(.base)").evaluateAll((all) => all.map((it) => it.getBoundingClientRect().top));
    assert.equal(new Set(tops).size, tops.length, "each disc lies on another");
    await page.locator("#abort").click();
    await status(page, "given up");
    await begin(page, address, "hex five", {});
    await status(page, "Turn 1");
    assert.equal(await page.locator(".hexagonal .cell").count(), 25);
    await page.locator(".hexagonal .cell.can").nth(12).click();
    await status(page, "Turn 3");
    await page.locator("#abort").click();
    await status(page, "given up");
    await begin(page, address, "small kalaha", {});
    await status(page, "choose a move");
    assert.ok(await page.locator(".pits .pips i").count() > 8);
    await page.locator("#abort").click();
    await status(page, "given up");
    await begin(page, address, "dots and boxes", {});
    await status(page, "Turn 1");
    assert.equal(await page.locator(".edge.can").count(), 12);
    await page.locator(".edge.can").first().click({ force: true });
    await page.waitForFunction(() => document.querySelectorAll(".edge:not(.can)").length >= 1);
    await page.locator("#abort").click();
    await status(page, "given up");
  },

  async "a game's hint file says how it looks"(page, address) {
    await begin(page, address, "huts", {});
    await status(page, "Turn 1");
    const huts = page.locator(".cell .piece.icon");
    assert.equal(await huts.count(), 2);
    assert.ok((await huts.first().getAttribute("class")).includes("colour-red"));
    await page.locator("#abort").click();
    await status(page, "given up");
  },

  async "the start page shows pictures and what given games are"(page, address) {
    await page.goto(`${address}/#/`);
    const given = page.locator(".games li[data-title=huts]");
    await given.locator(".thumb .cell").first().waitFor();
    await given.locator(".quiet", { hasText: "Two huts that can be left." }).waitFor();
  },

  async "a match by keyboard, with moves at the same time"(page, address) {
    await begin(page, address, "rock paper scissors", {}, { start: 0.2, play: 0.1 });
    for (let turn = 1; turn <= 10; turn++) {
      await status(page, `Turn ${turn}: choose a move`);
      await page.locator("button.move").first().focus();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.waitForFunction((now) => !document.querySelector("#status").textContent.startsWith(`Turn ${now}: choose`), turn);
    }
    await status(page, "The match is over");
    assert.equal(await page.locator(".log li").count(), 10);
  },

  async "keys on a board"(page, address) {
    await begin(page, address, "lights out", {});
    await status(page, "Turn 1");
    const first = page.locator(".cell[tabindex='0']");
    await first.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    const place = await page.evaluate(() => document.activeElement.dataset.place);
    assert.equal(place, "2 2");
    await page.keyboard.press("Enter");
    await status(page, "Turn 2");
    assert.ok(await page.locator(".cell.last").count() >= 3);
    await page.locator("#abort").click();
    await status(page, "given up");
  },

  async "a person with percepts sees all that the role has seen, and no more"(page, address) {
    // Until bea bets behind a check, so that ann has to call or fold.
    for (let match = 0; ; match++) {
      assert.ok(match < 40, "bea never bets");
      await begin(page, address, "kuhn poker", { bea: "random" });
      await status(page, "Turn 2: choose a move for ann");
      await page.locator("button.move", { hasText: "check" }).click();
      await page.locator("#status", { hasText: /over|Turn 4/ }).waitFor();
      if (/Turn 4/.test(await page.locator("#status").textContent())) break;
    }
    // The own card is in the list of what was perceived, a line a turn, and in what is known; chance is nobody's choice.
    assert.match(await page.locator(".percepts li").last().textContent(), /sees \(dealt (jack|queen|king)\)/);
    assert.match(await page.locator(".percepts li").first().textContent(), /sees \(did bea bet\)/);
    assert.equal(await page.locator(".percepts li").count(), 3);
    await page.locator(".facts li", { hasText: "story raised" }).waitFor();
    const card = (await page.locator(".percepts li").last().textContent()).match(/dealt (\w+)/)[1];
    assert.equal(await cell(page, card).getAttribute("aria-label"), `${card}: ann`);
    assert.equal(await page.locator(".cell.unsure").count(), 2);
    assert.equal(await page.locator('.cell[aria-label*="bea"]').count(), 0);
    await page.locator(".facts", { hasText: "2 states are possible" }).waitFor();
    assert.deepEqual((await page.locator(".tab").allTextContents()).map((it) => it.split(" ")[0]), ["ann", "bea"]);
    assert.ok(await page.locator("#undo").isHidden(), "nothing is taken back");
    await page.locator("button.move", { hasText: "call" }).click();
    await status(page, "The match is over");
    assert.equal((await goals(page)).length, 2, "chance has no score");
    assert.equal(await page.locator(".percepts li").count(), 4);
    await page.locator('.cell[aria-label*=": bea"]').waitFor();
    assert.ok(await page.locator("#undo").isHidden(), "nor after the end");
  },

  async "what a role does not know of a board is marked"(page, address) {
    await begin(page, address, "coin", {});
    await status(page, "Turn 2: choose a move for ann");
    assert.equal(await page.locator(".cell.unsure").count(), 4);
    await cell(page, "1 1").click();
    await status(page, "Turn 3: choose a move for ann");
    const label = await cell(page, "1 1").getAttribute("aria-label");
    const left = /coin/.test(label) ? 0 : 3;
    assert.equal(await page.locator(".cell.unsure").count(), left, label);
    assert.match(await cell(page, "2 2").getAttribute("aria-label"), left ? /not known/ : /empty/);
    await page.locator("#abort").click();
    await status(page, "given up");
  },

  async "moves that draw lines are told with both ends"(page, address) {
    await begin(page, address, "boxes", {});
    await status(page, "Turn 1");
    await page.locator(".move-text", { hasText: "draw 5,1 to 5,2" }).waitFor();
    await page.locator("#abort").click();
    await status(page, "given up");
  },

  async "more than eight games are looked at"(page, address) {
    for (let match = 0; match < 10; match++) {
      await begin(page, address, "lights out", {});
      await status(page, "Turn 1");
    }
    await page.goto(`${address}/#/matches`);
    await page.locator(".badge.running").nth(9).waitFor();
    await page.locator(".give-up").evaluateAll((all) => all.forEach((it) => it.click()));
    await page.locator(".badge.running").first().waitFor({ state: "detached" });
  },

  async "a hard text is given up while others play"(page, address) {
    await page.goto(`${address}/#/`);
    await page.locator("#rules").fill(HARD);
    await page.locator("#open-rules").click();
    const began = Date.now();
    const other = await page.context().newPage();
    await begin(other, address, "tictactoe", {});
    await status(other, "Turn 1");
    assert.ok(Date.now() - began < 10_000, `${Date.now() - began} ms`);
    await other.locator("#abort").click();
    await other.close();
    await page.locator("#begin, .trouble").first().waitFor({ timeout: 30_000 });
    await page.goto(`${address}/#/`);
    await page.locator("#rules").fill("");
  },

  async "texts in other languages are called by their names"(page, address) {
    await page.goto(`${address}/#/`);
    await page.locator("#rules").fill("(role a) (role b) (init 1 (timer)) (legal a go) (<= (next ?t (timer)) (true ?t (timer))) (<= (goal a 100) (expired (timer)))");
    await page.locator("#findings", { hasText: "rtGDL" }).waitFor();
    await page.locator("#open-rules").click();
    await page.locator(".trouble", { hasText: "the description is in rtGDL" }).waitFor();
    await page.locator("#rules").fill("");
  },

  async "chance is no player"(page, address) {
    await begin(page, address, "card draw", {});
    await page.locator(".percepts code").first().waitFor();
    await page.locator(".facts", { hasText: "hidden" }).waitFor();
    for (let turn = 0; turn < 6 && !/over/.test(await page.locator("#status").textContent()); turn++) {
      await page.waitForFunction(() => document.querySelector("button.move") || /over/.test(document.querySelector("#status").textContent));
      const move = page.locator("button.move").first();
      if (!(await move.count())) break;
      const before = await page.locator("#status").textContent();
      await move.click();
      await page.waitForFunction((text) => document.querySelector("#status").textContent !== text, before);
    }
    await status(page, "The match is over");
    await page.locator(".facts li").first().waitFor();
    assert.equal((await goals(page)).length, 2);
    assert.equal(await page.locator(".tab", { hasText: "random" }).count(), 0);
  },

  async "pasted rules, with what is wrong beside them"(page, address) {
    await page.goto(`${address}/#/`);
    const text = page.locator("#rules");
    const rules = ["(role ann)", "(init (heap 2))", "(less 2 1) (less 1 0)", "(legal ann take)",
      "(<= (next (heap ?m)) (does ann take) (true (heap ?n)) (less ?n ?k))", "(<= terminal (true (heap 0)))", "(goal ann 100)"];
    await text.fill(rules.join("\n"));
    await page.locator(".findings .error .place", { hasText: "line 5" }).first().waitFor();
    await page.locator(".gutter .error", { hasText: "5" }).waitFor();
    await page.locator("#open-rules").click();
    await page.locator(".trouble").first().waitFor();
    await page.locator(".findings .place").first().click();
    const picked = await text.evaluate((it) => it.value.slice(it.selectionStart, it.selectionEnd));
    assert.equal(picked, rules[4]);
    rules[4] = rules[4].replace("?k", "?m");
    await text.fill(rules.join("\n"));
    await page.locator("#findings", { hasText: "bounded GDL" }).waitFor();
    await page.locator("#open-rules").click();
    await page.locator("#begin").click();
    for (const turn of [1, 2]) {
      await status(page, `Turn ${turn}`);
      await page.locator("button.move").click();
    }
    await status(page, "The match is over");
    assert.deepEqual(await goals(page), ["100"]);
  },
};

/** Pages that are looked at in many widths. */
async function widths(page, address) {
  await begin(page, address, "small chess", { white: "person", black: "random" });
  await page.locator(".cell.can").first().waitFor();
  const game = page.url();
  for (const path of [`${address}/#/`, `${address}/#/matches`, game]) {
    await page.goto(path);
    await page.locator("h1").waitFor();
    for (const width of [320, 375, 600, 768, 1024, 1400]) {
      await page.setViewportSize({ width, height: 800 });
      await fits(page, `${path.replace(address, "")} at ${width}`);
    }
  }
}

let [passed, failed] = [0, 0];
const given = mkdtempSync(join(tmpdir(), "groundfrog-games-"));
writeFileSync(join(given, "broken.kif"), "(role ann)\n(init (lamp on))\n(legal ann push)\n(<= (next ?x) (true ?y))\n");
writeFileSync(join(given, "huts.kif"), HUTS);
writeFileSync(join(given, "coin.kif"), COIN);
writeFileSync(join(given, "boxes.kif"), BOXES);
writeFileSync(join(given, "huts.look.toml"), '[pieces]\nhut = { draw = "crate", colour = "red" }\n');
const server = await serve(program, ["--time-limit", "3", given]);
for (const [mode, settings] of Object.entries({ wide: WIDE, narrow: NARROW })) {
  const { page, faults, close } = await browse(server.address, settings);
  const all = mode === "wide" ? { ...tests, "all fits in every width": widths } : tests;
  for (const [name, test] of Object.entries(all)) {
    const began = Date.now();
    try {
      await test(page, server.address);
      await fits(page, name);
      assert.deepEqual(faults, []);
      passed++;
      console.log(`ok: ${name}, ${mode} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed++;
      console.log(`FAILED: ${name}, ${mode}\n${error.stack}`);
      console.log(await page.locator("body").innerText().catch(() => ""));
    }
    faults.length = 0;
    if (shots) await page.screenshot({ path: join(shots, `${mode}-${name.replaceAll(/\W+/g, "-")}.png`), fullPage: true });
  }
  const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).every((it) => Number(it) < 80));
  assert.equal(dark, mode === "narrow", "dark where the system is");
  await close();
}
server.end();
rmSync(given, { recursive: true, force: true });
console.log(`test result: ${passed} passed; ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
