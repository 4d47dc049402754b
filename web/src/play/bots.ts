// The bots: the levels of the server, which names them, each with a face and a sentence that says how it plays.

import type { Engines } from "../api";
import { svg } from "../dom";
import { w } from "../words";

type Role = "p" | "n" | "b" | "r" | "q" | "k";

interface Look {
  role: Role;
  hue: number;
}

/** By rating; the one without a rating plays as well as it can. */
const LOOKS: Record<string, Look> = {
  "500": { role: "p", hue: 40 },
  "800": { role: "p", hue: 95 },
  "1100": { role: "n", hue: 150 },
  "1400": { role: "n", hue: 185 },
  "1700": { role: "b", hue: 215 },
  "2000": { role: "b", hue: 255 },
  "2300": { role: "r", hue: 300 },
  "2600": { role: "q", hue: 340 },
  full: { role: "k", hue: 10 },
};

export interface Bot {
  mind: string;
  name: string;
  /** Measured in games between the bots; none for the full engine. */
  rating: number | null;
  about: string;
  face: () => SVGElement;
}

export function bots({ levels }: Engines): Bot[] {
  return levels.map(({ mind, elo, name, title }) => {
    const key = elo === null ? "full" : String(elo);
    const look = LOOKS[key] ?? { role: "p" as const, hue: 200 };
    const about = key in w.bots ? w.bots[key as keyof typeof w.bots] : title;
    return { mind, name, rating: elo, about, face: () => face(look) };
  });
}

/** Where the eyes of a piece are. */
const EYES: Record<Role, [x: number, y: number]> = {
  p: [20, 12.6],
  n: [20, 15],
  b: [20, 16.5],
  r: [20, 20.5],
  q: [20, 21.5],
  k: [20, 19],
};

const OUTLINES: Record<Role, string> = {
  p: "M20 6c4 0 7 3 7 6.8 0 2.2-1 4-2.6 5.2 1.3.5 2.1 1.3 2.1 2.2 0 .9-.7 1.5-1.9 1.7.4 4 2.2 6.5 5 8.4 1.6 1.1 2.4 2.3 2.4 4.2V37H8v-2.5c0-1.9.8-3.1 2.4-4.2 2.8-1.9 4.6-4.4 5-8.4-1.2-.2-1.9-.8-1.9-1.7 0-.9.8-1.7 2.1-2.2A6.6 6.6 0 0 1 13 12.8C13 9 16 6 20 6z",
  n: "M10 37c0-7 5-9 5.5-13-2 1.5-4 1.3-5.5 2.5-2 1.5-5 0-3.7-3l3-6c1-4 2.7-7 6.2-8.5l1-4 3.5 3.5C28 10.5 32 18 30.5 37z",
  b: "M20 4a2.4 2.4 0 0 1 1.7 4.1c4 2.5 6.8 6.5 6.8 10.4 0 3-1.5 5.2-3.7 6.5.5 2.2 1.9 4 4 5.3 1.6 1.1 2.2 2.4 2.2 4.2V37H9v-2.5c0-1.8.6-3.1 2.2-4.2 2.1-1.3 3.5-3.1 4-5.3-2.2-1.3-3.7-3.5-3.7-6.5 0-3.9 2.8-7.9 6.8-10.4A2.4 2.4 0 0 1 20 4z",
  r: "M8.5 6.5h5v3.3h4V6.5h5v3.3h4V6.5h5v7l-3.5 3.2v11.8l3.3 3.5v5H8.7v-5l3.3-3.5V16.7l-3.5-3.2z",
  q: "M20 4.5a2.3 2.3 0 0 1 1.2 4.3l3.2 7.8 4.4-5.6a2.3 2.3 0 1 1 2.2.8l-3.2 13.5c.4 1.4 1 2.6 2 4 .9 1.2 1.3 2.4 1.3 4V37H8.9v-3.7c0-1.6.4-2.8 1.3-4 1-1.4 1.6-2.6 2-4L9 11.8a2.3 2.3 0 1 1 2.2-.8l4.4 5.6 3.2-7.8A2.3 2.3 0 0 1 20 4.5z",
  k: "M18.4 2.5h3.2v2.8h2.8v3.1h-2.8v2.5c1.1.5 2 1.4 2.4 2.5 1.4-1.1 3-1.5 4.6-1.3 3.7.4 5.9 3.7 4.9 7.3-.7 2.4-2.6 4.4-5.1 6.1.2 1.3.8 2.4 1.6 3.5.9 1.2 1.3 2.4 1.3 4V37H8.7v-4c0-1.6.4-2.8 1.3-4 .8-1.1 1.4-2.2 1.6-3.5-2.5-1.7-4.4-3.7-5.1-6.1-1-3.6 1.2-6.9 4.9-7.3 1.6-.2 3.2.2 4.6 1.3.4-1.1 1.3-2 2.4-2.5V8.4h-2.8V5.3h2.8z",
};

/** A piece with eyes and a smile, on a ground of its own color. */
function face({ role, hue }: Look): SVGElement {
  const [x, y] = EYES[role];
  const eye = (dx: number) => svg("circle", { cx: x + dx, cy: y, r: 1.15 });
  const smile = svg("path", { d: `M${x - 2.6} ${y + 3.2}q2.6 2.3 5.2 0`, class: "smile" });
  const ground = svg("circle", { cx: 20, cy: 20, r: 20, class: "face-ground", fill: `hsl(${hue} 38% 42%)` });
  const piece = svg("path", { d: OUTLINES[role], transform: "translate(4.5 4.5) scale(0.775)", class: "face-piece" });
  const look = svg(
    "g",
    { transform: "translate(4.5 4.5) scale(0.775)", class: "face-look" },
    eye(-2.4),
    eye(2.4),
    smile,
  );
  return svg("svg", { viewBox: "0 0 40 40", class: "face", "aria-hidden": "true" }, ground, piece, look);
}
