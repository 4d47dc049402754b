// Why a move is judged as it is, in English: clauses that follow a colon. Their type is the type of all languages.

export type Role = "pawn" | "knight" | "bishop" | "rook" | "queen" | "king";
export type Cause = "moved" | "left" | "exposed";
export type TacticKind = "fork" | "pin" | "skewer" | "discovered attack" | "trapped piece";
export type EndgameResult = "won" | "drawn" | "lost";
/** A piece where it stands. */
export type Target = { role: Role; square: string };

/** `a`, `a and b`, `a, b and c`. */
export function listed(items: string[], and: string): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${and} ${items.at(-1)}`;
}

const pawns = (centipawns: number) =>
  centipawns === 100 ? "a pawn" : `${(centipawns / 100).toFixed(centipawns % 100 ? 1 : 0)} pawns`;
const standing = (targets: Target[]) =>
  listed(
    targets.map(({ role, square }) => `the ${role} on ${square}`),
    "and",
  );
const pieces = (roles: Role[]) =>
  listed(
    roles.map(role => `a ${role}`),
    "and",
  );

const tactic = (kind: TacticKind, line: string, attacker: string, targets: Target[], wins: number): string => {
  const all = standing(targets);
  const told = {
    fork: `a fork: ${line} attacks ${all}`,
    pin: `a pin: after ${line}, ${all} is pinned and lost`,
    skewer: `a skewer: ${line} attacks ${all} in one line`,
    "discovered attack": `a discovered attack: ${line} opens the line from ${attacker} to ${all}`,
    "trapped piece": `${line}, after which ${all} is trapped`,
  }[kind];
  return `${told} (wins at least ${pawns(wins)})`;
};

export const reasonsEn = {
  /** A mate that was missed or is allowed. */
  missesMate: (moves: number, backRank: boolean, line: string) =>
    `it misses ${backRank ? "a back-rank mate" : "mate"} in ${moves} (${line})`,
  allowsMate: (moves: number, backRank: boolean, line: string) =>
    `it allows ${backRank ? "a back-rank mate" : "mate"} in ${moves} (${line})`,
  stalemates: "it stalemates: the opponent has no legal move and is not in check",
  drawsWonGame: (by: string) => `it lets a won game end in a draw by ${by}`,
  allowsStalemate: (line: string) => `it allows a stalemate (${line})`,
  spoilsEndgame: (before: EndgameResult, after: EndgameResult) =>
    `by the tablebases the endgame was ${before} and is ${after}`,
  hangs: (cause: Cause, victim: Role, square: string, line: string): string =>
    ({
      moved: `it hangs the ${victim} (${line})`,
      left: `it leaves the ${victim} on ${square} hanging (${line})`,
      exposed: `it exposes the ${victim} on ${square} (${line})`,
    })[cause],
  losesExchange: ", which loses the exchange",
  loses: (centipawns: number) => `, which loses ${pawns(centipawns)}`,
  allowsTactic: (...what: Parameters<typeof tactic>) => `it allows ${tactic(...what)}`,
  missesTactic: (...what: Parameters<typeof tactic>) => `it misses ${tactic(...what)}`,
  allowsPromotion: (line: string) => `it lets a pawn promote (${line})`,
  missesPromotion: (line: string) => `it misses a promotion (${line})`,
  missesCapture: (line: string, won: Role[], lost: Role[]) =>
    `it misses ${line}, which wins ${won.length === 0 ? "material" : pieces(won)}${
      won.length > 0 && lost.length > 0 ? ` for ${pieces(lost)}` : ""
    }`,
  missesZugzwang: (line: string) => `it misses a zugzwang: after ${line} the opponent loses because they have to move`,
  onlyMove: (line: string, score: string) => `The only good move: next best is ${line} (${score})`,
  leavesBook: (moves: string) => `it leaves the book, which knows ${moves}`,
};

export type ReasonWords = typeof reasonsEn;
