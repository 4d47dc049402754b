// The moves of a game with their variations, comments and drawings. It knows no rules: moves come from the server.

import type { MoveView, PgnGame, PgnMove, WritePgnRequest } from "../api";
import { signsOf } from "../format";
import { drawings, remark } from "../board/drawings";
import type { Shown } from "./moves";

/** A move, and the number of the one that it follows. */
export type Step = MoveView & { after: number } & Partial<PgnMove>;

/** What is told of a game besides its moves. */
export type Told = Pick<PgnGame, "tags" | "result" | "comment">;

/** The order of the moves at one moment, to go back to. */
export interface Snapshot {
  next: number[][];
  at: number;
}

export class Tree {
  told: Told = { tags: {}, result: "*", comment: null };
  /** Every move there is: the first has the number 1. */
  readonly steps: Step[];
  /** By the number of a move what follows it: first what was played, then the variations. */
  private next: number[][];

  constructor(
    readonly start: string,
    steps: Step[] = [],
    told?: Told,
  ) {
    this.steps = steps;
    this.next = [[], ...steps.map((): number[] => [])];
    steps.forEach((step, index) => this.next[step.after]!.push(index + 1));
    if (told) this.told = { tags: { ...told.tags }, result: told.result, comment: told.comment };
  }

  step(number: number): Step {
    return this.steps[number - 1]!;
  }

  /** What follows a move: the continuation, then the variations. */
  following(number: number): readonly number[] {
    return this.next[number] ?? [];
  }

  /** The numbers from the start to a move. */
  wayTo(number: number): number[] {
    const way: number[] = [];
    for (let here = number; here > 0; here = this.step(here).after) way.push(here);
    return way.reverse();
  }

  /** The numbers from the start through a move to the end of its line. */
  lineThrough(number: number): number[] {
    const line = this.wayTo(number);
    for (let here = this.next[number]?.[0]; here !== undefined; here = this.next[here]?.[0]) line.push(here);
    return line;
  }

  /** Whether a line follows the first continuation everywhere. */
  isMain(line: readonly number[]): boolean {
    return line.every(number => this.next[this.step(number).after]?.[0] === number);
  }

  /** Adds a move, unless it is there. Returns its number. */
  add(after: number, move: MoveView): number {
    const known = this.next[after]!.find(number => this.step(number).uci === move.uci);
    if (known !== undefined) return known;
    const number = this.steps.push({ ...move, after });
    this.next[after]!.push(number);
    this.next.push([]);
    return number;
  }

  /** Puts a line first wherever it leaves another. */
  promote(line: readonly number[]): void {
    for (const number of line) {
      const siblings = this.next[this.step(number).after]!;
      siblings.unshift(...siblings.splice(siblings.indexOf(number), 1));
    }
  }

  /** Takes a move away with all that follows it. */
  remove(number: number): void {
    const siblings = this.next[this.step(number).after]!;
    siblings.splice(siblings.indexOf(number), 1);
  }

  snapshot(at: number): Snapshot {
    return { next: this.next.map(numbers => [...numbers]), at };
  }

  /** Brings back what was there. Moves that were added since stay. */
  restore({ next }: Snapshot): void {
    this.next = this.next.map((numbers, index) => next[index] ?? numbers);
  }

  /** The comment of a move, or of the game for 0, with its drawings in it. */
  comment(number: number): string {
    return (number === 0 ? this.told.comment : this.step(number).comment) ?? "";
  }

  setComment(number: number, text: string): void {
    if (number === 0) this.told.comment = text || null;
    else this.step(number).comment = text || null;
  }

  setNags(number: number, nags: number[]): void {
    if (number > 0) this.step(number).nags = nags;
  }

  /** All there is as a list shows it: the moves of the game, each with what could have been played instead. */
  get shown(): Shown[] {
    const [first, ...aside] = this.next[0]!;
    return first === undefined ? [] : this.shownFrom(first, aside);
  }

  private shownFrom(first: number, instead: number[]): Shown[] {
    const moves: Shown[] = [];
    let [here, aside]: [number | undefined, number[]] = [first, instead];
    while (here !== undefined) {
      const { san, comment, comment_before, nags, clock_ms } = this.step(here);
      const variations = aside.map(number => this.shownFrom(number, []));
      const signs = signsOf(nags ?? []);
      const told = { comment: remark(comment ?? ""), before: remark(comment_before ?? ""), glyph: signs };
      moves.push({ number: here, san, ...told, variations, clock: clock_ms ?? undefined });
      [here, ...aside] = this.next[here]!;
    }
    return moves;
  }

  /** The drawings at a move, or at the start. */
  drawings(number: number) {
    return drawings(this.comment(number));
  }

  /** All there is as the server writes it. */
  get written(): WritePgnRequest {
    const moves: NonNullable<WritePgnRequest["moves"]> = [];
    const numbers = new Map([[0, 0]]);
    const waiting = this.next[0]!.toReversed();
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      const { uci, after, comment, comment_before, nags, clock_ms, eval: worth } = this.step(number);
      const said = { comment, comment_before, nags, clock_ms, eval: worth };
      numbers.set(number, moves.push({ move: uci, after: numbers.get(after), ...said }));
      waiting.push(...this.next[number]!.toReversed());
    }
    return { fen: this.start, moves, ...this.told };
  }
}
