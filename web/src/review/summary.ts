// What a review says of the whole game: the accuracy of the players by phase, their moves by judgement, the opening.

import { h, type Child } from "../dom";
import { numbered, plyOf } from "../format";
import type { PlayerReview, Review } from "../api";

type Row = [title: string, value: (player: PlayerReview) => number | null, kind?: string];

const PHASES: Row[] = [
  ["Opening", player => player.phases.opening],
  ["Middlegame", player => player.phases.middlegame],
  ["Endgame", player => player.phases.endgame],
];

const COUNTS: Row[] = [
  ["Brilliant", player => player.brilliant, "brilliant"],
  ["Best", player => player.best, "best"],
  ["Excellent", player => player.excellent, "excellent"],
  ["Good", player => player.good, "good"],
  ["Book", player => player.book, "book"],
  ["Forced", player => player.forced, "forced"],
  ["Inaccuracies", player => player.inaccuracies, "inaccuracy"],
  ["Misses", player => player.misses, "miss"],
  ["Mistakes", player => player.mistakes, "mistake"],
  ["Blunders", player => player.blunders, "blunder"],
  ["Wins given away", player => player.missed_wins],
];

/** The summary of a game. */
export function summary(review: Review, [white, black]: [string, string]): HTMLElement {
  const player = (name: string, { accuracy }: PlayerReview) =>
    h(
      "section.accuracy",
      {},
      h("h2", { title: name }, name),
      h("p.figure", {}, figure(accuracy), h("small", {}, " % accuracy")),
    );
  return h(
    "section.card.summary",
    { "aria-label": "Summary" },
    h("div.accuracies", {}, player(white, review.white), player(black, review.black)),
    h(
      "div.counts",
      {},
      table("Accuracy by phase", "phases", PHASES, review, figure),
      table("Moves", "judgements", COUNTS, review, String),
    ),
    openingWords(review),
  );
}

/** Rows with White's value on the left and Black's on the right. What neither player has is left out. */
function table(
  title: string,
  kind: string,
  rows: Row[],
  review: Review,
  write: (value: number | null) => string,
): Child {
  const shown = rows.filter(([, value]) => value(review.white) || value(review.black));
  if (shown.length === 0) return null;
  const head = h(
    "tr",
    {},
    h("th", { scope: "col" }, "White"),
    h("th", { scope: "col" }, title),
    h("th", { scope: "col" }, "Black"),
  );
  const line = ([name, value, mark]: Row) =>
    h(
      "tr",
      {},
      h("td", {}, write(value(review.white))),
      h("th", { scope: "row" }, mark ? h(`span.dot.${mark}` as "span") : null, name),
      h("td", {}, write(value(review.black))),
    );
  return h(`table.${kind}` as "table", {}, h("thead", {}, head), h("tbody", {}, ...shown.map(line)));
}

function figure(accuracy: number | null): string {
  return accuracy === null ? "–" : accuracy.toFixed(1);
}

/** The name of the opening, and the last move that is in the book. */
function openingWords({ opening, moves, start }: Review): Child {
  if (!opening) return null;
  const last = moves[opening.book - 1];
  const left = last && opening.book < moves.length && numbered([last.san], plyOf(start) + opening.book - 1);
  return h(
    "p.game-opening",
    {},
    h("small", {}, opening.eco),
    ` ${opening.name}. `,
    h("span.hint", {}, left ? `The game left the book after ${left}.` : last ? "The whole game is in the book." : ""),
  );
}
