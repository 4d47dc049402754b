// The keys and what they do, in English. Their type is the type of all languages.

export interface ShortcutGroup {
  title: string;
  keys: [key: string, does: string][];
}

export const shortcutsEn: ShortcutGroup[] = [
  {
    title: "Moves",
    keys: [
      ["← →", "Previous and next move"],
      ["↑ ↓", "First and last position"],
      ["Wheel", "Step through the moves, over the board"],
      ["m", "Type a move"],
      ["f", "Flip board"],
      ["z", "Zen mode"],
      ["Del", "Delete from here"],
    ],
  },
  {
    title: "Engine and review",
    keys: [
      ["l", "Engine on and off"],
      ["x", "Show threat"],
      ["Space", "Play the best move; in a review, try it yourself"],
      ["n", "Next mistake"],
    ],
  },
  {
    title: "Drawing",
    keys: [
      ["Right button", "Green arrow or circle"],
      ["Shift", "Red"],
      ["Alt", "Blue"],
      ["Shift + Alt", "Yellow"],
    ],
  },
  {
    title: "Everywhere",
    keys: [
      ["Tab, arrows, Enter", "Play on the board by keyboard"],
      ["Ctrl + V", "Open a pasted FEN, PGN or moves"],
      ["/", "Search"],
      ["?", "This list"],
    ],
  },
];
