// What the parts of the workspace show of a game: its moves with their judgements, how it ended, what it is worth.

import type { Game } from "../api";
import { glyph } from "../format";
import { expectedOf, type Worth } from "../parts/evaluation";
import type { Line } from "../parts/line";
import type { Shown } from "../parts/moves";
import { endReason, resultSign } from "../result";
import { playerName } from "../play/people";
import { expectedAfter } from "../review/words";
import { w } from "../words";
import type { EnginePanel } from "./engine";
import { outcome } from "./live";
import type { ReviewPanel } from "./review";

/** The moves with what the review calls them. */
export function judgedMoves(line: Line, { review }: ReviewPanel): Shown[] {
  return line.shown.map((move, index) => {
    const told = review?.moves[index];
    return told && told.san === move.san
      ? { ...move, glyph: move.glyph || glyph(told.nag), kind: told.judgement }
      : move;
  });
}

/** How the game ended. Where the rules say so, they count, and a result that says otherwise is told as such. */
export function ending(line: Line, game: Game | undefined): string {
  if (game) return outcome(game);
  const { result } = line.tree.told;
  const over = line.isMain && line.ply === line.moves.length ? line.position?.over : undefined;
  if (!over) return resultSign(result);
  const end = `${resultSign(over.result)}: ${endReason(over.reason)}`;
  return result === "*" || result === over.result ? end : w.otherResult(end, resultSign(result));
}

/** The evaluation beside the board: the result, the engine's, or the review's. */
export function worth(line: Line, engine: EnginePanel, { review }: ReviewPanel): Worth | undefined {
  const over = line.position?.over;
  if (over) return { score: { kind: "over", value: over.result }, expected: points(over.result) };
  const { best } = engine;
  if (engine.isOn && !engine.isThreat && best) return { score: best.score, expected: expectedOf(best) };
  const score = line.mainPly === undefined ? undefined : review?.evals[line.mainPly];
  return score && { score, expected: expectedAfter(review!, line.mainPly!) };
}

/** White's points. */
function points(result: string): number {
  return { "1-0": 1, "0-1": 0 }[result] ?? 0.5;
}

/** The names of the players as the tags have them. */
export function namesOf({ tree }: Line): [string, string] {
  const { tags } = tree.told;
  const name = (tag: string, otherwise: string) =>
    !tags[tag] || tags[tag] === "?" ? otherwise : playerName(tags[tag]);
  return [name("White", w.white), name("Black", w.black)];
}

/** What the address tells of the place in a game, so that a reload shows it again. */
export function placeIn(line: Line, isPlaying: boolean, tab: string): Record<string, string> {
  const query: Record<string, string> = {};
  if (line.mainPly === undefined) query.line = line.where.moves.join(",");
  else if (!isPlaying || line.at !== line.moves.length) query.ply = String(line.mainPly);
  if (tab !== "moves") query.tab = tab;
  return query;
}
