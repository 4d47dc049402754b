// The library, the explorer, practice and home, each with a server of its own.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import {
  SIDE_BY_SIDE,
  ask,
  axeComplaints,
  choose,
  newGame,
  paste,
  picture,
  serve,
  setup,
  stands,
  visit,
} from "./harness.mjs";

const here = setup();

const GAMES = `[White "Carla"]
[Black "Dora"]
[Date "1997.05.11"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 1-0

[White "Emil"]
[Black "Fritz"]
[Result "0-1"]

1. d4 d5 2. c4 e6 0-1

[White "Gero"]
[Black "Hans"]
[Result "1-0"]

1. e4 c5 2. Nf3 Qxd8 1-0
`;

/** The server of a test ends before its page, which notices. */
const GONE = { ignores: /WebSocket|ERR_/ };

/** A page at a server of its own, with three games in its library. */
async function withGames(t, place) {
  const own = { ...(await serve("--memory", "--port", "0")), browser: here.browser };
  t.after(() => own.server.kill("SIGTERM"));
  const page = await visit(t, own, place, GONE);
  await paste(page, GAMES);
  await page.waitForFunction(() => document.querySelectorAll(".games-table tbody tr").length === 3);
  return [page, own];
}

describe("library, explorer, practice, home", SIDE_BY_SIDE, () => {
  test("several games are pasted, found by words and fields, and the broken one says what is wrong", async t => {
    const [page] = await withGames(t, "#/library");
    await page.locator(".broken-game").getByText("Qxd8").waitFor();
    const found = async (text, expected) => {
      await page.locator(".library").getByRole("searchbox").fill(text);
      await page.waitForFunction(
        expected => [...document.querySelectorAll(".games-table tbody a")].map(a => a.textContent).join() === expected,
        expected.join(),
      );
    };
    await found("carla", ["Carla – Dora"]);
    await found("result:0-1", ["Emil – Fritz"]);
    await found("year:1997", ["Carla – Dora"]);
    await found("broken:yes", ["Gero – Hans"]);
    assert.match(page.url(), /q=broken/);
    assert.deepEqual(await axeComplaints(page), []);
    await picture(page, "library");
  });

  test("a file that is imported twice is there once, and the page says so", async t => {
    const [page, own] = await withGames(t, "#/library");
    const before = await ask(own, "/explorer");
    await paste(page, GAMES);
    await page.getByText("All 3 games are in your library already.").waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".games-table tbody tr").length === 3);
    assert.deepEqual((await ask(own, "/explorer")).moves, before.moves);
    // A single game is opened, whether it is new or not.
    await paste(page, GAMES.slice(0, GAMES.indexOf('[White "Emil')));
    await page.waitForFunction(() => location.hash.startsWith("#/game/"));
    assert.equal((await ask(own, "/library")).total, 3);
  });

  test("games are deleted and brought back, tagged, and exported", async t => {
    const [page] = await withGames(t, "#/library");
    await page.getByLabel("Select Emil – Fritz").check();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".games-table tbody tr").length === 2);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".games-table tbody tr").length === 3);
    await page.getByLabel("Select Carla – Dora").check();
    await page.getByLabel("Tag", { exact: true }).fill("mine");
    await page.getByRole("button", { name: "Add tag" }).click();
    await page.locator(".tag-label").getByText("mine").waitFor();
    await page.getByLabel("Select Carla – Dora").check();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export" }).click(),
    ]);
    const pgn = await readFile(await download.path(), "utf8");
    assert.match(pgn, /Carla/);
    assert.doesNotMatch(pgn, /Emil/);
  });

  test("the explorer tells what was played, and plays it", async t => {
    const [page] = await withGames(t, "#/library");
    await page.getByRole("link", { name: "Carla – Dora" }).click();
    await page.getByRole("tab", { name: "Explorer" }).click();
    const rows = page.locator(".explorer-moves tr");
    await rows.first().waitFor();
    assert.match(await rows.first().textContent(), /^1\. e4/);
    await rows.filter({ hasText: "d4" }).getByRole("button").click();
    await stands(page, "wp", "d4");
    await page.locator(".explorer-games").getByText("Emil – Fritz").waitFor();
    assert.deepEqual(await axeComplaints(page), []);
    await picture(page, "explorer");
  });

  test("the games with a position are found from the board", async t => {
    const [page] = await withGames(t, "#/library");
    await page.getByRole("link", { name: "Carla – Dora" }).click();
    await page.locator(".moves").getByRole("button", { name: "e4", exact: true }).click();
    await stands(page, "wp", "e4");
    await choose(page, "Find in the library");
    await page.getByText("Games with this position.").waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".games-table tbody tr").length === 2);
    assert.deepEqual(await page.locator(".games-table tbody a").allTextContents(), ["Gero – Hans", "Carla – Dora"]);
  });

  test("home shows the game in progress and the last games", async t => {
    const [page, own] = await withGames(t, "#/library");
    const id = await newGame(own, { moves: ["e4", "e5"] });
    const over = await newGame(own, { moves: ["e4"] });
    await ask(own, `/games/${over}/resign`, { side: "white" });
    await page.goto(`${own.url}/#/`);
    await page.locator(`.tile[href="#/game/${id}"]`).waitFor();
    await page.locator(`.games a[href="#/game/${over}"]`).getByText("0–1").waitFor();
    assert.deepEqual(await axeComplaints(page), []);
    await picture(page, "home");
    await page.locator(`.tile[href="#/game/${id}"]`).click();
    await page.getByRole("button", { name: "Resign" }).waitFor();
  });

  test("a mistake of one's own game comes back as a card, and the right answer is graded", async t => {
    const own = { ...(await serve("--memory", "--port", "0")), browser: here.browser };
    t.after(() => own.server.kill("SIGTERM"));
    const pgn = '[White "Anna"]\n[Black "Bruno"]\n[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n';
    const { id } = await ask(own, "/library", { kind: "imported", pgn });
    const page = await visit(t, own, `#/game/${id}?tab=review`, GONE);
    await page.getByRole("button", { name: "Review the game" }).click();
    await page.locator(".accuracy .figure").first().waitFor({ timeout: 180_000 });
    await page.getByLabel("Whose mistakes").selectOption({ label: "Black" });
    await page.getByRole("button", { name: "Add to practice" }).click();
    await page.getByText(/added to practice/).waitFor();
    await page.goto(`${own.url}/#/practice`);
    await page.getByText(/3… Nf6 was played. Find a better move for Black./).waitFor();
    assert.deepEqual(await axeComplaints(page), []);
    await picture(page, "practice");
    await page.getByRole("button", { name: "Show the solution" }).click();
    await page.locator(".arrow.best").waitFor();
    await page.getByText(/allows mate in 1/).waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText(/mistakes? (is|are) due|Nothing is due/).waitFor();
  });
});
