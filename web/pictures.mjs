// Makes the pictures of the README with the real server and a real browser: `npm run pictures`, with SAAVEDRA and
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
const DEPTH = 18;

const { server, url } = await serve("--memory", "--port", "0");
const browser = await chromium.launch({
  executablePath: found(process.env.CHROMIUM ?? "chromium"),
  args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
});
try {
  mkdirSync(FOLDER, { recursive: true });
  const page = await browser.newPage({ viewport: { width: 1400, height: 850 }, colorScheme: "light" });
  await page.addInitScript(() => {
    localStorage["saavedra.settings"] = JSON.stringify({ motion: false, sound: false, theme: "light" });
  });
  const moves = GAME.split(" ").map(encodeURIComponent).join(",");
  await page.goto(`${url}/#/analysis?moves=${moves}&ply=${SHOWN}`);
  await page.waitForFunction(
    depth => {
      const shown = document.querySelector(".facts b")?.textContent.match(/\d+/)?.[0];
      return Number(shown) >= depth && document.querySelectorAll(".lines li").length === 3;
    },
    DEPTH,
    { timeout: 120_000 },
  );
  await page.screenshot({ path: `${FOLDER}/board.png` });

  const pgn = await post("/pgn/write", { moves: GAME.split(" "), tags: { White: "Anderssen", Black: "Dufresne" } });
  await page.goto(`${url}/#/review`);
  await page.getByLabel("PGN", { exact: true }).fill(pgn.pgn);
  await page.getByRole("button", { name: "Review the game" }).click();
  await page.locator(".accuracy .figure").first().waitFor({ timeout: 120_000 });
  await page.locator(".plot canvas").waitFor();
  await page.setViewportSize({ width: 1280, height: 930 });
  while ((await page.locator(".verdict.blunder").count()) === 0) {
    await page.getByRole("button", { name: "Next mistake" }).click();
    await page.locator(".verdict").waitFor();
  }
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: `${FOLDER}/review.png` });
} finally {
  await browser.close();
  server.kill("SIGTERM");
}

async function post(path, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/api${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return answer.json();
}
