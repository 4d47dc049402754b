// Por qué se juzga así una jugada, en español.

import { listed, type ReasonWords, type Role, type TacticKind, type Target } from "./en";

const NAMES: Record<Role, [the: string, a: string]> = {
  pawn: ["el peón", "un peón"],
  knight: ["el caballo", "un caballo"],
  bishop: ["el alfil", "un alfil"],
  rook: ["la torre", "una torre"],
  queen: ["la dama", "una dama"],
  king: ["el rey", "un rey"],
};
const RESULTS = { won: "ganado", drawn: "en tablas", lost: "perdido" };

const isFeminine = (role: Role) => role === "rook" || role === "queen";
const pawns = (centipawns: number) =>
  centipawns === 100 ? "un peón" : `${(centipawns / 100).toLocaleString("es", { maximumFractionDigits: 1 })} peones`;
/** «a el» se contrae en «al»; aquí las piezas van como objeto directo, sin preposición. */
const standing = (targets: Target[]) =>
  listed(
    targets.map(({ role, square }) => `${NAMES[role][0]} de ${square}`),
    "y",
  );
const pieces = (roles: Role[]) =>
  listed(
    roles.map(role => NAMES[role][1]),
    "y",
  );

const tactic = (kind: TacticKind, line: string, attacker: string, targets: Target[], wins: number): string => {
  const all = standing(targets);
  const ending = targets.every(({ role }) => isFeminine(role)) ? "a" : "o";
  const told = {
    fork: `un ataque doble: ${line} ataca ${all}`,
    pin: `una clavada: tras ${line}, ${all} queda clavad${ending} y se pierde`,
    skewer: `una enfilada: ${line} ataca ${all} en una misma línea`,
    "discovered attack": `un ataque a la descubierta: ${line} abre la línea de ${attacker} contra ${all}`,
    "trapped piece": `${line}, tras lo cual ${all} queda atrapad${ending}`,
  }[kind];
  return `${told} (gana al menos ${pawns(wins)})`;
};

export const reasonsEs: ReasonWords = {
  missesMate: (moves, backRank, line) => `deja escapar un mate ${backRank ? "del pasillo " : ""}en ${moves} (${line})`,
  allowsMate: (moves, backRank, line) => `permite un mate ${backRank ? "del pasillo " : ""}en ${moves} (${line})`,
  stalemates: "ahoga: el rival no tiene jugadas legales y no está en jaque",
  drawsWonGame: by => `deja que una partida ganada acabe en tablas (${by})`,
  allowsStalemate: line => `permite un ahogado (${line})`,
  spoilsEndgame: (before, after) =>
    `según las tablas de finales, el final estaba ${RESULTS[before]} y ahora está ${RESULTS[after]}`,
  hangs: (cause, victim, square, line) =>
    ({
      moved: `deja ${NAMES[victim][0]} sin defensa (${line})`,
      left: `deja colgad${isFeminine(victim) ? "a" : "o"} ${NAMES[victim][0]} de ${square} (${line})`,
      exposed: `expone ${NAMES[victim][0]} de ${square} (${line})`,
    })[cause],
  losesExchange: ", lo que pierde la calidad",
  loses: centipawns => `, lo que pierde ${pawns(centipawns)}`,
  allowsTactic: (...what) => `permite ${tactic(...what)}`,
  missesTactic: (...what) => `deja escapar ${tactic(...what)}`,
  allowsPromotion: line => `deja coronar un peón (${line})`,
  missesPromotion: line => `deja escapar una coronación (${line})`,
  missesCapture: (line, won, lost) =>
    `deja escapar ${line}, que gana ${won.length === 0 ? "material" : pieces(won)}${
      won.length > 0 && lost.length > 0 ? ` por ${pieces(lost)}` : ""
    }`,
  missesZugzwang: line => `deja escapar un zugzwang: tras ${line} el rival pierde porque tiene que jugar`,
  onlyMove: (line, score) => `La única jugada buena: la siguiente es ${line} (${score})`,
  leavesBook: moves => `deja el libro, que conoce ${moves}`,
};
