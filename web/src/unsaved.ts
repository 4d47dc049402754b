// Where the browser keeps what the server could not be told yet. The first load asks whether there is any.

/** What the names of such entries begin with. */
export const UNSAVED = "saavedra.unsaved.";

/** The names of what is kept. */
export function unsaved(): string[] {
  return Object.keys(localStorage).filter(key => key.startsWith(UNSAVED));
}
