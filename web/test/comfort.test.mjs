// What a player notices in daily use: nothing is lost, no empty game is saved, hints and engines only as allowed.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  SIDE_BY_SIDE,
  ask,
  axeComplaints,
  click,
  found,
  moves,
  newGame,
  newImport,
  paste,
  picture,
  serve,
  setup,
  stands,
  visit,
  waitForMoves,
} from "./harness.mjs";

const here = setup();
const GONE = { ignores: /WebSocket/ };

/** A server of its own, for what looks at all games. */
async function own(t, ...options) {
  const host = { ...(await serve("--memory", "--port", "0", ...options)), browser: here.browser };
  t.after(() => host.server.kill("SIGTERM"));
  return host;
}

const rows = page => page.locator(".games-table tbody tr");
const waitForRows = (page, amount) =>
  page.waitForFunction(amount => document.querySelectorAll(".games-table tbody tr").length === amount, amount);

describe("daily use", SIDE_BY_SIDE, () => {
  test("a bot is found by its name", async t => {
    const host = await own(t);
    const id = await newGame(host, { black: { kind: "mind", mind: "search:elo=1100" } });
    await ask(host, `/games/${id}/resign`, {});
    const page = await visit(t, host, "#/library?q=Lena", GONE);
    await page.getByRole("link", { name: "You – Lena 1100" }).waitFor();
  });

  test("an analysis is kept from its first move on, and not before", async t => {
    const host = await own(t);
    const page = await visit(t, host, "#/new", GONE);
    await page.locator(".lines li").first().waitFor();
    assert.equal((await ask(host, "/library")).total, 0);
    await click(page, "e2", "e4");
    await waitForMoves(page, 1);
    await page.waitForFunction(() => location.hash.startsWith("#/game/"));
    assert.equal((await ask(host, "/library")).total, 1);
    await page.reload();
    await waitForMoves(page, 1);
    assert.deepEqual(await moves(page), ["e4"]);
  });

  test("of a pasted game with an illegal move the good part is opened, and the board says what is wrong", async t => {
    const page = await visit(t, here, "#/settings");
    await paste(page, '[White "Anna"]\n\n1. e4 e5 2. Nf3 Ke4 3. Bc4 *');
    await waitForMoves(page, 3);
    await page.locator(".notice.wrong").getByText("Ke4").waitFor();
  });

  test("what was deleted can be brought back after a reload", async t => {
    const host = await own(t);
    await newImport(host, '[White "Carla"]\n[Black "Dora"]\n\n1. e4 *');
    const page = await visit(t, host, "#/library", GONE);
    await page.getByLabel("Select Carla – Dora").check();
    await page.getByRole("button", { name: "Delete" }).click();
    await waitForRows(page, 0);
    await page.reload();
    await page.getByText("Recently deleted").click();
    await page.getByRole("button", { name: "Restore: Carla – Dora" }).waitFor();
    assert.deepEqual(await axeComplaints(page), []);
    await picture(page, "recently-deleted");
    await page.getByRole("button", { name: "Restore: Carla – Dora" }).click();
    await waitForRows(page, 1);
  });

  test("all that was found is selected, and the way back leads to the same place", async t => {
    const host = await own(t);
    const many = Array.from({ length: 90 }, (_, index) => `[White "Player ${index}"]\n[Black "Emil"]\n\n1. e4 *\n`);
    const { id } = await ask(host, "/imports", { name: "many.pgn" });
    const headers = { "content-type": "application/octet-stream" };
    await fetch(`${host.url}/api/imports/${id}/body`, { method: "PUT", headers, body: many.join("\n") });
    const page = await visit(t, host, "#/library", GONE);
    await waitForRows(page, 60);
    await page.getByRole("button", { name: "Show more" }).click();
    await waitForRows(page, 90);
    await rows(page).nth(85).getByRole("link").click();
    await waitForMoves(page, 1);
    await page.goBack();
    await waitForRows(page, 90);
    await page.waitForFunction(() => scrollY > 500);
    await page.reload();
    await page.goto(`${host.url}/#/library?q=Emil`);
    await waitForRows(page, 60);
    await page.getByLabel("Select all shown games").check();
    await page.getByRole("button", { name: "Select all 90 games" }).click();
    await page.getByText("90 selected").waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await waitForRows(page, 0);
    assert.equal((await ask(host, "/library")).total, 0);
  });

  test("a game is played without hints and take-backs if that was agreed", async t => {
    const page = await visit(t, here, "#/play");
    await page.locator(".bots .face").first().waitFor();
    await page.getByText("More options").click();
    await page.getByLabel("Hints").uncheck();
    await page.getByLabel("Take-backs").uncheck();
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.getByRole("button", { name: "Resign" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Hint" }).count(), 0);
    assert.equal(await page.getByRole("button", { name: "Take back" }).count(), 0);
  });

  test("an engine that the owner allows analyses, and Saavedra as a bot", async t => {
    const program = found(process.env.SAAVEDRA ?? "saavedra");
    const host = await own(t, "--engine", `Twin=${program}`);
    const page = await visit(t, host, "#/new", GONE);
    await page.locator(".lines li").first().waitFor();
    await page.getByRole("button", { name: "Engine settings" }).click();
    await page.locator("[data-setting=engine] select").selectOption("Twin");
    await page.locator(".engine-name").getByText("Twin").waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".lines li").length === 3);
    assert.deepEqual(await axeComplaints(page), []);
    await page.locator("[data-setting=engine] select").selectOption("Saavedra");
    await page.getByLabel("Strength").selectOption("Lena 1100");
    await page.locator(".engine-name").getByText("Lena 1100").waitFor();
  });

  test("the review of one's own game looks at one's own mistakes, and a mate is no book move", async t => {
    const id = await newImport(here, '[White "You"]\n[Black "Bruno"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1');
    const page = await visit(t, here, `#/game/${id}?tab=review`);
    await page.getByRole("button", { name: "Review the game" }).click();
    await page.locator(".accuracy .figure").first().waitFor({ timeout: 180_000 });
    assert.equal(await page.getByLabel("Whose mistakes").inputValue(), "white");
    await page.keyboard.press("End");
    await page.locator(".judged .verdict").getByText("Qh4# is the best move").waitFor();
  });

  test("an imported game is one's own by the names in the settings", async t => {
    const id = await newImport(here, '[White "Anna"]\n[Black "Bruno, B."]\n\n1. f3 e5 2. g4 Qh4# 0-1');
    const page = await visit(t, here, "#/settings");
    const kept = page.waitForResponse(response => response.request().method() === "PUT");
    await page.getByLabel("Your names in imported games").fill("bruno9; bruno, b.");
    await page.keyboard.press("Tab");
    await kept;
    await page.goto(`${here.url}/#/game/${id}?tab=review`);
    await page.getByRole("button", { name: "Review the game" }).click();
    await page.locator(".accuracy .figure").first().waitFor({ timeout: 180_000 });
    assert.equal(await page.getByLabel("Whose mistakes").inputValue(), "black");
    await page.locator(".player.below").getByText("Bruno, B.").waitFor();
  });

  for (const [language, told, start] of [
    ["de", "3… Sf6?? ist ein grober Fehler: er erlaubt ein Matt in 1 (4. Dxf7#).", "Partie durchsehen"],
    ["es", "3… Cf6?? es un error grave: permite un mate en 1 (4. Dxf7#).", /partida/i],
  ]) {
    test(`a review gives its reasons in the language of the page: ${language}`, async t => {
      const id = await newImport(here, "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0");
      const page = await visit(t, here, `#/game/${id}?tab=review&ply=6`, { settings: { language } });
      await page.locator(".review").getByRole("button", { name: start }).click();
      await page.locator(".accuracy .figure").first().waitFor({ timeout: 180_000 });
      await page.locator(".judged .verdict").getByText(told).waitFor();
    });
  }

  test("a phone on its side shows the whole board", async t => {
    const id = await newImport(here, "1. e4 e5 *");
    const page = await visit(t, here, `#/game/${id}`, { viewport: { width: 740, height: 360 } });
    await stands(page, "wk", "e1");
    const box = await page.getByRole("application").boundingBox();
    assert.ok(box.width > 250 && box.y + box.height <= 360, JSON.stringify(box));
    const bar = await page.locator(".bar").boundingBox();
    assert.ok(bar.y + bar.height <= 360, JSON.stringify(bar));
  });

  test("without the server the page opens, says so, and goes on when it is back", async t => {
    const host = await own(t);
    const port = new URL(host.url).port;
    const page = await visit(t, host, "#/library", { serviceWorkers: "allow", ignores: /WebSocket|Failed|offline/ });
    await page.evaluate(() => navigator.serviceWorker.ready);
    host.server.kill("SIGTERM");
    await new Promise(resolve => host.server.once("exit", resolve));
    await page.reload();
    await page.getByRole("heading", { name: "The server does not answer." }).waitFor();
    assert.deepEqual(await axeComplaints(page), []);
    await picture(page, "offline");
    const again = await serve("--memory", "--port", port);
    t.after(() => again.server.kill("SIGTERM"));
    await page.locator("main[data-view=library] .library-actions").waitFor();
  });
});
