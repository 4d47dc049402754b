// Layout and accessibility: sizes, themes, phones, large type, screen readers, and the size of the first load.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SIDE_BY_SIDE, ask, axeComplaints, newGame, newImport, picture, serve, setup, visit } from "./harness.mjs";

const here = setup();

/** The views: what they are called when they are open, and what tells that they have something to show. */
const READY = {
  "": ["home", ".bots .face"],
  play: ["play", ".bots .face"],
  new: ["game", ".lines li"],
  library: ["library", ".library-actions"],
  practice: ["practice", ".practice-panel .words p"],
  editor: ["editor", "p.good"],
  "lab/perft": ["lab", ".table .hint"],
  "lab/exchange": ["lab", ".arrow.attacker"],
  "lab/boards": ["lab", ".board-card"],
  "lab/tree": ["lab", ".icicle"],
  settings: ["settings", ".sample"],
};
const VIEWS = Object.keys(READY);
const TABS = ["moves", "engine", "explorer", "review", "notes"];
const LARGEST_LOAD = 120_000;
/** The files and the questions between opening the page and being able to make the first move. */
const MOST_REQUESTS = 40;

/** Goes to a view and waits until it has something to show. */
async function go(page, view) {
  await page.goto(`${here.url}/#/${view}`);
  const [name, ready] = READY[view] ?? ["game", view.includes("tab=notes") ? ".notes h2" : ".moves .move"];
  const shown = page.locator(`main[data-view=${name}] ${ready}`).first();
  // On a phone some tabs leave no room for the moves.
  await shown.waitFor({ state: view.includes("tab=") ? "attached" : "visible" });
}

async function opened(t, view, options) {
  const page = await visit(t, here, `#/${view}`, options);
  await go(page, view);
  return page;
}

/** Elements that stick out of the window, and whether the page can be scrolled sideways. */
function overflow(page) {
  return page.evaluate(() => {
    const scrolls = element =>
      element.closest(".scroll, .outline, .line-moves, .thought, .icicle, .sprite, .unseen, .facts, .player");
    const wide = [...document.body.querySelectorAll("*")].filter(element => {
      const box = element.getBoundingClientRect();
      return box.width > 0 && box.right > innerWidth + 1 && !scrolls(element);
    });
    const names = wide.map(element => `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`);
    const page = document.documentElement;
    return page.scrollWidth > page.clientWidth ? [`the page is ${page.scrollWidth} wide`, ...names] : names;
  });
}

/** Texts that are cut off inside their own control. */
function clipped(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll("button, .button, .clock, h2, h3, .top nav a")]
      .filter(element => element.scrollWidth > element.clientWidth + 2 && element.clientWidth > 0)
      .map(element => element.textContent),
  );
}

describe("looks", SIDE_BY_SIDE, () => {
  for (const [name, size, fontSize] of [
    ["desk at 200 %", { width: 1280, height: 800 }, 200],
    ["phone", { width: 360, height: 740 }, 100],
    ["phone at 200 %", { width: 360, height: 740 }, 200],
  ]) {
    test(`nothing overflows: ${name}`, async t => {
      const time = { base_ms: 5_400_000, increment_ms: 0 };
      const game = await newGame(here, { time, moves: ["e4", "d5", "exd5", "Qxd5"] });
      const kept = await newImport(here, "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 {A comment} 2... Nc6 1-0");
      const page = await visit(t, here, "", { viewport: size, settings: { fontSize } });
      for (const view of [...VIEWS, `game/${game}`, ...TABS.map(tab => `game/${kept}?tab=${tab}`)]) {
        await go(page, view);
        assert.deepEqual(await overflow(page), [], view);
        assert.deepEqual(await clipped(page), [], view);
        await picture(
          page,
          `${name.replaceAll(/[ %]+/g, "-")}-${view.replaceAll(/\/\w{10,}/g, "").replaceAll(/\W+/g, "-")}`,
        );
      }
    });
  }

  for (const [width, height] of [
    [1280, 720],
    [1400, 900],
    [390, 844],
    [844, 390],
  ]) {
    test(`a notice covers neither the board nor what is pressed: ${width} x ${height}`, async t => {
      const page = await visit(t, here, `#/game/${await newImport(here, "1. e4 *")}`, { viewport: { width, height } });
      await page.locator(".board[aria-disabled=false]").waitFor();
      // The longest sentence that is said.
      await page.route("**/api/library/*", route => route.abort());
      await page.getByRole("tab", { name: "Notes" }).click();
      await page.locator(".notes textarea").fill("A comment");
      const notice = page.locator(".notice.wrong").getByText("Your changes are kept");
      await notice.waitFor();
      const box = await notice.boundingBox();
      for (const name of [".board", ".bar", ".tabs", ".tab-panel", ".player.below"]) {
        const other = await page.locator(name).first().boundingBox();
        assert.ok(box.y + box.height <= other.y + 1, `${name}: ${JSON.stringify([box, other])}`);
      }
      await page.unroute("**/api/library/*");
    });

    test(`the workspace and practice do not scroll into emptiness: ${width} x ${height}`, async t => {
      const kept = await newImport(here, "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0");
      const page = await visit(t, here, `#/game/${kept}?tab=review`, { viewport: { width, height } });
      await page.getByRole("button", { name: "Review the game" }).click();
      await page.locator(".accuracy .figure").first().waitFor({ timeout: 180_000 });
      const excess = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
      assert.equal(await excess(), 0, "review");
      await page.keyboard.press("n");
      await page.getByRole("button", { name: "Try it yourself" }).click();
      // Only where there is a field for moves it is spoken of.
      const hasField = await page.locator(".retry .typed input").isVisible();
      assert.equal(hasField, width > 1000);
      assert.equal(await page.getByText("or type a move").isVisible(), hasField);
      assert.equal(await page.getByText("Move a piece on the board.", { exact: true }).isVisible(), !hasField);
      const bar = await page.locator(".bar").boundingBox();
      for (const name of ["Show the solution", "Back to the review"]) {
        const button = await page.getByRole("button", { name }).boundingBox();
        assert.ok(button.y + button.height <= bar.y, `${name}: ${JSON.stringify([button, bar])}`);
      }
      assert.equal(await excess(), 0, "retry");
      await ask(here, `/library/${kept}/cards`, { side: "black" });
      await page.goto(`${here.url}/#/practice`);
      await page.getByRole("button", { name: "Show the solution" }).waitFor();
      assert.equal(await excess(), 0, "practice");
      if (width < 1000) return;
      // What has more below its fold is seen whole without it.
      for (const view of ["editor", "play"]) {
        await go(page, view);
        assert.equal(await excess(), 0, view);
      }
      for (const view of ["lab/perft", "lab/exchange", "lab/tree", "lab/boards"]) {
        await go(page, view);
        const { y, height: size } = await page.locator(".board").first().boundingBox();
        assert.ok(y + size <= height, `${view}: the board ends at ${y + size}`);
      }
    });
  }

  for (const language of ["en", "de", "es"]) {
    test(`the menu of a game is seen whole, and the bar has room for its words: ${language}`, async t => {
      const viewport = { width: 1280, height: 720 };
      const id = await newImport(here, "1. e4 e5 *");
      const page = await visit(t, here, `#/game/${id}?ply=1`, { viewport, settings: { language } });
      await page.locator(".board[aria-disabled=false]").waitFor();
      await page.locator(".bar > button").click();
      const menu = page.locator(".menu:popover-open");
      const { y, height } = await menu.locator("button").last().boundingBox();
      const box = await menu.boundingBox();
      assert.ok(y + height <= box.y + box.height && box.y >= 0, JSON.stringify([y, height, box]));
      assert.ok(await menu.evaluate(menu => menu.scrollHeight <= menu.clientHeight), "nothing is hidden");
      await page.keyboard.press("Escape");
      for (const width of [1280, 1400]) {
        await page.setViewportSize({ width, height: width === 1280 ? 720 : 900 });
        assert.deepEqual(await overflow(page), [], `${width}`);
        const labels = await page.locator(".bar-label").evaluateAll(labels => labels.map(label => label.offsetHeight));
        assert.ok(labels.length === 4 && labels.every(height => height > 0 && height < 27), String(labels));
        assert.deepEqual(await clipped(page), [], `${width}`);
      }
    });
  }

  test("a menu that does not fit can be scrolled and keeps to the window", async t => {
    const id = await newImport(here, "1. e4 e5 *");
    const page = await visit(t, here, `#/game/${id}?ply=1`, { viewport: { width: 1280, height: 520 } });
    await page.locator(".board[aria-disabled=false]").waitFor();
    await page.locator(".bar > button").click();
    const menu = page.locator(".menu:popover-open");
    const { y, height } = await menu.boundingBox();
    assert.ok(y >= 0 && y + height <= 520, JSON.stringify([y, height]));
    await menu.getByRole("button", { name: "Delete game" }).scrollIntoViewIfNeeded();
    const last = await menu.getByRole("button", { name: "Delete game" }).boundingBox();
    assert.ok(last.y + last.height <= y + height, JSON.stringify(last));
  });

  test("a field and the button beside it stand on one line", async t => {
    const page = await visit(t, here, "#/library");
    const edges = async (...selectors) => {
      const boxes = await Promise.all(selectors.map(name => page.locator(name).first().boundingBox()));
      return boxes.map(({ y, height }) => [Math.round(y), Math.round(y + height)]);
    };
    for (const [view, ...selectors] of [
      ["library", ".library-head input[type=search]", ".library-head .file button"],
      ["library", ".library-actions button:not([hidden])", ".library-actions input"],
      ["lab/perft", ".perft-form select", ".perft-form button"],
      ["lab/boards", ".flip-form input", ".flip-form button"],
    ]) {
      await go(page, view);
      const [one, other] = await edges(...selectors);
      assert.ok(Math.abs(one[0] - other[0]) <= 1 && Math.abs(one[1] - other[1]) <= 1, `${view}: ${one} and ${other}`);
    }
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`the cross of a message is seen under the pointer: ${colorScheme}`, async t => {
      const page = await visit(t, here, "#/new", { colorScheme });
      await page.locator(".board[aria-disabled=false]").waitFor();
      // A copy of the message stays for as long as the test takes.
      await page.evaluate(() => {
        const watch = new MutationObserver(() => {
          const copy = document.querySelector(".notice.wrong")?.cloneNode(true);
          if (!copy) return;
          watch.disconnect();
          copy.classList.add("copy");
          Object.assign(copy.style, { position: "fixed", top: 0, left: 0 });
          document.querySelector(".notice-area").append(copy);
        });
        watch.observe(document.body, { childList: true, subtree: true });
      });
      await page.locator(".typed input").fill("Ke9");
      await page.keyboard.press("Enter");
      const cross = page.locator(".notice.copy button");
      const { x, y, width, height } = await cross.boundingBox();
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.waitForFunction(() => document.querySelector(".notice.copy button").matches(":hover"));
      // Its ground is made of its own color, so it differs from it whatever the theme.
      const colors = await cross.evaluate(button => {
        const { color, backgroundColor } = getComputedStyle(button);
        const drawn = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        const luminance = (...layers) => {
          for (const layer of layers) {
            drawn.fillStyle = layer;
            drawn.fillRect(0, 0, 1, 1);
          }
          const [r, g, b] = [...drawn.getImageData(0, 0, 1, 1).data].map(part => (part / 255) ** 2.2);
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ground = getComputedStyle(button.parentElement).backgroundColor;
        return [luminance(color), luminance(ground, backgroundColor)].sort((a, b) => b - a);
      });
      const contrast = (colors[0] + 0.05) / (colors[1] + 0.05);
      assert.ok(contrast >= 3, `the contrast is ${contrast.toFixed(1)}`);
    });
  }

  test("the font size scales the whole page", async t => {
    const page = await opened(t, "settings");
    const heading = () =>
      page
        .locator("h2")
        .first()
        .evaluate(element => parseFloat(getComputedStyle(element).fontSize));
    const before = await heading();
    await page.getByLabel("Font size").selectOption("200");
    assert.equal(await heading(), before * 2);
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing to complain about in the ${colorScheme}`, async t => {
      const game = await newGame(here, { moves: ["e4", "e5"] });
      const kept = await newImport(here, "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 {A comment} 2... Nc6 1-0");
      const page = await visit(t, here, "", { colorScheme, reducedMotion: "reduce" });
      for (const view of [...VIEWS, `game/${game}`, ...TABS.map(tab => `game/${kept}?tab=${tab}`)]) {
        await go(page, view);
        assert.deepEqual(await axeComplaints(page), [], view);
        await picture(page, `${colorScheme}-${view.replaceAll(/\/\w{10,}/g, "").replaceAll(/\W+/g, "-")}`);
      }
    });
  }

  test("a setting survives a reload, and reaches another browser", async t => {
    // Settings are stored by the server, so this test has one of its own.
    const own = await serve("--memory", "--port", "0");
    t.after(() => own.server.kill("SIGTERM"));
    const page = await visit(t, { ...own, browser: here.browser }, "#/settings");
    const kept = page.waitForResponse(response => response.request().method() === "PUT");
    await page.getByLabel("Board", { exact: true }).selectOption("wood");
    await kept;
    await page.reload();
    await page.locator("html[data-board=wood]").waitFor();
    const context = await here.browser.newContext();
    t.after(() => context.close());
    const other = await context.newPage();
    await other.goto(own.url);
    await other.locator("html[data-board=wood]").waitFor();
  });

  test("the dark theme is dark, and can be chosen against the system", async t => {
    const ground = page => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await opened(t, "settings", { colorScheme: "dark" });
    assert.match(await ground(dark), /rgb\(2\d, 2\d, 2\d\)/);
    await dark.getByLabel("Theme").selectOption("light");
    assert.match(await ground(dark), /rgb\(24\d, 24\d, 23\d\)/);
  });

  test("the page is small, and there within a moment", async t => {
    const context = await here.browser.newContext();
    t.after(() => context.close());
    const page = await context.newPage();
    const sizes = [];
    const asked = [];
    page.on("requestfinished", request => sizes.push(request.sizes()));
    page.on("request", request => asked.push(new URL(request.url()).pathname));
    const started = performance.now();
    await page.goto(here.url);
    await page.locator(".bots .face").first().waitFor();
    await page.evaluate(() => (location.hash = "#/play"));
    await page.locator(".board[aria-disabled=false]").waitFor();
    const before = [...asked];
    const interactive = performance.now() - started;
    await page.waitForLoadState("networkidle");
    const all = await Promise.all(sizes);
    const total = all.reduce((sum, size) => sum + size.responseBodySize + size.responseHeadersSize, 0);
    t.diagnostic(`first load ${(total / 1000).toFixed(1)} kB, interactive after ${interactive.toFixed(0)} ms`);
    assert.ok(total < LARGEST_LOAD, `the first load takes ${total} bytes`);
    // What makes it quick wherever it runs: few questions before the first move, and none asked twice.
    assert.ok(before.length <= MOST_REQUESTS, `${before.length} requests: ${before.join(" ")}`);
    const questions = before.filter(path => path.startsWith("/api/"));
    assert.deepEqual(questions, [...new Set(questions)]);
  });
});
