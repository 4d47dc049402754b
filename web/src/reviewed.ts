// A reviewed game, as the server tells it.

import type { Color } from "./api";

/** A score seen from White; `over` where the game has ended on the board. */
export interface Worth {
  cp?: number;
  mate?: number;
  over?: string;
}

export type Judgement = "best" | "good" | "inaccuracy" | "mistake" | "blunder";

export interface MoveReview {
  ply: number;
  number: number;
  color: Color;
  san: string;
  uci: string;
  fen: string;
  best: { san: string[]; uci: string[] };
  reply: { san: string[]; uci: string[] };
  eval_best: Worth;
  eval: Worth;
  depth: number;
  chances_before: number;
  chances_after: number;
  lost: number;
  /** Of none where there was only one legal move. */
  accuracy: number | null;
  judgement: Judgement;
  missed_win: boolean;
  nag: number | null;
  reasons: { kind: string; text: string; squares?: string[] }[];
}

export interface PlayerReview {
  accuracy: number | null;
  moves: number;
  best: number;
  good: number;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
  missed_wins: number;
}

export interface Review {
  start: string;
  white: PlayerReview;
  black: PlayerReview;
  evals: Worth[];
  moves: MoveReview[];
}
