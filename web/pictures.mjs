// Makes the pictures of the documents with the real server and a real browser: `npm run pictures`, with SAAVEDRA and
// CHROMIUM as in the tests. They go to docs/images.

import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { found, serve } from "./test/harness.mjs";

const FOLDER = fileURLToPath(new URL("../docs/images", import.meta.url));

/** The Evergreen Game, Anderssen – Dufresne, Berlin 1852. */
const GAME =
  "e4 e5 Nf3 Nc6 Bc4 Bc5 b4 Bxb4 c3 Ba5 d4 exd4 O-O d3 Qb3 Qf6 e5 Qg6 Re1 Nge7 Ba3 b5 Qxb5 Rb8 Qa4 Bb6 Nbd2 Bb7 Ne4 Qf5 " +
  "Bxd3 Qh5 Nf6+ gxf6 exf6 Rg8 Rad1 Qxf3 Rxe7+ Nxe7 Qxd7+ Kxd7 Bf5+ Ke8 Bd7+ Kf8 Bxe7#";
const SHOWN = 37;
const DEPTH = 16;
const DESK = { width: 1400, height: 850 };
const PHONE = { width: 390, height: 844 };

const { server, url } = await serve("--memory", "--port", "0");
const browser = await chromium.launch({
  executablePath: found(process.env.CHROMIUM ?? "chromium"),
  args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
});
try {
  mkdirSync(FOLDER, { recursive: true });
  const { pgn } = await post("/pgn/write", { moves: GAME.split(" "), tags: { White: "Anderssen", Black: "Dufresne" } });
  const { id } = await post("/library", { kind: "imported", pgn });
  await analysis(id);
  await review(id);
  await playing();
  await home(id);
} finally {
  await browser.close();
  server.kill("SIGTERM");
}

/** Opens a page of a size, light or dark. */
async function open(place, viewport, theme = "light") {
  const page = await browser.newPage({ viewport, colorScheme: theme, deviceScaleFactor: viewport === PHONE ? 2 : 1 });
  await page.addInitScript(theme => {
    localStorage["saavedra.settings"] = JSON.stringify({ motion: false, volume: 0, theme, language: "en" });
  }, theme);
  await page.goto(`${url}/${place}`);
  return page;
}

async function take(page, name) {
  await page.screenshot({ path: `${FOLDER}/${name}.png` });
  await page.close();
}

async function analysis(id) {
  const page = await open(`#/game/${id}?ply=${SHOWN}&tab=engine`, DESK);
  await page.waitForFunction(
    depth => {
      const shown = document.querySelector(".facts b")?.textContent.match(/\d+/)?.[0];
      return Number(shown) >= depth && document.querySelectorAll(".lines li").length === 3;
    },
    DEPTH,
    { timeout: 240_000 },
  );
  await take(page, "board");
}

async function review(id) {
  const page = await open(`#/game/${id}?tab=review`, DESK);
  await page.getByRole("button", { name: "Review the game" }).click();
  await page.locator(".accuracy .figure").first().waitFor({ timeout: 240_000 });
  while ((await page.locator(".verdict.blunder").count()) === 0) {
    await page.keyboard.press("n");
    await page.locator(".verdict").waitFor();
  }
  await page.locator(".arrow.played").waitFor();
  await take(page, "review");
  const phone = await open(`#/game/${id}?tab=review`, PHONE, "dark");
  await phone.locator(".accuracy .figure").first().waitFor({ timeout: 240_000 });
  while ((await phone.locator(".verdict.blunder").count()) === 0) {
    await phone.keyboard.press("n");
    await phone.locator(".verdict").waitFor();
  }
  await take(phone, "phone");
}

async function playing() {
  const moves = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6".split(" ");
  const white = { kind: "human", name: "You" };
  const black = { kind: "mind", mind: "search:elo=1400" };
  const time = { base_ms: 300_000, increment_ms: 0 };
  const game = await post("/games", { white, black, time, moves });
  const page = await open(`#/game/${game.id}`, DESK, "dark");
  await page.locator(".player.below .clock").waitFor();
  await page.locator(".player", { hasText: "Ada" }).waitFor();
  await take(page, "play");
  await post(`/games/${game.id}/move`, { move: "c3" });
}

/** Home after some days: a game in progress, games that are over, mistakes to practise. */
async function home(id) {
  const you = { kind: "human", name: "You" };
  for (const [elo, moves] of [
    [800, "e4 e5 Nf3 d6 d4 Bg4 dxe5"],
    [1100, "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7"],
    [1400, "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"],
  ]) {
    const bot = { kind: "mind", mind: `search:elo=${elo}` };
    const game = await post("/games", { white: you, black: bot, moves: moves.split(" ").slice(0, 6) });
    await post(`/games/${game.id}/resign`, { side: "white" });
  }
  for (const side of ["white", "black"]) await post(`/library/${id}/cards`, { side });
  const page = await open("", DESK);
  await page.locator(".bots .face").first().waitFor();
  await page.locator(".games a, .tile").first().waitFor();
  await take(page, "home");
}

async function post(path, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/api${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return answer.json();
}
