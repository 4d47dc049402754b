// The words of a review: the accuracy of the players, and the verdict on a move.

import { h, type Child } from "../dom";
import { glyph, numbered, plyOf, score } from "../format";
import type { MoveReview, PlayerReview } from "../api";

/** The summary of one player. */
export function playerSummary(name: string, player: PlayerReview): HTMLElement {
  const rows = [
    ["Best moves", player.best, ""],
    ["Good", player.good, ""],
    ["Inaccuracies", player.inaccuracies, "inaccuracy"],
    ["Mistakes", player.mistakes, "mistake"],
    ["Blunders", player.blunders, "blunder"],
  ] as const;
  return h(
    "section.accuracy",
    {},
    h("h2", {}, name),
    h("p.figure", {}, player.accuracy === null ? "–" : player.accuracy.toFixed(1), h("small", {}, " % accuracy")),
    h(
      "dl",
      {},
      ...rows.flatMap(([title, amount, kind]) => [
        h("dt", {}, title),
        h(`dd.count.${kind || "fine"}` as "dd", {}, String(amount)),
      ]),
    ),
    player.missed_wins > 0 && h("p.hint", {}, `Missed wins: ${player.missed_wins}`),
  );
}

const TITLES = {
  best: "the best move",
  good: "a good move",
  inaccuracy: "an inaccuracy",
  mistake: "a mistake",
  blunder: "a blunder",
};

/** The verdict on a move. */
export function moveWords(move: MoveReview): Child[] {
  const ply = plyOf(move.fen);
  const isFine = move.judgement === "best" || move.judgement === "good";
  const heading = `${numbered([move.san], ply)}${glyph(move.nag)} is ${TITLES[move.judgement]}`;
  // The better line is not repeated if a reason gives it.
  const isTold = move.reasons.some(reason => reason.kind === "better_line");
  const best = !isTold && move.best.san[0] !== move.san && move.best.san.length > 0;
  return [
    h(`h2.verdict.${move.judgement}` as "h2", {}, heading, h("small", {}, ` ${score(move.eval)}`)),
    ...move.reasons.map(reason => h("p", {}, capitalised(reason.text))),
    best && h("p.line", {}, h("b", {}, `Best ${score(move.eval_best)}: `), numbered(move.best.san.slice(0, 8), ply)),
    !isFine &&
      move.reply.san.length > 0 &&
      h("p.line", {}, h("b", {}, "The answer: "), numbered(move.reply.san.slice(0, 8), ply + 1)),
    h(
      "p.hint",
      {},
      `Expected points ${percent(move.chances_before)} before, ${percent(move.chances_after)} after, depth ${move.depth}.`,
    ),
  ];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}
