// The workspace: one board, one panel, one bar; addresses, drawings, notes, the engine's lines, and how games flow.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import {
  SIDE_BY_SIDE,
  ask,
  choose,
  click,
  drag,
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

const RUY =
  '[White "Anna"]\n[Black "Bruno"]\n[Result "1-0"]\n\n1. e4 e5 (1... c5 2. Nf3 d6) 2. Nf3 Nc6 3. Bb5 a6 1-0\n';
const TABS = ["Moves", "Engine", "Explorer", "Review", "Notes"];

async function opened(t, query = "", options) {
  const page = await visit(t, here, `#/game/${await newImport(here, RUY)}${query}`, options);
  await page.locator(".moves .move").first().waitFor({ state: "attached" });
  return page;
}

/** The middle of a square. */
async function middle(page, square) {
  const box = await page.locator(`.board rect[data-square=${square}]`).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** Draws with the right button, with keys held. */
async function sketch(page, from, to, ...keys) {
  for (const key of keys) await page.keyboard.down(key);
  await page.mouse.move(...(await middle(page, from)));
  await page.mouse.down({ button: "right" });
  await page.mouse.move(...(await middle(page, to)), { steps: 3 });
  await page.mouse.up({ button: "right" });
  for (const key of keys) await page.keyboard.up(key);
}

/** Waits until the last change is saved. */
async function saved(page, work) {
  const answer = page.waitForResponse(response => response.request().method() === "PUT" && response.ok());
  await work();
  await answer;
}

describe("the workspace", SIDE_BY_SIDE, () => {
  test("a reload shows the same move, the same tab, and the same variation", async t => {
    const page = await opened(t, "?ply=4&tab=notes");
    await page.getByRole("heading", { name: "2… Nc6" }).waitFor();
    await page.getByRole("tab", { name: "Moves" }).click();
    await page.locator(".variation").getByRole("button", { name: "d6", exact: true }).click();
    await page.waitForFunction(() => location.hash.includes("line="));
    await page.reload();
    await page.locator(".variation [aria-current]").getByText("d6").waitFor();
    await stands(page, "bp", "d6");
    await page.keyboard.press("ArrowLeft");
    await page.locator(".variation [aria-current]").getByText("Nf3").waitFor();
  });

  test("after a click on a tab the arrow keys still step through the moves", async t => {
    const page = await opened(t, "?ply=4&tab=notes");
    await page.getByRole("heading", { name: "2… Nc6" }).waitFor();
    await page.getByRole("tab", { name: "Moves" }).click();
    await page.getByRole("tab", { name: "Notes" }).click();
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => location.hash.includes("ply=3") && location.hash.includes("tab=notes"));
  });

  test("at the start the opening of the whole game is told, beside how it ended", async t => {
    const page = await opened(t, "?ply=0");
    await page.locator(".caption .opening").getByText("Ruy Lopez: Morphy Defense").waitFor();
    await page.locator(".caption .outcome").getByText("1–0").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.locator(".caption .opening").getByText("King's Pawn Game").waitFor();
  });

  test("a key leads to the field for moves, from the page and from the board", async t => {
    const page = await opened(t, "?ply=1");
    await stands(page, "wp", "e4");
    await page.locator(".player").first().click();
    await page.keyboard.press("m");
    await page.keyboard.type("Nf6");
    await page.keyboard.press("Enter");
    await stands(page, "bn", "f6");
    await page.getByRole("application").focus();
    await page.keyboard.press("m");
    await page.keyboard.type("Nc3");
    await page.keyboard.press("Enter");
    await stands(page, "wn", "c3");
    await page.locator(".player").first().click();
    await page.keyboard.press("?");
    await page.locator("dialog.shortcuts").getByText("Type a move").waitFor();
  });

  test("the letters of the board are drawn over what is marked", async t => {
    const page = await opened(t, "?ply=5");
    await page.locator(".mark.last").first().waitFor();
    const isOver = await page.evaluate(() => {
      const [marks, letters, pieces] = [".markers-layer", ".coordinates", ".pieces-layer"].map(name =>
        document.querySelector(`.board ${name}`),
      );
      const follows = (one, other) => Boolean(one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);
      return letters.childElementCount === 16 && follows(marks, letters) && follows(letters, pieces);
    });
    assert.ok(isOver);
  });

  test("moves as text become a game: from the head, and up to the one that cannot be played", async t => {
    const page = await visit(t, here, "#/library");
    const search = page.locator(".top").getByRole("searchbox");
    await search.fill("e2e4 e7e5");
    await page.keyboard.press("Enter");
    await waitForMoves(page, 2);
    assert.deepEqual(await moves(page), ["e4", "e5"]);
    const before = page.url();
    await paste(page, "e2e4 e7e5 e8e5 g1f3");
    await page.locator(".notice.wrong").getByText("2. e8e5 is not a legal move here").waitFor();
    await page.waitForFunction(before => location.href !== before, before);
    await waitForMoves(page, 2);
    assert.deepEqual(await moves(page), ["e4", "e5"]);
    await paste(page, "d4, d5, c4");
    await waitForMoves(page, 3);
    assert.deepEqual(await moves(page), ["d4", "d5", "c4"]);
    // Words are still a search.
    await search.fill("carla dora");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => location.hash === "#/library?q=carla+dora");
  });

  test("addresses of earlier versions lead to the new ones", async t => {
    const id = await newGame(here, { moves: ["e4"] });
    const page = await visit(t, here, `#/play/${id}`);
    await page.waitForFunction(id => location.hash.startsWith(`#/game/${id}`), id);
    await page.goto(`${here.url}/#/analysis?moves=e4,e5,Nf3`);
    await page.waitForFunction(() => location.hash.startsWith("#/game/"));
    await waitForMoves(page, 3);
    assert.deepEqual(await moves(page), ["e4", "e5", "Nf3"]);
    await page.goto(`${here.url}/#/perft?depth=2`);
    await page.waitForFunction(() => location.hash.startsWith("#/lab/perft"));
  });

  test("arrows and circles are drawn by the right button, in four colors, and kept", async t => {
    const page = await opened(t, "?ply=2");
    await stands(page, "bp", "e5");
    await saved(page, () => sketch(page, "g1", "f3"));
    await saved(page, () => sketch(page, "e5", "e5", "Shift"));
    await saved(page, () => sketch(page, "d1", "h5", "Shift", "Alt"));
    await page.reload();
    await page.locator(".arrow.ink-G").waitFor();
    await page.locator(".circle.ink-R").waitFor();
    await page.locator(".arrow.ink-Y").waitFor();
    const { game } = await ask(here, `/library/${page.url().match(/game\/(\w+)/)[1]}`);
    assert.equal(game.moves[1].comment, "[%csl Re5] [%cal Gg1f3,Yd1h5]");
    // The same once more takes it away; another move has its own.
    await saved(page, () => sketch(page, "g1", "f3"));
    assert.equal(await page.locator(".arrow.ink-G").count(), 0);
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelectorAll(".circle").length === 0);
  });

  test("a comment and signs are written, shown in the moves, and survive a reload", async t => {
    const page = await opened(t, "?ply=5&tab=notes");
    await page.getByLabel("Comment", { exact: true }).fill("The Spanish.");
    await saved(page, () => page.getByRole("button", { name: "Good move" }).click());
    await page.getByRole("button", { name: "White is slightly better" }).click();
    await saved(page, async () => {
      await page.getByLabel("Event").fill("Club night");
      await page.keyboard.press("Tab");
    });
    await page.reload();
    await page.getByRole("tab", { name: "Moves" }).click();
    await page.locator(".moves .comment").getByText("The Spanish.").waitFor();
    assert.equal(await page.locator(".moves [aria-current]").textContent(), "Bb5! +=");
    const { game } = await ask(here, `/library/${page.url().match(/game\/(\w+)/)[1]}`);
    assert.deepEqual(game.moves[4].nags, [1, 14]);
    assert.equal(game.tags.Event, "Club night");
  });

  test("a move that is played is saved at once", async t => {
    const page = await opened(t, "?ply=6");
    await stands(page, "bp", "a6");
    await saved(page, () => drag(page, "b5", "a4"));
    await page.reload();
    await waitForMoves(page, 10);
    assert.equal((await moves(page)).at(-1), "Ba4");
  });

  test("the wheel steps through the moves", async t => {
    const page = await opened(t, "?ply=0");
    await stands(page, "wp", "e2");
    await page.mouse.move(...(await middle(page, "e4")));
    await page.mouse.wheel(0, 100);
    await stands(page, "wp", "e4");
    await page.mouse.wheel(0, -100);
    await stands(page, "wp", "e2");
  });

  test("a line of the engine is previewed, and played by a click", async t => {
    const page = await opened(t, "?ply=2&tab=engine");
    const move = page.locator(".lines li").first().locator("button").nth(1);
    await move.hover();
    await page.locator(".preview .mini-board").waitFor();
    await page.locator(".lines li").first().locator("button").first().click();
    await page.waitForFunction(() => /ply=3|line=/.test(location.hash));
  });

  test("the threat is what the other side would play", async t => {
    const fen = encodeURIComponent("6k1/5ppp/8/8/8/7P/3r1PP1/6K1 w - - 0 1");
    const page = await visit(t, here, `#/new?fen=${fen}`);
    await page.locator(".arrow.best").waitFor();
    await page.keyboard.press("x");
    await page.locator(".arrow.threat").waitFor();
    assert.equal(await page.locator(".arrow.best").count(), 0);
    await page.keyboard.press("x");
    await page.locator(".arrow.best").waitFor();
  });

  test("moves in UCI are pasted anywhere", async t => {
    const page = await visit(t, here, "#/settings");
    await paste(page, "e2e4 e7e5 g1f3");
    await waitForMoves(page, 3);
    assert.deepEqual(await moves(page), ["e4", "e5", "Nf3"]);
  });

  test("the board keeps its size and the bar its place, whatever the panel shows", async t => {
    for (const [width, height] of [
      [1400, 900],
      [1280, 720],
      [390, 844],
      [360, 740],
    ]) {
      const page = await opened(t, "?ply=3", { viewport: { width, height } });
      await page.locator(".board rect[data-square=e4]").waitFor();
      const places = async () => [
        await page.locator("div.board").boundingBox(),
        await page.locator(".bar").boundingBox(),
        await page.getByRole("button", { name: "Next move" }).boundingBox(),
      ];
      const before = await places();
      for (const name of TABS) {
        await page.getByRole("tab", { name }).click();
        assert.deepEqual(await places(), before, `${name} at ${width}`);
        const scrolls = await page.evaluate(() => document.documentElement.scrollHeight > innerHeight);
        assert.equal(scrolls, false, `${name} at ${width} scrolls`);
      }
      if (width < 400) {
        assert.equal(before[0].width, width, "the board goes from edge to edge");
        assert.equal(Math.round(before[1].y + before[1].height), height, "the bar is at the bottom edge");
      }
      await picture(page, `workspace-${width}`);
    }
  });

  test("the board is made smaller by its corner, and stays so", async t => {
    const own = await serve("--memory", "--port", "0");
    t.after(() => own.server.kill("SIGTERM"));
    const place = { ...own, browser: here.browser };
    const page = await visit(t, place, `#/game/${await newImport(place, RUY)}`, { ignores: /WebSocket|ERR_/ });
    await page.locator(".resizer").waitFor();
    const width = async () => (await page.locator("div.board").boundingBox()).width;
    const before = await width();
    const { x, y } = await page.locator(".resizer").boundingBox();
    await page.mouse.move(x + 4, y + 4);
    await page.mouse.down();
    await page.mouse.move(x - 150, y - 150, { steps: 4 });
    await page.mouse.up();
    assert.ok((await width()) < before - 50);
    const after = await width();
    await page.reload();
    await page.locator("div.board").waitFor();
    assert.equal(await width(), after);
  });

  test("a game that ends is reviewed in its place, and a rematch swaps the colors", async t => {
    const mind = { kind: "mind", mind: "random" };
    const person = { kind: "human", name: "You" };
    const line = ["f3", "e5", "g4"];
    const id = await newGame(here, { white: mind, black: person, moves: line });
    const page = await visit(t, here, `#/game/${id}`);
    await waitForMoves(page, 3);
    await drag(page, "d8", "h4");
    await page.locator(".outcome").getByText("Black wins: checkmate").waitFor();
    await page.locator(".accuracy .figure").first().waitFor({ timeout: 180_000 });
    await page.locator(".turning-points button").first().waitFor();
    assert.match(page.url(), new RegExp(`#/game/${id}.*tab=review`));
    await page.getByRole("button", { name: "Rematch" }).click();
    await page.waitForFunction(id => !location.hash.includes(id), id);
    await page.locator(".player.below").getByText("You").waitFor();
    const next = await ask(here, `/games/${page.url().match(/game\/(\w+)/)[1]}`);
    assert.equal(next.white.kind, "human");
  });

  test("resigning is guarded: a click elsewhere calls it off", async t => {
    const mind = { kind: "mind", mind: "random" };
    const page = await visit(t, here, `#/game/${await newGame(here, { black: mind })}`);
    await page.getByRole("button", { name: "Resign" }).click();
    await page.getByRole("button", { name: "Resign: sure?" }).waitFor();
    await page.mouse.click(...(await middle(page, "e5")));
    await page.getByRole("button", { name: "Resign", exact: true }).waitFor();
    assert.equal(await page.locator(".outcome").count(), 0);
  });

  test("a position is saved as a picture, and a game as a film", async t => {
    const page = await opened(t, "?ply=3");
    await stands(page, "wn", "f3");
    const [download] = await Promise.all([page.waitForEvent("download"), choose(page, "Save picture")]);
    const png = await readFile(await download.path());
    assert.equal(png.subarray(1, 4).toString(), "PNG");
    assert.ok(png.length > 5_000, `${png.length} bytes`);
    const [film] = await Promise.all([page.waitForEvent("download"), choose(page, "Save film")]);
    const gif = await readFile(await film.path());
    // A browser reads it, and it is as large as it says.
    const size = await page.evaluate(
      async bytes => {
        const picture = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/gif" }));
        return [picture.width, picture.height];
      },
      [...gif],
    );
    assert.deepEqual(size, [480, 480]);
  });

  test("keys: flip, zen, and the list of all keys", async t => {
    const page = await opened(t, "?ply=1");
    await stands(page, "wp", "e4");
    const top = async square => (await middle(page, square))[1];
    assert.ok((await top("e2")) > (await top("e7")));
    await page.keyboard.press("f");
    await page.waitForFunction(() => {
      const y = square => document.querySelector(`.board rect[data-square=${square}]`).getBoundingClientRect().y;
      return y("e2") < y("e7");
    });
    await page.keyboard.press("z");
    await page.locator(".tabs").waitFor({ state: "hidden" });
    await page.keyboard.press("Escape");
    await page.locator(".tabs").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  });

  test("a deleted game comes back by Undo", async t => {
    const page = await opened(t, "?ply=1");
    const id = page.url().match(/game\/(\w+)/)[1];
    await choose(page, "Delete game");
    await page.locator("main[data-view=home]").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.waitForFunction(id => location.hash.includes(id), id);
    await waitForMoves(page, 9);
  });

  test("the page speaks German and Spanish", async t => {
    for (const [language, play, tab] of [
      ["de", "Spielen", "Züge"],
      ["es", "Jugar", "Jugadas"],
    ]) {
      const page = await visit(t, here, "", { settings: { language } });
      await page.getByRole("heading", { name: play, exact: true }).waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.lang), language);
      await page.goto(`${here.url}/#/game/${await newImport(here, RUY)}`);
      await page.getByRole("tab", { name: tab }).waitFor();
      await click(page, "d2");
      await picture(page, `language-${language}`);
    }
  });

  test("pieces and boards are chosen, and seen at once", async t => {
    const own = await serve("--memory", "--port", "0");
    t.after(() => own.server.kill("SIGTERM"));
    const page = await visit(t, { ...own, browser: here.browser }, "#/settings", { ignores: /WebSocket|ERR_/ });
    const outline = () => page.evaluate(() => document.querySelector("#outline-q")?.innerHTML);
    await page.waitForFunction(() => document.querySelector("#outline-q"));
    const before = await outline();
    await page.getByLabel("Pieces", { exact: true }).selectOption("letters");
    await page.waitForFunction(before => document.querySelector("#outline-q")?.innerHTML !== before, before);
    await page.getByLabel("Board", { exact: true }).selectOption("wood");
    await page.locator("html[data-board=wood]").waitFor();
  });
});
