// What a review says of the whole game: the accuracy of the players by phase, their moves by judgement, the opening.

import { h, type Child } from "../dom";
import { numbered, percent, plyOf } from "../format";
import type { MoveReview, PlayerReview, Review } from "../api";
import { w } from "../words";
import { betterLine, chancesWords, isMistake, moveName, sentence } from "./words";

type Row = [title: string, value: (player: PlayerReview) => number | null, kind?: string];

const phases = (): Row[] => [
  [w.phases.opening, player => player.phases.opening],
  [w.phases.middlegame, player => player.phases.middlegame],
  [w.phases.endgame, player => player.phases.endgame],
];

const counts = (): Row[] => [
  [w.judgements.brilliant, player => player.brilliant, "brilliant"],
  [w.judgements.best, player => player.best, "best"],
  [w.judgements.excellent, player => player.excellent, "excellent"],
  [w.judgements.good, player => player.good, "good"],
  [w.judgements.book, player => player.book, "book"],
  [w.judgements.forced, player => player.forced, "forced"],
  [w.judgements.inaccuracy, player => player.inaccuracies, "inaccuracy"],
  [w.judgements.miss, player => player.misses, "miss"],
  [w.judgements.mistake, player => player.mistakes, "mistake"],
  [w.judgements.blunder, player => player.blunders, "blunder"],
  [w.missedWins, player => player.missed_wins],
];

/** The accuracy of both players in one row. */
export function accuracies(review: Review, [white, black]: [string, string]): HTMLElement {
  const player = (name: string, { accuracy }: PlayerReview) =>
    h(
      "section.accuracy",
      {},
      h("h2", { title: name, dir: "auto" }, name),
      h("p.figure", { title: w.accuracy }, figure(accuracy)),
    );
  const between = h("small.hint", {}, w.accuracy);
  return h("div.accuracies", {}, player(white, review.white), between, player(black, review.black));
}

/** Buttons that lead to the moves that decided the game, numbered as in the plot. */
export function moments({ turning_points, moves }: Review, look: (ply: number) => void): HTMLElement | null {
  if (turning_points.length === 0) return null;
  const points = turning_points.map((ply, index) => {
    const move = moves[ply]!;
    return h(
      "button",
      { type: "button", onclick: () => look(ply + 1) },
      h("span.unseen", {}, `${w.turningPoint} `),
      h("small", {}, String(index + 1)),
      h("span.unseen", {}, ": "),
      h(`span.name.${move.judgement}` as "span", {}, moveName(move)),
    );
  });
  return h("div.row.turning-points", {}, h("span.hint", {}, w.moments), ...points);
}

/** Every mistake with its reason and the better line, as it is printed. */
export function mistakes({ moves }: Review): HTMLElement[] {
  const item = (move: MoveReview) =>
    h(
      "li",
      {},
      h(`p.verdict.${move.judgement}` as "p", {}, `${sentence(move)}.`),
      chancesWords(move),
      betterLine(move, w.better),
    );
  return moves.filter(isMistake).map(item);
}

/** All figures, for those who want them. */
export function figures(review: Review): HTMLElement {
  return h(
    "details.figures",
    {},
    h("summary", {}, w.moreFigures),
    h(
      "div.figure-tables",
      {},
      table(w.accuracyByPhase, "phases", phases(), review, figure),
      table(w.moves, "judgements", counts(), review, String),
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
    h("th", { scope: "col" }, w.white),
    h("th", { scope: "col" }, title),
    h("th", { scope: "col" }, w.black),
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
  return accuracy === null ? "–" : percent(accuracy, 1);
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
    h("span.hint", {}, left ? w.leftBook(left) : last ? w.allBook : ""),
  );
}
