// The words of the page in the chosen language. Another language is one more file in `words/`.

import { en, type Words } from "./words/en";

export const LANGUAGES = [
  ["en", "English"],
  ["de", "Deutsch"],
  ["es", "Español"],
] as const;
export type Language = (typeof LANGUAGES)[number][0];

/** The words. They are chosen before a view is opened, and again only when the page is. */
export let w: Words = en;

/** What the server says, in the language of the page. */
let translated = (text: string): string => text;

/** A message of the server as a person reads it: in their language, without the part of the request it is about. */
export function told(message: string): string {
  const text = translated(message).replace(/^(q|fen|pgn|moves|labels|hash): /, "");
  return text.replaceAll(/"([^"]*)"/g, (_, quoted: string) => w.quoted(quoted)).replaceAll("'", "’");
}

export async function chooseWords(language: Language): Promise<void> {
  if (language !== "en") translated = (await import("./words/server")).told;
  if (language === "de") w = (await import("./words/de")).de;
  if (language === "es") w = (await import("./words/es")).es;
  document.documentElement.lang = language;
}

/** The language of the browser, if there are words for it. */
export function browserLanguage(): Language {
  const wanted = navigator.languages.map(tag => tag.split("-")[0]);
  return LANGUAGES.map(([name]) => name).find(name => wanted[0] === name) ?? "en";
}
