// The current view, as the part of the address after `#`: `#/play/k3v9q2xah1`, `#/analysis?fen=…`.

export interface Route {
  view: string;
  /** What follows the view, between slashes. */
  rest: string[];
  query: URLSearchParams;
}

export interface View {
  element: HTMLElement;
  close?(): void;
  /** Takes a text that was dropped or pasted, a PGN or a FEN; tells whether it did. */
  receive?(text: string): boolean;
  /** Whether a game is in progress here, which is not to be left by mistake. */
  readonly isPlaying?: boolean;
}

export type OpenView = (route: Route) => View;

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [view = "", ...rest] = path.split("/").filter(Boolean).map(decodeURIComponent);
  return { view, rest, query: new URLSearchParams(query) };
}

/** The address of a view. */
export function address(view: string, rest: string[] = [], query: Record<string, string> = {}): string {
  const search = new URLSearchParams(query).toString();
  return `#/${[view, ...rest].map(encodeURIComponent).join("/")}${search ? `?${search}` : ""}`;
}

/** Opens a view. */
export function go(view: string, rest: string[] = [], query: Record<string, string> = {}): void {
  location.hash = address(view, rest, query);
}

/** Opens a view, or opens it again if it is shown. */
export function reopen(view: string): void {
  if (location.hash === address(view)) dispatchEvent(new HashChangeEvent("hashchange"));
  else go(view);
}

/**
 * Changes the address without opening anything, so that a reload shows the same again. A view that was left can no
 * longer change it.
 */
export function rename(view: string, rest: string[] = [], query: Record<string, string> = {}): void {
  const shown = parseRoute(location.hash);
  if (shown.view !== view || shown.rest.join("/") !== rest.join("/")) return;
  history.replaceState(null, "", address(view, rest, query));
}

/** The view that is shown has another address from now on: what was a draft is a game. */
export function move(from: string, view: string, rest: string[]): void {
  if (parseRoute(location.hash).view === from) history.replaceState(null, "", address(view, rest));
}

/** Where an address of an earlier version leads now. */
export function forwarded({ view, rest, query }: Route): string | undefined {
  const all = Object.fromEntries(query);
  if (view === "play" && rest[0]) return address("game", rest, all);
  if (view === "analysis" || view === "review") {
    const { game, ...others } = all;
    if (game) return address("game", [game], { ...others, tab: view === "review" ? "review" : "moves" });
    return view === "review" ? "#/" : address("new", [], others);
  }
  if (["perft", "exchange", "boards", "tree"].includes(view)) return address("lab", [view], all);
  return undefined;
}
