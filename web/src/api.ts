// The client of the server's HTTP interface. Types and paths come from its OpenAPI document.

import type { Engines, Routes } from "./generated/api";
import { told, w } from "./words";

export type {
  Analysis,
  AnalysisLine,
  AttackerView as Attacker,
  BitFlip,
  BoardRecord,
  CardView as Card,
  CheckResponse,
  CountersView as Counters,
  Engines,
  EngineSetting,
  ExchangeResponse as Exchange,
  ExplorerMove,
  ExplorerResponse as Explorer,
  GameView as Game,
  HintResponse as Hint,
  HomeResponse as Home,
  Inspection,
  Judgement,
  KeyUpdate,
  LegalMove,
  LibraryGame as KeptGame,
  ListedGame,
  MoveReview,
  MoveView,
  NewGame,
  Outlook,
  PerftResponse as Perft,
  PgnGame,
  PgnMove,
  Player,
  PlayerRequest,
  PlayerReview,
  PracticeResponse as Practice,
  PositionRequest,
  PositionView as Position,
  ReadPgnResponse,
  RecordField as BoardField,
  Review,
  ScoreView as Score,
  Side as Color,
  Summary,
  Table,
  TableCell,
  TableRow,
  Time as TimeControl,
  Trace,
  TraceNode,
  WritePgnRequest,
} from "./generated/api";

/** The paths of a method, without `/api`, and what is sent and answered there. */
type Paths<Method extends string> = {
  [Route in keyof Routes as Route extends `${Method} /api${infer Path}` ? Path : never]: Routes[Route];
};
type Get = Paths<"GET">;
type Post = Paths<"POST">;
type Put = Paths<"PUT">;
type Delete = Paths<"DELETE">;

/** The most that browsers send when a page is closed. */
const LARGEST_LAST = 60_000;

/** The parts of a path in braces; others go into the query. */
type Parameters = Record<string, string | number>;

/** An error of the server, with its own message in the language of the page. */
export class ApiError extends Error {
  readonly problems: string[];

  constructor(
    readonly code: string,
    message: string,
    problems: string[] = [],
  ) {
    super(told(message));
    this.problems = problems.map(told);
  }
}

function address(path: string, parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(value));
    else query.set(name, String(value));
  }
  return query.size > 0 ? `/api${path}?${query}` : `/api${path}`;
}

async function request(
  method: string,
  url: string,
  body?: unknown,
  signal?: AbortSignal,
  keepalive = false,
): Promise<unknown> {
  let response: Response;
  try {
    const headers = body === undefined ? undefined : { "content-type": "application/json" };
    const sent = body === undefined ? undefined : JSON.stringify(body);
    response = await fetch(url, { method, headers, body: sent, signal, keepalive });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError("unreachable", w.unreachable);
  }
  if (response.ok) {
    const isJson = response.headers.get("content-type")?.includes("json") ?? false;
    return isJson ? response.json() : response.text();
  }
  const error = (await response.json().catch(() => null))?.error;
  throw new ApiError(error?.code ?? "unknown", error?.message ?? w.serverError(response.status), error?.problems);
}

export function get<Path extends keyof Get>(path: Path, parameters: Parameters = {}): Promise<Get[Path]["response"]> {
  return request("GET", address(path, parameters)) as Promise<Get[Path]["response"]>;
}

export function post<Path extends keyof Post>(
  path: Path,
  body: Post[Path]["request"],
  parameters: Parameters = {},
  signal?: AbortSignal,
): Promise<Post[Path]["response"]> {
  return request("POST", address(path, parameters), body, signal) as Promise<Post[Path]["response"]>;
}

export async function remove<Path extends keyof Delete>(path: Path, parameters: Parameters): Promise<void> {
  await request("DELETE", address(path, parameters));
}

/** Puts something in its place, also while the page is being closed. */
export function put<Path extends keyof Put>(
  path: Path,
  body: Put[Path]["request"],
  parameters: Parameters = {},
): Promise<Put[Path]["response"]> {
  const isShort = JSON.stringify(body).length < LARGEST_LAST;
  return request("PUT", address(path, parameters), body, undefined, isShort) as Promise<Put[Path]["response"]>;
}

let engineList: Promise<Engines> | undefined;

/** The engines that can play; requested once. */
export function engines(): Promise<Engines> {
  engineList ??= get("/minds").catch(error => {
    engineList = undefined;
    throw error;
  });
  return engineList;
}
