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

  test("what is deleted is what was selected, whatever is typed meanwhile", async t => {
    const own = { ...(await serve("--memory", "--port", "0")), browser: here.browser };
    t.after(() => own.server.kill("SIGTERM"));
    const by = (name, amount) =>
      Array.from({ length: amount }, (_, index) => `[White "${name} ${index}"]\n[Black "Emil"]\n\n1. e4 *\n`);
    const { id } = await ask(own, "/imports", { name: "many.pgn" });
    const headers = { "content-type": "application/octet-stream" };
    const body = [...by("Carla", 70), ...by("Kramer", 5)].join("\n");
    await fetch(`${own.url}/api/imports/${id}/body`, { method: "PUT", headers, body });
    const page = await visit(t, own, "#/library?q=carla", GONE);
    await page.getByText("70 games", { exact: true }).waitFor();
    const selectAll = async () => {
      await page.getByLabel("Select all shown games").check();
      await page.getByRole("button", { name: "Select all 70 games" }).click();
      await page.getByText("70 selected").waitFor();
    };
    await selectAll();
    // Another search is typed, and Delete is pressed before its games are there.
    const isDisabled = await page.evaluate(() => {
      const field = document.querySelector(".library input[type=search]");
      field.value = "kramer";
      field.dispatchEvent(new Event("input"));
      const buttons = [...document.querySelectorAll(".library-actions button")];
      const erase = buttons.find(button => button.textContent === "Delete");
      erase.click();
      return erase.disabled;
    });
    assert.equal(isDisabled, true, "nothing is selected any more");
    await page.getByText("5 games", { exact: true }).waitFor();
    assert.equal((await ask(own, "/library")).total, 75);
    // What is selected is deleted by the search that found it, even if the field says something else by now.
    await page.goto(`${own.url}/#/library?q=carla`);
    await page.getByText("70 games", { exact: true }).waitFor();
    await selectAll();
    await page.evaluate(() => (document.querySelector(".library input[type=search]").value = "kramer"));
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("70 games deleted.").waitFor();
    assert.equal((await ask(own, "/library?q=kramer")).total, 5);
    assert.equal((await ask(own, "/library?q=carla")).total, 0);
  });

  test("a search that makes no sense is told at its field, and nothing can be done to its games", async t => {
    const [page, own] = await withGames(t, "#/library");
    const { url } = own;
    await page.goto(`${url}/#/library?q=foo:bar`);
    await page.locator(".wrong-search").getByText("There is no filter “foo”").waitFor();
    assert.equal(await page.locator(".games-table").isVisible(), false);
    assert.equal(await page.getByRole("button", { name: "Show more" }).isVisible(), false);
    for (const name of ["Export", "Delete", "Add tag", "Remove tag"])
      assert.equal(await page.getByRole("button", { name, exact: true }).isDisabled(), true, name);
    assert.equal(await page.locator(".notice").count(), 0);
    assert.deepEqual(await axeComplaints(page), []);
    await page.locator(".library").getByRole("searchbox").fill("carla");
    await page.locator(".games-table").getByRole("link", { name: "Carla – Dora" }).waitFor();
    assert.equal(await page.locator(".wrong-search").isVisible(), false);
  });

  test("a tag leads to its games, and is removed from one or from many", async t => {
    const [page, own] = await withGames(t, "#/library");
    const { games } = await ask(own, "/library");
    const ids = games.slice(0, 2).map(({ id }) => id);
    await ask(own, "/library/label", { games: { ids }, add: ["my games"] });
    await page.reload();
    await page.locator(".tag-label").getByRole("link", { name: "my games" }).first().click();
    await page.waitForFunction(() => document.querySelectorAll(".games-table tbody tr").length === 2);
    assert.match(decodeURIComponent(page.url()), /q=tag:"my\+games"/);
    const tagged = async () => (await ask(own, `/library?q=${encodeURIComponent('tag:"my games"')}`)).total;
    const rows = amount =>
      page.waitForFunction(n => document.querySelectorAll(".games-table tbody tr").length === n, amount);
    await page.getByRole("button", { name: "Remove the tag my games" }).first().click();
    await rows(1);
    assert.equal(await tagged(), 1);
    await page.getByRole("button", { name: "Undo" }).click();
    await rows(2);
    await page.getByLabel("Select all shown games").check();
    await page.getByLabel("Tag", { exact: true }).fill("my games");
    await page.getByRole("button", { name: "Remove tag" }).click();
    await page.getByText("No game matches this search.").waitFor();
    assert.equal(await tagged(), 0);
  });

  test("a game without names is called what it is, and ratings are shown", async t => {
    const [page, own] = await withGames(t, "#/library");
    await ask(own, "/library", { kind: "analysis", moves: ["e4", "e5", "Nf3"].map(move => ({ move })) });
    await ask(own, "/library", { kind: "imported", pgn: '[White "Ida"]\n[WhiteElo "2400"]\n\n1. d4 *\n' });
    await page.reload();
    await page.getByRole("link", { name: "Analysis, 2 moves" }).waitFor();
    await page.getByRole("link", { name: /^Ida.2400 – \?$/ }).waitFor();
    assert.equal(await page.getByText("? – ?").count(), 0);
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

  test("the explorer takes a tag or the last search, and adds up", async t => {
    const [page, own] = await withGames(t, "#/library");
    const { games } = await ask(own, "/library?q=emil");
    await ask(own, "/library/label", { games: { ids: [games[0].id] }, add: ["queens"] });
    await page.locator(".library").getByRole("searchbox").fill("carla");
    await page.waitForFunction(() => document.querySelectorAll(".games-table tbody tr").length === 1);
    await page.goto(`${own.url}/#/new?tab=explorer`);
    const total = text => page.locator(".explorer-moves tfoot .number").getByText(text, { exact: true }).waitFor();
    const first = text => page.locator(".explorer-moves tbody tr").first().getByText(text).waitFor();
    await total("3");
    await page.getByLabel("Source").selectOption({ label: "Tag queens" });
    await total("1");
    await first("1. d4");
    assert.deepEqual(await axeComplaints(page), []);
    await page.getByLabel("Source").selectOption({ label: "Search: carla" });
    await first("1. e4");
    await total("1");
    await page.getByLabel("Source").selectOption({ label: "Your library" });
    await total("3");
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
    const tile = page.locator(`.tile[href="#/game/${id}"]`);
    await tile.getByText("move 2").waitFor();
    const pawns = await tile
      .locator("use")
      .evaluateAll(uses =>
        uses
          .filter(use => /translate\(4 [34]\)/.test(use.getAttribute("transform")))
          .map(use => use.getAttribute("href")),
      );
    assert.deepEqual(pawns.sort(), ["#bp", "#wp"], "the board shows the moves that the game began with");
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
    await page.getByText(/3… Nf6\? was played. Find a better move for Black./).waitFor();
    assert.equal(await page.locator(".theme").count(), 0, "what it is about would give it away");
    assert.deepEqual(await axeComplaints(page), []);
    await picture(page, "practice");
    await page.getByRole("button", { name: "Show the solution" }).click();
    await page.locator(".arrow.best").waitFor();
    await page.getByText(/allows mate in 1/).waitFor();
    await page.locator(".theme").getByText("Allowed mate").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText(/mistakes? (is|are) due|Nothing is due/).waitFor();
  });

  test("one theme is practised alone, and a good answer is not called the best", async t => {
    const page = await visit(t, here, "");
    const fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    const card = (id, theme) => ({
      ...{ id, theme, fen, game: "g", ply: 2, turn: "white", label: `Game ${id}`, answers: 0, lapses: 0 },
      ...{ played: { uci: "f2f3", san: "f3" }, best: { uci: "g1f3", san: "Nf3" }, due: "2026-11-19T00:00:00Z" },
    });
    const cards = [card("1", "hangs"), card("2", "fork"), card("3", "hangs")];
    const themes = [
      { theme: "hangs", due: 2 },
      { theme: "fork", due: 1 },
    ];
    await page.route(/\/api\/practice(\?|$)/, route => {
      const theme = new URL(route.request().url()).searchParams.get("theme");
      const asked = cards.filter(card => !theme || card.theme === theme);
      return route.fulfill({ json: { due: 3, total: 3, next: null, streak: 0, themes, cards: asked } });
    });
    const judged = {
      ...{ san: "Nc3", uci: "b1c3", fen, color: "white", nag: null, judgement: "good", reasons: [] },
      ...{ best: { san: ["Nf3"], uci: ["g1f3"] }, eval_best: { kind: "cp", value: 40 } },
    };
    await page.route("**/api/judge", route => route.fulfill({ json: judged }));
    await page.goto(`${here.url}/#/practice`);
    const choice = page.getByLabel("Theme");
    await choice.waitFor();
    assert.deepEqual(await choice.locator("option").allTextContents(), [
      "All themes (3)",
      "Hanging piece (2)",
      "Fork (1)",
    ]);
    await choice.selectOption("fork");
    await page.waitForFunction(() => location.hash === "#/practice?theme=fork");
    await page.getByText("2. f3? was played.").waitFor();
    await page.getByText("Game 2").waitFor();
    assert.deepEqual(await axeComplaints(page), []);
    // The field for moves has a key.
    await page.locator("h2").first().click();
    await page.keyboard.press("m");
    await page.keyboard.type("Nc3");
    await page.keyboard.press("Enter");
    await page.getByText("Nc3 is right: a good move, though Nf3 is a little better.").waitFor();
    await page.locator(".theme").getByText("Fork").waitFor();
  });
});
