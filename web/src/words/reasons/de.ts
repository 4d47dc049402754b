// Warum ein Zug so beurteilt wird, auf Deutsch.

import { listed, type ReasonWords, type Role, type TacticKind, type Target } from "./en";

const NAMES: Record<Role, { the: string; theObject: string; anObject: string }> = {
  pawn: { the: "der Bauer", theObject: "den Bauern", anObject: "einen Bauern" },
  knight: { the: "der Springer", theObject: "den Springer", anObject: "einen Springer" },
  bishop: { the: "der Läufer", theObject: "den Läufer", anObject: "einen Läufer" },
  rook: { the: "der Turm", theObject: "den Turm", anObject: "einen Turm" },
  queen: { the: "die Dame", theObject: "die Dame", anObject: "eine Dame" },
  king: { the: "der König", theObject: "den König", anObject: "einen König" },
};
const RESULTS = { won: "gewonnen", drawn: "remis", lost: "verloren" };

const pawns = (centipawns: number) =>
  centipawns === 100
    ? "einen Bauern"
    : `${(centipawns / 100).toLocaleString("de", { maximumFractionDigits: 1 })} Bauerneinheiten`;
const standing = (targets: Target[], form: "the" | "theObject") =>
  listed(
    targets.map(({ role, square }) => `${NAMES[role][form]} auf ${square}`),
    "und",
  );
const pieces = (roles: Role[]) =>
  listed(
    roles.map(role => NAMES[role].anObject),
    "und",
  );

const tactic = (kind: TacticKind, line: string, attacker: string, targets: Target[], wins: number): string => {
  const told = {
    fork: `eine Gabel: ${line} greift ${standing(targets, "theObject")} an`,
    pin: `eine Fesselung: Nach ${line} ist ${standing(targets, "the")} gefesselt und verloren`,
    skewer: `einen Spieß: ${line} greift ${standing(targets, "theObject")} auf einer Linie an`,
    "discovered attack": `einen Abzug: ${line} öffnet die Linie von ${attacker} auf ${standing(targets, "theObject")}`,
    "trapped piece": `${line}, wonach ${standing(targets, "the")} gefangen ist`,
  }[kind];
  return `${told} (gewinnt mindestens ${pawns(wins)})`;
};

export const reasonsDe: ReasonWords = {
  missesMate: (moves, backRank, line) =>
    `er übersieht ein ${backRank ? "Grundreihenmatt" : "Matt"} in ${moves} (${line})`,
  allowsMate: (moves, backRank, line) =>
    `er erlaubt ein ${backRank ? "Grundreihenmatt" : "Matt"} in ${moves} (${line})`,
  stalemates: "er setzt patt: Der Gegner hat keinen legalen Zug und steht nicht im Schach",
  drawsWonGame: by => `er lässt eine gewonnene Partie remis werden (${by})`,
  allowsStalemate: line => `er erlaubt ein Patt (${line})`,
  spoilsEndgame: (before, after) =>
    `nach den Endspieltabellen war das Endspiel ${RESULTS[before]} und ist jetzt ${RESULTS[after]}`,
  hangs: (cause, victim, square, line) =>
    ({
      moved: `er stellt ${NAMES[victim].theObject} ein (${line})`,
      left: `er lässt ${NAMES[victim].theObject} auf ${square} hängen (${line})`,
      exposed: `er gibt ${NAMES[victim].theObject} auf ${square} preis (${line})`,
    })[cause],
  losesExchange: ", was die Qualität verliert",
  loses: centipawns => `, was ${pawns(centipawns)} kostet`,
  allowsTactic: (...what) => `er erlaubt ${tactic(...what)}`,
  missesTactic: (...what) => `er übersieht ${tactic(...what)}`,
  allowsPromotion: line => `er lässt einen Bauern sich umwandeln (${line})`,
  missesPromotion: line => `er übersieht eine Umwandlung (${line})`,
  missesCapture: (line, won, lost) =>
    `er übersieht ${line}, was ${won.length === 0 ? "Material" : pieces(won)}${
      won.length > 0 && lost.length > 0 ? ` für ${pieces(lost)}` : ""
    } gewinnt`,
  missesZugzwang: line => `er übersieht einen Zugzwang: Nach ${line} verliert der Gegner, weil er ziehen muss`,
  onlyMove: (line, score) => `Der einzige gute Zug: Der nächstbeste ist ${line} (${score})`,
  leavesBook: moves => `er verlässt das Buch, das ${moves} kennt`,
};
