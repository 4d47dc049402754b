// What happens on the board, said aloud: a live region that screen readers read out.

import { h } from "./dom";

const region = h("p.unseen", { role: "status", "aria-live": "polite" });

/** Puts the live region into the page. */
export function installAnnouncer(): void {
  document.body.append(region);
}

/** Says a sentence. Saying the same again is heard again. */
export function announce(sentence: string): void {
  region.textContent = sentence === region.textContent ? `${sentence}\u00a0` : sentence;
}
