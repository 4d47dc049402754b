// The signs on buttons, drawn for this page: strokes on a square of 24.

import { h, svg } from "./dom";

const STROKES = {
  first: "M6 5v14M18 5l-9 7 9 7z",
  previous: "M16 5l-9 7 9 7z",
  next: "M8 5l9 7-9 7z",
  last: "M18 5v14M6 5l9 7-9 7z",
  flip: "M7 4v15M3.5 8L7 4l3.5 4M17 20V5M13.5 16l3.5 4 3.5-4",
  takeback: "M9 7L4 12l5 5M4 12h10a5 5 0 0 1 0 10h-2",
  hint: "M9 17h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.4.4.5 1 .5 3.1h6c0-2.1.1-2.7.5-3.1A6 6 0 0 0 12 3z",
  draw: "M5 19L19 5M6 4.5l2-1v7M15 15.5c0-1.2.9-2 2.2-2s2.1.7 2.1 1.8c0 1.7-4.3 2.7-4.3 5.2h4.5",
  resign: "M6 21V4M6 4.5c4-2.5 8 2.5 13 0v9c-5 2.5-9-2.5-13 0",
  menu: "M5 12h.01M12 12h.01M19 12h.01",
  rematch: "M4 12a8 8 0 0 1 14-5.3L20 9M20 4v5h-5M20 12a8 8 0 0 1-14 5.3L4 15M4 20v-5h5",
  stop: "M6 6h12v12H6z",
  now: "M13 3L5 13h6l-1 8 8-11h-6z",
  engine: "M5 9h14v10H5zM9 5v4M15 5v4M9 13.5h.01M15 13.5h.01M2.5 13v3M21.5 13v3",
  review: "M4 19V5M4 19h16M7 15l4-5 3 3 5-7",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L21 21",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
  close: "M6 6l12 12M18 6L6 18",
  help: "M9 9a3 3 0 1 1 4 2.8c-.7.3-1 .8-1 1.7v.5M12 17.5h.01",
  pawn: "M12 3.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8.5 10h7M10 10c0 3.5-1 5-3 7h10c-2-2-3-3.5-3-7M6 20.5h12",
  move: "M12 3v18M3 12h18M9.5 5.5L12 3l2.5 2.5M9.5 18.5L12 21l2.5-2.5M5.5 9.5L3 12l2.5 2.5M18.5 9.5L21 12l-2.5 2.5",
  eraser:
    "M20 20H9.5l-5.2-5.2a1.5 1.5 0 0 1 0-2.1l8.4-8.4a1.5 1.5 0 0 1 2.1 0l5 5a1.5 1.5 0 0 1 0 2.1L11 20M8.4 8.6l7.1 7.1",
  threat: "M12 3v5M12 16v5M3 12h5M16 12h5M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z",
} as const;

export type IconName = keyof typeof STROKES;

export function icon(name: IconName): SVGElement {
  const path = svg("path", { d: STROKES[name] });
  return svg("svg", { viewBox: "0 0 24 24", class: `icon icon-${name}`, "aria-hidden": "true" }, path);
}

/** A button that shows a sign and is called by its name. */
export function iconButton(
  name: IconName,
  label: string,
  press: (event: MouseEvent) => void,
  key?: string,
): HTMLButtonElement {
  const title = key ? `${label} (${key})` : label;
  return h("button.icon-button.quiet", { type: "button", "aria-label": label, title, onclick: press }, icon(name));
}
