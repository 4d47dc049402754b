// The editor, and the three places where one looks inside.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SIDE_BY_SIDE, click, drag, picture, setup, stands, visit } from "./harness.mjs";

const here = setup();

describe("editor and lessons", SIDE_BY_SIDE, () => {
  test("the editor tells every reason why a position is illegal", async t => {
    const page = await visit(t, here, "#/editor");
    await page.getByText("This position is legal.").waitFor();
    await page.getByRole("radio", { name: "Erase" }).click();
    await click(page, "e1", "e8");
    await page.getByRole("radio", { name: "white pawn" }).click();
    await click(page, "c8");
    for (const problem of [/white has no king/, /black has no king/, /pawn/])
      await page.locator(".problems li").getByText(problem).first().waitFor();
    await picture(page, "editor");
  });

  test("pieces are moved about and thrown off the board, and the position goes on to other views", async t => {
    const page = await visit(t, here, "#/editor?fen=4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    await page.getByText("This position is legal.").waitFor();
    await drag(page, "e2", "d4");
    await page.waitForFunction(() => document.querySelector("input.mono").value.startsWith("4k3/8/8/8/3P4/8/8/4K3"));
    await stands(page, "wp", "d4");
    await page.getByRole("link", { name: "Analyse" }).click();
    await page.waitForFunction(() => location.hash.startsWith("#/new?fen="));
    await page.waitForFunction(() => document.querySelectorAll(".lines li").length > 0);
    await stands(page, "wp", "d4");
  });

  test("perft counts, by kind and by first move", async t => {
    const page = await visit(t, here, "#/lab/perft?depth=4");
    await page.getByRole("button", { name: "Count" }).click();
    await page.getByText("197,281").first().waitFor();
    for (const number of ["20", "400", "8,902"])
      await page.getByRole("cell", { name: number, exact: true }).first().waitFor();
    await page.getByRole("button", { name: "a3", exact: true }).waitFor();
    await picture(page, "perft");
  });

  test("perft counts on a classic board and compares with the founding document", async t => {
    const page = await visit(t, here, "#/lab/perft?depth=3&board=packed");
    await page.getByRole("button", { name: "Count" }).click();
    await page
      .getByText(/the same, .* times as fast/)
      .nth(2)
      .waitFor();
    await page.getByRole("button", { name: "Founding document" }).click();
    // A new position ends a count, so the next one waits for it.
    await page.getByText("The counts appear here").waitFor();
    await page.getByRole("button", { name: "Count" }).click();
    await page.getByRole("cell", { name: "29,809", exact: true }).first().waitFor();
    assert.match(await page.evaluate(() => location.hash), /board=packed/);
  });

  test("a long count shows its progress and can be stopped", async t => {
    const page = await visit(t, here, "#/lab/perft?depth=8");
    await page.getByRole("button", { name: "Count" }).click();
    await page.waitForFunction(() => document.querySelector("progress")?.value > 0);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator("progress").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Count" }).and(page.locator(":enabled")).waitFor();
  });

  test("an exchange draws its attackers and tells what it wins", async t => {
    const page = await visit(t, here, "#/lab/exchange");
    await page.locator(".arrow.attacker").first().waitFor();
    await page.locator(".arrow.defender").first().waitFor();
    await page.getByText("Nxe5, step by step").waitFor();
    assert.match(await page.locator("table").textContent(), /Nxe5−2\d\d/);
    await picture(page, "exchange");
    await click(page, "d7");
    await page.waitForFunction(() => document.querySelector("input[maxlength='2']").value === "d7");
  });

  test("four boards show their memory, move by move, and where a square is in each", async t => {
    const page = await visit(t, here, "#/lab/boards");
    const card = board => page.locator(`.board-card[data-board=${board}]`);
    await card("mailbox").getByText("122935 = 0x1e037").waitFor();
    assert.equal(await page.locator(".board-card").count(), 4);
    await card("mailbox").getByText("count[7] goes from 8 to 7").waitFor();
    const changed = board => card(board).locator("td.changed[data-square]");
    const squares = async board => {
      const all = await changed(board).evaluateAll(cells => cells.map(cell => cell.dataset.square));
      return [...new Set(all)].sort().join(" ");
    };
    for (const board of ["packed", "movemap", "bitboard"]) assert.equal(await squares(board), "d5 e4", board);

    // A field is explained by its mask, and its bits are shown.
    await card("packed")
      .getByRole("button", { name: /move to/ })
      .focus();
    await card("packed").getByText("(move >> 8) & 0x3f = 27").waitFor();
    assert.equal(await card("packed").locator(".bit.pointed").count(), 6);

    // The square under the pointer is shown in all memories.
    await card("mailbox").locator(".board-cells td[data-square=e2]").hover();
    await card("packed").locator(".board-cells td.linked[data-square=e2]").waitFor();

    // Forward to the capture en passant and back to the start.
    await page.getByRole("button", { name: "One move on" }).click();
    await page.getByRole("button", { name: "One move on" }).click();
    await card("packed").getByText("en passant (white)").first().waitFor();
    await page.keyboard.press("Home");
    await page.getByText("Before the first move").waitFor();
    await card("mailbox").getByText("Play a move, or take the example game.").waitFor();
    assert.equal(await page.locator(".cells .changed").count(), 0);
    await picture(page, "boards");
  });

  test("a flipped bit is found by one board and missed by another", async t => {
    const page = await visit(t, here, "#/lab/boards");
    const part = board => page.locator(`.board-card[data-board=${board}] .flip`);
    await page.getByLabel("Flip a bit of").fill("d5");
    await page.getByRole("button", { name: "Flip a bit" }).click();
    await part("mailbox").getByText("The check says:").waitFor();
    await part("packed")
      .getByText(/Bit \d of/)
      .waitFor();
    await page.getByRole("button", { name: "Mend" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".board-card p.good").length === 4);
  });

  test("four boards race, and count the same", async t => {
    const page = await visit(t, here, "#/lab/boards?fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    await page.locator(".board-card").first().waitFor();
    await page.getByLabel("Depth").selectOption("3");
    await page.getByRole("button", { name: "Race" }).click();
    await page.getByText("All four agree: 8,902 lines, 34 captures, 12 checks.").waitFor();
    assert.equal(await page.locator(".lane b").count(), 4);
  });

  test("the founding document's exchanges say who agrees with the truth", async t => {
    const page = await visit(t, here, "#/lab/exchange");
    const examples = page.getByLabel("Examples");
    await examples.selectOption({ label: "The document: a rook pins a knight" });
    await page.getByText("cxd5, step by step").waitFor();
    await page.getByText("All methods agree.").waitFor();
    await page.getByText("3 of 400,136 moves").waitFor();
    await examples.selectOption({ label: "Where the table errs: stuck behind an enemy" });
    await page.getByText("The table says −600, and is wrong here.").waitFor();
    assert.equal(await page.locator("td b").count(), 1);
    await picture(page, "exchange-document");
  });

  test("the search tree shows what was cut, and that pruning saves work", async t => {
    const page = await visit(t, here, "#/lab/tree?depth=3");
    await page.waitForFunction(() => document.querySelectorAll(".counts tbody tr").length === 4);
    await page.locator(".icicle .cut").first().waitFor();
    const nodes = await page.locator(".counts tbody td:nth-child(3)").allTextContents();
    const [minimax, unordered, alphabeta] = nodes.map(text => Number(text.replaceAll(/\D/g, "")));
    const told = `minimax ${minimax} nodes, alpha-beta ${unordered} unordered and ${alphabeta} ordered`;
    assert.ok(alphabeta <= unordered && unordered < minimax, told);
    await page.locator(".outline summary").nth(1).click();
    await picture(page, "tree");
  });

  test("a piece is attacked by the other side, whoever is to move", async t => {
    const page = await visit(t, here, "#/lab/exchange?fen=4k3/8/8/3r4/8/2N5/3P4/3RK3 w - - 0 1&square=d2");
    await page.waitForFunction(() => document.querySelector(".side.attacker li")?.textContent.includes("rook d5"));
    assert.match(await page.locator(".side.defender").textContent(), /rook d1.*king e1/);
  });
});
