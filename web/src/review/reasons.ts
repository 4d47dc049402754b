// Why a move is judged as it is, in the page's language. The server sends facts; the sentence is made here.

import type { MoveReview } from "../api";
import { numbered, plyOf, score } from "../format";
import { inLetters } from "../notation";
import { w } from "../words";
import type { Cause, EndgameResult, Role, TacticKind, Target } from "../words/reasons/en";

export type Reason = MoveReview["reasons"][number];

/** Moves of a line that are told. */
const TOLD = 7;

/** A reason as a clause that follows a colon. */
export function clause(reason: Reason, { fen }: MoveReview): string {
  const { kind, facts, squares, moves } = reason;
  // A review that an earlier version made has only the English text.
  if (!facts) return `it ${reason.text}`;
  const sans = reason.line?.san ?? [];
  // What was missed begins where the move was made; what is allowed comes after it.
  const isInstead = kind.startsWith("misses_") || kind === "only_move" || kind === "better_line";
  const lineOf = (most: number) => numbered(sans.slice(0, most), plyOf(fen) + (isInstead ? 0 : 1));
  const line = lineOf(TOLD);
  const whole = sans.length > TOLD ? `${line} …` : line;
  const said = w.reasons;
  switch (facts.of) {
    case "mate":
      return said[kind === "misses_mate" ? "missesMate" : "allowsMate"](moves ?? 0, facts.back_rank, whole);
    case "draw":
      return said.drawsWonGame(w.drawReasons[facts.by] ?? facts.by);
    case "endgame":
      return said.spoilsEndgame(facts.before as EndgameResult, facts.after as EndgameResult);
    case "hanging": {
      const loss = facts.exchange ? said.losesExchange : facts.loses === null ? "" : said.loses(facts.loses);
      const all = lineOf(sans.length);
      return said.hangs(facts.cause as Cause, facts.victim as Role, squares[0] ?? "", all) + loss;
    }
    case "tactic": {
      const targets = facts.targets as Target[];
      const tell = kind === "misses_tactic" ? said.missesTactic : said.allowsTactic;
      return tell(facts.kind as TacticKind, lineOf(1), facts.attacker, targets, facts.wins);
    }
    case "capture":
      return said.missesCapture(lineOf(1), facts.won as Role[], facts.lost as Role[]);
    case "other":
      return said.onlyMove(lineOf(1), score(facts.eval));
    case "book":
      return said.leavesBook(facts.moves.map(inLetters).join(", "));
    case "nothing":
      return {
        allows_stalemate: () => said.allowsStalemate(line),
        allows_promotion: () => said.allowsPromotion(line),
        misses_promotion: () => said.missesPromotion(line),
        misses_zugzwang: () => said.missesZugzwang(line),
        stalemates: () => said.stalemates,
      }[kind as "stalemates"]();
  }
}
