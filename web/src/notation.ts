// Moves as the reader writes them: with the letters of the language, or with figurines. The server knows only English
// letters, and so does a PGN.

import { settings } from "./settings";
import { w } from "./words";

const FIGURINES: Record<string, string> = { K: "♔", Q: "♕", R: "♖", B: "♗", N: "♘" };

/** A move as it is shown: `Sf3` for `Nf3` in German. */
export function inLetters(san: string): string {
  const letters: Record<string, string> = settings.notation === "figurines" ? FIGURINES : w.pieceLetters;
  return san.replaceAll(/[KQRBN]/g, letter => letters[letter] ?? letter);
}

/** A move as it can be typed: figurines are on no keyboard. */
export function typeable(san: string): string {
  const letters: Record<string, string> = w.pieceLetters;
  return san.replaceAll(/[KQRBN]/g, letter => letters[letter] ?? letter);
}

/** A move that was typed, as the server reads it. English letters are understood unless they mean another piece. */
export function fromLetters(text: string): string {
  const meant = new Map(
    [...Object.entries(FIGURINES), ...Object.entries(w.pieceLetters)].map(([to, from]) => [from, to]),
  );
  return text.replaceAll(/[A-Z♔♕♖♗♘]/gu, letter => meant.get(letter) ?? letter);
}

/** Moves that were pasted, as the server reads them. They are in English unless a letter is of no English piece. */
export function fromPasted(text: string): string {
  return /(?![KQRBNO])\p{Lu}|[♔-♟]/u.test(text) ? fromLetters(text) : text;
}
