// Saves a game whenever it was changed. What the server could not be told yet is kept by the browser, also over a
// reload, and told when it answers again. Where the game was changed elsewhere too, both changes are kept.

import { ApiError, get, post, put, type KeptGame, type PgnGame, type WritePgnRequest } from "./api";
import { isSame, merge } from "./merge";
import { complain, say } from "./notice";
import { Tree } from "./parts/tree";
import { UNSAVED, unsaved } from "./unsaved";
import { w } from "./words";

/** How often the server is asked again while it does not answer. */
const INTERVAL = 2000;

/** A version that the server does not have yet, and what it was made from. A game without an id is a new one. */
interface Unsaved {
  id: string;
  revision: number;
  base: WritePgnRequest | undefined;
  game: WritePgnRequest;
}

/** What became of it: it was saved, or saved together with other changes, or as a game of its own. */
interface Written {
  id: string;
  revision: number;
  merged?: KeptGame;
  isCopy?: boolean;
}

/** The names under which the browser keeps what this page is to save, and who saves it. */
const waiting = new Map<string, Keeper>();

/** A game as it is written. */
function written(game: PgnGame): WritePgnRequest {
  return new Tree(game.start_fen, [...game.moves, ...game.variations], game).written;
}

async function create(game: WritePgnRequest): Promise<Written> {
  const { id, revision } = await post("/library", { kind: "analysis", ...game });
  return { id, revision };
}

function isError(error: unknown, ...codes: string[]): boolean {
  return error instanceof ApiError && codes.includes(error.code);
}

/** Whether the server will never take it; whatever else went wrong may be over in a moment. */
function isRefused(error: unknown): boolean {
  return isError(error, "bad_request", "bad_pgn", "conflict", "illegal_move", "illegal_position", "too_large");
}

/** Saves a version over the one that it was made from; if that is no longer the newest, together with the newest. */
async function write({ id, revision, base, game }: Unsaved): Promise<Written> {
  if (!id) return create(game);
  try {
    return { id, revision: (await put("/library/{id}", { revision, ...game }, { id })).revision };
  } catch (error) {
    if (isError(error, "not_found")) return { ...(await create(game)), isCopy: true };
    if (!isError(error, "conflict")) throw error;
  }
  const newest = await get("/library/{id}", { id });
  const theirs = written(newest.game);
  if (isSame(game, theirs)) return { id, revision: newest.revision, merged: newest };
  // If it is the newest, it was refused for what it says: a game that was played here stays as it was.
  const merged = base && newest.revision !== revision ? merge(base, game, theirs) : undefined;
  if (!merged) return { ...(await create(game)), isCopy: true };
  const next = await write({ id, revision: newest.revision, base: theirs, game: merged });
  return next.isCopy || next.merged ? next : { ...next, merged: await get("/library/{id}", { id }) };
}

function store(name: string, unsaved: Unsaved): void {
  try {
    localStorage.setItem(UNSAVED + name, JSON.stringify(unsaved));
  } catch {
    // The browser keeps nothing, or no more; the page itself still has it.
  }
}

let recovery: Promise<void> | undefined;

/** Saves what an earlier page could not, and what this one is still to save. */
export function recover(): Promise<void> {
  recovery ??= recoverAll().finally(() => (recovery = undefined));
  return recovery;
}

async function recoverAll(): Promise<void> {
  const names = unsaved();
  for (const keeper of [...waiting.values()]) await keeper.settled();
  for (const key of names) {
    const kept = localStorage.getItem(key);
    if (kept === null || waiting.has(key.slice(UNSAVED.length))) continue;
    try {
      if ((await write(JSON.parse(kept) as Unsaved)).isCopy) say(w.savedAsCopy);
    } catch (error) {
      // It stays for the next time, unless it can never be saved.
      if (error instanceof ApiError && !isRefused(error)) return;
      complain(error);
    }
    if (localStorage.getItem(key) === kept) localStorage.removeItem(key);
  }
}

/** What the owner of a keeper is told. */
export interface KeeperHost {
  onState(text: string): void;
  /** The game has an id now, or another one. */
  onCreated(id: string, isCopy: boolean): void;
  /** The game has changes from elsewhere in it. */
  onMerged(game: KeptGame): void;
}

/**
 * Saves one request at a time, the newest state last. A game without an id is a draft: the first change makes a game
 * of it.
 */
export class Keeper {
  private wanted: (() => WritePgnRequest) | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending: Promise<void> | undefined;
  private id = "";
  private revision = 0;
  private base: WritePgnRequest | undefined;
  private readonly name = crypto.getRandomValues(new Uint32Array(2)).join("-");
  private isAway = false;

  constructor(
    kept: KeptGame,
    private readonly host: KeeperHost,
  ) {
    this.loaded(kept);
    addEventListener("pagehide", this.flush);
  }

  /** The game is at this state. */
  loaded({ id, revision, game }: KeptGame): void {
    Object.assign(this, { id, revision, base: written(game) });
  }

  /** Saves what the function tells, a moment later: several changes in a row are one. */
  save(written: () => WritePgnRequest): void {
    this.wanted = written;
    waiting.set(this.name, this);
    if (!this.isAway) this.host.onState(w.saving);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.send(), this.id ? 250 : 0);
  }

  readonly flush = (): void => {
    if (this.wanted) this.store(this.wanted());
    void this.send();
  };

  close(): void {
    removeEventListener("pagehide", this.flush);
    // What it tells later is told of the game as it is left now.
    const last = this.wanted?.();
    if (last) this.wanted = () => last;
    this.flush();
  }

  /** Saves what is left to save, and waits until it is. */
  async settled(): Promise<void> {
    await this.send();
  }

  private store(game: WritePgnRequest): Unsaved {
    const { id, revision, base, name } = this;
    const unsaved = { id, revision, base, game };
    store(name, unsaved);
    return unsaved;
  }

  private send(): Promise<void> {
    clearTimeout(this.timer);
    this.sending ??= this.sendAll().finally(() => (this.sending = undefined));
    return this.sending;
  }

  private async sendAll(): Promise<void> {
    for (let { wanted } = this; wanted; wanted = this.wanted) {
      this.wanted = undefined;
      const game = wanted();
      try {
        this.take(game, await write(this.store(game)));
      } catch (error) {
        if (!isRefused(error)) return this.wait(error, wanted);
        complain(error);
        this.host.onState((error as Error).message);
        this.forget();
      }
    }
  }

  /** The server cannot save it now: it is asked again until it can. */
  private wait(error: unknown, wanted: () => WritePgnRequest): void {
    this.wanted ??= wanted;
    const text = isError(error, "unreachable") ? w.notSavedYet : (error as Error).message;
    if (!this.isAway) complain(text);
    this.isAway = true;
    this.host.onState(text);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.send(), INTERVAL);
  }

  /** Nothing is left to save. */
  private forget(): void {
    if (this.wanted) return;
    waiting.delete(this.name);
    localStorage.removeItem(UNSAVED + this.name);
  }

  private take(game: WritePgnRequest, { id, revision, merged, isCopy }: Written): void {
    this.isAway = false;
    const isNew = id !== this.id;
    // Where more was changed meanwhile, the next request brings it together with what is there now.
    const isBehind = merged && this.wanted;
    Object.assign(this, { id, base: game, revision: isBehind ? this.revision : revision });
    if (isNew) this.host.onCreated(id, isCopy ?? false);
    if (merged && !isBehind) {
      this.base = written(merged.game);
      this.host.onMerged(merged);
    }
    this.forget();
    if (!this.wanted) this.host.onState(w.saved);
  }
}
