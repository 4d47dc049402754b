// What was chosen for the last game, and rows of choices.

import { h } from "../dom";

export type Seats = "white" | "black" | "random";
export type Mode = "bot" | "engine" | "both" | "watch";
export type Start = "standard" | "chess960" | "number" | "fen";
export type Clock = "none" | "custom" | "1+0" | "3+2" | "5+0" | "10+0" | "15+10";

export interface Choice {
  mode: Mode;
  seats: Seats;
  /** The bot, and the engines of the other ways to play. */
  mind?: string;
  other?: string;
  second?: string;
  clock: Clock;
  minutes: string;
  increment: string;
  think: string;
  pause: string;
  /** What the player may ask for. */
  hints: boolean;
  takebacks: boolean;
  start: Start;
  number: string;
  fen: string;
}

export const TIMES: readonly Clock[] = ["none", "1+0", "3+2", "5+0", "10+0", "15+10", "custom"];

const KEY = "saavedra.new-game";
const USUAL: Choice = {
  mode: "bot",
  seats: "white",
  clock: "none",
  minutes: "20",
  increment: "0",
  think: "1000",
  pause: "500",
  hints: true,
  takebacks: true,
  start: "standard",
  number: "518",
  fen: "",
};

export function remember(choice: Choice): void {
  localStorage.setItem(KEY, JSON.stringify(choice));
}

export function remembered(): Choice {
  try {
    return { ...USUAL, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Choice>) };
  } catch {
    return { ...USUAL };
  }
}

/** A few choices side by side, of which one is taken. */
export function choiceRow<T extends string>(
  label: string,
  name: string,
  options: readonly (readonly [T, string])[],
  chosen: T,
  change: (value: T) => void,
): HTMLElement {
  const hadFocus = document.activeElement instanceof HTMLInputElement && document.activeElement.name === name;
  const items = options.map(([value, text]) => {
    const box = h("input.unseen", { type: "radio", name, value, onchange: () => change(value) });
    box.checked = value === chosen;
    if (hadFocus && value === chosen) setTimeout(() => box.focus());
    return h("label.segment", {}, box, h("span", {}, text));
  });
  return h("fieldset.segments", {}, h("legend", {}, label), h("div.segment-row", {}, ...items));
}
