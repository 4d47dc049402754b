// Short messages at the foot of the page: what was done, and what went wrong.

import { ApiError } from "./api";
import { h } from "./dom";
import { w } from "./words";

const list = h("div.notices", { role: "status" });
const alarms = h("div.notices", { role: "alert" });
const SHOWN_FOR = 5000;

export function installNotices(): void {
  document.body.append(h("div.notice-area", {}, alarms, list));
}

function put(into: HTMLElement, kind: string, text: string): void {
  const element = h(
    `p.notice.${kind}` as "p.notice",
    { "data-address": location.hash },
    text,
    h("button.quiet", { type: "button", "aria-label": w.dismiss, onclick: () => element.remove() }, "×"),
  );
  into.replaceChildren(element);
  setTimeout(() => element.remove(), SHOWN_FOR);
}

/** Takes away the messages of other addresses: what they were about is no longer shown. */
export function clearNotices(): void {
  for (const notice of document.querySelectorAll<HTMLElement>(".notice")) {
    const { address } = notice.dataset;
    if (address !== undefined && address !== location.hash) notice.remove();
  }
}

/** Shows a message. */
export function say(text: string): void {
  put(list, "done", text);
}

/** Tells what was deleted, and brings it back for ten seconds. Another view does not take this away. */
export function offerUndo(text: string, undo: () => Promise<unknown>): void {
  offer(text, w.undo, undo);
}

/** Says something, and offers for ten seconds to do something about it. */
export function offer(text: string, label: string, work: () => Promise<unknown>): void {
  const press = () => {
    element.remove();
    attempt(work);
  };
  const element = h("p.notice.done", {}, text, h("button.quiet.undo", { type: "button", onclick: press }, label));
  list.replaceChildren(element);
  setTimeout(() => element.remove(), 10_000);
}

/** Shows an error, with the message of the server if it comes from there. */
export function complain(error: unknown): void {
  put(alarms, "wrong", reason(error));
}

/** What went wrong, in a sentence. */
export function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return error instanceof ApiError ? sentence(text) : text;
}

/** What the server says as a sentence. A move at its beginning stays as it is. */
function sentence(text: string): string {
  const begun =
    /^\p{Ll}+\P{L}/u.test(text) && !/^\p{L}+[-\d]/u.test(text) ? text[0]!.toUpperCase() + text.slice(1) : text;
  return /[.!?…)]$/.test(begun) ? begun : `${begun}.`;
}

/** Runs something that may fail, and shows the error if it does. */
export function attempt(work: () => Promise<unknown>): void {
  work().catch(complain);
}
