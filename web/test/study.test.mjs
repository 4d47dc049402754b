// Analysis and review.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { axeComplaints, click, moves, picture, stands, table, visit, waitForMoves } from "./harness.mjs";

const here = table();

const MINIATURE = `[Event "A lesson"]
[White "Anna"]
[Black "Bruno"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0
`;

test("lines appear, and follow while one browses", async t => {
  const page = await visit(t, here, "#/analysis");
  await page.waitForFunction(() => document.querySelectorAll(".lines li").length === 3);
  await page.locator(".arrow.best").waitFor();
  await page.locator(".chances .draw").waitFor();
  assert.match(await page.locator(".facts").textContent(), /Depth \d+.*positions.*\/s/);
  await picture(page, "analysis");
  await click(page, "e2", "e4");
  await waitForMoves(page, 1);
  await page.waitForFunction(() => document.querySelector(".lines li")?.textContent.includes("1…"));
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelector(".lines li")?.textContent.includes("1."));
  await page.waitForFunction(() => !document.querySelector(".lines li")?.textContent.includes("1…"));
});

test("a dropped file is a game to browse, and a move aside can be taken back to it", async t => {
  const page = await visit(t, here, "#/analysis");
  await page.waitForFunction(() => document.querySelectorAll(".lines li").length > 0);
  await page.evaluate(text => {
    const data = new DataTransfer();
    data.items.add(new File([text], "game.pgn"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, MINIATURE);
  await waitForMoves(page, 7);
  assert.deepEqual(await moves(page), ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]);
  await page.getByRole("button", { name: "Qh5", exact: true }).first().click();
  await page.waitForFunction(() => document.querySelector(".pieces [data-square=h5]"));
  await stands(page, "wq", "h5");
  await page.getByLabel("Type a move").fill("g6");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".moves .move").length === 6);
  await page.getByRole("button", { name: "Back to the game" }).click();
  await waitForMoves(page, 7);
});

test("a FEN that is none is refused with its reason", async t => {
  const page = await visit(t, here, "#/analysis");
  await page.getByLabel("FEN", { exact: true }).fill("8/8/8/8/8/8/8/8 w - - 0 1");
  await page.keyboard.press("Enter");
  await page.locator(".notice.wrong").waitFor();
});

test("a game is reviewed: judgements, accuracy, a plot, reasons, and a PGN to keep", async t => {
  const page = await visit(t, here, "#/review");
  await page.getByLabel("PGN", { exact: true }).fill(MINIATURE);
  await page.getByRole("button", { name: "Review the game" }).click();
  await page.locator(".accuracy .figure").first().waitFor({ timeout: 60_000 });
  assert.equal(await page.locator(".accuracy h2").first().textContent(), "Anna");
  await page.locator(".plot canvas").waitFor();
  await page.getByRole("button", { name: "Next mistake" }).click();
  while (!(await page.locator(".verdict").textContent()).includes("Nf6")) {
    await page.getByRole("button", { name: "Next mistake" }).click();
  }
  assert.match(await page.locator(".verdict").textContent(), /Nf6\?\? is a blunder/);
  assert.match(await page.locator("div.words").textContent(), /mate/i);
  assert.deepEqual(await axeComplaints(page), []);
  await picture(page, "review");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save PGN with comments" }).click(),
  ]);
  const pgn = await readFile(await download.path(), "utf8");
  assert.match(pgn, /Nf6 (\$4|\?\?)/);
  assert.match(pgn, /\{[^}]*mate[^}]*\}/i);
});
