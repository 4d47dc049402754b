// The front page, and what no other file is about: the lab in other languages, empty states, ways out.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  SIDE_BY_SIDE,
  ask,
  axeComplaints,
  choose,
  click,
  newGame,
  newImport,
  picture,
  serve,
  setup,
  stands,
  visit,
  waitForMoves,
} from "./harness.mjs";

const here = setup();
const GONE = { ignores: /WebSocket|ERR_/ };
const MINIATURE =
  '[White "Anna"]\n[Black "You"]\n[Date "2026.??.??"]\n[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n';

/** A server of its own, for what looks at all games. */
async function own(t) {
  const host = { ...(await serve("--memory", "--port", "0")), browser: here.browser };
  t.after(() => host.server.kill("SIGTERM"));
  return host;
}

describe("the front page and the rest", SIDE_BY_SIDE, () => {
  test("a mistake of one's own is the puzzle of the day, and what is new is told until it was read", async t => {
    const host = await own(t);
    const page = await visit(t, host, `#/game/${await newImport(host, MINIATURE)}?tab=review`, GONE);
    await page.getByRole("button", { name: "Review the game" }).click();
    await page.locator(".accuracy .figure").first().waitFor({ timeout: 180_000 });
    await page.getByRole("button", { name: "Add to practice" }).click();
    await page.getByText(/added to practice/).waitFor();
    await page.goto(`${host.url}/#/`);
    const puzzle = page.locator(".puzzle");
    await puzzle.getByText("from Anna – You, 2026").waitFor();
    const { puzzle: card } = await ask(host, "/home");
    assert.equal((await ask(host, "/home")).puzzle.id, card.id, "the same all day");
    await page.getByRole("heading", { name: "What is new" }).waitFor();
    assert.deepEqual(await axeComplaints(page), []);
    await page.getByRole("button", { name: "Got it" }).click();
    await page.reload();
    await puzzle.waitFor();
    assert.equal(await page.getByRole("heading", { name: "What is new" }).isVisible(), false);
    await picture(page, "puzzle");
    // It is asked even when it is not due.
    await ask(host, `/practice/${card.id}`, { grade: "easy" });
    await page.reload();
    await puzzle.click();
    await page.getByText(/was played. Find a better move for/).waitFor();
    assert.match(page.url(), new RegExp(`card=${card.id}`));
  });

  test("what is due is seen at once, and the puzzle of the day is not shown twice", async t => {
    const page = await visit(t, here, "", { viewport: { width: 1280, height: 720 } });
    const fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const card = id => ({
      ...{ id, fen, game: "g", ply: 0, turn: "white", label: "Anna – Bruno", answers: 0, lapses: 0, theme: null },
      ...{ played: { uci: "f2f3", san: "f3" }, best: { uci: "g1f3", san: "Nf3" }, due: "2026-11-19T00:00:00Z" },
    });
    const cards = ["1", "2", "3", "4"].map(card);
    await page.route("**/api/home", async route => {
      const home = await (await route.fetch()).json();
      return route.fulfill({ json: { ...home, due: 4, cards, puzzle: cards[0] } });
    });
    await page.reload();
    const due = page.getByText("4 mistakes are due.");
    await due.waitFor();
    const { y, height } = await due.boundingBox();
    assert.ok(y + height < 720, `it ends at ${y + height}`);
    assert.equal(await page.locator(".due .tile").count(), 3);
    await page.locator(".puzzle").waitFor();
    const [board, words] = await Promise.all([page.locator(".due .tile").first().boundingBox(), due.boundingBox()]);
    assert.ok(board.y - (words.y + words.height) >= 6, "the words do not touch the boards");
    // Both columns are of use.
    const [left, right] = await page
      .locator(".home-side")
      .evaluateAll(columns => columns.map(column => column.lastElementChild.getBoundingClientRect().bottom));
    assert.ok(Math.abs(left - right) < 600, `${left} and ${right}`);
    const [gotIt, title] = await page.evaluate(() => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector(".news button"));
      return [range, document.querySelector(".news h2")].map(one => one.getBoundingClientRect().left);
    });
    assert.ok(Math.abs(gotIt - title) <= 2, `${gotIt} and ${title}`);
  });

  test("a library without games says how they come, and a search without results says so", async t => {
    const host = await own(t);
    const page = await visit(t, host, "#/library", GONE);
    await page.locator(".nothing-found").getByText("Drop a PGN here, or paste").waitFor();
    assert.equal(await page.locator(".games-table").isVisible(), false);
    await newImport(host, MINIATURE);
    await page.goto(`${host.url}/#/library?q=nothing`);
    await page.locator(".nothing-found").getByText("No game matches this search.").waitFor();
    assert.deepEqual(await axeComplaints(page), []);
    await page.getByLabel("Search players, openings, events").fill("anna");
    await page.locator(".games-table").getByRole("link", { name: "Anna – You" }).waitFor();
    assert.equal(await page.locator(".nothing-found").isVisible(), false);
  });

  test("leaving a view while the board has the focus is no error", async t => {
    const page = await visit(t, here, `#/game/${await newGame(here, { moves: ["e4"] })}`);
    await waitForMoves(page, 1);
    for (const place of ["#/lab/perft", "#/editor", "#/new", "#/practice"]) {
      await page.locator(".board[aria-disabled=false], .board").first().focus();
      await page.evaluate(place => (location.hash = place), place);
      await page.waitForFunction(place => location.hash.startsWith(place) || location.hash.startsWith("#/game"), place);
      await page.locator("main .board").first().waitFor();
    }
  });

  test("zen mode is left by its button, also with a thumb", async t => {
    const id = await newGame(here, { moves: ["e4"] });
    const page = await visit(t, here, `#/game/${id}`, { viewport: { width: 390, height: 844 }, hasTouch: true });
    await stands(page, "wp", "e4");
    await choose(page, "Zen mode");
    await page.locator(".bar").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Leave zen mode" }).tap();
    await page.locator(".bar").waitFor();
  });

  test("the tables of the lab are not cut off beside the board", async t => {
    for (const width of [1280, 1400]) {
      const page = await visit(t, here, "#/lab/perft?depth=5", { viewport: { width, height: 800 } });
      await page.getByRole("button", { name: "Count" }).click();
      await page.getByRole("cell", { name: "4,865,609", exact: true }).first().waitFor({ timeout: 180_000 });
      const cut = () =>
        page.evaluate(() =>
          [...document.querySelectorAll(".scroll.table")]
            .filter(table => table.scrollWidth > table.clientWidth + 1)
            .map(table => table.getAttribute("aria-label")),
        );
      assert.deepEqual(await cut(), [], `perft at ${width}`);
      await page.goto(`${here.url}/#/lab/tree?depth=3`);
      await page.waitForFunction(() => document.querySelectorAll(".counts tbody tr").length === 4);
      assert.deepEqual(await cut(), [], `tree at ${width}`);
    }
  });

  // What stands in no other language than English: a word that is left in its place is found by these.
  const ENGLISH = /\b(the|which|before|squares?|pieces?|moves?|says|nothing|searched|captures?|white|black)\b/i;
  for (const [language, words] of [
    ["de", ["Zählen", "Abtausch auf einem Feld", "Vier Suchen, eine Stellung", "Vier Bretter, eine Stellung"]],
    ["es", ["Contar", "Cambios en una casilla", "Cuatro búsquedas, una posición", "Cuatro tableros, una posición"]],
  ]) {
    test(`the experiments of the lab speak the language of the page: ${language}`, async t => {
      const page = await visit(t, here, "#/lab/perft", { settings: { language } });
      // Identifiers and moves are the same in every language.
      const left = () =>
        page.evaluate(() => {
          const texts = document.createTreeWalker(document.querySelector(".lab"), NodeFilter.SHOW_TEXT);
          const all = [];
          while (texts.nextNode())
            if (!texts.currentNode.parentElement.closest("code, .mono, .moves, option"))
              all.push(texts.currentNode.data);
          return all.join("|");
        });
      const [perft, exchange, tree, boards] = words;
      await page.getByRole("button", { name: perft, exact: true }).click();
      await page.locator(".table tbody tr").nth(12).waitFor();
      assert.doesNotMatch(await left(), ENGLISH);
      await page.goto(`${here.url}/#/lab/exchange`);
      await page.getByRole("heading", { name: exchange }).waitFor();
      await page.locator("ol.words li").first().waitFor();
      assert.doesNotMatch(await left(), ENGLISH);
      await page.goto(`${here.url}/#/lab/tree`);
      await page.getByRole("heading", { name: tree }).waitFor();
      await page.locator(".outline summary").nth(3).waitFor();
      assert.doesNotMatch(await left(), ENGLISH);
      await page.goto(`${here.url}/#/lab/boards`);
      await page.getByRole("heading", { name: boards }).waitFor();
      for (let step = 0; step < 6; step++) {
        await page.locator(".board-card").first().waitFor();
        assert.doesNotMatch(await left(), ENGLISH, `step ${step}`);
        await page.locator(".stepper button").last().click();
      }
      await picture(page, `lab-${language}`);
    });
  }

  test("a name of any length, direction or script is shown whole or shortened, and pushes nothing away", async t => {
    const long = "Wolfeschlegelsteinhausenbergerdorff-Hohenzollern-Sigmaringen the Elder of the House of Long Names";
    const pgn = `[White "محمد عبد الرحمن بن عبد العزيز"]\n[Black "🦄 ${long}"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n`;
    const id = await newImport(here, pgn);
    for (const width of [1280, 360]) {
      const page = await visit(t, here, `#/game/${id}?ply=1`, { viewport: { width, height: 800 } });
      await stands(page, "wp", "e4");
      await click(page, "e4");
      const wide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.equal(await wide(), false, `the game at ${width}`);
      await page.goto(`${here.url}/#/library?q=${encodeURIComponent("محمد")}`);
      await page.getByRole("link", { name: /محمد .* – 🦄 Wolfeschlegel/ }).waitFor();
      assert.equal(await wide(), false, `the library at ${width}`);
    }
  });
});
