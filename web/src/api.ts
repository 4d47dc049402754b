// What the server answers, and how it is asked. The shapes are those of /api/openapi.json.

export type Color = "white" | "black";

export interface LegalMove {
  uci: string;
  san: string;
  from: string;
  /** For castling, where the king goes. */
  to: string;
  promotion: string | null;
  capture: boolean;
  castle_rook: string | null;
}

export interface Ending {
  result: string;
  winner: Color | null;
  reason: string;
}

export interface Position {
  fen: string;
  turn: Color;
  check: string | null;
  legal: LegalMove[];
  over: Ending | null;
  claimable: string | null;
  chess960: boolean;
}

export interface MoveMade {
  uci: string;
  san: string;
  fen: string;
  from: string;
  to: string;
  check: string | null;
}

export interface Score {
  kind: "cp" | "mate";
  value: number;
}

/** A position as a question names it: where the line starts, and the moves from there. */
export interface Where {
  fen?: string;
  moves?: string[];
}

export interface Player {
  kind: "human" | "mind";
  name?: string;
  mind?: string;
}

export interface TimeControl {
  base_ms: number;
  increment_ms: number;
}

export interface Summary {
  id: string;
  created: string;
  updated: string;
  revision: number;
  white: Player;
  black: Player;
  chess960: number | null;
  start_fen: string;
  time: TimeControl | null;
  move_ms: number;
  pause_ms: number;
  status: "playing" | "over";
  result: string;
  winner: Color | null;
  reason: string | null;
  thinking: boolean;
  draw_offer: Color | null;
  fault: string | null;
}

export interface Listed extends Summary {
  plies: number;
  fen: string;
  last: { uci: string; san: string } | null;
}

export interface Game extends Summary {
  moves: (MoveMade & { ms: number; clock_ms: number | null })[];
  position: Position;
  clocks: { white_ms: number; black_ms: number; running: Color | null } | null;
}

export interface NewGame extends Where {
  white: Player;
  black: Player;
  chess960?: number | null;
  time?: TimeControl | null;
  move_ms?: number;
  pause_ms?: number;
}

export interface Line {
  rank: number;
  depth: number;
  score: Score;
  bound: "exact" | "at_least" | "at_most";
  wdl: [number, number, number];
  uci: string[];
  san: string[];
}

export interface Analysis {
  id: string;
  fen: string;
  depth: number;
  selective_depth: number;
  nodes: number;
  nps: number;
  time_ms: number;
  lines: Line[];
  done: boolean;
  reason: string | null;
}

export interface Hint {
  ply: number;
  uci: string;
  san: string;
  score: Score;
  pv: { uci: string[]; san: string[] };
}

export interface MindSetting {
  name: string;
  kind: "number" | "choice";
  min: number | null;
  max: number | null;
  choices: string[];
  default: string | number | null;
  about: string;
}

export interface Gallery {
  minds: { name: string; title: string; about: string; settings: MindSetting[] }[];
  levels: { title: string; elo: number | null; mind: string }[];
}

export interface PgnMove extends MoveMade {
  /** The number of the move that it follows: 1 is the first, 0 the start. */
  after: number;
  comment_before: string | null;
  comment: string | null;
  nags: number[];
  clock_ms: number | null;
  eval: Score | null;
}

export interface PgnGame {
  tags: Record<string, string>;
  result: string;
  start_fen: string;
  chess960: boolean;
  comment: string | null;
  moves: PgnMove[];
  /** What could have been played instead; counting goes on from the moves. */
  variations: PgnMove[];
}

export interface PgnAnswer {
  games: PgnGame[];
  errors: { game: number; line: number; message: string }[];
}

/** A refusal, in the server's own words. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly problems: string[],
  ) {
    super(message);
  }
}

async function ask<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  let answer: Response;
  try {
    const headers = body === undefined ? undefined : { "content-type": "application/json" };
    const sent = body === undefined ? undefined : JSON.stringify(body);
    answer = await fetch(`/api${path}`, { method, headers, body: sent, signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal("unreachable", "The server does not answer. Is saavedra serve still running?", []);
  }
  if (answer.ok) {
    const isJson = answer.headers.get("content-type")?.includes("json") ?? false;
    return (isJson ? await answer.json() : await answer.text()) as T;
  }
  const told = (await answer.json().catch(() => null))?.error;
  throw new Refusal(
    told?.code ?? "unknown",
    told?.message ?? `The server refused (${answer.status}).`,
    told?.problems ?? [],
  );
}

export function get<T>(path: string): Promise<T> {
  return ask("GET", path);
}

export function post<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
  return ask("POST", path, body, signal);
}

export function remove(path: string): Promise<void> {
  return ask("DELETE", path);
}

let gallery: Promise<Gallery> | undefined;

/** Who can play; asked once. */
export function minds(): Promise<Gallery> {
  gallery ??= get<Gallery>("/minds").catch(error => {
    gallery = undefined;
    throw error;
  });
  return gallery;
}
