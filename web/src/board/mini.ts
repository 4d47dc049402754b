// A small board that only shows: for previews, cards and lists.

import { svg } from "../dom";
import { placement, type Side } from "./squares";

/** A picture of a position. What it shows is told by the text beside it. */
export function miniBoard(fen: string, side: Side = "w", move?: string): SVGElement {
  const at = (square: string) => {
    const [file, rank] = ["abcdefgh".indexOf(square[0]!), Number(square[1]) - 1];
    return side === "w" ? [file, 7 - rank] : [7 - file, rank];
  };
  const squares: SVGElement[] = [svg("rect", { width: 8, height: 8, class: "mini-light" })];
  for (let row = 0; row < 8; row++)
    for (let column = (row + 1) % 2; column < 8; column += 2)
      squares.push(svg("rect", { x: column, y: row, width: 1, height: 1, class: "mini-dark" }));
  for (const square of move ? [move.slice(0, 2), move.slice(2, 4)] : []) {
    const [x, y] = at(square);
    squares.push(svg("rect", { x: x!, y: y!, width: 1, height: 1, class: "mark last" }));
  }
  const pieces = [...placement(fen)].map(([square, piece]) => {
    const [x, y] = at(square);
    return svg("use", { href: `#${piece}`, transform: `translate(${x} ${y}) scale(0.025)` });
  });
  return svg("svg", { viewBox: "0 0 8 8", class: "mini-board", "aria-hidden": "true" }, ...squares, ...pieces);
}
