// A new analysis. With moves it is a game at once; a board on which nothing was done yet is only a draft.

import { post, type KeptGame } from "../api";
import { START } from "../board/squares";
import { h } from "../dom";
import { newAnalysis } from "../games";
import { complain } from "../notice";
import { address, type Route, type View } from "../route";
import { w } from "../words";
import { show } from "./game";

export function open({ query }: Route): View {
  const moves = query.get("moves")?.split(",").filter(Boolean) ?? [];
  const fen = query.get("fen") ?? undefined;
  const wanted = new URLSearchParams({ tab: "engine", ...Object.fromEntries(query) });
  if (moves.length === 0) return show(draft(fen), wanted, complain);
  let isClosed = false;
  begin(fen, moves)
    .then(id => !isClosed && location.replace(address("game", [id], where(query, moves.length))))
    .catch((error: unknown) => {
      if (isClosed) return;
      location.replace(address("new"));
      complain(error);
    });
  return { element: h("p.hint", {}, w.opening), close: () => (isClosed = true) };
}

function where(query: URLSearchParams, plies: number): Record<string, string> {
  return { ply: query.get("ply") ?? String(plies), tab: query.get("tab") ?? "engine" };
}

async function begin(fen: string | undefined, moves: string[]): Promise<string> {
  const line = await post("/line", { fen, moves });
  return newAnalysis({ fen: line.start_fen, moves: line.moves.map(({ uci }) => ({ move: uci })) });
}

/** A game that the server does not know. It gets to know it when something is done. */
async function draft(fen: string | undefined): Promise<KeptGame> {
  const start = await legal(fen);
  const game = { start_fen: start, chess960: false, tags: {}, result: "*", comment: null, moves: [], variations: [] };
  const nothing = { status: null, deleted: null, problem: null, labels: [], reviews: [], created: "", updated: "" };
  return { ...nothing, id: "", kind: "analysis", revision: 0, game };
}

/** The position as the server writes it. One that is none is refused, and the board is the usual one. */
async function legal(fen: string | undefined): Promise<string> {
  if (!fen) return START;
  try {
    return (await post("/legal", { fen })).fen;
  } catch (error) {
    complain(error);
    return START;
  }
}
