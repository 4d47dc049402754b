// A real server and a real browser for the tests, and functions that play on the page.
//
// SAAVEDRA names the program that serves the page, CHROMIUM the browser. With PICTURES=1 screenshots are left in
// `test/shots`. With SLOW=800 all messages between page and server take up to so many milliseconds longer, and so do
// resize events: this finds places where the page or a test relies on something that has not arrived yet.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before } from "node:test";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SHOTS = fileURLToPath(new URL("./shots", import.meta.url));
const SLOW = Number(process.env.SLOW ?? 0);

/** The tests of a file run side by side: each has a page of its own, and waits for states, never for time. */
export const SIDE_BY_SIDE = { concurrency: 2 };

/** Starts a server and a browser before the tests of a file and ends both after them. */
export function setup() {
  const here = { url: "", browser: undefined, server: undefined };
  before(async () => {
    // One search at a time leaves a processor to the browsers.
    Object.assign(here, await serve("--memory", "--port", "0", "--threads", "1"));
    const executablePath = found(process.env.CHROMIUM ?? "chromium");
    here.browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  });
  after(async () => {
    await here.browser?.close();
    here.server?.kill("SIGTERM");
  });
  return here;
}

/** Starts a server and returns its address. */
export async function serve(...options) {
  const server = spawn(process.env.SAAVEDRA ?? "saavedra", ["serve", ...options]);
  return { server, url: await announced(server) };
}

/** The path of a program, found as a shell does. */
export function found(program) {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  return [program, ...folders.map(folder => path.join(folder, program))].find(file => existsSync(file)) ?? program;
}

/** The address that a server prints. */
function announced(server) {
  return new Promise((resolve, reject) => {
    let heard = "";
    const listen = chunk => {
      heard += chunk;
      const found = heard.match(/http:\/\/[\w.:[\]]+/);
      if (found) resolve(found[0]);
    };
    server.stdout.on("data", listen);
    server.stderr.on("data", listen);
    server.on("exit", code => reject(new Error(`the server ended with ${code}: ${heard}`)));
    server.on("error", reject);
  });
}

/**
 * Opens a view of the page, with the default settings unless others are given. An error on the console of the page
 * fails the test at its end, except for those it `ignores`.
 */
export async function visit(t, { url, browser }, place = "", { settings = {}, ignores, ...options } = {}) {
  const headers = { "content-type": "application/json" };
  await fetch(`${url}/api/settings`, { method: "PUT", headers, body: "{}" });
  // Requests that a worker answers cannot be delayed or changed by a test.
  const usual = { viewport: { width: 1280, height: 860 }, serviceWorkers: "block" };
  const context = await browser.newContext({ ...usual, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  if (SLOW > 0) await slowDown(page);
  const complaints = [];
  page.on("pageerror", error => complaints.push(String(error)));
  page.on("console", message => message.type() === "error" && complaints.push(message.text()));
  await page.addInitScript(kept => {
    localStorage["saavedra.settings"] ??= JSON.stringify({ motion: false, volume: 0, language: "en", ...kept });
  }, settings);
  t.after(async () => {
    await context.close();
    // Many tests provoke an error response, which the browser logs as a failed load.
    const real = complaints.filter(text => !text.startsWith("Failed to load resource") && !ignores?.test(text));
    if (real.length > 0) throw new Error(`the page complained: ${real.join("; ")}`);
  });
  await page.goto(`${url}/${place}`);
  return page;
}

/** Delays requests, responses and messages. Those on the socket stay in order; responses may overtake each other. */
async function slowDown(page) {
  const delay = () => setTimeout((Math.random() * SLOW) / 2);
  await page.addInitScript(most => {
    const { ResizeObserver } = globalThis;
    const delayed = listener => news => globalThis.setTimeout(() => listener(news), Math.random() * most);
    globalThis.ResizeObserver = class extends ResizeObserver {
      constructor(listener) {
        super(delayed(listener));
      }
    };
  }, SLOW);
  await page.route("**/api/**", async route => {
    await delay();
    try {
      const response = await route.fetch({ timeout: 0 });
      await delay();
      await route.fulfill({ response });
    } catch {
      // The server or the page is gone, or the page has aborted the request.
      await route.abort().catch(() => {});
    }
  });
  await page.routeWebSocket("**/api/ws", socket => {
    const server = socket.connectToServer();
    const passOn = receiver => {
      let last = Promise.resolve();
      return message => (last = last.then(delay).then(() => receiver.send(message)));
    };
    socket.onMessage(passOn(server));
    server.onMessage(passOn(socket));
  });
}

/** Sends a request to the server directly. */
export async function ask({ url }, path, body) {
  const answer = await fetch(`${url}/api${path}`, {
    method: body ? "POST" : "GET",
    headers: { "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  return answer.json();
}

/** Starts a game, by default of two people at one board. */
export async function newGame(here, game = {}) {
  const person = { kind: "human", name: "You" };
  return (await ask(here, "/games", { white: person, black: person, ...game })).id;
}

/** Puts a game into the library. Each is another one: the same game twice would be there once. */
export async function newImport(here, pgn) {
  return (await ask(here, "/library", { kind: "imported", pgn: `[Round "${++imports}"]\n${pgn}` })).id;
}
let imports = 0;

/** Pastes a text into the page, outside of any field. */
export async function paste(page, text) {
  await page.locator("main[data-view]").waitFor();
  await page.evaluate(text => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** Chooses from the menu behind the dots. */
export async function choose(page, name) {
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.locator(".menu").getByRole("button", { name }).click();
}

/** The centre of a square, once the board can be used and does not move from one frame to the next. */
async function centre(page, square) {
  await page.locator(".board[aria-disabled=false]").waitFor();
  return page.evaluate(async square => {
    let before;
    for (let frames = 0; frames < 600; frames++) {
      const box = document.querySelector(`.board rect[data-square="${square}"]`)?.getBoundingClientRect();
      const here = box && box.width > 0 ? [box.x + box.width / 2, box.y + box.height / 2] : undefined;
      if (here && String(here) === before) return here;
      before = String(here);
      await new Promise(requestAnimationFrame);
    }
    throw new Error(`${square} does not come to rest`);
  }, square);
}

export async function drag(page, from, to) {
  await page.mouse.move(...(await centre(page, from)));
  await page.mouse.down();
  await page.mouse.move(...(await centre(page, to)), { steps: 4 });
  await page.mouse.up();
}

export async function click(page, ...squares) {
  for (const square of squares) await page.mouse.click(...(await centre(page, square)));
}

export async function tap(page, ...squares) {
  for (const square of squares) await page.touchscreen.tap(...(await centre(page, square)));
}

/** The piece on a square, as `wp`; null if it is empty. */
export function pieceOn(page, square) {
  return page.locator(`.board .pieces`).evaluate((pieces, name) => {
    return pieces.querySelector(`[data-square="${name}"]`)?.getAttribute("data-piece") ?? null;
  }, square);
}

/** Waits until a piece stands on a square. */
export async function stands(page, piece, square) {
  const selector = `.board .pieces [data-square="${square}"][data-piece="${piece}"]`;
  await page.locator(selector).waitFor({ state: "attached" });
}

/** The moves in the list. */
export function moves(page) {
  return page.locator(".moves .move").allTextContents();
}

/** Waits until the list has so many moves. */
export async function waitForMoves(page, amount) {
  await page.waitForFunction(amount => document.querySelectorAll(".moves .move").length >= amount, amount);
}

/** The accessibility problems that axe finds. */
export async function axeComplaints(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target.join(" ")).join(", ")}`);
}

/** Takes a screenshot, if they are wanted. */
export async function picture(page, name) {
  if (!process.env.PICTURES) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}
