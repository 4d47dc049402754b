// The keys and what they do, in Spanish.

import type { ShortcutGroup } from "./en";

export const shortcutsEs: ShortcutGroup[] = [
  {
    title: "Jugadas",
    keys: [
      ["← →", "Jugada anterior y siguiente"],
      ["↑ ↓", "Primera y última posición"],
      ["Rueda", "Recorrer las jugadas, sobre el tablero"],
      ["m", "Escribir una jugada"],
      ["f", "Girar el tablero"],
      ["z", "Modo zen"],
      ["Supr", "Borrar desde aquí"],
    ],
  },
  {
    title: "Motor y revisión",
    keys: [
      ["l", "Encender y apagar el motor"],
      ["x", "Mostrar la amenaza"],
      ["Espacio", "Jugar lo mejor; en la revisión, inténtalo tú"],
      ["n", "Error siguiente"],
    ],
  },
  {
    title: "Dibujar",
    keys: [
      ["Botón derecho", "Flecha o círculo verde"],
      ["Mayús", "Rojo"],
      ["Alt", "Azul"],
      ["Mayús + Alt", "Amarillo"],
    ],
  },
  {
    title: "En todas partes",
    keys: [
      ["Tab, flechas, Intro", "Jugar en el tablero con el teclado"],
      ["Ctrl + V", "Abrir un FEN, PGN o jugadas pegadas"],
      ["/", "Buscar"],
      ["?", "Esta lista"],
    ],
  },
];
