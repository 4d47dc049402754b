// Where one is, as the part of the address behind `#`: `#/play/k3v9q2xah1`, `#/analysis?fen=…`.

export interface Route {
  view: string;
  /** What follows the view, between slashes. */
  rest: string[];
  query: URLSearchParams;
}

export interface View {
  element: HTMLElement;
  close?(): void;
  /** Takes a text that was dropped or pasted: a PGN or a FEN. */
  receive?(text: string): void;
}

export type OpenView = (route: Route) => View;

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [view = "", ...rest] = path.split("/").map(decodeURIComponent);
  return { view, rest, query: new URLSearchParams(query) };
}

/** Writes an address inside the page. */
export function address(view: string, rest: string[] = [], query: Record<string, string> = {}): string {
  const search = new URLSearchParams(query).toString();
  return `#/${[view, ...rest].map(encodeURIComponent).join("/")}${search ? `?${search}` : ""}`;
}

/** Goes there. */
export function go(view: string, rest: string[] = [], query: Record<string, string> = {}): void {
  location.hash = address(view, rest, query);
}

/**
 * Changes the address without going anywhere, so that a reload comes back to what is shown now. Once somebody has gone to
 * another view, the one that is left no longer has a say.
 */
export function rename(view: string, rest: string[] = [], query: Record<string, string> = {}): void {
  if (parseRoute(location.hash).view !== view) return;
  history.replaceState(null, "", address(view, rest, query));
}
