// The page: a head with the views, one view at a time, and what all of them share.

import { installAnnouncer } from "./announce";
import { fill, h, svg } from "./dom";
import { acceptDrops, looksLikeFen } from "./files";
import { clearNotices, complain, installNotices } from "./notice";
import { go, parseRoute, type OpenView, type View } from "./route";
import { apply, recallFromServer } from "./settings";

/** The views in the order of the menu. Each is loaded when it is first opened. */
const VIEWS: Record<string, { title: string; load: () => Promise<{ open: OpenView }> }> = {
  play: { title: "Play", load: () => import("./views/play") },
  analysis: { title: "Analysis", load: () => import("./views/analysis") },
  review: { title: "Review", load: () => import("./views/review") },
  editor: { title: "Editor", load: () => import("./views/editor") },
  perft: { title: "Perft", load: () => import("./views/perft") },
  exchange: { title: "Exchange", load: () => import("./views/exchange") },
  boards: { title: "Boards", load: () => import("./views/boards") },
  tree: { title: "Search tree", load: () => import("./views/tree") },
  settings: { title: "Settings", load: () => import("./views/settings") },
};

const main = h("main", { id: "main", tabindex: -1 });
const links = new Map<string, HTMLAnchorElement>();
const menuButton = h("button.menu-button", {
  type: "button",
  "aria-expanded": "false",
  "aria-controls": "menu",
  onclick: () => openMenu(menuButton.getAttribute("aria-expanded") !== "true"),
});
let shown: View | undefined;

function head(): HTMLElement {
  const items = Object.entries(VIEWS).map(([name, { title }]) => {
    const link = h("a", { href: `#/${name}`, onclick: () => openMenu(false) }, title);
    links.set(name, link);
    return h("li", {}, link);
  });
  const brand = h("a.brand", { href: "#/play" }, rook(), h("span", {}, "Saavedra"));
  const navigation = h("nav", { id: "menu", "aria-label": "Views" }, h("ul", {}, ...items));
  return h("header.top", {}, h("div.top-row", {}, brand, menuButton, navigation));
}

function openMenu(open: boolean): void {
  menuButton.setAttribute("aria-expanded", String(open));
}

function rook(): SVGElement {
  const outline = svg("use", { href: "#outline-r", fill: "currentColor", stroke: "none" });
  return svg("svg", { viewBox: "6 4 28 33", "aria-hidden": "true", class: "brand-mark" }, outline);
}

async function openRoute(): Promise<void> {
  const route = parseRoute(location.hash);
  const view = VIEWS[route.view];
  if (!view) return go("play");
  for (const [name, link] of links) {
    if (name === route.view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  menuButton.textContent = view.title;
  document.title = `${view.title} · Saavedra`;
  const asked = location.hash;
  try {
    const { open } = await view.load();
    // Another view may have been opened meanwhile.
    if (location.hash !== asked) return;
    const hadBoard = document.activeElement?.classList.contains("board") ?? false;
    shown?.close?.();
    shown = undefined;
    clearNotices();
    shown = open(route);
    fill(main, h("h1.unseen", {}, view.title), shown.element);
    main.dataset.view = route.view;
    scrollTo(0, 0);
    // Those who play by keyboard go on playing: starting a game from the lobby's board opens another board.
    if (hadBoard) main.querySelector<HTMLElement>(".board")?.focus();
  } catch (error) {
    complain(error);
  }
}

/** Loads the pieces once, where cm-chessboard looks for them and would put them itself. */
async function installPieces(): Promise<void> {
  const sprite = h("div.sprite", { id: "cm-chessboard-sprite", "aria-hidden": "true" });
  document.body.append(sprite);
  sprite.innerHTML = await (await fetch(PIECES_URL)).text();
}

/** What was dropped goes to the view that is open, or to the one that can use it. */
function receive(text: string): void {
  if (shown?.receive) return shown.receive(text);
  sessionStorage.setItem("saavedra.dropped", text);
  go(looksLikeFen(text) ? "analysis" : "review");
}

apply();
const skip = h("a.skip", {
  href: "#main",
  onclick: (event: Event) => {
    event.preventDefault();
    main.focus();
  },
});
skip.textContent = "Skip to content";
document.body.append(skip, head(), main, h("p.broken", { role: "alert" }, "Connection lost. Reconnecting …"));
installAnnouncer();
installNotices();
void installPieces();
acceptDrops(receive);
addEventListener("hashchange", () => void openRoute());
addEventListener("keydown", event => event.key === "Escape" && openMenu(false));
void recallFromServer();
void openRoute();
