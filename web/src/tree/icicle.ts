// The search tree as a picture: one row for each ply, every node above its children and as wide as they are together.
//
// Moves that were never tried are hatched, to show how much was skipped.

import type { TraceNode } from "../api";
import { svg } from "../dom";
import { inLetters } from "../notation";
import { w } from "../words";
import { children, isCut } from "./trace";

const WIDTH = 1000;
const ROW = 34;
const THINNEST = 0.35;

export function icicle(nodes: TraceNode[], label: string, choose: (index: number) => void): SVGElement {
  const below = children(nodes);
  const weights = new Array<number>(nodes.length).fill(0);
  for (let index = nodes.length - 1; index >= 0; index--) {
    const node = nodes[index]!;
    const own = node.never_tried + node.skipped.length + node.hidden;
    weights[index] = Math.max(1, own + below[index]!.reduce((sum, child) => sum + weights[child]!, 0));
  }
  const rows = Math.max(...nodes.map(node => node.ply)) + 1;
  const shapes: SVGElement[] = [];

  const place = (index: number, x: number, width: number): void => {
    const node = nodes[index]!;
    if (width < THINNEST) return;
    const y = node.ply * ROW;
    const rect = svg("rect", { x, y, width, height: ROW - 2, class: `node ${kind(node)}`, "data-node": index });
    const title = svg("title");
    title.textContent = node.san ? inLetters(node.san) : w.inLab.tree.root;
    rect.append(title);
    shapes.push(rect);
    if (width > 34) {
      const text = svg("text", { x: x + width / 2, y: y + ROW / 2 + 3, class: "node-label" });
      text.textContent = node.san ? inLetters(node.san) : "●";
      shapes.push(text);
    }
    const scale = width / weights[index]!;
    let at = x;
    for (const child of below[index]!) {
      place(child, at, weights[child]! * scale);
      at += weights[child]! * scale;
    }
    const left = node.never_tried + node.skipped.length;
    const strip = (amount: number, name: string) => {
      if (amount * scale >= THINNEST) {
        shapes.push(svg("rect", { x: at, y: y + ROW, width: amount * scale, height: ROW - 2, class: `node ${name}` }));
      }
      at += amount * scale;
    };
    strip(node.hidden, "hidden-node");
    strip(left, "untried");
  };
  place(0, 0, WIDTH);

  const hatch = svg(
    "pattern",
    { id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("rect", { width: 6, height: 6, class: "hatch-ground" }),
    svg("rect", { width: 2, height: 6, class: "hatch-line" }),
  );
  const height = (rows + (nodes.some(node => node.ply === rows - 1 && node.never_tried > 0) ? 1 : 0)) * ROW;
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${height}`, class: "icicle", role: "img", "aria-label": label },
    svg("defs", {}, hatch),
    ...shapes,
  );
  picture.addEventListener("click", event => {
    const index = event.target instanceof Element ? event.target.getAttribute("data-node") : null;
    if (index) choose(Number(index));
  });
  return picture;
}

function kind(node: TraceNode): string {
  if (isCut(node)) return "cut";
  if (node.kind !== "search") return "quiet-node";
  return node.ending === "horizon" ? "leaf" : "full";
}
