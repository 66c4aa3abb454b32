// A program that serves the page, and a browser that shows it.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Starts the program on a free port and returns its address and what ends it. */
export function serve(program, words = []) {
  const child = spawn(program, ["serve", "--port", "0", ...words], { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((done, fail) => {
    const late = setTimeout(() => fail(new Error("the program has not printed its address in 10 s")), 10_000);
    child.on("exit", (code) => fail(new Error(`the program ended with ${code}`)));
    child.stdout.on("data", (text) => {
      const address = String(text).match(/http:\/\/\S+/)?.[0];
      if (!address) return;
      clearTimeout(late);
      done({ address, end: () => child.kill("SIGTERM") });
    });
  });
}

/** A browser with a profile of its own. Whatever it asks of others, and every error on a page, is noted in `faults`. */
export async function browse(address, settings) {
  const profile = mkdtempSync(join(tmpdir(), "groundfrog-browser-"));
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launchPersistentContext(profile, { executablePath, args: FLAGS, headless: true, acceptDownloads: true, ...settings });
  browser.setDefaultTimeout(10_000);
  const page = browser.pages()[0] ?? (await browser.newPage());
  const faults = [];
  page.on("pageerror", (error) => faults.push(`error on the page: ${error.message}`));
  page.on("console", (message) => {
    // A refusal by the program is told on the page itself.
    if (message.type() === "error" && !message.text().includes("status of 4")) faults.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith("blob:")) faults.push(`request to ${request.url()}`);
  });
  const close = async () => {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { page, faults, close };
}
