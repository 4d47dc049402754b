// What is told of a game that is over, and what of it is on paper.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SIDE_BY_SIDE, choose, drag, newGame, newImport, picture, setup, visit, waitForMoves } from "./harness.mjs";

const here = setup();

const person = { kind: "human", name: "You" };
const mind = { kind: "mind", mind: "random" };
/** White has mated; the file says that Black has won. */
const CONTRADICTION = '[White "Anna"]\n[Black "Bruno"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 0-1\n';
const MINIATURE = CONTRADICTION.replace("0-1", "1-0");

/** Whether an element is seen as a whole, inside of everything that may cut it off. */
async function isWhole(locator) {
  return locator.evaluate(element => {
    const box = element.getBoundingClientRect();
    const shown = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return box.width > 0 && box.right <= innerWidth && box.bottom <= innerHeight && element.contains(shown);
  });
}

describe("a game that is over", SIDE_BY_SIDE, () => {
  for (const [width, height] of [
    [1280, 720],
    [390, 844],
  ]) {
    test(`says how it ended, aloud and in sight: ${width} x ${height}`, async t => {
      const id = await newGame(here, { white: mind, black: person, moves: ["f3", "e5", "g4"] });
      const page = await visit(t, here, `#/game/${id}`, { viewport: { width, height } });
      await waitForMoves(page, 3);
      await drag(page, "d8", "h4");
      await page.locator("[role=status]").getByText("Black wins: checkmate").waitFor();
      const outcome = page.locator(".caption .outcome").getByText("Black wins: checkmate");
      await outcome.waitFor();
      // The notice is over the head, and goes.
      await page.getByRole("button", { name: "Dismiss" }).click();
      assert.ok(await isWhole(outcome));
      // The review comes by itself, and the end stays in sight.
      await page.locator(".accuracy .figure").first().waitFor({ timeout: 180_000 });
      assert.ok(await isWhole(outcome));
      await picture(page, `over-${width}`);
    });
  }

  test("is told as the board has it, and a result that says otherwise as such", async t => {
    const page = await visit(t, here, `#/game/${await newImport(here, CONTRADICTION)}?ply=7`);
    await page.locator(".outcome").getByText("1–0: checkmate, but the result is given as 0–1").waitFor();
    assert.equal(await page.locator(".player.below small").first().textContent(), "1");
    await page.getByRole("tab", { name: "Notes" }).click();
    await page.getByLabel("Result").selectOption("1-0");
    await page.waitForFunction(() => document.querySelector(".outcome").textContent === "1–0: checkmate");
  });

  test("is continued as a new game where it was played here, and nothing is lost", async t => {
    const id = await newGame(here, { moves: ["e4", "e5"] });
    const headers = { "content-type": "application/json" };
    await fetch(`${here.url}/api/games/${id}/resign`, { method: "POST", headers, body: '{"side":"white"}' });
    const page = await visit(t, here, `#/game/${id}`);
    await drag(page, "g1", "f3");
    await page.getByText("Your changes were saved as a new game.").waitFor();
    await page.waitForFunction(id => !location.hash.includes(id), id);
    await waitForMoves(page, 3);
    await page.locator(".moves [aria-current]").getByText("Nf3").waitFor();
    const { game } = await (await fetch(`${here.url}/api/library/${id}`)).json();
    assert.deepEqual(
      game.moves.map(({ san }) => san),
      ["e4", "e5"],
    );
  });
});

describe("on paper", SIDE_BY_SIDE, () => {
  /** What a person sees of the page once it is printed. */
  async function printed(page) {
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await page.setViewportSize({ width: 680, height: 960 });
    return (await page.locator("body").innerText()).replaceAll(/\s+/g, " ");
  }

  test("a game has its players, the position, the end and all moves, and nothing to press", async t => {
    const pgn = MINIATURE.replace("4. Qxf7#", "4. Qxf7# {A pity.}");
    const page = await visit(t, here, `#/game/${await newImport(here, pgn)}?ply=7&tab=notes`);
    await page.locator(".notes textarea").waitFor();
    const text = await printed(page);
    assert.match(text, /Anna – Bruno .*1–0: checkmate/);
    for (const told of ["4. Qxf7#", "A pity."]) assert.ok(text.includes(told), told);
    for (const label of ["Search", "Moves", "Engine", "Comment"]) assert.ok(!text.includes(label), label);
    const board = await page.locator(".sheet-head .mini-board").boundingBox();
    assert.ok(Math.abs(board.width - board.height) < 1 && board.width > 250, JSON.stringify(board));
    const [names, moves] = [page.locator(".sheet-head h2"), page.locator(".moves")];
    assert.ok((await names.boundingBox()).y < board.y && board.y + board.height < (await moves.boundingBox()).y);
    assert.equal(await moves.evaluate(list => list.scrollHeight <= list.clientHeight + 1), true);
    const paper = await page.pdf({ format: "A4" });
    assert.equal(paper.subarray(0, 4).toString(), "%PDF");
  });

  test("a report has the accuracy, the figures and every mistake with its reason", async t => {
    const page = await visit(t, here, `#/game/${await newImport(here, MINIATURE)}?tab=review`);
    await page.getByRole("button", { name: "Review the game" }).click();
    await page.locator(".accuracy .figure").first().waitFor({ timeout: 180_000 });
    assert.equal(await page.locator("ol.on-paper").isVisible(), false);
    const text = await printed(page);
    for (const told of ["Accuracy by phase", "3… Nf6?? is a blunder: it allows mate in 1", "Better:", "4. Qxf7#"])
      assert.ok(text.includes(told), `${told}: ${text}`);
    for (const label of ["Retry mistakes", "Next mistake", "Add to practice", "More figures"])
      assert.ok(!text.includes(label), label);
    await picture(page, "paper");
  });

  test("it is in the menu", async t => {
    const page = await visit(t, here, `#/game/${await newImport(here, MINIATURE)}`);
    await page.evaluate(() => (globalThis.print = () => (globalThis.isPrinted = true)));
    await choose(page, "Print");
    await page.waitForFunction(() => globalThis.isPrinted);
  });
});
