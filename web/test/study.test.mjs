// Analysis and review.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import {
  SIDE_BY_SIDE,
  ask,
  axeComplaints,
  choose,
  click,
  drag,
  moves,
  newImport,
  paste,
  picture,
  setup,
  stands,
  visit,
  waitForMoves,
} from "./harness.mjs";

const here = setup();

const MINIATURE = `[Event "A lesson"]
[White "Anna"]
[Black "Bruno"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0
`;

/** White can mate in two ways, and stalemates. */
const STALEMATE = "7k/8/6K1/8/8/8/8/RQ6 w - - 0 1";
const DRAWN = `[White "Anna"]
[Black "Bruno"]
[SetUp "1"]
[FEN "${STALEMATE}"]

1. Qb3 1/2-1/2
`;

/** Opens a game and has it reviewed. */
async function reviewed(t, pgn, options) {
  const page = await visit(t, here, `#/game/${await newImport(here, pgn)}?tab=review`, options);
  await page.getByRole("button", { name: "Review the game" }).click();
  await page.locator(".accuracy .figure").first().waitFor({ timeout: 180_000 });
  return page;
}

describe("analysis and review", SIDE_BY_SIDE, () => {
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

  test("lines of a depth that is only partly searched are in order, a sign of life changes only the numbers, and nothing below moves", async t => {
    const page = await visit(t, here);
    let answer;
    const asked = new Promise(resolve => (answer = resolve));
    await page.routeWebSocket("**/api/ws", socket =>
      socket.onMessage(text => {
        const { type, id, fen } = JSON.parse(text);
        if (type === "analyse") answer(told => socket.send(JSON.stringify({ type: "analysis", id, fen, ...told })));
      }),
    );
    await page.goto(`${here.url}/#/new`);
    // The socket of a page is in our hands from its next opening on.
    await page.reload();
    const tell = await asked;
    const line = (rank, depth, value, san, uci) => {
      return {
        rank,
        depth,
        score: { kind: "cp", value },
        bound: "exact",
        wdl: [300, 400, 300],
        san: [san],
        uci: [uci],
      };
    };
    const lines = [line(1, 9, 20, "e4", "e2e4"), line(2, 8, 50, "d4", "d2d4"), line(3, 8, 60, "c4", "c2c4")];
    const facts = { depth: 9, selective_depth: 12, nps: 1000, time_ms: 1000, done: false, reason: null };
    tell({ ...facts, nodes: 1000, lines });
    await page.locator(".facts").getByText("1.00k positions").waitFor();
    const scores = () => page.locator(".lines .score").allTextContents();
    assert.deepEqual(await scores(), ["+0.20", "+0.60", "+0.50"]);
    tell({ ...facts, nodes: 2000, lines: [] });
    await page.locator(".facts").getByText("2.00k positions").waitFor();
    assert.deepEqual(await scores(), ["+0.20", "+0.60", "+0.50"]);
    // Whole per cents add up to a hundred.
    tell({ ...facts, nodes: 2500, lines: [{ ...lines[0], wdl: [365, 350, 285] }] });
    await page.locator(".facts").getByText("2.50k positions").waitFor();
    assert.deepEqual(await page.locator(".chances span").allTextContents(), ["37%", "35%", "28%"]);
    // The depths that are run through after a mate was found say nothing.
    const mate = { ...lines[0], depth: 239, score: { kind: "mate", value: 1 } };
    tell({ ...facts, depth: 239, selective_depth: 2, nodes: 2600, lines: [mate] });
    await page.locator(".facts").getByText("2.60k positions").waitFor();
    assert.match(await page.locator(".facts").textContent(), /^#1/);
    // However long the lines are and however few, what is below them stays where it is.
    const height = async () => (await page.locator(".moves").boundingBox()).y;
    const before = await height();
    const long = { ...lines[0], san: Array(12).fill("Nf3"), uci: Array(12).fill("g1f3") };
    tell({ ...facts, nodes: 3000, lines: [long] });
    await page.locator(".facts").getByText("3.00k positions").waitFor();
    assert.equal(await height(), before);
  });

  test("the opening is named, and the name follows the moves", async t => {
    const page = await visit(t, here, "#/analysis?moves=e4,c5,Nf3,d6,d4,cxd4,Nxd4,Nf6,Nc3,a6,a3,h6");
    const opening = page.locator(".opening");
    await opening.getByText("Sicilian Defense: Najdorf Variation").waitFor();
    assert.equal(await opening.textContent(), "B90Sicilian Defense: Najdorf Variation");
    await page.keyboard.press("Home");
    // The moves of this game come first; at the start it is called as a whole.
    await page.keyboard.press("ArrowRight");
    await opening.getByText("King's Pawn Game").waitFor();
  });

  test("a dropped file is a game to browse, and a move aside can be taken back to it", async t => {
    const page = await visit(t, here, "#/new");
    await page.waitForFunction(() => document.querySelectorAll(".lines li").length > 0);
    await page.evaluate(text => {
      const data = new DataTransfer();
      data.items.add(new File([text], "game.pgn"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }, MINIATURE);
    await waitForMoves(page, 7);
    assert.deepEqual(await moves(page), ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]);
    await page.locator(".moves").getByRole("button", { name: "Qh5", exact: true }).click();
    await stands(page, "wq", "h5");
    await page.getByLabel("Type a move").fill("g6");
    await page.keyboard.press("Enter");
    await page.locator(".moves .variation [aria-current]").getByText("3… g6").waitFor();
    await choose(page, "Back to main line");
    await page.locator(".moves .move-cell > [aria-current]").getByText("Qh5").waitFor();
    await page.locator(".moves").getByRole("button", { name: "3… g6" }).click();
    await choose(page, "Promote variation");
    await page.locator(".moves .move-cell > [aria-current]").getByText("g6").waitFor();
    await choose(page, "Delete from here");
    await page.waitForFunction(() => document.querySelectorAll(".moves .move").length === 7);
    assert.deepEqual(await moves(page), ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]);
    // What deletes can be undone.
    await page.getByRole("button", { name: "Undo" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".moves .move").length === 8);
    await page.locator(".moves .move-cell > [aria-current]").getByText("g6").waitFor();
  });

  test("variations are shown in brackets, gone to by a click, and kept in the PGN", async t => {
    const page = await visit(t, here, "#/settings");
    const said = "1. e4 {best by test} 1... e5 ({or} 1... c5 2. Nf3 (2. c3 d5) 2... d6 $5) 2. Nf3 1-0";
    await paste(page, `[White "Anna"]\n\n${said}`);
    await waitForMoves(page, 8);
    const variation = page.locator(".moves p.variation");
    assert.equal((await variation.textContent()).replaceAll(/\s/g, ""), "(or1…c52.Nf3(2.c3d5)2…d6!?)");
    await variation.getByRole("button", { name: "d5", exact: true }).click();
    await stands(page, "bp", "d5");
    await stands(page, "wp", "c3");
    await page.keyboard.press("ArrowLeft");
    await stands(page, "bp", "d7");
    await picture(page, "variations");
    assert.deepEqual(await axeComplaints(page), []);
    const [download] = await Promise.all([page.waitForEvent("download"), choose(page, "Save PGN")]);
    const pgn = (await readFile(await download.path(), "utf8")).replaceAll(/\s+/g, " ").trim();
    assert.ok(pgn.includes('[White "Anna"]') && pgn.endsWith(said), pgn);
  });

  test("a FEN that is none is refused with its reason", async t => {
    const page = await visit(t, here, "#/new");
    await page.locator(".lines li").first().waitFor();
    const refused = async (text, reason) => {
      await paste(page, text);
      await page.locator(".notice.wrong").getByText(reason).waitFor();
    };
    await refused("8/8/8/8/8/8/8/8 w - - 0 1", /king/);
    await refused("rnbqkbnr/9/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", /Rank 7 of the FEN cannot be read at “9”/);
    await refused("nonsense", /game|move|nonsense/);
  });

  test("a game is reviewed: judgements, accuracy, a plot, reasons, and a PGN to keep", async t => {
    const page = await reviewed(t, MINIATURE);
    assert.equal(await page.locator(".accuracy h2").first().textContent(), "Anna");
    await page.locator(".plot .plot-dot").first().waitFor();
    await page.getByText("More figures").click();
    assert.match(await page.locator(".phases tbody").textContent(), /^\d+\.\d%Opening\d+\.\d%$/);
    assert.match(await page.locator(".judgements tbody").textContent(), /Book.*Blunders/);
    assert.doesNotMatch(await page.locator(".judgements tbody").textContent(), /Brilliant|Forced/);
    assert.match(await page.locator(".game-opening").textContent(), /^C\d\d .*The game left the book after \d.*\.$/);
    const verdict = page.locator(".judged .verdict");
    await page.keyboard.press("n");
    await verdict.waitFor();
    while (!(await verdict.textContent()).includes("Nf6")) await page.keyboard.press("n");
    assert.equal(await verdict.textContent(), "3… Nf6?? is a blunder: it allows mate in 1 (4. Qxf7#).");
    assert.match(await page.locator(".winning").textContent(), /^Black’s winning chances: \d+% → 0%$/);
    assert.match(await page.locator(".judged .line").first().textContent(), /^Better: 3… /);
    assert.equal(await page.locator(".words details").evaluate(details => details.open), false);
    await page.locator(".words summary").click();
    assert.match(await page.locator(".words details").textContent(), /Then: 4\. Qxf7#.*depth \d+/);
    assert.deepEqual(await axeComplaints(page), []);
    await picture(page, "review");
    await page.getByRole("button", { name: "First position" }).click();
    await page.getByText("Step through the moves, or click on the plot.").waitFor();
    await page.getByRole("button", { name: /^Turning point \d ?: 3… Nf6/ }).click();
    await verdict.getByText("3… Nf6?? is a blunder").waitFor();
    // The board stands before the mistake: what was played in red, what was better in green; one step on it is made.
    await stands(page, "bn", "g8");
    await page.locator(".arrow.played").waitFor();
    await page.locator(".arrow.best").waitFor();
    await page.keyboard.press("ArrowRight");
    await stands(page, "bn", "f6");
    await page.locator(".arrow.threat").waitFor();
    await verdict.getByText("3… Nf6?? is a blunder").waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), choose(page, "Save review as PGN")]);
    const pgn = await readFile(await download.path(), "utf8");
    assert.match(pgn, /Nf6 (\$4|\?\?)/);
    assert.match(pgn, /\{[^}]*mate[^}]*\}/i);
  });

  test("a mistake is tried again: a wrong move, one as good as the best, the best, and the solution", async t => {
    const page = await reviewed(t, DRAWN);
    const { best } = await ask(here, "/judge", { fen: STALEMATE, move: "b1b3", effort: "quick" });
    const mates = { "Qb8#": ["b1", "b8"], "Ra8#": ["a1", "a8"] };
    const [asGood] = Object.keys(mates).filter(san => san !== best.san[0]);
    const words = page.locator(".retry-words");
    const said = text => words.getByText(text).waitFor();

    await page.getByRole("button", { name: "Next mistake" }).click();
    await page.locator(".judged .verdict").getByText("1. Qb3?? is a blunder: it misses mate in 1").waitFor();
    await page.getByRole("button", { name: "Try it yourself" }).click();
    await page.getByRole("heading", { name: "Mistake 1 of 1" }).waitFor();
    await said("1. Qb3?? was played. Find a better move for White.");
    await stands(page, "wq", "b1");
    assert.equal(await page.locator(".arrow").count(), 0, "the answer is hidden");
    assert.ok(!(await page.locator(".panel").innerText()).includes(best.san[0]), "the answer is hidden");

    await click(page, "b1", "a2");
    await said("1. Qa2?? is a blunder: it stalemates – the opponent has no legal move and is not in check.");
    await said(/White’s winning chances: 100% → 50%/);
    await stands(page, "wq", "a2");
    await picture(page, "retry-wrong");
    await page.getByRole("button", { name: "Try again" }).click();
    await stands(page, "wq", "b1");
    await drag(page, ...mates[asGood]);
    await said(`${asGood} is right: just as good as ${best.san[0]}.`);
    await picture(page, "retry-right");
    assert.deepEqual(await axeComplaints(page), []);
    await page.getByRole("button", { name: "Finish" }).click();
    await page.locator(".judged .verdict").getByText("1. Qb3??").waitFor();

    await page.getByRole("button", { name: "Retry mistakes" }).click();
    await page.locator(".retry").getByLabel("Type a move").fill("Qb3");
    await page.keyboard.press("Enter");
    await said("This was played in the game.");
    await page.locator(".retry").getByLabel("Type a move").fill(best.san[0]);
    await page.keyboard.press("Enter");
    await said(`${best.san[0]} is right: the best move.`);
    await page.getByRole("button", { name: "Back to the review" }).click();
    await page.getByRole("button", { name: "Try it yourself" }).click();
    await page.getByRole("button", { name: "Show the solution" }).click();
    await said(`The solution is 1. ${best.san[0]}.`);
    await page.locator(".arrow.best").waitFor();
    // Done by keyboard, it goes on by keyboard.
    await page.getByRole("button", { name: "Try again" }).press("Enter");
    await page.locator(".board:focus").waitFor();
    await page.getByRole("button", { name: "Show the solution" }).press("Enter");
    // Stepping through the moves leads back to the review.
    await page.keyboard.press("End");
    await page.locator(".judged .verdict").getByText("1. Qb3??").waitFor();
    await page.getByLabel("Whose mistakes").selectOption({ label: "Black" });
    assert.ok(await page.getByRole("button", { name: "Retry mistakes" }).isDisabled());
  });

  test("one position has one number for its chances: in words, on the bar, in the plot and in the engine's lines", async t => {
    const page = await reviewed(t, MINIATURE, { viewport: { width: 1280, height: 860 } });
    const share = () =>
      page.locator(".evaluation-bar").evaluate(bar => parseFloat(bar.style.getPropertyValue("--share")));
    const id = /game\/(\w+)/.exec(page.url())[1];
    const { review } = await ask(here, `/library/${id}/review`);
    for (const [ply, move] of review.moves.entries()) {
      await page.getByRole("button", { name: "Next move" }).click();
      await page.waitForFunction(ply => document.querySelectorAll(".moves .move")[ply].matches("[aria-current]"), ply);
      const white = 100 * (move.color === "white" ? move.chances_after : 1 - move.chances_after);
      assert.ok(Math.abs((await share()) - white) < 0.1, `ply ${ply}: ${await share()}, ${white}`);
      const [, y] = new RegExp(`[ML]${((100 * (ply + 1)) / review.moves.length).toFixed(2)} (\\S+)`).exec(
        await page.locator(".plot-line").getAttribute("d"),
      );
      assert.ok(Math.abs(100 - Number(y) - white) < 0.1, `ply ${ply}: ${y}`);
    }
    await page.goto(`${here.url}/#/game/${id}?ply=2&tab=engine`);
    await page.locator(".chances").waitFor();
    const [label, shown] = await page.evaluate(() => [
      document.querySelector(".chances").getAttribute("aria-label"),
      parseFloat(document.querySelector(".evaluation-bar").style.getPropertyValue("--share")),
    ]);
    const [win, draw] = label.match(/\d+(\.\d+)?/g).map(Number);
    assert.ok(Math.abs(shown - (win + draw / 2)) < 0.1, `${label}, ${shown}`);
  });

  test("a review fits every window, and nothing jumps from move to move", async t => {
    const page = await reviewed(t, MINIATURE);
    for (const colorScheme of ["light", "dark"]) {
      for (const width of [1400, 390, 360]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await page.keyboard.press("Home");
        await page.getByText("Step through the moves, or click on the plot.").waitFor();
        const top = () => page.locator(".bar").evaluate(bar => bar.getBoundingClientRect().top + scrollY);
        const before = await top();
        for (const ply of [1, 2, 3, 4, 5, 6, 7]) {
          await page.getByRole("button", { name: "Next move" }).click();
          await page.waitForFunction(
            ply => document.querySelectorAll(".moves .move")[ply - 1].matches("[aria-current]"),
            ply,
          );
          assert.equal(await top(), before, `${width} pixels, ply ${ply}`);
        }
        const sizes = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          document.documentElement.clientWidth,
        ]);
        assert.equal(sizes[0], sizes[1], `${width} pixels`);
        await picture(page, `review-${width}-${colorScheme}`);
      }
      assert.deepEqual(await axeComplaints(page), []);
    }
  });
});
