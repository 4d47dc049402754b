// The main paths in Firefox: a game by mouse and by keyboard, an analysis, a review, a reload, every view. What differs
// between browsers is here (pointer events, sizes, the socket); everything else is tested in Chromium.
//
// FIREFOX names the browser. Where there is none these tests are skipped.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import puppeteer from "puppeteer-core";
import { ask, newGame, newImport, serve } from "./harness.mjs";

const program = process.env.FIREFOX;
const MINIATURE = '[White "Anna"]\n[Black "Bruno"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n';

describe("in Firefox", { skip: program ? false : "FIREFOX names no browser" }, () => {
  const here = { url: "", server: undefined, browser: undefined };
  before(async () => {
    Object.assign(here, await serve("--memory", "--port", "0", "--threads", "1"));
    // Not every Firefox lets the driver set the size of a page, so the window has it.
    const size = { args: ["--width=1280", "--height=960"], defaultViewport: null };
    here.browser = await puppeteer.launch({ browser: "firefox", executablePath: program, headless: true, ...size });
  });
  after(async () => {
    await here.browser?.close();
    here.server?.kill("SIGTERM");
  });

  /** Opens a view. An error of the page fails the test at its end. */
  async function visit(t, place) {
    const page = await here.browser.newPage();
    page.setDefaultTimeout(30_000);
    const complaints = [];
    page.on("pageerror", error => complaints.push(String(error)));
    // The settings are there before the page is.
    await page.goto(`${here.url}/licences.txt`);
    await page.evaluate(() => {
      localStorage["saavedra.settings"] = JSON.stringify({ motion: false, volume: 0, language: "en" });
    });
    await page.goto(`${here.url}/${place}`);
    t.after(async () => {
      await page.close();
      assert.deepEqual(complaints, []);
    });
    return page;
  }

  /** The centre of a square, once the board can be used. */
  async function centre(page, square) {
    await page.waitForSelector(".board[aria-disabled=false]");
    const box = await (await page.waitForSelector(`.board rect[data-square=${square}]`)).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  async function click(page, ...squares) {
    for (const square of squares) await page.mouse.click(...(await centre(page, square)));
  }

  async function drag(page, from, to) {
    await page.mouse.move(...(await centre(page, from)));
    await page.mouse.down();
    await page.mouse.move(...(await centre(page, to)), { steps: 4 });
    await page.mouse.up();
  }

  const stands = (page, piece, square) =>
    page.waitForSelector(`.board .pieces [data-square="${square}"][data-piece="${piece}"]`);
  /** Waits for a state. The driver's own way compiles code in the page, which the page's policy forbids. */
  async function until(page, holds, ...values) {
    for (let frames = 0; frames < 1800; frames++) {
      if (await page.evaluate(holds, ...values)) return;
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    throw new Error(`${holds} does not come true`);
  }

  const waitForMoves = (page, amount) =>
    until(page, amount => document.querySelectorAll(".moves .move").length >= amount, amount);
  const moves = page => page.$$eval(".moves .move", all => all.map(move => move.textContent));
  const textOf = (page, selector) => page.$eval(selector, element => element.textContent);
  const button = (page, name) => page.waitForSelector(`::-p-aria([name="${name}"][role="button"])`);

  test("a game is played by drag, by click and by keyboard, survives a reload, and is reviewed when it ends", async t => {
    const person = { kind: "human", name: "You" };
    const mind = { kind: "mind", mind: "random" };
    const id = await newGame(here, { white: mind, black: person, moves: ["f3"] });
    const page = await visit(t, `#/game/${id}`);
    await waitForMoves(page, 1);
    await drag(page, "e7", "e5");
    await waitForMoves(page, 3);
    await click(page, "b8", "c6");
    await waitForMoves(page, 5);
    await page.reload();
    await waitForMoves(page, 5);
    await stands(page, "bn", "c6");
    await page.focus(".typed input");
    await page.keyboard.type("a6");
    await page.keyboard.press("Enter");
    await waitForMoves(page, 7);
    await (await button(page, "Resign")).click();
    await (await button(page, "Resign: sure?")).click();
    await page.waitForSelector("[data-part=review] progress, .accuracy .figure");
    assert.match(page.url(), /tab=review/);
  });

  test("an analysis shows lines, keeps a move, and draws with the right button", async t => {
    const page = await visit(t, "#/new");
    await until(page, () => document.querySelectorAll(".lines li").length === 3);
    await drag(page, "e2", "e4");
    await until(page, () => location.hash.startsWith("#/game/"));
    await waitForMoves(page, 1);
    const [from, to] = [await centre(page, "g1"), await centre(page, "f3")];
    await page.mouse.move(...from);
    await page.mouse.down({ button: "right" });
    await page.mouse.move(...to, { steps: 3 });
    await page.mouse.up({ button: "right" });
    await page.waitForSelector(".arrow.ink-G");
    await until(
      page,
      async id => (await (await fetch(`/api/library/${id}`)).text()).includes("%cal Gg1f3"),
      page.url().match(/game\/(\w+)/)[1],
    );
    await page.reload();
    await page.waitForSelector(".arrow.ink-G");
    assert.deepEqual(await moves(page), ["e4"]);
  });

  test("a game is reviewed, a mistake tried again, and another game opened from the field at the top", async t => {
    const page = await visit(t, `#/game/${await newImport(here, MINIATURE)}?tab=review`);
    await (await button(page, "Review the game")).click();
    await page.waitForSelector(".accuracy .figure", { timeout: 180_000 });
    for (let before = ""; !before.includes("Nf6"); before = await textOf(page, ".judged .verdict")) {
      await page.keyboard.press("n");
      const isOther = before => (document.querySelector(".judged .verdict")?.textContent ?? before) !== before;
      await until(page, isOther, before);
    }
    assert.match(await textOf(page, ".judged .verdict"), /3… Nf6\?\? is a blunder: it allows mate in 1/);
    await page.keyboard.press(" ");
    await page.waitForSelector(".retry-words");
    await page.keyboard.press("End");
    await stands(page, "wq", "f7");
    // The field at the top takes a game as well as a search.
    await page.focus(".search input");
    await page.keyboard.type("1. e4 e5 2. Nf3");
    await page.keyboard.press("Enter");
    await until(page, () => document.querySelectorAll(".moves .move").length === 3);
    await page.keyboard.press("End");
    await stands(page, "wn", "f3");
    assert.deepEqual(await moves(page), ["e4", "e5", "Nf3"]);
    await page.goBack();
    await waitForMoves(page, 7);
  });

  test("every view opens without an error", async t => {
    const page = await visit(t, "");
    for (const [place, ready] of [
      ["", ".bots .face"],
      ["library", ".library-actions"],
      ["practice", ".practice-panel .words p"],
      ["editor", "p.good"],
      ["lab/perft", ".table .hint"],
      ["lab/exchange", ".arrow.attacker"],
      ["lab/boards", ".board-card"],
      ["lab/tree", ".icicle"],
      ["settings", ".sample"],
    ]) {
      await page.goto(`${here.url}/#/${place}`);
      await page.waitForSelector(`main ${ready}`);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.equal(sideways, false, place);
    }
    assert.equal((await ask(here, "/home")).due >= 0, true);
  });
});
