// The keys and what they do, in German.

import type { ShortcutGroup } from "./en";

export const shortcutsDe: ShortcutGroup[] = [
  {
    title: "Züge",
    keys: [
      ["← →", "Voriger und nächster Zug"],
      ["↑ ↓", "Erste und letzte Stellung"],
      ["Mausrad", "Über dem Brett durch die Züge gehen"],
      ["m", "Zug eingeben"],
      ["f", "Brett drehen"],
      ["z", "Zen-Modus"],
      ["Entf", "Ab hier löschen"],
    ],
  },
  {
    title: "Engine und Rückblick",
    keys: [
      ["l", "Engine an und aus"],
      ["x", "Drohung zeigen"],
      ["Leertaste", "Den besten Zug spielen; im Rückblick selbst versuchen"],
      ["n", "Nächster Fehler"],
    ],
  },
  {
    title: "Zeichnen",
    keys: [
      ["Rechte Taste", "Grüner Pfeil oder Kreis"],
      ["Umschalt", "Rot"],
      ["Alt", "Blau"],
      ["Umschalt + Alt", "Gelb"],
    ],
  },
  {
    title: "Überall",
    keys: [
      ["Tab, Pfeile, Eingabe", "Auf dem Brett mit der Tastatur spielen"],
      ["Strg + V", "Eingefügte FEN, PGN oder Züge öffnen"],
      ["/", "Suchen"],
      ["?", "Diese Liste"],
    ],
  },
];
