// Arrows and circles that a player draws, and how they are kept in comments: `[%cal Ge2e4,Rd1d8] [%csl Yd4]`.

/** Green, red, blue, yellow, as PGN writes them. */
export type Ink = "G" | "R" | "B" | "Y";

/** An arrow, or a circle where it ends where it begins. */
export interface Drawing {
  ink: Ink;
  from: string;
  to: string;
}

const COMMAND = /\[%(cal|csl)\s+([^\]]*)\]\s*/g;

/** The drawings in a comment. */
export function drawings(comment: string): Drawing[] {
  return [...comment.matchAll(COMMAND)].flatMap(([, , list = ""]) =>
    list.split(",").flatMap(text => {
      const found = /^\s*([GRBY])([a-h][1-8])([a-h][1-8])?\s*$/.exec(text);
      return found ? [{ ink: found[1] as Ink, from: found[2]!, to: found[3] ?? found[2]! }] : [];
    }),
  );
}

/** A comment without its drawings: what a person reads. */
export function remark(comment: string): string {
  return comment.replaceAll(COMMAND, "").trim();
}

/** A comment with other drawings. */
export function withDrawings(comment: string, drawn: readonly Drawing[]): string {
  const command = (name: string, shapes: readonly string[]) =>
    shapes.length > 0 ? `[%${name} ${shapes.join(",")}]` : "";
  const circles = drawn.filter(({ from, to }) => from === to).map(({ ink, from }) => ink + from);
  const arrows = drawn.filter(({ from, to }) => from !== to).map(({ ink, from, to }) => ink + from + to);
  return [command("csl", circles), command("cal", arrows), remark(comment)].filter(Boolean).join(" ");
}

/** Draws a shape once more: in the same color it goes away, in another one it changes. */
export function toggled(drawn: readonly Drawing[], shape: Drawing): Drawing[] {
  const others = drawn.filter(({ from, to }) => from !== shape.from || to !== shape.to);
  const isThere = drawn.some(({ ink, from, to }) => ink === shape.ink && from === shape.from && to === shape.to);
  return isThere ? others : [...others, shape];
}

/** The color by the keys that are held, as on lichess. */
export function inkOf({ shiftKey, ctrlKey, altKey, metaKey }: MouseEvent): Ink {
  const [red, blue] = [shiftKey || ctrlKey, altKey || metaKey];
  return red && blue ? "Y" : red ? "R" : blue ? "B" : "G";
}
