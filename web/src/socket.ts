// The one socket of the page: games that change, analyses and reviews that go on.
//
// It opens when it is first needed and opens again when it breaks. Whoever listens says again what it wants to hear after
// every opening, so that a restart of the server is a pause and nothing more.

import type { Analysis, Game, Score } from "./api";
import type { Review } from "./reviewed";

export type Message =
  | { type: "game"; game: Game }
  | { type: "thought"; game: string; ply: number; depth: number; score: Score; san: string[] }
  | { type: "gone"; game: string }
  | ({ type: "analysis" } & Analysis)
  | { type: "review_progress"; id: string; done: number; total: number }
  | { type: "review"; id: string; review: Review; pgn?: string }
  | { type: "stopped"; id: string }
  | { type: "error"; id?: string; code: string; message: string; problems: string[] }
  | { type: "pong" };

interface Listener {
  hear: (message: Message) => void;
  /** Called whenever the socket is open, at once if it is already. */
  opened: (send: (message: object) => void) => void;
}

const LONGEST_WAIT = 5000;

const listeners = new Set<Listener>();
let socket: WebSocket | undefined;
let wait = 250;

/** Listens until the answer is called. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  if (socket?.readyState === WebSocket.OPEN) listener.opened(send);
  else open();
  return () => listeners.delete(listener);
}

/** Sends a message if the socket is open; what must be said again after a break belongs into `opened`. */
export function send(message: object): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function open(): void {
  if (socket && socket.readyState <= WebSocket.OPEN) return;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/api/ws`);
  socket.onopen = () => {
    wait = 250;
    document.documentElement.dataset.connection = "open";
    for (const listener of listeners) listener.opened(send);
  };
  socket.onmessage = event => {
    const message = JSON.parse(String(event.data)) as Message;
    for (const listener of listeners) listener.hear(message);
  };
  socket.onclose = () => {
    if (listeners.size === 0) return;
    document.documentElement.dataset.connection = "broken";
    setTimeout(open, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  };
}
