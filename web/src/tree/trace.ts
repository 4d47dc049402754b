// The words for what happened in a traced search, and its tree.

import type { TraceNode } from "../api";

/** Why a node ended. */
export const ENDINGS: Record<string, string> = {
  horizon: "the depth is used up: judged as it stands",
  stand_pat: "doing nothing is already good enough",
  all_moves: "every move was considered",
  beta_cutoff: "cut: this answer is so good that the move before will not be played",
  table: "known from the transposition table",
  draw: "a draw",
  mate: "checkmate",
  stalemate: "stalemate",
  mate_distance: "cut: a shorter mate is known",
  tablebase: "known from the tablebase",
  reverse_futility: "cut: so far ahead that nothing will be lost at this depth",
  null_move: "cut: even passing is good enough",
  probcut: "cut: a capture is good enough at a lower depth",
  multi_cut: "cut: several moves are good enough",
  stopped: "stopped here",
};

export const SKIPS: Record<string, string> = {
  late_move: "late in the list, and the moves before were better",
  futility: "cannot make up for what is missing",
  history: "has done badly elsewhere",
  enough_tried: "enough moves were tried",
  losing_exchange: "loses material by exchange",
};

/** Whether a node was cut off. */
export function isCut(node: TraceNode): boolean {
  return ENDINGS[node.ending]?.startsWith("cut") ?? false;
}

/** The children of every node, in the order in which they were searched. */
export function children(nodes: TraceNode[]): number[][] {
  const lists: number[][] = nodes.map(() => []);
  nodes.forEach((node, index) => {
    if (node.parent !== null) lists[node.parent]?.push(index);
  });
  return lists;
}
