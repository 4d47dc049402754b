// The games that the server keeps, whatever they came from: opened, saved at every change, and made of what is pasted.

import { ApiError, get, post, put, type KeptGame, type WritePgnRequest } from "./api";
import { looksLikeFen } from "./files";
import { complain } from "./notice";
import { readPgn } from "./parts/line";
import { go, reopen } from "./route";
import { w } from "./words";

export function openGame(id: string): Promise<KeptGame> {
  return get("/library/{id}", { id });
}

/** Makes a game of moves, and says where it is. */
export async function newAnalysis(game: WritePgnRequest): Promise<string> {
  const { id } = await post("/library", { kind: "analysis", ...game });
  return id;
}

/** Opens what was pasted or dropped: a FEN, moves, one game, or many. */
export async function receiveText(text: string): Promise<void> {
  const wanted = text.trim();
  if (!wanted) return;
  if (looksLikeFen(wanted)) {
    const position = await post("/legal", { fen: wanted });
    return go("game", [await newAnalysis({ fen: position.fen, moves: [] })], { tab: "engine" });
  }
  const plain = /^([a-h][1-8][a-h][1-8][qrbn]?[\s,]*)+$/i.test(wanted) ? wanted.split(/[\s,]+/).filter(Boolean) : [];
  if (plain.length > 0) return go("game", [await newAnalysis({ moves: plain.map(move => ({ move })) })]);
  // A text that holds one game is read here, so that what is wrong with it is told at once.
  if (wanted.length < 500_000) {
    const { games } = await readPgn(wanted);
    if (games.length === 1) {
      const { id } = await post("/library", { kind: "imported", pgn: wanted });
      return go("game", [id]);
    }
  }
  await importFile("pasted.pgn", new Blob([wanted]));
}

/** How far an import has come. */
function importState(id: string) {
  return get("/imports/{id}", { id });
}

/** Imports a file of any size and tells how far it is, then shows its game or all of them. */
export async function importFile(
  name: string,
  body: Blob,
  progress: (games: number, broken: number) => void = () => {},
): Promise<void> {
  const { id } = await post("/imports", { name });
  const headers = { "content-type": "application/octet-stream" };
  const told = setInterval(() => {
    importState(id).then(
      ({ games, broken }) => progress(games, broken),
      () => {},
    );
  }, 500);
  const sent = fetch(`/api/imports/${id}/body`, { method: "PUT", headers, body });
  const answer = await sent.finally(() => clearInterval(told));
  if (!answer.ok) throw new Error(w.serverError(answer.status));
  const read = (await answer.json()) as Awaited<ReturnType<typeof importState>>;
  if (read.error) throw new Error(read.error);
  progress(read.games, read.broken);
  if (read.games === 1 && read.first) return go("game", [read.first]);
  reopen("library");
}

/** Saves a game whenever it was changed, one request at a time, the newest state last. */
export class Keeper {
  private wanted: (() => WritePgnRequest) | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending: Promise<void> | undefined;

  constructor(
    private readonly id: string,
    public revision: number,
    private readonly onState: (isSaved: boolean) => void,
  ) {
    addEventListener("pagehide", this.flush);
  }

  /** Saves what the function tells, a moment later: several changes in a row are one. */
  save(written: () => WritePgnRequest): void {
    this.wanted = written;
    this.onState(false);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.send(), 250);
  }

  readonly flush = (): void => void this.send();

  close(): void {
    clearTimeout(this.timer);
    removeEventListener("pagehide", this.flush);
    this.flush();
  }

  /** Saves what is left to save, and waits until it is. */
  async settled(): Promise<void> {
    await this.send();
  }

  private send(): Promise<void> {
    clearTimeout(this.timer);
    this.sending ??= this.sendAll().finally(() => (this.sending = undefined));
    return this.sending;
  }

  private async sendAll(): Promise<void> {
    for (let { wanted } = this; wanted; wanted = this.wanted) await this.sendOne(wanted);
  }

  private async sendOne(wanted: () => WritePgnRequest): Promise<void> {
    this.wanted = undefined;
    try {
      const body = { revision: this.revision, ...wanted() };
      const { revision } = await put("/library/{id}", body, { id: this.id });
      this.revision = revision;
      this.onState(true);
    } catch (error) {
      complain(error instanceof ApiError && error.code === "conflict" ? w.changedElsewhere : error);
    }
  }
}
