// Numbers, scores and moves as texts.

import type { Outlook } from "./api";
import { roleName } from "./board/squares";
import { inLetters } from "./notation";
import { w } from "./words";

/** A score seen from White: `+0.35` (`+0,35` in German), `#3`, `−#2`, or the result where the game is over. */
export function score({ kind, value }: Outlook): string {
  if (kind === "over") return value;
  if (kind === "mate") return value < 0 ? `−#${-value}` : `#${value}`;
  return pawns(value);
}

/** Centipawns as pawns with a sign. */
export function pawns(centipawns: number): string {
  const text = fixed(Math.abs(centipawns) / 100, 2);
  return centipawns > 0 ? `+${text}` : centipawns < 0 ? `−${text}` : text;
}

/** A whole number with a sign, as exchanges are counted. */
export function signed(value: number): string {
  return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0";
}

/** Shares as whole percentages that add up to 100: those that lose most by rounding down are rounded up. */
export function percentages(shares: readonly number[]): number[] {
  const total = shares.reduce((sum, share) => sum + share, 0);
  if (total === 0) return shares.map(() => 0);
  const exact = shares.map(share => (100 * share) / total);
  const rounded = exact.map(Math.floor);
  const missing = 100 - rounded.reduce((sum, share) => sum + share, 0);
  const byLoss = exact.map((share, index) => [share % 1, index] as const).toSorted(([a], [b]) => b - a);
  for (const [, index] of byLoss.slice(0, missing)) rounded[index]!++;
  return rounded;
}

/** 12,345,678, or as the language writes it. */
export function count(value: number): string {
  return value.toLocaleString(language());
}

function language(): string {
  return document.documentElement.lang || "en";
}

/** A number with so many decimals, as the reader writes it: `0.46` in English, `0,46` elsewhere. */
export function fixed(value: number, digits: number): string {
  return value.toLocaleString(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A share of a hundred as the reader writes it: `98.5%`, `98,5 %` in German. No line ends before the sign. */
export function percent(value: number, digits = 0): string {
  return fixed(value, digits) + (language() === "en" ? "%" : "\u00a0%");
}

/** A count in three figures: 950k, 1.23M. */
export function brief(value: number): string {
  if (value < 1000) return String(Math.round(value));
  const [unit, name] = value < 1e6 ? [1e3, "k"] : value < 1e9 ? [1e6, "M"] : [1e9, "G"];
  const scaled = value / unit;
  return `${fixed(scaled, scaled < 10 ? 2 : scaled < 100 ? 1 : 0)}${name}`;
}

/** A clock: 5:03, 1:02:00, and tenths in the last ten seconds. */
export function clock(milliseconds: number): string {
  const shown = Math.max(0, milliseconds);
  if (shown < 10_000) return `0:0${(Math.floor(shown / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(shown / 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** A rough time span: `5 min ago`. */
export function ago(date: string): string {
  const minutes = Math.round((Date.now() - Date.parse(date)) / 60_000);
  if (minutes < 1) return w.ago.now;
  if (minutes < 60) return w.ago.minutes(minutes);
  if (minutes < 48 * 60) return w.ago.hours(Math.round(minutes / 60));
  return new Date(date).toLocaleDateString(document.documentElement.lang, {
    day: "numeric",
    month: "short",
    year: "numeric",
  });
}

/** `Nxf3+` as "knight takes f3, check". */
export function spoken(san: string): string {
  const ending = san.endsWith("#") ? `, ${w.spoken.mate}` : san.endsWith("+") ? `, ${w.spoken.check}` : "";
  const bare = san.replace(/[+#]$/, "");
  if (bare === "O-O") return `${w.spoken.short}${ending}`;
  if (bare === "O-O-O") return `${w.spoken.long}${ending}`;
  const [move = "", promotion] = bare.split("=");
  const isOfficer = /^[NBRQK]/.test(move);
  const piece = isOfficer ? `${roleName(move[0]!.toLowerCase())} ` : "";
  const rest = (isOfficer ? move.slice(1) : move).replace("x", ` ${w.spoken.takes} `);
  const promoted = promotion ? `, ${w.spoken.promotes} ${roleName(promotion.toLowerCase())}` : "";
  return `${piece}${rest}${promoted}${ending}`.replaceAll(/\s+/g, " ").trim();
}

/** Moves with their numbers, from a ply on, as the reader writes them: `4. Ba4 Nf6 5. O-O`. */
export function numbered(sans: string[], firstPly: number): string {
  return sans
    .map(inLetters)
    .map((san, index) => {
      const ply = firstPly + index;
      const number = Math.floor(ply / 2) + 1;
      return ply % 2 === 0 ? `${number}. ${san}` : index === 0 ? `${number}… ${san}` : san;
    })
    .join(" ");
}

/** The ply of a position, by the move number of its FEN. */
export function plyOf(fen: string): number {
  const [, turn, , , , number] = fen.split(" ");
  return (Math.max(1, Number(number ?? 1)) - 1) * 2 + (turn === "b" ? 1 : 0);
}

const GLYPHS: Record<number, string> = {
  ...{ 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□" },
  ...{ 10: "=", 13: "∞", 14: "+=", 15: "=+", 16: "±", 17: "∓", 18: "+−", 19: "−+" },
};

/** The signs of a move and, set apart, those of its position: `! +=`. */
export function signsOf(nags: readonly number[]): string {
  const ofMove = nags.filter(nag => nag < 10).map(glyph);
  const ofPosition = nags.filter(nag => nag >= 10).map(glyph);
  return [ofMove.join(""), ...ofPosition].filter(Boolean).join(" ");
}

/** The sign of a numeric annotation glyph. */
export function glyph(nag: number | null | undefined): string {
  return nag ? (GLYPHS[nag] ?? "") : "";
}
