// What can be done with a game: in the bar, in the menu behind the dots, and in the menu of a move.

import { get, post, remove as erase } from "../api";
import { START } from "../board/squares";
import { copy, save } from "../files";
import { newAnalysis } from "../games";
import { offerUndo } from "../notice";
import { address, go } from "../route";
import { w } from "../words";
import type { Action } from "./bar";
import type { Live } from "./live";
import type { Item } from "./menu";
import { saveFilm, savePicture, type Seen } from "./picture";
import type { Workspace } from "./workspace";

/** The bar of a game in progress. */
export function liveActions(workspace: Workspace, live: Live): Action[] {
  const { game } = live;
  if (!live.hasPerson || game?.fault) {
    return [
      { icon: "flip", label: w.flip, key: "f", run: () => workspace.flip() },
      { icon: "stop", label: w.abort, run: () => live.act("abort") },
    ];
  }
  const isThinking = game?.thinking ?? false;
  const { hints = true, takebacks = true } = game?.help ?? {};
  const now: Action = { icon: "now", label: w.moveNow, run: () => live.act("now"), isDisabled: !isThinking };
  const help: Action = isThinking
    ? now
    : { icon: "hint", label: w.hint, run: () => live.askHint(), isDisabled: !live.isPersonsTurn };
  const takeBack: Action = {
    icon: "takeback",
    label: w.takeBack,
    run: () => live.act("takeback"),
    isDisabled: game?.moves.length === 0,
  };
  return [
    ...(takebacks ? [takeBack] : []),
    // Without hints the place is for the engine alone.
    ...(hints ? [help] : live.person ? [now] : []),
    {
      icon: "draw",
      label: live.drawLabel,
      run: () => live.draw(),
      isGuarded: !game?.draw_offer && live.person !== undefined,
    },
    { icon: "resign", label: w.resign, run: () => live.resign(), isGuarded: true },
  ];
}

/** The bar of a game that is over or was never played. */
export function analysisActions(workspace: Workspace): Action[] {
  const { live, engine } = workspace;
  const again: Action = live?.game
    ? { icon: "rematch", label: w.rematch, run: () => live.rematch() }
    : { icon: "pawn", label: w.playFromHere, run: () => go("play", [], { fen: workspace.line.fen }) };
  return [
    again,
    { icon: "engine", label: w.engine, key: "l", run: () => engine.turn(!engine.isOn) },
    { icon: "copy", label: w.copyPgn, run: async () => copy(await pgn(workspace), "PGN") },
    { icon: "flip", label: w.flip, key: "f", run: () => workspace.flip() },
  ];
}

/** Everything else. */
export function workspaceMenu(workspace: Workspace): (Item | "line" | false)[] {
  const { line, isPlaying, board, review } = workspace;
  const { fen, at } = line;
  const variation: (Item | "line" | false)[] = isPlaying ? [] : moveMenu(workspace, at).concat("line");
  return [
    ...variation,
    { label: w.flip, key: "f", run: () => workspace.flip() },
    { label: w.zen, key: "z", run: () => void document.documentElement.classList.toggle("zen") },
    "line",
    { label: w.copyFen, run: () => copy(fen, "FEN") },
    { label: w.copyPgn, run: async () => copy(await pgn(workspace), "PGN") },
    { label: w.savePgn, run: async () => save(`saavedra-${workspace.id}.pgn`, await pgn(workspace)) },
    review.pgn !== undefined && {
      label: w.saveReview,
      run: () => save(`saavedra-${workspace.id}-review.pgn`, review.pgn ?? ""),
    },
    {
      label: w.savePng,
      run: () => savePicture({ fen, last: line.last, drawn: line.tree.drawings(at) }, board.orientation),
    },
    {
      label: w.saveGif,
      run: () => saveFilm(scenes(workspace), board.orientation),
      isDisabled: line.moves.length === 0,
    },
    { label: w.copyLink, run: () => copy(location.href, w.link) },
    { label: w.print, run: () => print() },
    "line",
    isPlaying && { label: w.analyse, run: () => analyse(workspace) },
    { label: w.playFromHere, run: () => go("play", [], { fen }) },
    { label: w.findPosition, run: () => go("library", [], { fen }) },
    { label: w.editPosition, run: () => go("editor", [], { fen }) },
    { label: w.inTheLab, run: () => void (location.hash = address("lab", ["tree"], { fen })) },
    !isPlaying && workspace.id !== "" && { label: w.deleteGame, run: () => remove(workspace) },
  ];
}

/** What can be done with a move. */
export function moveMenu(workspace: Workspace, number: number): (Item | "line" | false)[] {
  const { line, isPlaying } = workspace;
  if (isPlaying) return [{ label: w.copyFen, run: () => copy(line.fen, "FEN") }];
  const isMain = line.tree.isMain(line.tree.wayTo(number));
  // What was played stays the main line; variations of it are free.
  const { isRecord } = workspace;
  return [
    { label: w.promoteVariation, run: () => workspace.promote(number), isDisabled: isMain || isRecord },
    { label: w.backToMainLine, run: () => line.back(), isDisabled: isMain },
    { label: w.addComment, run: () => comment(workspace, number), isDisabled: number === 0 },
    {
      label: w.deleteFromHere,
      key: w.deleteKey,
      run: () => workspace.removeFrom(number),
      isDisabled: !workspace.canRemove(number),
    },
  ];
}

async function comment(workspace: Workspace, number: number): Promise<void> {
  await workspace.line.goTo(number);
  workspace.panel.choose("notes");
  workspace.panel.element.querySelector("textarea")?.focus();
}

async function pgn({ line, game, isPlaying, id }: Workspace): Promise<string> {
  if (isPlaying && game) return get("/games/{id}/pgn", { id });
  return (await post("/pgn/write", line.written)).pgn;
}

/** Analyses a copy: the game itself is still in progress. */
async function analyse({ line }: Workspace): Promise<void> {
  const { start, moves } = line;
  const fen = start === START ? undefined : start;
  go("game", [await newAnalysis({ fen, moves: moves.map(({ uci }) => ({ move: uci })) })]);
}

/** The line that is shown, from the start to its end. */
function scenes({ line }: Workspace): Seen[] {
  return [{ fen: line.start }, ...line.moves.map(move => ({ fen: move.fen, last: move }))];
}

async function remove(workspace: Workspace): Promise<void> {
  const { id } = workspace;
  await workspace.saved();
  await erase("/library/{id}", { id });
  go("");
  offerUndo(w.gameDeleted, async () => {
    await post("/library/{id}/restore", {}, { id });
    go("game", [id]);
  });
}
