// The settings of the page, applied at once and saved.
//
// The browser keeps a copy, so that the page opens as it was left; the server keeps another, for a second browser.

import { Newest } from "./newest";
import { LANGUAGES, type Language } from "./words";

export interface Settings {
  fontSize: number;
  theme: "system" | "light" | "dark";
  board: "sage" | "wood" | "slate" | "contrast";
  /** The piece set. */
  pieces: "saavedra" | "plain" | "letters";
  /** The size of the board in percent of what fits. */
  boardSize: number;
  /** The loudness of sounds in percent; 0 is silence. */
  volume: number;
  language: "" | Language;
  /** How pieces are named in moves: by letters of the language, or by figurines. */
  notation: "letters" | "figurines";
  coordinates: boolean;
  targets: boolean;
  motion: boolean;
  /** What the person at this board is called in imported games: names, separated by semicolons. */
  names: string;
}

const DEFAULTS: Settings = {
  fontSize: 100,
  theme: "system",
  board: "sage",
  pieces: "saavedra",
  boardSize: 100,
  volume: 70,
  language: "",
  notation: "letters",
  coordinates: true,
  targets: true,
  motion: true,
  names: "",
};

export const FONT_SIZES = [80, 90, 100, 112, 125, 150, 175, 200] as const;
export const THEMES = ["system", "light", "dark"] as const;
export const BOARDS = ["sage", "wood", "slate", "contrast"] as const;
export const NOTATIONS = ["letters", "figurines"] as const;
export const PIECES = ["saavedra", "plain", "letters"] as const;

const KEY = "saavedra.settings";
/** Set while the server has not acknowledged a change: until then the copy of this browser counts. */
const UNSENT = "saavedra.settings.unsent";

export const settings: Settings = { ...DEFAULTS, ...recalled() };

const listeners = new Set<() => void>();

/** Calls back whenever a setting has changed, until the returned function is called. */
export function onSettings(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Changes settings, applies them and saves them. */
export function change(changes: Partial<Settings>): void {
  adopt(changes);
  decisions.begin();
  localStorage.setItem(UNSENT, "true");
  void send();
}

/** A change that is made here while a request is under way counts for more than its response. */
const decisions = new Newest();
let isSending = false;

/** Sends the settings to the server, and tells whether it answers. What is changed meanwhile is sent after them. */
async function send(): Promise<boolean> {
  if (isSending) return true;
  isSending = true;
  try {
    let body: string;
    do {
      body = JSON.stringify(settings);
      const headers = { "content-type": "application/json" };
      const answer = await fetch("/api/settings", { method: "PUT", headers, body, keepalive: true });
      if (!answer.ok) return true;
    } while (body !== JSON.stringify(settings));
    localStorage.removeItem(UNSENT);
    return true;
  } catch {
    // Without the server, the copy of the browser counts; the server gets it when the page is opened again.
    return false;
  } finally {
    isSending = false;
  }
}

/** Applies the settings of the server, unless they were changed here since. Tells whether the server answers. */
export async function recallFromServer(): Promise<boolean> {
  if (localStorage.getItem(UNSENT)) return send();
  const isNewest = decisions.begin();
  try {
    const answer = await fetch("/api/settings");
    if (answer.ok) {
      const kept: unknown = await answer.json();
      if (isNewest()) adopt(sane(kept));
    }
    return true;
  } catch {
    // Without the server, the copy of the browser counts.
    return false;
  }
}

/** Applies the settings to the page. */
export function apply(): void {
  const root = document.documentElement;
  root.style.fontSize = `${settings.fontSize}%`;
  root.dataset.theme = settings.theme;
  root.dataset.board = settings.board;
  root.style.setProperty("--board-scale", String(settings.boardSize / 100));
}

/** The duration of a move's animation, in milliseconds. */
export function moveDuration(): number {
  return settings.motion && !matchMedia("(prefers-reduced-motion: reduce)").matches ? 160 : 0;
}

function adopt(changes: Partial<Settings>): void {
  Object.assign(settings, changes);
  localStorage.setItem(KEY, JSON.stringify(settings));
  apply();
  for (const listener of listeners) listener();
}

function recalled(): Partial<Settings> {
  try {
    return sane(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
  } catch {
    return {};
  }
}

/** The saved settings, without unknown names and invalid values. */
function sane(kept: unknown): Partial<Settings> {
  if (typeof kept !== "object" || kept === null) return {};
  const allowed: { [K in keyof Settings]: (value: unknown) => boolean } = {
    fontSize: value => typeof value === "number" && value >= 50 && value <= 300,
    theme: value => THEMES.some(name => name === value),
    board: value => BOARDS.some(name => name === value),
    pieces: value => PIECES.some(name => name === value),
    boardSize: value => typeof value === "number" && value >= 50 && value <= 100,
    volume: value => typeof value === "number" && value >= 0 && value <= 100,
    language: value => value === "" || LANGUAGES.some(([name]) => name === value),
    notation: value => NOTATIONS.some(name => name === value),
    coordinates: value => typeof value === "boolean",
    targets: value => typeof value === "boolean",
    motion: value => typeof value === "boolean",
    names: value => typeof value === "string" && value.length <= 400,
  };
  const entries = Object.entries(kept).filter(([key, value]) => allowed[key as keyof Settings]?.(value));
  return Object.fromEntries(entries) as Partial<Settings>;
}
