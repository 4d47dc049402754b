// A line of moves that one looks at and plays on: where it starts, its moves, and where one stands.

import { post, type MoveMade, type PgnAnswer, type PgnGame, type Position } from "../api";
import { START } from "../board/squares";

export interface AnnotatedMove extends MoveMade {
  comment?: string | null;
  nags?: number[];
}

export class Line {
  start = START;
  moves: AnnotatedMove[] = [];
  ply = 0;
  position: Position | undefined;
  /** The line that was left by playing something else, to go back to. */
  left: { moves: AnnotatedMove[]; ply: number } | undefined;
  private asked = 0;

  /** Calls back when the position is another one. */
  constructor(private readonly changed: () => void) {}

  get fen(): string {
    return this.moves[this.ply - 1]?.fen ?? this.start;
  }

  get last(): MoveMade | undefined {
    return this.moves[this.ply - 1];
  }

  /** The moves up to where one stands, as questions name them. */
  get played(): string[] {
    return this.moves.slice(0, this.ply).map(move => move.uci);
  }

  get where(): { fen: string; moves: string[] } {
    return { fen: this.start, moves: this.played };
  }

  /** Starts from a position and moves; both are checked by the server. */
  async load(fen: string | undefined, moves: string[] = [], ply = moves.length): Promise<void> {
    const line = await post<{ start_fen: string; moves: MoveMade[] }>("/line", { fen, moves });
    await this.take(line.start_fen, line.moves, ply);
  }

  async loadGame(game: PgnGame): Promise<void> {
    await this.take(game.start_fen, game.moves, 0);
  }

  async go(ply: number): Promise<void> {
    this.ply = Math.max(0, Math.min(ply, this.moves.length));
    await this.look();
  }

  /** Plays a move from where one stands. A move that the line has anyway is a step along it. */
  async play(text: string): Promise<MoveMade> {
    const { move } = await post<{ move: MoveMade }>("/move", { ...this.where, move: text });
    if (this.moves[this.ply]?.uci !== move.uci) {
      if (this.ply < this.moves.length && !this.left) this.left = { moves: this.moves, ply: this.ply };
      this.moves = [...this.moves.slice(0, this.ply), move];
    }
    await this.go(this.ply + 1);
    return move;
  }

  /** Goes back to the line that was left. */
  async back(): Promise<void> {
    if (!this.left) return;
    const { moves, ply } = this.left;
    this.left = undefined;
    this.moves = moves;
    await this.go(ply);
  }

  private async take(start: string, moves: AnnotatedMove[], ply: number): Promise<void> {
    this.start = start;
    this.moves = moves;
    this.left = undefined;
    await this.go(ply);
  }

  private async look(): Promise<void> {
    const asked = ++this.asked;
    this.position = undefined;
    this.changed();
    const position = await post<Position>("/legal", this.where);
    if (asked !== this.asked) return;
    this.position = position;
    this.changed();
  }
}

/** Reads a PGN; refuses one without a game. */
export async function readPgn(pgn: string): Promise<PgnAnswer> {
  const answer = await post<PgnAnswer>("/pgn/read", { pgn });
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
