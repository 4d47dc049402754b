// De qué trata un error, en español.

import type { Themes } from "./en";

export const themesEs: Themes = {
  misses_mate: "Mate no visto",
  allows_mate: "Mate permitido",
  stalemates: "Ahogado",
  draws_won_game: "Victoria que acabó en tablas",
  allows_stalemate: "Ahogado permitido",
  spoils_endgame: "Final",
  hangs: "Pieza indefensa",
  allows_tactic: "Táctica permitida",
  misses_capture: "Captura no vista",
  misses_tactic: "Táctica no vista",
  fork: "Ataque doble",
  pin: "Clavada",
  skewer: "Enfilada",
  "discovered attack": "Ataque a la descubierta",
  "trapped piece": "Pieza atrapada",
  allows_promotion: "Coronación permitida",
  misses_promotion: "Coronación no vista",
  misses_zugzwang: "Zugzwang",
  better_line: "Mejor plan",
  leaves_book: "Apertura",
  only_move: "Única jugada",
};
