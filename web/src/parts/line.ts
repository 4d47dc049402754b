// A game with its variations, and the line through it that is shown and continued.

import {
  post,
  type MoveView,
  type PgnGame,
  type Position,
  type PositionRequest,
  type ReadPgnResponse,
  type WritePgnRequest,
} from "../api";
import { START } from "../board/squares";
import { Newest } from "../newest";
import { complain } from "../notice";
import { told, w } from "../words";
import type { Shown } from "./moves";
import { Tree, type Snapshot, type Step } from "./tree";

export class Line {
  tree = new Tree(START);
  position: Position | undefined;
  /** Where one stands: the number of the last move, 0 at the start. */
  at = 0;
  /** Whatever begins to load here ends what was being loaded before. */
  readonly loads = new Newest();
  private readonly looks = new Newest();
  private isLoaded = false;
  private isClosed = false;
  /** The load that is under way. A move that is played meanwhile belongs to what it brings. */
  private loading: Promise<unknown> = Promise.resolve();
  /** The numbers along the line that one is on, to its end. */
  private path: number[] = [];
  private undone: Snapshot | undefined;

  /** Calls back when the position is another one, and when the game itself was changed. */
  constructor(
    private readonly changed: () => void,
    private readonly edited: () => void = () => {},
  ) {}

  get start(): string {
    return this.tree.start;
  }

  /** The moves of the line that one is on. */
  get moves(): Step[] {
    return this.path.map(number => this.tree.step(number));
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
    return this.tree.steps[this.at - 1];
  }

  /** The position one stands at, as questions name it. */
  get where(): { fen: string; moves: string[] } {
    return { fen: this.start, moves: this.tree.wayTo(this.at).map(number => this.tree.step(number).uci) };
  }

  /** Whether the current line is the main line. */
  get isMain(): boolean {
    return this.tree.isMain(this.path);
  }

  /** The main line, whatever line one is on. */
  get mainLine(): number[] {
    return this.tree.lineThrough(0);
  }

  /** The number of the move that one stands at on the main line; undefined if one stands in a variation. */
  get mainPly(): number | undefined {
    const way = this.tree.wayTo(this.at);
    return this.tree.isMain(way) ? way.length : undefined;
  }

  get shown(): Shown[] {
    return this.tree.shown;
  }

  get written(): WritePgnRequest {
    return this.tree.written;
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
      await this.take(new Tree(line.start_fen, steps), ply);
    };
    const loading = work();
    this.loading = loading.catch(() => {});
    return loading;
  }

  async loadGame(game: PgnGame, ply = 0): Promise<void> {
    this.loads.begin();
    await this.take(new Tree(game.start_fen, [...game.moves, ...game.variations], game), ply);
  }

  /** Shows a game with changes from elsewhere, where one stood in it. */
  async refresh(game: PgnGame): Promise<void> {
    const way = this.where.moves;
    this.loads.begin();
    this.tree = new Tree(game.start_fen, [...game.moves, ...game.variations], game);
    this.undone = undefined;
    const numberOf = (uci: string, after: number) =>
      this.tree.following(after).find(n => this.tree.step(n).uci === uci);
    this.at = way.reduce((here, uci) => numberOf(uci, here) ?? here, 0);
    this.path = this.tree.lineThrough(this.at);
    await this.look();
  }

  /** Shows a game that is being played: its moves, and what can be done now. An older move that is shown stays. */
  follow(start: string, moves: MoveView[], position: Position): void {
    const isAtEnd = !this.isLoaded || this.at === this.path.length;
    this.isLoaded = true;
    this.looks.begin();
    const { told } = this.tree;
    this.tree = new Tree(
      start,
      moves.map((move, index) => ({ ...move, after: index })),
      told,
    );
    this.path = this.mainLine;
    this.at = isAtEnd ? this.path.length : Math.min(this.at, this.path.length);
    this.position = position;
    this.changed();
  }

  /** Goes along the line. */
  async go(ply: number): Promise<void> {
    this.at = this.path[Math.min(ply, this.path.length) - 1] ?? 0;
    await this.look();
  }

  /** Goes to any move, and to the line that it is in unless one is on it. */
  async goTo(number: number): Promise<void> {
    this.at = number;
    if (number > 0 && !this.path.includes(number)) this.path = this.tree.lineThrough(number);
    await this.look();
  }

  /** Goes to a move of the main line. */
  async goMain(ply: number): Promise<void> {
    this.path = this.mainLine;
    await this.go(ply);
  }

  /** Goes along moves that are there; stops where they are not. */
  async goAlong(moves: readonly string[]): Promise<void> {
    let here = 0;
    for (const uci of moves) {
      const next = this.tree.following(here).find(number => this.tree.step(number).uci === uci);
      if (next === undefined) break;
      here = next;
    }
    await this.goTo(here);
  }

  /** Plays a move from where one stands. A move that is there anyway is a step to it. */
  async play(text: string): Promise<MoveView> {
    await this.loading;
    const { at, tree, where } = this;
    const { move } = await post("/move", { ...where, move: text });
    await this.playOn(at, tree, [move]);
    return move;
  }

  /** Plays moves, one after the other. */
  async playAll(texts: string[]): Promise<void> {
    const { at, tree, where } = this;
    const question = { fen: where.fen, moves: [...where.moves, ...texts] };
    const { moves } = await post("/line", question);
    await this.playOn(at, tree, moves.slice(where.moves.length));
  }

  /** Goes back from a variation to where it leaves the main line. */
  async back(): Promise<void> {
    const main = this.mainLine;
    this.at = this.tree.wayTo(this.at).findLast(number => main.includes(number)) ?? 0;
    this.path = main;
    await this.look();
  }

  /** Makes the current line the main line, and the main line a variation of it. */
  promote(): void {
    this.undone = this.tree.snapshot(this.at);
    this.tree.promote(this.path);
    this.changed();
    this.edited();
  }

  /** Takes away the move that one stands at, and all that follows it. */
  async remove(): Promise<void> {
    if (!this.last) return;
    const { after } = this.last;
    this.undone = this.tree.snapshot(this.at);
    this.tree.remove(this.at);
    this.at = after;
    this.path = this.tree.lineThrough(after);
    this.edited();
    await this.look();
  }

  /** Brings back what was taken away or put elsewhere last. */
  async undo(): Promise<void> {
    if (!this.undone) return;
    this.tree.restore(this.undone);
    const { at } = this.undone;
    this.undone = undefined;
    this.at = at;
    this.path = this.tree.lineThrough(at);
    this.edited();
    await this.look();
  }

  comment(number: number, text: string): void {
    this.tree.setComment(number, text);
    this.changed();
    this.edited();
  }

  mark(number: number, nags: number[]): void {
    this.tree.setNags(number, nags);
    this.changed();
    this.edited();
  }

  /** Adds moves where one stood when they were asked for, and goes along, unless one has gone elsewhere since. */
  private async playOn(from: number, tree: Tree, moves: MoveView[]): Promise<void> {
    if (this.isClosed || tree !== this.tree) return;
    const before = tree.steps.length;
    const end = moves.reduce((number, move) => tree.add(number, move), from);
    if (tree.steps.length > before) this.edited();
    if (this.at === from) return this.goTo(end);
    this.path = tree.lineThrough(this.path.at(-1) ?? 0);
    this.changed();
  }

  private async take(tree: Tree, ply: number): Promise<void> {
    this.isLoaded = true;
    this.undone = undefined;
    this.tree = tree;
    this.path = this.mainLine;
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
    this.isClosed = true;
    this.loads.begin();
    this.looks.begin();
  }
}

/** Reads a PGN; refuses one without a game. */
export async function readPgn(pgn: string): Promise<ReadPgnResponse> {
  const answer = await post("/pgn/read", { pgn });
  const [error] = answer.errors;
  if (answer.games.length === 0) throw new Error(error ? w.pgnError(error.line, told(error.message)) : w.noGameInText);
  return answer;
}
