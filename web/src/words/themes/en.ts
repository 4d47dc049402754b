// What a mistake is about, in English: the names of the themes of practice.

export const themesEn = {
  misses_mate: "Missed mate",
  allows_mate: "Allowed mate",
  stalemates: "Stalemate",
  draws_won_game: "Won game drawn",
  allows_stalemate: "Allowed stalemate",
  spoils_endgame: "Endgame",
  hangs: "Hanging piece",
  allows_tactic: "Allowed tactic",
  misses_capture: "Missed capture",
  misses_tactic: "Missed tactic",
  fork: "Fork",
  pin: "Pin",
  skewer: "Skewer",
  "discovered attack": "Discovered attack",
  "trapped piece": "Trapped piece",
  allows_promotion: "Allowed promotion",
  misses_promotion: "Missed promotion",
  misses_zugzwang: "Zugzwang",
  better_line: "Better plan",
  leaves_book: "Opening",
  only_move: "Only move",
};

export type Themes = typeof themesEn;
