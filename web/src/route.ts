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
  /** Takes a text that was dropped or pasted: a PGN or a FEN. */
  receive?(text: string): void;
}

export type OpenView = (route: Route) => View;

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [view = "", ...rest] = path.split("/").map(decodeURIComponent);
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

/**
 * Changes the address without opening anything, so that a reload shows the same again. A view that was left can no
 * longer change it.
 */
export function rename(view: string, rest: string[] = [], query: Record<string, string> = {}): void {
  if (parseRoute(location.hash).view !== view) return;
  history.replaceState(null, "", address(view, rest, query));
}
