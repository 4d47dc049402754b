// What a review says of a move: one sentence, then the winning chances, then the better line, then details.

import { h, type Child } from "../dom";
import { glyph, numbered, percent, plyOf, score } from "../format";
import type { MoveReview, Review } from "../api";
import { inLetters } from "../notation";
import { w } from "../words";
import { clause, type Reason } from "./reasons";

/** Moves of a line that are shown. */
const SHOWN = 8;

/** Whether a move is criticised: from an inaccuracy on. */
export function isMistake({ judgement }: Pick<MoveReview, "judgement">): boolean {
  return ["inaccuracy", "miss", "mistake", "blunder"].includes(judgement);
}

/** A move with its number and its glyph: `2. g4??`. */
export function moveName({ san, fen, nag }: MoveReview): string {
  return `${numbered([san], plyOf(fen))}${glyph(nag)}`;
}

/** What a move is called and why: `2. g4?? is a blunder: it allows mate in 1 (2… Qh4#)`. */
export function sentence(move: MoveReview): string {
  return verdict(move, facts(move)[0]);
}

/** The same without the reasons that give a better move away. */
export function wrongSentence(move: MoveReview): string {
  return verdict(
    move,
    facts(move).find(({ kind }) => !kind.startsWith("misses_")),
  );
}

function verdict(move: MoveReview, fact: Reason | undefined): string {
  // Some clauses have a colon of their own.
  const reason = fact ? clause(fact, move).replace(": ", " – ") : "";
  return w.verdict(moveName(move), w.phrases[move.judgement], reason);
}

/** The reasons that say what a move does; the others name another move. */
function facts({ reasons }: MoveReview): Reason[] {
  return reasons.filter(({ kind }) => kind !== "better_line" && kind !== "only_move");
}

/** That an answer is right, and how it compares with the best move. */
export function rightSentence(made: { san: string; isBest: boolean }, judged: MoveReview, best: string): string {
  const [san, better] = [made.san, best].map(inLetters) as [string, string];
  if (made.isBest) return w.rightBest(san);
  return judged.judgement === "good" ? w.rightGood(san, better) : w.rightAsGood(san, better);
}

/** The points that White could expect after so many moves, from 0 to 1. */
export function expectedAfter({ moves }: Review, ply: number): number {
  const move = moves[Math.max(0, ply - 1)];
  if (!move) return 0.5;
  const own = ply === 0 ? move.chances_before : move.chances_after;
  return move.color === "white" ? own : 1 - own;
}

/** What the player could expect before and after a move: `White's winning chances: 42 % → 26 %`. */
export function chancesWords({ color, chances_before, chances_after }: MoveReview): HTMLElement {
  const [before, after] = [chances_before, chances_after].map(share => percent(Math.round(100 * share)));
  return h(
    "p.winning",
    {},
    `${color === "white" ? w.whiteChances : w.blackChances}: `,
    h("b", {}, before === after ? after : `${before} → ${after}`),
  );
}

/** A line with its title and where it leads: `Better: 2. d4 exd4 (+0.30)`. */
function lineWords(title: string, sans: string[], ply: number, end?: MoveReview["eval"]): Child {
  if (sans.length === 0) return null;
  const worth = end && end.kind !== "over" && h("small", {}, ` ${score(end)}`);
  return h("p.line", {}, h("b", {}, `${title}: `), numbered(sans.slice(0, SHOWN), ply), worth);
}

/** The better line than the move that was played. */
export function betterLine({ best, eval_best, fen }: MoveReview, title = w.better): Child {
  return lineWords(title, best.san, plyOf(fen), eval_best);
}

/** The verdict on a move. The details stay open from move to move if they were opened once. */
export function moveWords(move: MoveReview, details: { isOpen: boolean }): Child[] {
  const isOther = move.best.uci[0] !== move.uci;
  const only = move.reasons.find(({ kind }) => kind === "only_move");
  const more = h(
    "details",
    { open: details.isOpen, ontoggle: () => (details.isOpen = more.open) },
    h("summary", {}, w.details),
    ...facts(move)
      .slice(1)
      .map(reason => h("p", {}, w.itAlso(clause(reason, move)))),
    !isMistake(move) && isOther && betterLine(move, w.bestLine),
    lineWords(w.then, move.reply.san, plyOf(move.fen) + 1),
    h("p.hint", {}, w.evaluationAt(score(move.eval), move.depth)),
  );
  return [
    h(`h2.verdict.${move.judgement}` as "h2", {}, `${sentence(move)}.`),
    chancesWords(move),
    isMistake(move) && isOther && betterLine(move),
    only && h("p", {}, `${clause(only, move)}.`),
    more,
  ];
}
