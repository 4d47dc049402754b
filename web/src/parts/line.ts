// A game with its variations, and the line through it that is shown and continued.

import {
  post,
  type MoveView,
  type PgnGame,
  type PgnMove,
  type Position,
  type PositionRequest,
  type ReadPgnResponse,
  type WritePgnRequest,
} from "../api";
import { START } from "../board/squares";
import { glyph } from "../format";
import { Newest } from "../newest";
import { complain } from "../notice";
import type { Shown } from "./moves";

/** A move, and the number of the one that it follows. */
export type Step = MoveView & { after: number } & Partial<PgnMove>;

export class Line {
  start = START;
  position: Position | undefined;
  /** Where one stands: the number of the last move, 0 at the start. */
  at = 0;
  /** Whatever begins to load here ends what was being loaded before. */
  readonly loads = new Newest();
  private readonly looks = new Newest();
  private isLoaded = false;
  /** The load that is under way. A move that is played meanwhile belongs to what it brings. */
  private loading: Promise<unknown> = Promise.resolve();
  /** What was told of the game that was read. */
  private told: Pick<PgnGame, "tags" | "result" | "comment"> | undefined;
  /** Every move there is: the first has the number 1. */
  private steps: Step[] = [];
  /** By the number of a move what follows it: first what was played, then the variations. */
  private next: number[][] = [[]];
  /** The numbers along the line that one is on, to its end. */
  private path: number[] = [];

  /** Calls back when the position is another one. */
  constructor(private readonly changed: () => void) {}

  /** The moves of the line that one is on. */
  get moves(): Step[] {
    return this.path.map(number => this.step(number));
  }

  /** The numbers of these moves. */
  get numbers(): readonly number[] {
    return this.path;
  }

  /** How many moves along the line one stands. */
  get ply(): number {
    return this.path.indexOf(this.at) + 1;
  }

  get fen(): string {
    return this.last?.fen ?? this.start;
  }

  get last(): Step | undefined {
    return this.steps[this.at - 1];
  }

  /** The position one stands at, as questions name it. */
  get where(): { fen: string; moves: string[] } {
    return { fen: this.start, moves: this.wayTo(this.at).map(number => this.step(number).uci) };
  }

  /** Whether the current line is the main line. */
  get isMain(): boolean {
    return this.path.every(number => this.next[this.step(number).after]?.[0] === number);
  }

  /**
   * Starts from a position and moves; both are checked by the server. If they are refused, what is shown stays; where
   * nothing is shown yet, it is the initial position.
   */
  load(fen: string | undefined, moves: string[] = [], ply = moves.length): Promise<void> {
    const isNewest = this.loads.begin();
    const ask = (where: PositionRequest) => post("/line", where);
    const work = async () => {
      const line = await ask({ fen, moves }).catch(error => {
        if (this.isLoaded) throw error;
        complain(error);
        return ask({});
      });
      if (!isNewest()) return;
      const steps = line.moves.map((move, index) => ({ ...move, after: index }));
      await this.take(line.start_fen, steps, undefined, ply);
    };
    const loading = work();
    this.loading = loading.catch(() => {});
    return loading;
  }

  async loadGame(game: PgnGame, ply = 0): Promise<void> {
    this.loads.begin();
    await this.take(game.start_fen, [...game.moves, ...game.variations], game, ply);
  }

  /** Goes along the line. */
  async go(ply: number): Promise<void> {
    this.at = this.path[Math.min(ply, this.path.length) - 1] ?? 0;
    await this.look();
  }

  /** Goes to any move, and to the line that it is in unless one is on it. */
  async goTo(number: number): Promise<void> {
    this.at = number;
    if (number > 0 && !this.path.includes(number)) this.path = this.lineThrough(number);
    await this.look();
  }

  /** Plays a move from where one stands. A move that is there anyway is a step to it. */
  async play(text: string): Promise<MoveView> {
    await this.loading;
    const { at, steps, where } = this;
    const { move } = await post("/move", { ...where, move: text });
    await this.playOn(at, steps, [move]);
    return move;
  }

  /** Plays moves, one after the other. */
  async playAll(texts: string[]): Promise<void> {
    const { at, steps, where } = this;
    const question = { fen: where.fen, moves: [...where.moves, ...texts] };
    const { moves } = await post("/line", question);
    await this.playOn(at, steps, moves.slice(where.moves.length));
  }

  /** Goes back from a variation to where it leaves the main line. */
  async back(): Promise<void> {
    const main = this.mainLine();
    this.at = this.wayTo(this.at).findLast(number => main.includes(number)) ?? 0;
    this.path = main;
    await this.look();
  }

  /** Makes the current line the main line, and the main line a variation of it. */
  promote(): void {
    for (const number of this.path) {
      const siblings = this.next[this.step(number).after]!;
      siblings.unshift(...siblings.splice(siblings.indexOf(number), 1));
    }
    this.changed();
  }

  /** Takes away the move that one stands at, and all that follows it. */
  async remove(): Promise<void> {
    if (!this.last) return;
    const { after } = this.last;
    const siblings = this.next[after]!;
    siblings.splice(siblings.indexOf(this.at), 1);
    this.at = after;
    this.path = this.lineThrough(after);
    await this.look();
  }

  /** All there is as a list shows it: the moves of the game, each with what could have been played instead. */
  get shown(): Shown[] {
    const [first, ...aside] = this.next[0]!;
    return first === undefined ? [] : this.shownFrom(first, aside);
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

  private step(number: number): Step {
    return this.steps[number - 1]!;
  }

  /** The numbers from the start to a move. */
  private wayTo(number: number): number[] {
    const way: number[] = [];
    for (let here = number; here > 0; here = this.step(here).after) way.push(here);
    return way.reverse();
  }

  /** The numbers from the start through a move to the end of its line. */
  private lineThrough(number: number): number[] {
    const line = this.wayTo(number);
    for (let here = this.next[number]?.[0]; here !== undefined; here = this.next[here]?.[0]) line.push(here);
    return line;
  }

  private mainLine(): number[] {
    return this.lineThrough(0);
  }

  private shownFrom(first: number, instead: number[]): Shown[] {
    const moves: Shown[] = [];
    let [here, aside]: [number | undefined, number[]] = [first, instead];
    while (here !== undefined) {
      const { san, comment, comment_before, nags } = this.step(here);
      const variations = aside.map(number => this.shownFrom(number, []));
      moves.push({ number: here, san, comment, before: comment_before, glyph: glyph(nags?.[0]), variations });
      [here, ...aside] = this.next[here]!;
    }
    return moves;
  }

  /** Adds moves where one stood when they were asked for, and goes along, unless one has gone elsewhere since. */
  private async playOn(from: number, steps: Step[], moves: MoveView[]): Promise<void> {
    if (steps !== this.steps) return;
    const end = moves.reduce((number, move) => this.add(number, move), from);
    if (this.at === from) return this.goTo(end);
    this.path = this.lineThrough(this.path.at(-1) ?? 0);
    this.changed();
  }

  private add(after: number, move: MoveView): number {
    const known = this.next[after]!.find(number => this.step(number).uci === move.uci);
    if (known !== undefined) return known;
    const number = this.steps.push({ ...move, after });
    this.next[after]!.push(number);
    this.next.push([]);
    return number;
  }

  private async take(start: string, steps: Step[], told: PgnGame | undefined, ply: number): Promise<void> {
    this.isLoaded = true;
    this.start = start;
    this.steps = steps;
    this.next = [[], ...steps.map(() => [])];
    steps.forEach((step, index) => this.next[step.after]!.push(index + 1));
    this.told = told && { tags: told.tags, result: told.result, comment: told.comment };
    this.path = this.mainLine();
    await this.go(ply);
  }

  private async look(): Promise<void> {
    const isNewest = this.looks.begin();
    this.position = undefined;
    this.changed();
    const position = await post("/legal", this.where);
    if (!isNewest()) return;
    this.position = position;
    this.changed();
  }

  /** Nothing that was asked for arrives any more. */
  close(): void {
    this.loads.begin();
    this.looks.begin();
    this.steps = [];
  }
}

/** Reads a PGN; refuses one without a game. */
export async function readPgn(pgn: string): Promise<ReadPgnResponse> {
  const answer = await post("/pgn/read", { pgn });
  const [error] = answer.errors;
  if (answer.games.length === 0)
    throw new Error(error ? `Line ${error.line}: ${error.message}` : "There is no game in this text.");
  return answer;
}

/** A game of a file as one reads it in a list. */
export function gameTitle({ tags, result }: PgnGame, index: number): string {
  const players = tags.White || tags.Black ? `${tags.White ?? "?"} – ${tags.Black ?? "?"}` : `Game ${index + 1}`;
  const facts = [result, tags.Event, tags.Date].filter(fact => fact && !/^[?.*]*$/.test(fact));
  return [players, ...facts].join(", ");
}
