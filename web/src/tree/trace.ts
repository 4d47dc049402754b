// What happened in a traced search, and its tree.

import type { TraceNode } from "../api";

/** The endings of a node that was cut off. */
export const CUTS: ReadonlySet<string> = new Set([
  "beta_cutoff",
  "mate_distance",
  "reverse_futility",
  "null_move",
  "probcut",
  "multi_cut",
]);

/** Whether a node was cut off. */
export function isCut(node: TraceNode): boolean {
  return CUTS.has(node.ending);
}

/** The children of every node, in the order in which they were searched. */
export function children(nodes: TraceNode[]): number[][] {
  const lists: number[][] = nodes.map(() => []);
  nodes.forEach((node, index) => {
    if (node.parent !== null) lists[node.parent]?.push(index);
  });
  return lists;
}
