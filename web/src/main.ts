// The page: a head with the views, one view at a time, and what all of them share.

import { installAnnouncer } from "./announce";
import { fill, h, svg } from "./dom";
import { acceptDrops, acceptPastes, looksLikeGame } from "./files";
import { iconButton } from "./icons";
import { attempt, clearNotices, complain, installNotices, offer } from "./notice";
import { isFree } from "./parts/moves";
import { installPieces } from "./pieces";
import { forwarded, go, parseRoute, type OpenView, type View } from "./route";
import { keepShell, showOffline } from "./offline";
import { apply, recallFromServer, settings } from "./settings";
import { unsaved } from "./unsaved";
import { browserLanguage, chooseWords, w } from "./words";

/** The views. Each is loaded when it is first opened. Those without a title are not in the menu. */
const VIEWS: Record<string, { title: () => string; isInMenu?: boolean; load: () => Promise<{ open: OpenView }> }> = {
  "": { title: () => w.home, load: () => import("./views/home") },
  play: { title: () => w.play, isInMenu: true, load: () => import("./views/play") },
  new: { title: () => w.analysis, isInMenu: true, load: () => import("./views/new") },
  game: { title: () => w.game, load: () => import("./views/game") },
  library: { title: () => w.library, isInMenu: true, load: () => import("./views/library") },
  practice: { title: () => w.practice, isInMenu: true, load: () => import("./views/practice") },
  editor: { title: () => w.editor, load: () => import("./views/editor") },
  lab: { title: () => w.lab, isInMenu: true, load: () => import("./views/lab") },
  settings: { title: () => w.settings, load: () => import("./views/settings") },
};

const main = h("main", { id: "main", tabindex: -1 });
const links = new Map<string, HTMLAnchorElement>();
let menuButton: HTMLButtonElement;
let shown: View | undefined;

function head(): HTMLElement {
  const link = (name: string) => {
    const element = h("a", { href: `#/${name}`, onclick: () => openMenu(false) }, VIEWS[name]!.title());
    links.set(name, element);
    return h("li", {}, element);
  };
  menuButton = iconButton("menu", w.menu, () => openMenu(menuButton.getAttribute("aria-expanded") !== "true"));
  menuButton.classList.add("menu-button");
  menuButton.setAttribute("aria-expanded", "false");
  menuButton.setAttribute("aria-controls", "menu");
  const names = Object.keys(VIEWS).filter(name => VIEWS[name]!.isInMenu);
  const brand = h("a.brand", { href: "#/", "aria-label": `Saavedra: ${w.home}` }, rook(), h("span", {}, "Saavedra"));
  const narrow = link("settings");
  narrow.classList.add("narrow-only");
  const navigation = h("nav", { id: "menu", "aria-label": w.views }, h("ul", {}, ...names.map(link), narrow));
  const help = iconButton("help", w.shortcuts, showShortcuts, "?");
  help.setAttribute("aria-keyshortcuts", "?");
  const prefer = iconButton("settings", w.settings, () => go("settings"));
  prefer.classList.add("wide-only");
  return h("header.top", {}, h("div.top-row", {}, brand, navigation, search(), help, prefer, menuButton));
}

/** One field to find a game, or to paste one. */
function search(): HTMLElement {
  const input = h("input", {
    type: "search",
    "aria-label": w.searchOrPaste,
    placeholder: w.searchOrPaste,
    enterkeyhint: "go",
  });
  const submit = (event: Event) => {
    event.preventDefault();
    const text = input.value.trim();
    input.value = "";
    input.blur();
    if (looksLikeGame(text)) return receive(text);
    if (text) go("library", [], { q: text });
  };
  // A game of many lines would be squeezed into one.
  input.addEventListener("paste", event => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!text.includes("\n") && !looksLikeGame(text)) return;
    event.preventDefault();
    receive(text);
  });
  return h("form.search", { role: "search", onsubmit: submit }, input);
}

function openMenu(open: boolean): void {
  menuButton.setAttribute("aria-expanded", String(open));
}

function rook(): SVGElement {
  const d = "M10 7.3h4.4v3h3.4v-3h4.4v3h3.4v-3H30v6.2l-3.3 3v10.2l3 3.2v4.5H10.3v-4.5l3-3.2V16.5l-3.3-3z";
  const outline = svg("path", { d, fill: "currentColor" });
  return svg("svg", { viewBox: "6 4 28 33", "aria-hidden": "true", class: "brand-mark" }, outline);
}

async function openRoute(): Promise<void> {
  const route = parseRoute(location.hash);
  const elsewhere = forwarded(route);
  if (elsewhere) return location.replace(elsewhere);
  const view = VIEWS[route.view];
  if (!view) return location.replace("#/");
  for (const [name, link] of links) {
    if (name === route.view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = route.view ? `${view.title()} · Saavedra` : "Saavedra";
  const asked = location.hash;
  try {
    const { open } = await view.load().catch(loadAnew);
    sessionStorage.removeItem(LOADED_ANEW);
    // Another view may have been opened meanwhile.
    if (location.hash !== asked) return;
    shown?.close?.();
    shown = undefined;
    clearNotices();
    shown = open(route);
    fill(main, h("h1.unseen", {}, view.title()), shown.element);
    // A draft is shown as the game that it may become.
    main.dataset.view = route.view === "new" ? "game" : route.view || "home";
    scrollTo(0, 0);
  } catch (error) {
    complain(error);
  }
}

/** Set while the page is loaded anew, so that this happens once. */
const LOADED_ANEW = "saavedra.loaded-anew";

/** A file is missing: the server is of a newer version, whose files have other names, and whose page is loaded. */
async function loadAnew(error: unknown): Promise<never> {
  const isThere = await fetch("/api/about").then(
    answer => answer.ok,
    () => false,
  );
  if (!isThere || sessionStorage.getItem(LOADED_ANEW)) throw error;
  sessionStorage.setItem(LOADED_ANEW, "yes");
  location.reload();
  return new Promise(() => {});
}

/**
 * What was dropped or pasted goes to the view that is open, if it takes such things, or becomes a game. A game in
 * progress is left only on a second request.
 */
function receive(what: string | File, isSure = false): void {
  attempt(async () => {
    if (shown?.isPlaying && !isSure) return offer(w.pastedWhilePlaying, w.openPasted, async () => receive(what, true));
    const { importFile, receiveText } = await import("./games");
    if (typeof what !== "string" && (what.size > 300_000 || /\.(gz|zst|zip)$/.test(what.name)))
      return importFile(what.name, what);
    const text = typeof what === "string" ? what : await what.text();
    if (shown?.receive?.(text)) return;
    await receiveText(text);
  });
}

function showShortcuts(): void {
  attempt(async () => (await import("./shortcuts")).showShortcuts());
}

/** Goes to the field for moves, where there is one in sight. */
function focusMoveField(event: Event): void {
  const fields = [...document.querySelectorAll<HTMLElement>(".typed input")];
  const field = fields.find(field => field.checkVisibility());
  if (!field) return;
  event.preventDefault();
  field.focus();
}

async function begin(): Promise<void> {
  apply();
  await chooseWords(settings.language || browserLanguage());
  const skipTo = (event: Event) => {
    event.preventDefault();
    main.focus();
  };
  const skip = h("a.skip", { href: "#main", onclick: skipTo }, w.skip2content);
  document.body.append(skip, head(), main, h("p.broken", { role: "alert" }, w.reconnecting));
  installAnnouncer();
  installNotices();
  void installPieces();
  acceptDrops(receive);
  acceptPastes(receive);
  addEventListener("hashchange", () => void openRoute());
  addEventListener("keydown", event => {
    if (event.key === "Escape") openMenu(false);
    if (event.key === "?" && isFree(event)) showShortcuts();
    if (event.key === "/" && isFree(event)) {
      event.preventDefault();
      document.querySelector<HTMLElement>(".search input")?.focus();
    }
    if (event.key === "m" && isFree(event, "board")) focusMoveField(event);
  });
  const reached = recallFromServer();
  await openRoute();
  if (await reached) {
    keepShell();
    if (unsaved().length > 0) attempt(async () => (await import("./keeper")).recover());
  } else showOffline(main, openRoute);
}

void begin();
