// Files and texts: dropped, opened, copied, saved.

import { h } from "./dom";
import { complain, say } from "./notice";
import { w } from "./words";

/** Copies a text to the clipboard. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(w.copied(what));
  } catch {
    complain(w.cannotCopy(text));
  }
}

/** Saves a PGN as a file. */
export function save(name: string, text: string): void {
  download(name, new Blob([text], { type: "application/x-chess-pgn" }));
}

/** Saves anything as a file. */
export function download(name: string, content: Blob): void {
  const link = h("a", { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** A button that opens a file and passes it on. */
export function fileButton(label: string, receive: (file: File) => void): HTMLElement {
  const input = h("input.unseen", {
    type: "file",
    accept: ".pgn,.fen,.txt,.gz,.zst,.zip,text/plain,application/x-chess-pgn",
    "aria-label": label,
    tabindex: -1,
    onchange: () => {
      const file = input.files?.[0];
      if (file) receive(file);
      input.value = "";
    },
  });
  return h("span.file", {}, input, h("button", { type: "button", onclick: () => input.click() }, label));
}

/** Accepts files and texts that are dropped anywhere on the page. */
export function acceptDrops(receive: (text: string | File) => void): void {
  const root = document.documentElement;
  let depth = 0;
  const carries = (event: DragEvent) =>
    ["Files", "text/plain"].some(type => event.dataTransfer?.types.includes(type)) ?? false;
  addEventListener("dragenter", event => {
    if (carries(event)) root.classList.toggle("dropping", ++depth > 0);
  });
  addEventListener("dragleave", event => {
    if (carries(event)) root.classList.toggle("dropping", --depth > 0);
  });
  addEventListener("dragover", event => {
    if (carries(event)) event.preventDefault();
  });
  addEventListener("drop", event => {
    depth = 0;
    root.classList.remove("dropping");
    if (!carries(event) || event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement)
      return;
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    const text = event.dataTransfer?.getData("text/plain");
    if (file) receive(file);
    else if (text) receive(text);
  });
}

/** Accepts texts that are pasted anywhere but in a field. */
export function acceptPastes(receive: (text: string) => void): void {
  addEventListener("paste", event => {
    const place = event.target instanceof Element ? event.target : document.body;
    const text = event.clipboardData?.getData("text/plain").trim();
    if (!text || place.closest("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    receive(text);
  });
}

/** A word of a score sheet without numbers: a move as players or programs write it, in any language of the page. */
const MOVE =
  /^([a-h][1-8][a-h][1-8][a-z]?|[\p{Lu}♔-♟]?[a-h]?[1-8]?x?[a-h][1-8](=?\p{Lu})?[+#]?|[O0]-[O0](-[O0])?[+#]?)[!?]*$/u;

/** Whether a text is nothing but moves, as in `e2e4 e7e5` or `e4 e5 Nf3`. */
export function looksLikeMoves(text: string): boolean {
  const words = text.split(/[\s,]+/).filter(Boolean);
  return words.length > 0 && words.every(word => MOVE.test(word));
}

/** Whether a text is a game, a position or moves, rather than words to search for. */
export function looksLikeGame(text: string): boolean {
  return /[/]|\d\./.test(text) || looksLikeMoves(text);
}

/**
 * Whether a text is meant as a FEN rather than a PGN: its first word has several slashes. Whether it is a good one is
 * for the server to say, which names what is wrong.
 */
export function looksLikeFen(text: string): boolean {
  return /^\s*[^\s/"[{]*(\/[^\s/"[{]*){4,}(\s|$)/.test(text);
}
