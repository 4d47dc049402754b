// What is drawn on the board besides pieces: marked squares below them, arrows and dots above, coordinates.

import type { View } from "cm-chessboard/src/Chessboard.js";
import { svg } from "../dom";
import type { Drawing } from "./drawings";
import type { Side } from "./squares";

export type Mark = "last" | "selected" | "check" | "premove" | "attacker" | "defender" | "focus" | "wrong" | "hint";

export interface Arrow {
  from: string;
  to: string;
  kind: "best" | "other" | "threat" | "hint" | "attacker" | "defender" | "played" | `ink-${Drawing["ink"]}`;
  /** Written on the arrow. */
  label?: string;
}

/** The drawings over and under the pieces. They are few, so all are drawn anew at every change. */
export interface Layers {
  marks: [square: string, mark: Mark][];
  arrows: Arrow[];
  /** What a player has drawn. */
  drawn: readonly Drawing[];
  /** Where the piece in hand may go, and whether it takes something there. */
  targets: [square: string, takes: boolean][];
  coordinates: boolean;
}

export function draw(view: View, orientation: Side, layers: Layers): void {
  const size = view.squareWidth;
  const centre = (square: string) => {
    const { x, y } = view.squareToPoint(square);
    return { x: x + size / 2, y: y + size / 2 };
  };

  view.markersLayer.replaceChildren(
    ...layers.marks.map(([square, mark]) => {
      const { x, y } = view.squareToPoint(square);
      return svg("rect", { x, y, width: size, height: size, class: `mark ${mark}` });
    }),
  );

  const dots = layers.targets.map(([square, takes]) => {
    const { x, y } = centre(square);
    const r = takes ? size * 0.42 : size * 0.14;
    return svg("circle", { cx: x, cy: y, r, class: takes ? "target takes" : "target", "stroke-width": size * 0.07 });
  });
  const ends = (arrow: Arrow) => [arrow, centre(arrow.from), centre(arrow.to), size] as const;
  const own = layers.drawn.map(({ ink, from, to }): Arrow => ({ from, to, kind: `ink-${ink}` }));
  const arrows = [...layers.arrows, ...own].flatMap(arrow => drawArrow(...ends(arrow)));
  const circles = layers.drawn
    .filter(({ from, to }) => from === to)
    .map(({ ink, from }) => {
      const { x, y } = centre(from);
      return svg("circle", { cx: x, cy: y, r: size * 0.45, class: `circle ink-${ink}`, "stroke-width": size * 0.06 });
    });
  const labels = layers.arrows.flatMap(arrow => drawLabel(...ends(arrow)));
  view.markersTopLayer.replaceChildren(...dots, ...circles, ...arrows, ...labels);

  // The letters of a square are read on any mark.
  if (view.markersLayer.nextSibling !== view.coordinatesGroup) view.markersLayer.after(view.coordinatesGroup);
  view.coordinatesGroup.replaceChildren(...(layers.coordinates ? drawCoordinates(orientation, size) : []));
}

interface Point {
  x: number;
  y: number;
}

function drawArrow(arrow: Arrow, start: Point, end: Point, size: number): SVGElement[] {
  const length = Math.hypot(end.x - start.x, end.y - start.y);
  if (length === 0) return [];
  const [dx, dy] = [(end.x - start.x) / length, (end.y - start.y) / length];
  const at = (along: number, aside: number) =>
    `${(start.x + dx * along - dy * aside).toFixed(1)},${(start.y + dy * along + dx * aside).toFixed(1)}`;
  const width = size * (arrow.kind === "other" ? 0.06 : 0.085);
  const tip = length - size * 0.1;
  const neck = tip - size * 0.32;
  const outline = [
    at(size * 0.28, -width),
    at(neck, -width),
    at(neck, -width * 2.4),
    at(tip, 0),
    at(neck, width * 2.4),
    at(neck, width),
    at(size * 0.28, width),
  ];
  return [svg("polygon", { points: outline.join(" "), class: `arrow ${arrow.kind}` })];
}

/** A label is near the start of its arrow, where arrows to the same square are apart. */
function drawLabel({ label }: Arrow, start: Point, end: Point, size: number): SVGElement[] {
  const length = Math.hypot(end.x - start.x, end.y - start.y);
  if (!label || length === 0) return [];
  const along = (size * 0.62) / length;
  const [x, y] = [start.x + (end.x - start.x) * along, start.y + (end.y - start.y) * along];
  const text = svg("text", { x, y, class: "arrow-label", "font-size": size * 0.22, dy: "0.35em" });
  text.textContent = label;
  return [svg("circle", { cx: x, cy: y, r: size * 0.17, class: "arrow-label-ground" }), text];
}

function drawCoordinates(orientation: Side, size: number): SVGElement[] {
  const files = orientation === "w" ? "abcdefgh" : "hgfedcba";
  const ranks = orientation === "w" ? "87654321" : "12345678";
  // On a phone a letter is no smaller than can be read.
  const font = Math.max(size * 0.155, Math.min(9.5, size * 0.24));
  const letter = (text: string, x: number, y: number, anchor: string, onDark: boolean) => {
    const attributes = { x, y, "font-size": font, "text-anchor": anchor };
    const element = svg("text", { ...attributes, class: onDark ? "coordinate on-dark" : "coordinate" });
    element.textContent = text;
    return element;
  };
  return [...files].flatMap((file, index) => [
    letter(file, size * (index + 0.95), size * 7.94, "end", index % 2 === 0),
    letter(ranks[index] ?? "", size * 0.05, size * (index + 0.035) + font, "start", index % 2 === 1),
  ]);
}
