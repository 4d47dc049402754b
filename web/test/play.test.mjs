// Playing games.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import {
  SIDE_BY_SIDE,
  ask,
  choose,
  click,
  drag,
  moves,
  newGame,
  paste,
  picture,
  pieceOn,
  serve,
  setup,
  stands,
  tap,
  visit,
  waitForMoves,
} from "./harness.mjs";

const here = setup();

/** Chooses the weakest bot, which answers at once. */
async function quickBot(page) {
  await page.locator(".bot", { hasText: "Nia" }).click();
  await page.getByText("More options").click();
  await page.getByLabel("Engine time per move").selectOption("50");
}

describe("playing", SIDE_BY_SIDE, () => {
  test("a whole game is played by drag and by click", async t => {
    const page = await visit(t, here, `#/game/${await newGame(here)}`);
    await page.getByText("No moves yet").waitFor();
    await drag(page, "f2", "f3");
    await waitForMoves(page, 1);
    await click(page, "e7", "e5");
    await waitForMoves(page, 2);
    await drag(page, "g2", "g4");
    await waitForMoves(page, 3);
    await click(page, "d8", "h4");
    await page.getByText("Black wins: checkmate").first().waitFor();
    assert.deepEqual(await moves(page), ["f3", "e5", "g4", "Qh4#"]);
    await picture(page, "mate");
  });

  test("a clock of one's own is set where the others are, with Play in sight", async t => {
    const page = await visit(t, here, "#/play", { viewport: { width: 1280, height: 720 } });
    await page.locator(".bots .face").first().waitFor();
    await page.getByText("Custom", { exact: true }).click();
    await page.getByLabel("Minutes per side").fill("7");
    await page.getByLabel("Increment in seconds").fill("3");
    await page.keyboard.press("Tab");
    assert.equal(await page.locator("details.more-options").evaluate(fold => fold.open), false);
    const start = page.getByRole("button", { name: "Play", exact: true });
    const { y, height } = await start.boundingBox();
    assert.ok(y + height <= 720, `Play ends at ${y + height}`);
    await start.click();
    await page.locator(".player.below .clock").getByText("7:00").waitFor();
  });

  test("moving a piece in the lobby begins a game at once, and the engine answers", async t => {
    const page = await visit(t, here, "#/play");
    await quickBot(page);
    await drag(page, "e2", "e4");
    await waitForMoves(page, 2);
    assert.equal((await moves(page))[0], "e4");
    assert.match(page.url(), /#\/game\/\w+/);
    await picture(page, "game");
  });

  test("an illegal move leaves the piece where it was", async t => {
    const page = await visit(t, here, `#/game/${await newGame(here)}`);
    await page.getByText("No moves yet").waitFor();
    await drag(page, "e2", "e5");
    await drag(page, "g1", "g3");
    assert.equal(await pieceOn(page, "e2"), "wp");
    assert.equal(await pieceOn(page, "g1"), "wn");
    assert.deepEqual(await moves(page), []);
  });

  test("a pawn becomes what one chooses, a rook for instance", async t => {
    const id = await newGame(here, { fen: "8/2P5/1K6/8/8/3r4/8/k7 w - - 0 1" });
    const page = await visit(t, here, `#/game/${id}`);
    await page.getByText("No moves yet").waitFor();
    await drag(page, "c7", "c8");
    await picture(page, "promotion");
    await page.getByRole("button", { name: "white rook" }).click();
    await waitForMoves(page, 1);
    assert.deepEqual(await moves(page), ["c8=R"]);
    await stands(page, "wr", "c8");
  });

  test("a promotion that is dismissed is no move", async t => {
    const id = await newGame(here, { fen: "8/2P5/1K6/8/8/3r4/8/k7 w - - 0 1" });
    const page = await visit(t, here, `#/game/${id}`);
    await page.getByText("No moves yet").waitFor();
    await click(page, "c7", "c8");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    assert.equal(await pieceOn(page, "c7"), "wp");
    await click(page, "c7", "c8");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("q");
    await waitForMoves(page, 1);
    assert.deepEqual(await moves(page), ["c8=Q"]);
  });

  test("a move is taken back", async t => {
    const page = await visit(t, here, `#/game/${await newGame(here)}`);
    await page.getByText("No moves yet").waitFor();
    await drag(page, "e2", "e4");
    await waitForMoves(page, 1);
    await drag(page, "g8", "f6");
    await waitForMoves(page, 2);
    await page.getByRole("button", { name: "Take back" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".moves .move").length === 1);
    await stands(page, "bn", "g8");
    await page.getByRole("button", { name: "Take back" }).click();
    await page.getByText("No moves yet").waitFor();
    await stands(page, "wp", "e2");
  });

  test("a reload in mid-game changes nothing", async t => {
    const page = await visit(t, here, `#/game/${await newGame(here, { moves: ["d4", "d5"] })}`);
    await waitForMoves(page, 2);
    await drag(page, "c2", "c4");
    await waitForMoves(page, 3);
    await page.reload();
    await waitForMoves(page, 3);
    assert.deepEqual(await moves(page), ["d4", "d5", "c4"]);
    await stands(page, "wp", "c4");
    await drag(page, "e7", "e6");
    await waitForMoves(page, 4);
  });

  test("castling is put on the king's square or on the rook, in Chess960 too", async t => {
    const fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    const page = await visit(t, here, `#/game/${await newGame(here, { fen })}`);
    await page.getByText("No moves yet").waitFor();
    await drag(page, "e1", "g1");
    await waitForMoves(page, 1);
    await click(page, "e8", "a8");
    await waitForMoves(page, 2);
    assert.deepEqual(await moves(page), ["O-O", "O-O-O"]);
    const other = await newGame(here, { fen: "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1" });
    await page.goto(`${here.url}/#/game/${other}`);
    await page.getByText("No moves yet").waitFor();
    await drag(page, "e1", "g1");
    await waitForMoves(page, 1);
    assert.deepEqual(await moves(page), ["O-O"]);
    await stands(page, "wk", "g1");
    await stands(page, "wr", "f1");
  });

  test("a premove is played as soon as it can be", async t => {
    const mind = { kind: "mind", mind: "search" };
    const id = await newGame(here, { black: mind, move_ms: 60_000 });
    const page = await visit(t, here, `#/game/${id}`);
    await page.getByText("No moves yet").waitFor();
    await drag(page, "b1", "c3");
    await waitForMoves(page, 1);
    await drag(page, "c3", "b1");
    await page.locator(".mark.premove").first().waitFor();
    await page.getByRole("button", { name: "Move now" }).click();
    await waitForMoves(page, 3);
    assert.equal((await moves(page))[2], "Nb1");
  });

  test("the game is played by keyboard alone", async t => {
    const page = await visit(t, here, `#/game/${await newGame(here)}`);
    await page.getByText("No moves yet").waitFor();
    const isOnBoard = () => page.evaluate(() => document.activeElement?.getAttribute("role") === "application");
    for (let presses = 0; presses < 30 && !(await isOnBoard()); presses++) await page.keyboard.press("Tab");
    assert.ok(await isOnBoard(), "the board is reached by Tab");
    await page.keyboard.press("Enter");
    assert.match(await page.locator("p.unseen[role=status]").textContent(), /white pawn in hand.*e3, e4/);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await waitForMoves(page, 1);
    assert.match(await page.locator("p.unseen[role=status]").textContent(), /White: e4/);
    await page.getByLabel("Type a move").focus();
    await page.keyboard.type("Nf6");
    await page.keyboard.press("Enter");
    await waitForMoves(page, 2);
    await page.keyboard.type("Ke3");
    await page.keyboard.press("Enter");
    await page.locator(".notice.wrong").waitFor();
    assert.deepEqual(await moves(page), ["e4", "Nf6"]);
  });

  test("a phone plays by touch", async t => {
    const mind = { kind: "mind", mind: "random" };
    const id = await newGame(here, { black: mind, pause_ms: 300 });
    const page = await visit(t, here, `#/game/${id}`, { viewport: { width: 360, height: 740 }, hasTouch: true });
    await page.getByText("No moves yet").waitFor();
    await tap(page, "e2", "e4");
    await waitForMoves(page, 2);
    assert.equal(await page.locator(".mark.selected").count(), 0, "the piece that was put down is not in hand again");
    await tap(page, "d2", "d3");
    await waitForMoves(page, 4);
    assert.deepEqual([(await moves(page))[0], (await moves(page))[2]], ["e4", "d3"]);
  });

  test("any engine can be chosen, with its settings", async t => {
    const page = await visit(t, here, "#/play");
    await page.getByText("More options").click();
    await page.getByLabel("Play against").selectOption({ label: "Any engine" });
    await page.getByLabel("Engine", { exact: true }).first().selectOption({ label: "Another engine …" });
    await page.getByLabel("Engine", { exact: true }).last().selectOption("alphabeta");
    await page.getByLabel("Depth").fill("2");
    await picture(page, "another-engine");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.getByText("No moves yet").waitFor();
    const { black } = await ask(here, `/games/${page.url().match(/game\/(\w+)/)[1]}`);
    assert.equal(black.mind, "alphabeta:depth=2");
  });

  test("resigning asks twice, and a hint points at a move", async t => {
    const mind = { kind: "mind", mind: "random" };
    const page = await visit(t, here, `#/game/${await newGame(here, { black: mind })}`);
    await page.getByRole("button", { name: "Hint" }).click();
    await page.locator(".arrow.hint").waitFor();
    await page.getByRole("button", { name: "Resign" }).click();
    await page.getByRole("button", { name: "Resign: sure?" }).click();
    await page.locator(".outcome").getByText("Black wins: white resigned").waitFor();
  });

  test("the board is turned, and the players with it", async t => {
    const mind = { kind: "mind", mind: "random" };
    const page = await visit(t, here, `#/game/${await newGame(here, { black: mind })}`);
    const [above, below] = [page.locator(".player:not(.below)"), page.locator(".player.below")];
    await below.getByText("You").waitFor();
    const height = async square => (await page.locator(`.board rect[data-square=${square}]`).boundingBox()).y;
    assert.ok((await height("e2")) > (await height("e7")));
    await choose(page, "Flip board");
    await above.getByText("You").waitFor();
    assert.ok((await height("e2")) < (await height("e7")));
    await drag(page, "e2", "e4");
    await waitForMoves(page, 2);
  });

  test("two people agree to a draw", async t => {
    const page = await visit(t, here, `#/game/${await newGame(here)}`);
    await page.getByRole("button", { name: "Offer a draw" }).click();
    await page.locator(".outcome").getByText("Draw: agreement").waitFor();
  });

  test("two engines are watched until the game is aborted", async t => {
    const mind = { kind: "mind", mind: "random" };
    const page = await visit(t, here, `#/game/${await newGame(here, { white: mind, black: mind, pause_ms: 200 })}`);
    await waitForMoves(page, 4);
    await page.getByRole("button", { name: "Abort" }).click();
    await page.locator(".outcome").getByText("Aborted").waitFor();
  });

  test("two engines with a clock are watched at the pace that was chosen", async t => {
    const page = await visit(t, here, "#/play");
    await page.locator(".bots .face").first().waitFor();
    await page.getByText("More options").click();
    await page.getByLabel("Play against").selectOption("Watch two engines");
    await page.getByText("1+0", { exact: true }).click();
    await page.getByLabel("Pause between moves").selectOption("4 seconds");
    const asked = page.waitForRequest(request => request.method() === "POST" && request.url().endsWith("/api/games"));
    await page.getByRole("button", { name: "Play", exact: true }).click();
    const game = (await asked).postDataJSON();
    assert.deepEqual([game.time.base_ms, game.pause_ms], [60_000, 4000]);
    // The clock of the engine that pauses stands.
    await waitForMoves(page, 1);
    const running = page.locator(".clock.running");
    await running.waitFor();
    const shown = await running.textContent();
    await waitForMoves(page, 2);
    assert.ok(["1:00", "0:59"].includes(shown), shown);
    assert.match(await page.locator(".player:not(.below) .clock").textContent(), /^(1:00|0:5[789])$/);
  });

  test("clocks run from the first move on", async t => {
    const page = await visit(t, here, `#/game/${await newGame(here, { time: { base_ms: 600_000, increment_ms: 0 } })}`);
    const clock = page.locator(".player:not(.below) .clock");
    await clock.getByText("10:00").waitFor();
    await drag(page, "e2", "e4");
    await page.locator(".player:not(.below) .clock.running").waitFor();
    await page.waitForFunction(() => /^9:/.test(document.querySelector(".player:not(.below) .clock").textContent));
  });

  test("who runs out of time has lost", async t => {
    const page = await visit(t, here, `#/game/${await newGame(here, { time: { base_ms: 1_000, increment_ms: 0 } })}`);
    await drag(page, "e2", "e4");
    await page.locator(".outcome").getByText("White wins: black ran out of time").waitFor();
  });

  test("a server that is killed and started again has lost no game, and the page goes on by itself", async t => {
    const folder = await mkdtemp(path.join(tmpdir(), "saavedra-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const data = path.join(folder, "games.sqlite");
    const first = await serve("--data", data, "--port", "0");
    const place = { ...first, browser: here.browser };
    const page = await visit(t, place, `#/game/${await newGame(place)}`, { ignores: /WebSocket|ERR_/ });
    await page.getByText("No moves yet").waitFor();
    await drag(page, "e2", "e4");
    await waitForMoves(page, 1);
    first.server.kill("SIGKILL");
    await page.getByText("Connection lost.").waitFor();
    const second = await serve("--data", data, "--port", new URL(first.url).port);
    t.after(() => second.server.kill("SIGTERM"));
    await page.getByText("Connection lost.").waitFor({ state: "hidden" });
    await drag(page, "e7", "e5");
    await waitForMoves(page, 2);
    assert.deepEqual(await moves(page), ["e4", "e5"]);
  });

  test("a game that is gone leads home, and the page says so", async t => {
    const page = await visit(t, here, "#/game/nosuchgame");
    await page.locator("main[data-view=home]").waitFor();
    await page.getByText("This game does not exist, or was deleted.").waitFor();
  });

  test("the board never lags behind, however fast the moves come", async t => {
    const line = "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d4 exd4 cxd4 Bb4+ Nc3 Nxe4 O-O Bxc3 d5 Bf6".split(" ");
    const page = await visit(t, here, `#/game/${await newGame(here, { moves: line })}`, { settings: { motion: true } });
    await waitForMoves(page, line.length);
    // All keys are pressed within one frame, and the board is looked at in the next.
    const shown = keys =>
      page.evaluate(async keys => {
        for (const key of keys) document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        await new Promise(requestAnimationFrame);
        const pieces = [...document.querySelectorAll(".board .pieces [data-piece]")];
        return pieces.map(piece => piece.dataset.square + piece.dataset.piece).sort();
      }, keys);
    const start = await shown(Array(line.length).fill("ArrowLeft"));
    assert.equal(start.length, 32);
    assert.ok(start.includes("e2wp") && start.includes("f8bb"));
    const end = await shown([...Array(line.length).fill("ArrowRight")]);
    assert.ok(end.includes("f6bb") && end.includes("g1wk") && !end.includes("e1wk"));
  });

  test("touching the board while an older move is shown leads back to the game", async t => {
    const page = await visit(t, here, `#/game/${await newGame(here, { moves: ["e4", "e5"] })}`);
    await waitForMoves(page, 2);
    await page.keyboard.press("Home");
    await stands(page, "wp", "e2");
    await click(page, "d2");
    await page.getByText("Back to the current position.").waitFor();
    await stands(page, "wp", "e4");
    await drag(page, "d2", "d4");
    await waitForMoves(page, 3);
  });

  test("a game that was resigned stays resigned", async t => {
    const id = await newGame(here, { moves: ["e4", "e5"] });
    const page = await visit(t, here, `#/game/${id}`);
    await page.getByRole("button", { name: "Take back" }).waitFor();
    await ask(here, `/games/${id}/resign`, { side: "white" });
    await page.locator(".outcome").getByText("white resigned").waitFor();
    assert.equal(await page.getByRole("button", { name: "Take back" }).isVisible(), false);
  });

  test("a game that is begun by keyboard goes on by keyboard, and the answer is announced", async t => {
    const page = await visit(t, here, "#/play");
    await page.getByText("Move a piece to start at once").waitFor();
    await quickBot(page);
    await page.locator(".board[aria-disabled=false]").focus();
    for (const key of ["Enter", "ArrowUp", "ArrowUp", "Enter"]) await page.keyboard.press(key);
    await waitForMoves(page, 2);
    await page.waitForFunction(() => document.querySelector("p.unseen[role=status]").textContent.startsWith("Black: "));
    assert.ok(await page.evaluate(() => document.activeElement.classList.contains("board")));
  });

  test("the lobby promises a start by moving only where one moves first", async t => {
    const page = await visit(t, here, "#/play");
    const promise = page.getByText("Move a piece to start at once");
    await promise.waitFor();
    await page.locator(".segment", { hasText: "Black" }).click();
    await promise.waitFor({ state: "detached" });
  });

  test("another view begins at its top, without the messages of the last one", async t => {
    const page = await visit(t, here, "#/lab/boards", { viewport: { width: 390, height: 700 } });
    await page.locator(".board").first().waitFor();
    await page.evaluate(() => scrollTo(0, 500));
    await page.waitForFunction(() => scrollY > 0);
    await page.evaluate(() => (location.hash = "#/new"));
    await page.locator(".lines li").first().waitFor();
    assert.equal(await page.evaluate(() => scrollY), 0);
    await paste(page, "8/8/8/8/8/8/8/8 w - - 0 1");
    await page.locator(".notice.wrong").waitFor();
    // The board has the focus when it is taken away.
    await page.locator("div.board").focus();
    await page.evaluate(() => (location.hash = "#/settings"));
    await page.getByText("Theme").first().waitFor();
    assert.equal(await page.locator(".notice.wrong").count(), 0);
  });
});
