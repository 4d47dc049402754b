// What happens while the server is away, and when two pages change the same game: nothing is lost.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import {
  SIDE_BY_SIDE,
  ask,
  choose,
  drag,
  moves,
  newGame,
  newImport,
  paste,
  serve,
  setup,
  visit,
  waitForMoves,
} from "./harness.mjs";

const here = setup();
const GONE = { ignores: /WebSocket|ERR_/ };

const pgnOf = async (host, id) => (await fetch(`${host.url}/api/library/${id}/pgn`)).text();

/** Waits until the server has a text in a game. */
async function waitForText(page, host, id, text) {
  for (;;) {
    if ((await pgnOf(host, id)).includes(text)) return;
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

/** A server whose games outlive it, and how it is ended and begun again. */
async function lasting(t) {
  const folder = await mkdtemp(path.join(tmpdir(), "saavedra-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const data = path.join(folder, "games.sqlite");
  const host = { ...(await serve("--data", data, "--port", "0")), browser: here.browser };
  t.after(() => host.server.kill("SIGTERM"));
  const end = async () => {
    host.server.kill("SIGKILL");
    await new Promise(resolve => host.server.once("exit", resolve));
  };
  const begin = async () => Object.assign(host, await serve("--data", data, "--port", new URL(host.url).port));
  return { host, end, begin };
}

describe("while the server is away", SIDE_BY_SIDE, () => {
  test("a comment stays, and is saved when the server is back", async t => {
    const { host, end, begin } = await lasting(t);
    const id = await newImport(host, "1. e4 e5 *");
    const page = await visit(t, host, `#/game/${id}?tab=notes`, GONE);
    await page.locator(".board[aria-disabled=false]").waitFor();
    await end();
    await page.locator(".notes textarea").fill("written while it was away");
    await page.locator(".notice.wrong").getByText("Your changes are kept").waitFor();
    await begin();
    await waitForText(page, host, id, "written while it was away");
  });

  test("what was not saved is saved after a reload", async t => {
    const host = here;
    const id = await newImport(host, "1. e4 e5 *");
    const page = await visit(t, host, `#/game/${id}?tab=notes`, GONE);
    await page.locator(".board[aria-disabled=false]").waitFor();
    await page.route(`**/api/library/${id}`, route => route.abort());
    await page.locator(".notes textarea").fill("before the reload");
    await page.locator(".notice.wrong").getByText("Your changes are kept").waitFor();
    await page.unroute(`**/api/library/${id}`);
    await page.reload();
    await waitForText(page, host, id, "before the reload");
  });

  test("what a server cannot save now is saved later", async t => {
    const id = await newImport(here, "1. e4 e5 *");
    const page = await visit(t, here, `#/game/${id}?tab=notes`);
    await page.locator(".board[aria-disabled=false]").waitFor();
    const error = { code: "internal", message: "the database failed: disk full", problems: [] };
    await page.route(`**/api/library/${id}`, route => route.fulfill({ status: 500, json: { error } }));
    await page.locator(".notes textarea").fill("kept for later");
    await page.locator(".notice.wrong").getByText("the database failed").waitFor();
    await page.unroute(`**/api/library/${id}`);
    await waitForText(page, here, id, "kept for later");
  });

  test("a game that is deleted with something unsaved is not there again", async t => {
    const { host } = await lasting(t);
    const page = await visit(t, host, `#/game/${await newImport(host, "1. e4 e5 *")}?tab=notes`, GONE);
    await page.locator(".notes textarea").fill("the last word");
    await choose(page, "Delete game");
    await page.getByText("Game deleted.").waitFor();
    await page.locator("main[data-view=home] .bots .face").first().waitFor();
    assert.equal((await ask(host, "/library")).total, 0);
  });

  test("a move says that it was not played, and the page says that the connection is lost", async t => {
    const { host, end } = await lasting(t);
    const page = await visit(t, host, `#/game/${await newGame(host)}`, GONE);
    await page.locator(".board[aria-disabled=false]").waitFor();
    await end();
    const banner = page.getByText("Connection lost.");
    await banner.waitFor();
    const box = await banner.boundingBox();
    assert.ok(box.y >= 0 && box.y + box.height < 860, JSON.stringify(box));
    await drag(page, "e2", "e4");
    await page.locator(".notice.wrong").getByText("this move was not played").waitFor();
    assert.deepEqual(await moves(page), []);
  });
});

describe("two pages with one game", SIDE_BY_SIDE, () => {
  const opened = async (t, id) => {
    const page = await visit(t, here, `#/game/${id}?tab=notes&ply=0`);
    await page.locator(".board[aria-disabled=false]").waitFor();
    return page;
  };

  test("changes of different places are all kept", async t => {
    const id = await newImport(here, "1. e4 e5 *");
    const [one, two] = [await opened(t, id), await opened(t, id)];
    await one.locator(".notes textarea").fill("of the first page");
    await waitForText(one, here, id, "of the first page");
    await two.keyboard.press("ArrowRight");
    await two.getByRole("heading", { name: "1. e4" }).waitFor();
    await two.locator(".notes textarea").fill("of the second page");
    await waitForText(two, here, id, "of the second page");
    assert.match(await pgnOf(here, id), /of the first page/);
  });

  test("of changes of the same place both are kept, the later one as a game of its own", async t => {
    const id = await newImport(here, "1. e4 e5 *");
    const [one, two] = [await opened(t, id), await opened(t, id)];
    await one.locator(".notes textarea").fill("of the first page");
    await waitForText(one, here, id, "of the first page");
    await two.locator(".notes textarea").fill("of the second page");
    await two.waitForFunction(id => !location.hash.startsWith(`#/game/${id}`), id);
    const [, copy] = /#\/game\/(\w+)/.exec(two.url());
    await waitForText(two, here, copy, "of the second page");
    assert.match(await pgnOf(here, id), /of the first page/);
  });
});

describe("a game in progress", SIDE_BY_SIDE, () => {
  test("is not left for what is pasted unless one says so", async t => {
    const id = await newGame(here);
    const page = await visit(t, here, `#/game/${id}`);
    await page.locator(".board[aria-disabled=false]").waitFor();
    await paste(page, "1. d4 d5 *");
    const open = page.getByRole("button", { name: "Open what was pasted" });
    await open.waitFor();
    assert.match(page.url(), new RegExp(id));
    await open.click();
    await waitForMoves(page, 2);
    assert.deepEqual(await moves(page), ["d4", "d5"]);
    assert.ok((await ask(here, "/home")).continue.some(game => game.id === id));
  });

  test("is not resigned by a double click, and goes on where there is no sound", async t => {
    const page = await visit(t, here, `#/game/${await newGame(here)}`, { settings: { volume: 50 } });
    await page.evaluate(() => (globalThis.AudioContext = undefined));
    await page.getByRole("button", { name: "Resign" }).dblclick();
    await page.getByRole("button", { name: "Resign: sure?" }).waitFor();
    await drag(page, "e2", "e4");
    await waitForMoves(page, 1);
    await drag(page, "e7", "e5");
    await waitForMoves(page, 2);
  });
});
