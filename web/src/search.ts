// Searches of the library, as its field and its address have them.

/** Where the last search that found games is kept for the explorer. */
export const SEARCHED = "saavedra.searched";

/** The search for all games with a tag. */
export function tagSearch(tag: string): string {
  return `tag:${/\s/.test(tag) ? `"${tag}"` : tag}`;
}
