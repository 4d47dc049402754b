// A position as a PNG, drawn on a canvas from the outlines of the pieces.

import type { Drawing } from "../board/drawings";
import { placement, type Side } from "../board/squares";
import { download } from "../files";
import { Gif } from "./gif";

const SIZE = 100;

/** What is seen on a board. */
export interface Seen {
  fen: string;
  last?: { from: string; to: string };
  drawn?: readonly Drawing[];
}

/** Saves the position as it is seen: from this side, with the last move and what was drawn. */
export async function savePicture(seen: Seen, side: Side): Promise<void> {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 8 * SIZE;
  paintPosition(canvas.getContext("2d")!, seen, side);
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, "image/png"));
  if (blob) download("position.png", blob);
}

/** Saves a line of moves as a film: a second for each move, and longer for the last. */
export async function saveFilm(scenes: Seen[], side: Side): Promise<void> {
  const size = 480;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  context.scale(size / (8 * SIZE), size / (8 * SIZE));
  const gif = new Gif(size);
  for (const [index, scene] of scenes.entries()) {
    paintPosition(context, scene, side);
    gif.add(context.getImageData(0, 0, size, size), index === scenes.length - 1 ? 400 : 90);
    // The page stays alive meanwhile.
    await new Promise(resolve => setTimeout(resolve));
  }
  download("game.gif", gif.finish());
}

function paintPosition(context: CanvasRenderingContext2D, { fen, last, drawn = [] }: Seen, side: Side): void {
  const style = getComputedStyle(document.documentElement);
  const at = (square: string): [number, number] => {
    const [file, rank] = ["abcdefgh".indexOf(square[0]!), Number(square[1]) - 1];
    return side === "w" ? [file * SIZE, (7 - rank) * SIZE] : [(7 - file) * SIZE, rank * SIZE];
  };
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 8; column++) {
      context.fillStyle = style.getPropertyValue((row + column) % 2 ? "--dark-square" : "--light-square");
      context.fillRect(column * SIZE, row * SIZE, SIZE, SIZE);
    }
  }
  context.fillStyle = style.getPropertyValue("--last-move");
  context.globalAlpha = 0.5;
  for (const square of last ? [last.from, last.to] : []) context.fillRect(...at(square), SIZE, SIZE);
  context.globalAlpha = 1;
  for (const [square, piece] of placement(fen)) paint(context, piece, ...at(square));
  for (const shape of drawn) sketch(context, shape, at);
}

/** Paints a piece of the set that is shown. */
function paint(context: CanvasRenderingContext2D, piece: string, x: number, y: number): void {
  const group = document.getElementById(piece);
  if (!group) return;
  const outline = document.querySelector(group.querySelector("use")?.getAttribute("href") ?? "#none") ?? group;
  const [ground, edge, fine] = ["fill", "stroke", "color"].map(name => group.getAttribute(name) ?? "none");
  context.save();
  context.translate(x, y);
  context.scale(SIZE / 40, SIZE / 40);
  const width = group.closest("[stroke-width]")?.getAttribute("stroke-width") ?? "1.3";
  context.lineJoin = context.lineCap = "round";
  for (const shape of outline.querySelectorAll("path, circle")) {
    const path = shape.tagName === "path" ? new Path2D(shape.getAttribute("d") ?? "") : circle(shape);
    const resolve = (value: string | null, usual: string) =>
      value === null ? usual : value === "currentColor" ? fine! : value;
    const [fill, stroke] = [resolve(shape.getAttribute("fill"), ground!), resolve(shape.getAttribute("stroke"), edge!)];
    if (fill !== "none") {
      context.fillStyle = fill;
      context.fill(path);
    }
    if (stroke !== "none") {
      context.lineWidth = Number(shape.closest("[stroke-width]")?.getAttribute("stroke-width") ?? width);
      context.strokeStyle = stroke;
      context.stroke(path);
    }
  }
  context.restore();
}

function circle(shape: Element): Path2D {
  const [x, y, r] = ["cx", "cy", "r"].map(name => Number(shape.getAttribute(name)));
  const path = new Path2D();
  path.arc(x!, y!, r!, 0, 2 * Math.PI);
  return path;
}

const INKS = { G: "#1b8a3a", R: "#b8322a", B: "#1d5fb0", Y: "#b8860b" };

function sketch(
  context: CanvasRenderingContext2D,
  { ink, from, to }: Drawing,
  at: (square: string) => [number, number],
): void {
  const [[x1, y1], [x2, y2]] = [at(from), at(to)].map(([x, y]) => [x + SIZE / 2, y + SIZE / 2]) as [
    [number, number],
    [number, number],
  ];
  context.save();
  context.globalAlpha = 0.8;
  context.strokeStyle = context.fillStyle = INKS[ink];
  context.beginPath();
  if (from === to) {
    context.lineWidth = 6;
    context.arc(x1, y1, SIZE * 0.45, 0, 2 * Math.PI);
    context.stroke();
  } else {
    context.translate(x1, y1);
    context.rotate(Math.atan2(y2 - y1, x2 - x1));
    const length = Math.hypot(x2 - x1, y2 - y1);
    const points = [28, -8, length - 42, -8, length - 42, -20, length - 10, 0, length - 42, 20, length - 42, 8, 28, 8];
    for (let index = 0; index < points.length; index += 2) context.lineTo(points[index]!, points[index + 1]!);
    context.fill();
  }
  context.restore();
}
