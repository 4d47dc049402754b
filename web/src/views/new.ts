// A new analysis: makes a game of what the address tells, then goes to its address.

import { post } from "../api";
import { h } from "../dom";
import { newAnalysis, openGame } from "../games";
import { complain } from "../notice";
import { address, type Route, type View } from "../route";
import { w } from "../words";

/** The last analysis that was begun with nothing: while it is empty, it is used again. */
const KEY = "saavedra.blank";

export function open({ query }: Route): View {
  let isClosed = false;
  begin(query)
    .then(id => !isClosed && location.replace(address("game", [id], where(query))))
    .catch((error: unknown) => {
      if (isClosed) return;
      complain(error);
      void begin(new URLSearchParams()).then(id => !isClosed && location.replace(address("game", [id])));
    });
  return { element: h("p.hint", {}, w.opening), close: () => (isClosed = true) };
}

function where(query: URLSearchParams): Record<string, string> {
  const ply = query.get("ply") ?? (query.get("moves") ? String(query.get("moves")!.split(",").length) : null);
  return { ...(ply ? { ply } : {}), tab: query.get("tab") ?? "engine" };
}

async function begin(query: URLSearchParams): Promise<string> {
  const fen = query.get("fen") ?? undefined;
  const moves = query.get("moves")?.split(",").filter(Boolean) ?? [];
  if (!fen && moves.length === 0) return blank();
  const line = await post("/line", { fen, moves });
  return newAnalysis({ fen: line.start_fen, moves: line.moves.map(({ uci }) => ({ move: uci })) });
}

async function blank(): Promise<string> {
  const known = localStorage.getItem(KEY);
  const kept = known ? await openGame(known).catch(() => undefined) : undefined;
  if (kept && kept.game.moves.length === 0 && !kept.game.comment) return kept.id;
  const id = await newAnalysis({ moves: [] });
  localStorage.setItem(KEY, id);
  return id;
}
