// What there is without the server: the page, kept by a worker, which says so and waits.

import { fill, h } from "./dom";
import { w } from "./words";

/** How often the server is looked for. */
const INTERVAL = 2000;

/** Has the browser keep the page, once it is shown and there is nothing more urgent. */
export function keepShell(): void {
  // Where the address is not one of this machine there must be encryption; without it there are no workers.
  void navigator.serviceWorker?.register("/offline.js").catch(() => {});
}

/** Says that the server is gone, and goes on when it is back. */
export function showOffline(main: HTMLElement, goOn: () => Promise<void>): void {
  document.querySelectorAll(".notice").forEach(notice => notice.remove());
  main.dataset.view = "offline";
  fill(
    main,
    h(
      "section.page.offline",
      { role: "alert" },
      h("h1", {}, w.offline),
      h("p", {}, w.offlineHint),
      h("p", {}, h("code", {}, "saavedra serve --open")),
      h("p.hint", {}, w.offlineWaits),
    ),
  );
  const look = async () => {
    const isBack = await fetch("/api/about").then(
      answer => answer.ok,
      () => false,
    );
    if (isBack) await goOn();
    else setTimeout(() => void look(), INTERVAL);
  };
  setTimeout(() => void look(), INTERVAL);
}
