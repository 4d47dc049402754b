// Worum es bei einem Fehler geht, auf Deutsch.

import type { Themes } from "./en";

export const themesDe: Themes = {
  misses_mate: "Matt übersehen",
  allows_mate: "Matt zugelassen",
  stalemates: "Patt",
  draws_won_game: "Gewinn vergeben",
  allows_stalemate: "Patt zugelassen",
  spoils_endgame: "Endspiel",
  hangs: "Hängende Figur",
  allows_tactic: "Taktik zugelassen",
  misses_capture: "Schlagzug übersehen",
  misses_tactic: "Taktik übersehen",
  fork: "Gabel",
  pin: "Fesselung",
  skewer: "Spieß",
  "discovered attack": "Abzug",
  "trapped piece": "Gefangene Figur",
  allows_promotion: "Umwandlung zugelassen",
  misses_promotion: "Umwandlung übersehen",
  misses_zugzwang: "Zugzwang",
  better_line: "Besserer Plan",
  leaves_book: "Eröffnung",
  only_move: "Einziger Zug",
};
