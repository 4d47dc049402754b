// The WebSocket of the page: games, analyses and reviews.
//
// It opens when it is first needed and opens again when it breaks. Listeners repeat their requests after every opening,
// so a restart of the server is only a pause.

import type { ClientMessage, ServerMessage } from "./generated/api";

export type { ServerMessage };

interface Listener {
  receive: (message: ServerMessage) => void;
  /** Called whenever the socket is open, at once if it is already. */
  opened: (send: (message: ClientMessage) => void) => void;
}

const LONGEST_WAIT = 5000;

const listeners = new Set<Listener>();
let socket: WebSocket | undefined;
let wait = 250;

/** Listens until the returned function is called. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  if (socket?.readyState === WebSocket.OPEN) listener.opened(send);
  else open();
  return () => listeners.delete(listener);
}

/** Sends a message if the socket is open, and tells whether; what must be sent again after a break is for `opened`. */
export function send(message: ClientMessage): boolean {
  const isOpen = socket?.readyState === WebSocket.OPEN;
  if (isOpen) socket!.send(JSON.stringify(message));
  return isOpen;
}

/** Whether the connection was lost and is not there again. */
export function isBroken(): boolean {
  return document.documentElement.dataset.connection === "broken";
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
    const message = JSON.parse(String(event.data)) as ServerMessage;
    for (const listener of listeners) listener.receive(message);
  };
  socket.onclose = () => {
    if (listeners.size === 0) return;
    document.documentElement.dataset.connection = "broken";
    setTimeout(open, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  };
}
